// Small blocks from a compact server that is far away: calls that wait for each other cost more than all the work.

import type { Row } from '#shielded-bench/table';
import { stop } from '../companionProcess.ts';
import { balanceAfter, ownTransactions } from '../history/ownTransactions.ts';
import {
  expectBalance,
  makeBed,
  removeBed,
  restoreWallet,
  serve,
  startProbed,
  syncToTip,
} from '../sync/serving.ts';
import { LONG, longPlan } from './longPlan.ts';
import { slowLineTo } from './slowLine.ts';

export async function measureFarServer(blocks: number, roundTripMs: number): Promise<Row> {
  const plan = longPlan('quiet', blocks);
  const servers = await serve(new URL('longProcess.js', import.meta.url), 'quiet', String(blocks));
  const compact = new URL(servers.compact.includes('://') ? servers.compact : `http://${servers.compact}`);
  const line = await slowLineTo(compact, roundTripMs / 2);
  const far = { ...servers, compact: servers.compact.replace(compact.port, String(line.port)) };
  const bed = makeBed(far, { activation_heights: LONG.quiet.activation, complete_transactions: false });
  try {
    const companion = await startProbed(bed, undefined);
    try {
      await restoreWallet(companion, 1);
      const began = performance.now();
      await syncToTip(companion, 'compact');
      const seconds = (performance.now() - began) / 1000;
      await expectBalance(companion, balanceAfter(ownTransactions(plan), blocks));
      return { blocks, 'there and back ms': roundTripMs, seconds: seconds.toFixed(1) };
    } finally {
      await stop(companion);
    }
  } finally {
    line.close();
    servers.stop();
    removeBed(bed);
  }
}
