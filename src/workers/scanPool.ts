// The scan pool: piscina threads that live while a session is open. A worker that dies is replaced by piscina, and its
// task runs again: buffers are copied into the task, so nothing is lost with the thread.

import { Piscina } from 'piscina';
import type { CompletedTransaction } from '../actors/wallet/ledger.ts';
import type { ScanPool } from '../actors/wallet/scanPool.ts';
import type { KernelModule } from '../kernel/kernelModule.ts';
import { type Result, unwrap } from '../protocol/result.ts';
import type { ScannedBlock } from '../shielded/scan/types.ts';
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
    return pool;
  });
  const run = async (task: ScanTask): Promise<ScanAnswer> => {
    const pool = await opened;
    for (let attempt = 1; ; attempt++) {
      try {
        return unwrap(await pool.run(task));
      } catch (error) {
        const died = error instanceof Error && error.message.includes('exited');
        if (!died || attempt === ATTEMPTS) throw error;
      }
    }
  };
  return {
    concurrency: threads,
    scan: async (batch, keys) => (await run({ kind: 'scan', batch, keys })) as ScannedBlock[],
    complete: async (task, keys) => (await run({ kind: 'complete', task, keys })) as CompletedTransaction[],
    close: async () => (await opened).destroy(),
  };
}
