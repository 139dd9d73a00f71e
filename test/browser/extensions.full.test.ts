import { CHROMIUM, Chromium } from '../helpers/chromium.ts';
import { extending, extensionsSuite } from './extensions.ts';
import { loading, unpackExtension } from './support/extension.ts';

extensionsSuite.runIn(
  extending(CHROMIUM, (program) => ({
    unpack: unpackExtension,
    start: (extensions) =>
      Chromium.start(program, [...loading(extensions), '--host-resolver-rules=MAP evil.example 127.0.0.1']),
  })),
);
