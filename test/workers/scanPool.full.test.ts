import type { Worker } from 'node:worker_threads';
import { loadKernel } from '@wallet-companion/kernel/kernelLoad';
import { parseUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { incomingKeys, outgoingKeys } from '@wallet-companion/zcash/keys';
import { MAIN } from '@wallet-companion/zcash/network';
import { noteCommitments, type ScannedBlock } from '@wallet-companion/zcash/scan';
import { packBatch } from '@wallet-companion/zcash/test/scanning';
import { ORCHARD_TREE } from '@wallet-companion/zcash/trees';
import test, { type ExecutionContext } from 'ava';
import type { ScanKeys, ScanPool } from '../../src/actors/wallet/ports/scanPool.ts';
import type { CompanionError } from '../../src/protocol/errors.ts';
import { openScanPool, openTaskPool } from '../../src/workers/scanPool.ts';
import { buffersOf, shareKeys, wipeMemos } from '../../src/workers/scanSecrets.ts';
import { readKnownSeed } from '../helpers/knownSeed.ts';

const seed = readKnownSeed('main');
const viewingKey = parseUnifiedViewingKey(seed.accounts[0]!.ufvk, MAIN);
const keys: ScanKeys = {
  incoming: incomingKeys(viewingKey, 0),
  outgoing: outgoingKeys(viewingKey, 0),
  heights: { network: 'main', ...MAIN.activation },
};
const blocks = seed.mainBlocks.slice(0, 10);
const wanted = seed.main.notes.filter(
  ({ account, height }) => account === 0 && height < seed.firstHeight + blocks.length,
).length;

const scan = (pool: ScanPool) => pool.scan(packBatch('raw', blocks, seed.treesBefore), keys);

/** A pool of one worker on the reference, and what is done to each worker that it starts. */
function open(t: ExecutionContext, onWorker: (worker: Worker, count: number) => void): ScanPool {
  let count = 0;
  const note = (worker: Worker) => onWorker(worker, ++count);
  process.on('worker', note);
  const pool = openScanPool(1, Promise.resolve(undefined));
  t.teardown(async () => {
    process.off('worker', note);
    await pool.close();
  });
  return pool;
}

// One after the other: each test watches for the workers that it starts.

test.serial('a worker that dies in the middle of a task is replaced, and the task runs again', async (t) => {
  const workers: Worker[] = [];
  const pool = open(t, (worker) => workers.push(worker));
  const first = await scan(pool);
  t.is(first.flatMap(({ notes }) => notes).length, wanted);
  const again = scan(pool);
  await workers[0]?.terminate();
  t.deepEqual(await again, first);
  t.is(workers.length, 2);
});

test.serial('a worker that dies while it starts is replaced too', async (t) => {
  const pool = open(t, (worker, count) => {
    if (count === 1) void worker.terminate();
  });
  t.is((await scan(pool)).length, blocks.length);
});

test.serial('a task whose workers all die ends with THREAD_LOST', async (t) => {
  const pool = open(t, (worker) => void worker.terminate());
  const error = await t.throwsAsync<CompanionError>(scan(pool));
  t.is(error?.code, 'THREAD_LOST');
});

test.serial('closing ends what runs', async (t) => {
  const pool = open(t, () => undefined);
  await scan(pool);
  const running = t.throwsAsync<CompanionError>(scan(pool));
  await pool.close();
  t.is((await running)?.code, 'THREAD_LOST');
});

test.serial(
  'in one pass for several, each has what it would have alone, in buffers of its own',
  async (t) => {
    const other = parseUnifiedViewingKey(seed.accounts[1]!.ufvk, MAIN);
    const all = [
      keys,
      { ...keys, incoming: incomingKeys(other, 0), outgoing: outgoingKeys(other, 0) },
      { ...keys, incoming: keys.incoming.map(({ nk: _, ...key }) => key) },
      { ...keys, incoming: [] },
    ].map(shareKeys);
    const pool = openTaskPool(1, loadKernel());
    t.teardown(() => pool.close());
    const batch = packBatch('raw', seed.mainBlocks, seed.treesBefore);
    const together = await pool.run({ kind: 'shared', batch, keys: all });
    for (const [i, own] of all.entries())
      t.deepEqual(together[i], (await pool.run({ kind: 'scan', batch, keys: own })) as ScannedBlock[]);
    const found = together.map((blocks) => blocks.flatMap(({ notes }) => notes));
    t.true(found.slice(0, 3).every((notes) => notes.length > 0));
    t.deepEqual(found[3], []);
    t.true(found[2]?.every(({ nullifier }) => nullifier === null));

    const buffers = together.map(buffersOf);
    t.is(new Set(buffers.flat()).size, buffers.flat().length);
    const [second] = structuredClone(together.slice(1, 2));
    structuredClone(together[0], { transfer: buffers[0]! });
    t.is(found[0]?.find(({ memo }) => memo !== null)?.memo?.length, 0, 'the memos of the first are gone');
    t.deepEqual(together[1], second);
    wipeMemos(together[1]!);
    t.true(found[1]?.every(({ memo }) => memo === null || memo.every((byte) => byte === 0)));
  },
);

test.serial('a pool closes without waiting for its kernel, and its tasks end', async (t) => {
  let choose!: (module: undefined) => void;
  const kernel = new Promise<undefined>((resolve) => {
    choose = resolve;
  });
  const workers: Worker[] = [];
  const note = (worker: Worker) => workers.push(worker);
  process.on('worker', note);
  t.teardown(() => process.off('worker', note));
  const pool = openTaskPool(1, kernel);
  const lost = t.throwsAsync(
    pool.run({ kind: 'combine', protocol: 'sapling', level: 0, nodes: new Uint8Array(64) }),
    { code: 'THREAD_LOST' },
  );
  await pool.close();
  choose(undefined);
  await lost;
  t.is(workers.length, 0);
});

test.serial('leaves and node hashes come from the pool as the reference has them', async (t) => {
  const pool = open(t, () => undefined);
  const batch = () => packBatch('raw', blocks, seed.treesBefore);
  const range = { start: seed.treesBefore.orchard, end: 2 ** 32 };
  const expected = noteCommitments(batch(), 'orchard', range);
  t.true(expected.leaves.byteLength > 64);
  t.deepEqual(await pool.leaves(batch(), 'orchard', range), expected);
  const pair = new Uint8Array(expected.leaves, 0, 64);
  const joined = await pool.combine('orchard', 0, pair);
  t.deepEqual(joined, ORCHARD_TREE.combine(0, pair.subarray(0, 32), pair.subarray(32)));
  const broken = batch();
  new Uint8Array(broken.buffer).fill(0xff, broken.blocks[0]!.offset + 1_487);
  await t.throwsAsync(pool.leaves(broken, 'orchard', range), { code: 'NODE_BAD_RESPONSE' });
});
