// `npm test`: lint, build (which type-checks), the tests that are not named `*.full.test.ts`. With names (`npm test --
// walletFile`, of a test, a source or a folder; see testFiles.mjs) it builds and runs only those tests, `*.full.test.ts` too.
// Options, which begin with a dash, go to ava.
import { buildAndRunAva, runStep } from './runAva.mjs';
import { quickTests, testFiles } from './testFiles.mjs';
import { grouped } from './testGroups.mjs';

const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith('-'));
const files = testFiles(given.filter((argument) => !argument.startsWith('-')));

if (files.length === 0) {
  runStep('node_modules/@biomejs/biome/bin/biome', 'check', '.');
  runStep('scripts/quickTests.mjs');
}
await buildAndRunAva(options, () => (files.length === 0 ? grouped(quickTests()) : files));
