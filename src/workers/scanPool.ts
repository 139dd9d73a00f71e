// The scan pool: piscina threads that live while a session is open. A worker that dies is replaced by piscina, and its
// task runs again: buffers are copied into the task, so nothing is lost with the thread.

import { Piscina } from 'piscina';
import type { Enhancement, ScanKeys, ScanPool } from '../actors/wallet/ports/scanPool.ts';
import type { KernelModule } from '../kernel/load/kernelModule.ts';
import { CompanionError } from '../protocol/errors.ts';
import { type Result, unwrap } from '../protocol/result.ts';
import type { Leaves } from '../shielded/scan/noteCommitments.ts';
import type { ReadUnmined } from '../shielded/scan/scanUnmined.ts';
import type { ScannedBlock } from '../shielded/scan/types.ts';
import { type SharedKeys, shareKeys, wipeSharedKeys } from './scanSecrets.ts';
import type { ScanAnswer, ScanTask } from './scanTask.ts';

/** A block that kills every worker it meets is reported, not retried for ever. */
const ATTEMPTS = 3;

type Pool = Piscina<ScanTask, Result<ScanAnswer>>;

export function openScanPool(threads: number, kernel: Promise<KernelModule | undefined>): ScanPool {
  const opened: Promise<Pool> = kernel.then((module) => {
    const pool: Pool = new Piscina({
      filename: new URL('./scanTask.js', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      recordTiming: false,
      workerData: module,
    });
    // A worker's death is seen by its task below; without a listener it would end this thread.
    pool.on('error', () => undefined);
    pool.on('workerDestroy', () => setImmediate(reviveEmptyPool, pool));
    return pool;
  });
  let isClosed = false;
  let revived: Promise<void> = Promise.resolve();
  /** After a worker died while it started, piscina starts no other and lets tasks wait for ever: hand them back. */
  const reviveEmptyPool = (pool: Pool): void => {
    if (!isClosed && pool.threads.length === 0) revived = pool.destroy();
  };
  const run = async (task: ScanTask): Promise<ScanAnswer> => {
    const pool = await opened;
    for (let attempt = 1; ; attempt++) {
      const answer = await pool.run(task).catch(async (cause: unknown) => {
        // The task gives its failures as values: a rejection means that its worker ended, whatever it died of.
        if (isClosed || attempt === ATTEMPTS) throw workersLost(cause);
        await revived;
        return undefined;
      });
      if (answer !== undefined) return unwrap(answer);
    }
  };
  const shared = new Map<ScanKeys, SharedKeys>();
  const sharedOf = (keys: ScanKeys): SharedKeys => {
    const known = shared.get(keys) ?? shareKeys(keys);
    shared.set(keys, known);
    return known;
  };
  return {
    concurrency: threads,
    scan: async (batch, keys) => (await run({ kind: 'scan', batch, keys: sharedOf(keys) })) as ScannedBlock[],
    enhance: async (task, keys) =>
      (await run({ kind: 'enhance', task, keys: sharedOf(keys) })) as Enhancement,
    readUnmined: async (task, keys) =>
      (await run({ kind: 'unmined', task, keys: sharedOf(keys) })) as (ReadUnmined | null)[],
    leaves: async (batch, pool, range) => (await run({ kind: 'leaves', batch, pool, range })) as Leaves,
    combine: async (protocol, level, nodes) =>
      (await run({ kind: 'combine', protocol, level, nodes })) as Uint8Array,
    close: async () => {
      isClosed = true;
      await (await opened).destroy();
      for (const keys of shared.values()) wipeSharedKeys(keys);
      shared.clear();
    },
  };
}

const workersLost = (cause: unknown): CompanionError =>
  new CompanionError(
    'THREAD_LOST',
    'The scan workers ended in the middle of their work. Sync again; if it happens again, the machine may be short of memory.',
    { cause },
  );
