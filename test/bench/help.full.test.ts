// Somebody who asks what there is to measure is told, and does not wait for it to be measured.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const MAIN = fileURLToPath(new URL('../../bench/main.js', import.meta.url));

test('--help lists the benches and runs none', (t) => {
  for (const words of [['--help'], ['-h'], ['kernel', '--help']]) {
    const text = execFileSync(process.execPath, [MAIN, ...words], { encoding: 'utf8' });
    for (const name of ['kernel', 'notes', 'scaling', 'sync']) t.true(text.includes(name), name);
    t.false(text.includes('=='));
  }
});
