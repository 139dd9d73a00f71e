// `npm run test:full`: what `npm test` holds once, repeated at length: random schedules, failing files, tampered PCZTs, each
// attack from each name. These are the tests that ask the helper atLength.ts how far to go, or through a helper of theirs.
import { readFileSync } from 'node:fs';
import { buildAndRunAva } from './runAva.mjs';
import { testFiles, testSources } from './testFiles.mjs';

const helpers = testSources()
  .filter((file) => !file.endsWith('.test.ts'))
  .filter((file) => /\/atLength(?:\.ts)?'/.test(readFileSync(file, 'utf8')))
  .map((file) => file.replace(/^.*\/|\.ts$/g, ''));

process.env.WALLET_COMPANION_AT_LENGTH = '1';
await buildAndRunAva([...process.argv.slice(2), ...testFiles(['atLength', ...helpers])]);
