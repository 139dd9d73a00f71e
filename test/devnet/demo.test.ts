import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

const demo = fileURLToPath(new URL('../../src/devnet/demo.js', import.meta.url));

test('the demo tells its story to the end, every balance as the chain has it', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [demo, '--once'], { timeout: 1_800_000 });
  t.is(stdout.split('as the chain has it').length - 1, 5);
  for (const text of ['welcome 🌲', 'The wallet went back to block', 'WALLET_LOCKED'])
    t.true(stdout.includes(text), text);
});
