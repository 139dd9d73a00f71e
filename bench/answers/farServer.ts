// Small blocks from a compact server that is far away: calls that wait for each other cost more than all the work.

import type { Row } from '@wallet-companion/kernel/bench/table';
import { syncToTip } from '../sync/serving.ts';
import { onLongChain } from './longCompanion.ts';

export const measureFarServer = (blocks: number, roundTripMs: number): Promise<Row> =>
  onLongChain({ name: 'quiet', blocks, roundTripMs }, async (companion) => {
    const began = performance.now();
    await syncToTip(companion, 'compact');
    const seconds = (performance.now() - began) / 1000;
    return { blocks, 'there and back ms': roundTripMs, seconds: seconds.toFixed(1) };
  });
