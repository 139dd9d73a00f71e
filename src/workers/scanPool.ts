// The scan pool: piscina threads that live while a session is open. Piscina replaces a worker that dies, and its task
// runs again: buffers are copied into the task, so nothing is lost with the thread.

import type { KernelModule } from '@wallet-companion/kernel/kernel';
import type { Leaves, ReadUnmined, ScannedBlock } from '@wallet-companion/zcash/scan';
import { Piscina } from 'piscina';
import type { Enhancement, ScanKeys, ScanPool } from '../actors/wallet/ports/scanPool.ts';
import { CompanionError } from '../protocol/errors.ts';
import { type Result, unwrap } from '../protocol/result.ts';
import { type SharedKeys, shareKeys, wipeSharedKeys } from './scanSecrets.ts';
import type { ScanAnswer, ScanTask, WalletTask } from './scanTask.ts';
import { THREAD_MEMORY } from './thread.ts';

/** A block that kills every worker it meets is reported, not retried for ever. */
export const ATTEMPTS = 3;

type Pool = Piscina<ScanTask, Result<TaskAnswer<ScanTask>>>;

/** For a task of several wallets one answer for each, in their order. */
export type TaskAnswer<Task extends ScanTask> = Task extends WalletTask ? ScanAnswer : ScannedBlock[][];

export interface TaskPool {
  run<Task extends ScanTask>(task: Task): Promise<TaskAnswer<Task>>;
  /** Ends the threads and their running tasks. */
  close(): Promise<void>;
}

export function openTaskPool(threads: number, kernel: Promise<KernelModule | undefined>): TaskPool {
  let isClosed = false;
  let pool: Pool | undefined;
  const opened = kernel.then((module) => {
    if (isClosed) throw workersLost(undefined);
    const made: Pool = new Piscina({
      filename: new URL('./scanTask.js', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      recordTiming: false,
      resourceLimits: THREAD_MEMORY,
      workerData: module,
    });
    // The task below notices a worker's death; without a listener the event would end this thread.
    made.on('error', () => undefined);
    made.on('workerDestroy', () => setImmediate(reviveEmptyPool, made));
    pool = made;
    return made;
  });
  // Its tasks report it.
  opened.catch(() => undefined);
  let revived: Promise<void> = Promise.resolve();
  /** After a worker died at its start, piscina starts no other and tasks wait for ever: reject them instead. */
  const reviveEmptyPool = (empty: Pool): void => {
    if (!isClosed && empty.threads.length === 0) revived = empty.destroy();
  };
  return {
    run: async <Task extends ScanTask>(task: Task) => {
      const running = await opened;
      for (let attempt = 1; ; attempt++) {
        const answer = await running.run(task).catch(async (cause: unknown) => {
          // The task returns its failures as values: a rejection means that its worker ended, for any reason.
          if (isClosed || attempt === ATTEMPTS) throw workersLost(cause);
          await revived;
          return undefined;
        });
        if (answer !== undefined) return unwrap(answer) as TaskAnswer<Task>;
      }
    },
    close: async () => {
      isClosed = true;
      // Without a kernel there are no workers yet, and choosing one may take long.
      await pool?.destroy();
    },
  };
}

export function openScanPool(threads: number, kernel: Promise<KernelModule | undefined>): ScanPool {
  const tasks = openTaskPool(threads, kernel);
  return scanPoolOver(threads, (task) => tasks.run(task), tasks.close);
}

/** Keys are shared with the workers, and wiped when the pool is closed. */
export function scanPoolOver(
  concurrency: number,
  run: (task: WalletTask) => Promise<ScanAnswer>,
  close: () => Promise<void>,
): ScanPool {
  const shared = new Map<ScanKeys, SharedKeys>();
  const sharedOf = (keys: ScanKeys): SharedKeys => {
    const known = shared.get(keys) ?? shareKeys(keys);
    shared.set(keys, known);
    return known;
  };
  return {
    concurrency,
    scan: async (batch, keys) => (await run({ kind: 'scan', batch, keys: sharedOf(keys) })) as ScannedBlock[],
    enhance: async (task, keys) =>
      (await run({ kind: 'enhance', task, keys: sharedOf(keys) })) as Enhancement,
    readUnmined: async (task, keys) =>
      (await run({ kind: 'unmined', task, keys: sharedOf(keys) })) as (ReadUnmined | null)[],
    leaves: async (batch, pool, range) => (await run({ kind: 'leaves', batch, pool, range })) as Leaves,
    combine: async (protocol, level, nodes) =>
      (await run({ kind: 'combine', protocol, level, nodes })) as Uint8Array,
    forget: (keys) => {
      const known = shared.get(keys);
      shared.delete(keys);
      if (known !== undefined) wipeSharedKeys(known);
    },
    close: async () => {
      try {
        await close();
      } finally {
        for (const keys of shared.values()) wipeSharedKeys(keys);
        shared.clear();
      }
    },
  };
}

const workersLost = (cause: unknown): CompanionError =>
  new CompanionError(
    'THREAD_LOST',
    'The scan workers ended in the middle of their work. Sync again; if it happens again, the machine may be short of memory.',
    { cause },
  );
