// `npm run generate`: everything that is made from the operation table (API reference, OpenAPI document, C surface, the
// client's routes). Types are taken off without being checked, into a folder of their own, so that it also works where
// the tree does not compile until the generated files are new.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

const out = '.cache/generate';
const node = (...args) =>
  spawnSync(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, WALLET_COMPANION_OUT: out },
  }).status ?? 1;

// What was left by another state of the sources must not be generated from.
rmSync(out, { recursive: true, force: true });
const strip = ['--noCheck', '--incremental', 'false', '--declaration', 'false', '--sourceMap', 'false'];
// A file that cannot even be parsed is reported and left out; the generators say whether they needed it.
node('node_modules/typescript/bin/tsc', ...strip, '--outDir', out);
for (const generator of ['scripts/docs.mjs', 'scripts/bindings.mjs']) {
  const status = node(generator);
  if (status !== 0) process.exit(status);
}
