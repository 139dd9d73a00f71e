// `npm run test:full`: the files named `*.full.test.ts`, which start something or take long, and what `npm test` holds once,
// repeated at length: random schedules, failing files, tampered PCZTs, each attack from each name. The latter are the tests
// that ask the helper atLength.ts how far to go, or through a helper of theirs.
import { readFileSync } from 'node:fs';
import { buildAndRunAva } from './runAva.mjs';
import { allTests, bundled, isFull, testFiles, testSources } from './testFiles.mjs';
import { grouped } from './testGroups.mjs';

const helpers = testSources()
  .filter((file) => !file.endsWith('.test.ts'))
  .filter((file) => /\/atLength(?:\.ts)?'/.test(readFileSync(file, 'utf8')))
  .map((file) => file.replace(/^.*\/|\.ts$/g, ''));
const atLength = testFiles(['atLength', ...helpers], (test) => test);

process.env.WALLET_COMPANION_AT_LENGTH = '1';
// Those at length stay alone: a group of them would be the last hour of the run.
await buildAndRunAva(process.argv.slice(2), () => [
  ...atLength.map(bundled),
  ...grouped(allTests().filter((test) => isFull(test) && !atLength.includes(test))),
]);
