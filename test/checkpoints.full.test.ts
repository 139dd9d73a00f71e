// scripts/checkpoints.mjs against a node.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Devnet } from '@wallet-companion/devnet';
import { blockHashToHex } from '@wallet-companion/zcash/identifiers';
import test from 'ava';

const run = promisify(execFile);

test('two known blocks come from a node, the upper one deeper than nodes reorganise', async (t) => {
  const devnet = new Devnet();
  t.teardown(() => devnet.close());
  devnet.mineEmpty(1_499);
  const url = await devnet.node.listen();
  const script = () => run(process.execPath, ['scripts/checkpoints.mjs', url]);
  await t.throwsAsync(script, { message: /too short: 1499 blocks/ });
  devnet.mineEmpty(1);
  const { stdout } = await script();
  const hashAt = (height: number) => blockHashToHex(devnet.blocks.at(height)!.hash);
  t.true(stdout.includes(`below: known(0, '${hashAt(0)}')`), stdout);
  t.true(stdout.includes(`at: known(400, '${hashAt(400)}')`), stdout);
});
