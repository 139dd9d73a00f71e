// `npm test`: lint, build (which type-checks), every test. With names (`npm test -- walletFile`, of a test, a source or a
// folder; see testFiles.mjs) it builds and runs only those tests. Options, which begin with a dash, go to ava.
import { spawnSync } from 'node:child_process';
import { closingLine, runAva } from './runAva.mjs';
import { testFiles } from './testFiles.mjs';

function step(name, command, args) {
  console.log(`> ${name}`);
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) {
    console.log('0 passed, 1 failed');
    process.exit(status ?? 1);
  }
}

const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith('-'));
const files = testFiles(given.filter((argument) => !argument.startsWith('-')));

if (files.length === 0)
  step('lint', process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
step('build', process.execPath, ['scripts/build.mjs']);
console.log('> test');
const result = await runAva([...options, ...files]);
console.log(closingLine(result));
process.exit(result.status);
