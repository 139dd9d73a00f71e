// A companion with a new wallet before a long chain of small blocks, which a compact server makes up as it goes.

import { type Running, stop } from '../companionProcess.ts';
import { balanceAfter, ownTransactions } from '../history/ownTransactions.ts';
import {
  type Bed,
  expectBalance,
  makeBed,
  removeBed,
  restoreWallet,
  serve,
  startProbed,
} from '../sync/serving.ts';
import { LONG, type LongName, longPlan } from './longPlan.ts';
import { slowLineTo } from './slowLine.ts';

export interface LongChain {
  readonly name: LongName;
  readonly blocks: number;
  /** How far away the server is. */
  readonly roundTripMs?: number;
}

/** `scan` scans the whole chain; the balance is checked after it. */
export async function onLongChain<T>(
  { name, blocks, roundTripMs }: LongChain,
  scan: (companion: Running, bed: Bed) => Promise<T>,
): Promise<T> {
  const servers = await serve(new URL('longProcess.js', import.meta.url), name, String(blocks));
  const line =
    roundTripMs === undefined ? undefined : await slowLineTo(addressOf(servers.compact), roundTripMs / 2);
  const compact =
    line === undefined
      ? servers.compact
      : servers.compact.replace(addressOf(servers.compact).port, String(line.port));
  // There is no node to read our transactions in full from.
  const settings = { activation_heights: LONG[name].activation, complete_transactions: false };
  const bed = makeBed({ ...servers, compact }, settings);
  try {
    const companion = await startProbed(bed, undefined);
    try {
      await restoreWallet(companion, 1);
      const measured = await scan(companion, bed);
      await expectBalance(companion, balanceAfter(ownTransactions(longPlan(name, blocks)), blocks));
      return measured;
    } finally {
      await stop(companion);
    }
  } finally {
    line?.close();
    servers.stop();
    removeBed(bed);
  }
}

const addressOf = (server: string): URL => new URL(server.includes('://') ? server : `http://${server}`);
