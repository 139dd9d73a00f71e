// Each lock exchanges the wallet thread. However often that happens, no thread of the process holds more afterwards,
// and nothing that the system lends (descriptors, threads, memory) stays with it.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { runs } from '#shielded-test/atLength';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import type { OperationName, Output } from '../../src/protocol/operations.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { untilTestEnds } from '../helpers/childProcess.ts';
import { heldBytes, measure, spawnProbed } from '../helpers/processMemory.ts';
import { UNHURRIED } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { PASSWORD } from '../helpers/walletHarness.ts';

const SCRIPT = fileURLToPath(new URL('../helpers/memoryCompanion.js', import.meta.url));
const MIB = 2 ** 20;
/** After these, compiled code and the C library's pools have their size. */
const FIRST_ROUNDS = runs(3, 10);
/** Thousands where they are wanted: a round takes half a second, and several beside other work. */
const ROUNDS = runs(4, 60, 'WALLET_COMPANION_LOCK_ROUNDS');
const LOOKS = 100;
/** A busy machine takes seconds to start a thread. */
const MOST_LOOKS = 2_000;
const LOOK_MS = 5;
/** A wallet thread that stayed would be some 10 MiB of heap, in each round. */
const FLAT_HEAP_MIB = 8;
const FLAT_RSS_MIB = 150;

/** Of the process, where the system tells. */
const countOf = (child: ChildProcess, what: 'fd' | 'task'): number => {
  const folder = `/proc/${child.pid}/${what}`;
  return existsSync(folder) ? readdirSync(folder).length : 0;
};

test('unlocked and locked many times, the process holds no more than before', async (t) => {
  const folder = temporaryFolder(t);
  const [configDir, dataDir] = [path.join(folder, 'config'), path.join(folder, 'data')] as const;
  mkdirSync(configDir);
  writeFileSync(
    path.join(configDir, 'config.json'),
    JSON.stringify({ network: 'regtest', auto_lock_seconds: 0 }),
  );
  const child = untilTestEnds(t, spawnProbed(SCRIPT, [configDir, dataDir], UNHURRIED));
  await once(child, 'message');
  const link = createSocketLink(socketPath(dataDir));
  t.teardown(() => link.close());
  const call = async <N extends OperationName>(name: N, input: object = {}): Promise<Output<N>> =>
    unwrap(await link.dispatch(name, input, { requestId: 'test' }));
  const rounds = async (count: number): Promise<void> => {
    for (let round = 0; round < count; round++) {
      await call('wallet.lock');
      // Held back until the next thread is there.
      t.false((await call('wallet.status')).unlocked);
      await call('wallet.unlock', { password: PASSWORD });
      t.is((await call('balance.get')).total_zatoshi, 0);
    }
  };
  /** The least of many looks, which end where that is enough: the next thread has open what it just reads. */
  const all = async (looks: number, enough = { descriptors: 0, threads: 0 }) => {
    const memory = await measure(child);
    let [descriptors, threads] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let look = 0; look < looks; look++) {
      descriptors = Math.min(descriptors, countOf(child, 'fd'));
      threads = Math.min(threads, countOf(child, 'task'));
      if (descriptors <= enough.descriptors && threads <= enough.threads) break;
      await setTimeout(LOOK_MS);
    }
    return { memory, descriptors, threads };
  };

  await call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  await rounds(FIRST_ROUNDS);
  const before = await all(LOOKS);
  await rounds(ROUNDS);
  let after = await all(MOST_LOOKS, before);
  // A thread that just ends still counts; what is lost in each round only grows with more of them.
  for (
    let more = 0;
    more < ROUNDS && after.threads + after.descriptors > before.threads + before.descriptors;
    more++
  ) {
    await rounds(1);
    after = await all(MOST_LOOKS, before);
  }

  const heapMib = (heldBytes(after.memory) - heldBytes(before.memory)) / MIB;
  const rssMib = (after.memory.rss - before.memory.rss) / MIB;
  t.log(
    `${ROUNDS} rounds: heaps ${heapMib.toFixed(1)} MiB more, RSS ${Math.round(before.memory.rss / MIB)} -> ${Math.round(after.memory.rss / MIB)} MiB`,
    `descriptors ${before.descriptors} -> ${after.descriptors}, threads ${before.threads} -> ${after.threads}`,
  );
  t.true(heapMib < FLAT_HEAP_MIB);
  t.true(rssMib < FLAT_RSS_MIB);
  t.true(after.descriptors <= before.descriptors);
  t.true(after.threads <= before.threads);
});
