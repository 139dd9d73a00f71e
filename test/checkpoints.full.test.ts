// scripts/checkpoints.mjs against a node.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { openNodeSource } from '@wallet-companion/chain/node';
import { newestBelow, readFrontierFile } from '@wallet-companion/chain/peers';
import { Devnet } from '@wallet-companion/devnet';
import { blockHashToHex } from '@wallet-companion/zcash/identifiers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { POOLS, perPool } from '@wallet-companion/zcash/pools';
import { readTreeState } from '@wallet-companion/zcash/trees';
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

test('the trees after the upper one are added to a file of frontiers', async (t) => {
  const params = regtestParameters();
  const devnet = new Devnet({ params });
  const folder = mkdtempSync(path.join(tmpdir(), 'frontiers-'));
  t.teardown(() => {
    devnet.close();
    rmSync(folder, { recursive: true });
  });
  for (let i = 0; i < 3; i++)
    devnet.mine({ transactions: [devnet.traffic({ sapling: 3, orchard: 2, ironwood: 4 })] });
  devnet.mineEmpty(1_499);
  const url = await devnet.node.listen();
  const file = path.join(folder, 'frontiers.json.gz');
  const script = () => run(process.execPath, ['scripts/checkpoints.mjs', url, '-', file]);
  await script();
  await t.throwsAsync(script, { message: /has block 402 already/ });
  devnet.mineEmpty(10);
  await script();

  const kept = readFrontierFile(file);
  t.deepEqual(
    kept.frontiers.map(({ height }) => height),
    [402, 412],
  );
  const node = openNodeSource({ url, cookieFile: null }, params);
  t.teardown(() => node.close());
  t.is(newestBelow(kept, 402), undefined);
  const found = newestBelow(kept, 412)!;
  const { hash, states } = (await node.treeStates(402))!;
  t.deepEqual(found.trees, { height: 402, hash, states: perPool((pool) => readTreeState(states[pool])) });
  for (const pool of POOLS) t.true(found.trees.states[pool].size > 0);
  t.deepEqual(found.start, {
    below: { height: 2, hash: devnet.blocks.at(2)!.hash },
    at: { height: 402, hash },
  });
});
