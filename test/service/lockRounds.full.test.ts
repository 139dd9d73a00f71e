// Each lock exchanges the wallet thread. However often that happens, no thread of the process holds more afterwards,
// and nothing that the system lends (descriptors, threads, memory) stays with it.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
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
const LOOK_MS = 5;
/** What is lost in each round grows in every stretch of rounds; a thread that just begins or ends counts in one of them. */
const STRETCHES = 3;
/** A wallet thread that stayed would be some 10 MiB of heap, in each round. */
const FLAT_HEAP_MIB = 8;
const FLAT_RSS_MIB = 150;

interface Held {
  readonly heapMib: number;
  readonly rssMib: number;
  readonly descriptors: number;
  readonly threads: number;
}

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
  /** The least of many looks: the next thread has open what it just reads. */
  const held = async (): Promise<Held> => {
    const memory = await measure(child);
    const counts = { descriptors: Number.POSITIVE_INFINITY, threads: Number.POSITIVE_INFINITY };
    for (let look = 0; look < LOOKS; look++) {
      counts.descriptors = Math.min(counts.descriptors, countOf(child, 'fd'));
      counts.threads = Math.min(counts.threads, countOf(child, 'task'));
      await setTimeout(LOOK_MS);
    }
    return { heapMib: heldBytes(memory) / MIB, rssMib: memory.rss / MIB, ...counts };
  };
  const hasGrown = (before: Held, after: Held): boolean =>
    after.heapMib - before.heapMib >= FLAT_HEAP_MIB ||
    after.rssMib - before.rssMib >= FLAT_RSS_MIB ||
    after.descriptors > before.descriptors ||
    after.threads > before.threads;

  await call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  await rounds(FIRST_ROUNDS);
  const looks = [await held()];
  let grown = true;
  for (let stretch = 0; grown && stretch < STRETCHES; stretch++) {
    await rounds(ROUNDS);
    looks.push(await held());
    grown = hasGrown(looks[stretch]!, looks[stretch + 1]!);
  }

  for (const { heapMib, rssMib, descriptors, threads } of looks) {
    t.log(
      `heaps ${heapMib.toFixed(1)} MiB, RSS ${rssMib.toFixed(0)} MiB, ${descriptors} descriptors, ${threads} threads`,
    );
  }
  t.false(grown, `more after each ${ROUNDS} rounds`);
});
