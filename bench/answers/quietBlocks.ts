// Many blocks with next to nothing in them, out of the compact store: what is left of a scan when the kernel has little
// to do.

import type { Row } from '#shielded-bench/table';
import { stop } from '../companionProcess.ts';
import { Stopwatch } from '../history/measuring.ts';
import { balanceAfter, ownTransactions } from '../history/ownTransactions.ts';
import { ACTIVATION_HEIGHTS } from '../sync/preparedChain.ts';
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
import { quietPlan } from './quietPlan.ts';

export async function measureQuietBlocks(blocks: number): Promise<Row> {
  const plan = quietPlan(blocks);
  const servers = await serve(new URL('quietProcess.js', import.meta.url), String(blocks));
  // There is no node to read our transactions in full from.
  const bed = makeBed(servers, { activation_heights: ACTIVATION_HEIGHTS, complete_transactions: false });
  try {
    const companion = await startProbed(bed, undefined);
    try {
      await restoreWallet(companion, 1);
      await fillStore(companion);
      const watch = new Stopwatch(companion.child, bed.threads);
      await syncToTip(companion, 'compact');
      const { seconds, cpuSeconds, byRole, peakMebibytes } = watch.stop();
      await expectBalance(companion, balanceAfter(ownTransactions(plan), blocks));
      const of = (role: string): string => (byRole[role] ?? 0).toFixed(2);
      return {
        blocks,
        seconds: seconds.toFixed(1),
        'CPU s': cpuSeconds.toFixed(1),
        main: of('main'),
        wallet: of('wallet'),
        chain: of('chain'),
        scanning: of('scan'),
        helpers: of(HELPERS),
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
