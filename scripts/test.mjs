// `npm test`: lint, build (which type-checks), every test. Extra arguments go to ava.
import { spawnSync } from 'node:child_process';
import { closingLine, runAva } from './runAva.mjs';

function step(name, command, args) {
  console.log(`> ${name}`);
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) {
    console.log('0 passed, 1 failed');
    process.exit(status ?? 1);
  }
}

step('lint', process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
step('build', process.execPath, ['scripts/build.mjs']);
console.log('> test');
const result = await runAva(process.argv.slice(2));
console.log(closingLine(result));
process.exit(result.status);
