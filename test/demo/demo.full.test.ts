import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { PROGRAM } from '../helpers/program.ts';
import { UNHURRIED } from '../helpers/service.ts';

test('the demo runs to its end, every balance as the chain has it', async (t) => {
  // By the environment, because the demo starts a companion of its own.
  const options = [process.env['NODE_OPTIONS'] ?? '', ...UNHURRIED].join(' ');
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, 'demo', '--once'], {
    env: { ...process.env, NODE_OPTIONS: options },
  });
  t.is(stdout.split('as the chain has it').length - 1, 5);
  for (const text of [
    'welcome 🌲',
    'the node has verified its proof',
    'Recovered with the outgoing key: 0.75000000 ZEC, rent',
    'The wallet went back to block',
    'WALLET_LOCKED',
  ])
    t.true(stdout.includes(text), text);
  // Where to look at it, in a browser.
  t.regex(stdout, /dashboard, in a browser: http:\/\/127\.0\.0\.1:\d+\/$/m);
});
