// The script that tampers with PCZTs for hours needs no test runner, so nothing else notices when it no longer starts.

import { spawnSync } from 'node:child_process';
import test from 'ava';

test('the script that tampers with PCZTs runs by itself, with a line for each stage', (t) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/fuzzPczt.mjs', '3'], {
    encoding: 'utf8',
  });
  t.is(status, 0, stderr);
  t.true(stdout.trimEnd().split('\n').length >= 10);
  t.regex(stdout, /: 3 mutations, /);
});
