// Many blocks with next to nothing in them, from a compact server or out of the store: what is left of a scan when the kernel
// has little to do.

import type { Row } from '#shielded-bench/table';
import { type KernelFigure, kernelSeconds } from '../chains/kernelFigure.ts';
import { stop } from '../companionProcess.ts';
import { Stopwatch } from '../history/measuring.ts';
import { balanceAfter, ownTransactions } from '../history/ownTransactions.ts';
import {
  expectBalance,
  fillStore,
  makeBed,
  removeBed,
  restoreWallet,
  serve,
  startProbed,
  syncToTip,
} from '../sync/serving.ts';
import { HELPERS } from '../sync/threadTimes.ts';
import { LONG, type LongName, longPlan } from './longPlan.ts';

/** `stored`: the blocks are in the store before, and only the scan is measured. */
export async function measureLongStretch(
  name: LongName,
  blocks: number,
  stored: boolean,
  kernel: KernelFigure,
): Promise<Row> {
  const plan = longPlan(name, blocks);
  const servers = await serve(new URL('longProcess.js', import.meta.url), name, String(blocks));
  // There is no node to read our transactions in full from.
  const bed = makeBed(servers, { activation_heights: LONG[name].activation, complete_transactions: false });
  try {
    const companion = await startProbed(bed, undefined);
    try {
      await restoreWallet(companion, 1);
      if (stored) await fillStore(companion);
      const watch = new Stopwatch(companion.child, bed.threads);
      await syncToTip(companion, 'compact');
      const { seconds, cpuSeconds, byRole, peakMebibytes } = watch.stop();
      await expectBalance(companion, balanceAfter(ownTransactions(plan), blocks));
      const of = (role: string): string => (byRole[role] ?? 0).toFixed(2);
      const alone = kernelSeconds(kernel, plan.sizesAfter(blocks));
      return {
        shape: name,
        source: stored ? 'store' : 'compact',
        blocks,
        seconds: seconds.toFixed(1),
        'CPU s': cpuSeconds.toFixed(1),
        main: of('main'),
        wallet: of('wallet'),
        chain: of('chain'),
        scanning: of('scan'),
        helpers: of(HELPERS),
        'kernel alone %': Math.round((100 * alone) / cpuSeconds),
        'beside it, us a block': Math.round(((cpuSeconds - alone) * 1e6) / blocks),
        'peak RSS MiB': peakMebibytes,
      };
    } finally {
      await stop(companion);
    }
  } finally {
    servers.stop();
    removeBed(bed);
  }
}
