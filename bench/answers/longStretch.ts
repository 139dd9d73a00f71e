// Many blocks with next to nothing in them, from a compact server or out of the store: what is left of a scan when the kernel
// has little to do.

import type { Row } from '@wallet-companion/kernel/bench/table';
import { type KernelFigure, kernelSeconds } from '../chains/kernelFigure.ts';
import { Stopwatch } from '../history/measuring.ts';
import { fillStore, syncToTip } from '../sync/serving.ts';
import { HELPERS } from '../sync/threadTimes.ts';
import { onLongChain } from './longCompanion.ts';
import { type LongName, longPlan } from './longPlan.ts';

/** `stored`: the blocks are in the store before, and only the scan is measured. */
export const measureLongStretch = (
  name: LongName,
  blocks: number,
  stored: boolean,
  kernel: KernelFigure,
): Promise<Row> =>
  onLongChain({ name, blocks }, async (companion, bed) => {
    if (stored) await fillStore(companion);
    const watch = new Stopwatch(companion.child, bed.threads);
    await syncToTip(companion, 'compact');
    const { seconds, cpuSeconds, byRole, peakMebibytes } = watch.stop();
    const of = (role: string): string => (byRole[role] ?? 0).toFixed(2);
    const alone = kernelSeconds(kernel, longPlan(name, blocks).sizesAfter(blocks));
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
  });
