// Finds where the node's chain leaves ours. The wallet rewinds only to a branch that reaches at least its own height:
// a node that is lower or empty may just be syncing.

import { CompanionError } from '../../protocol/errors.ts';
import { equalBytes } from '../../shielded/bytes.ts';
import type { ChainService, ChainTip, Upstream } from '../chain/types.ts';
import type { Ledger } from './ledger.ts';

/**
 * The last common height, or undefined when the node's chain extends ours. Changes nothing.
 * Throws `NODE_BEHIND`, `REORG_TOO_DEEP`, and why the server could not be asked when the store alone cannot tell.
 */
export async function findFork(
  ledger: Pick<Ledger, 'block' | 'blockHeights'>,
  chain: Pick<ChainService, 'blockHash'>,
  upstream: Upstream,
  tip: ChainTip,
): Promise<number | undefined> {
  const heights = ledger.blockHeights;
  const top = heights.at(-1);
  if (top === undefined) return undefined;
  if (tip.storeAlone !== undefined && tip.height <= top) {
    // A store may be old: only a longer one is believed against what was scanned, but one of our branch can be scanned.
    const ours = ledger.block(tip.height);
    if (ours !== undefined && equalBytes(ours.hash, tip.hash)) return undefined;
    throw CompanionError.fromRecord(tip.storeAlone.reason);
  }
  if (tip.height < top) {
    throw new CompanionError(
      'NODE_BEHIND',
      `The other side is at height ${tip.height}, below the ${top} this wallet has scanned. Wait until it has caught up, or point to another one.`,
    );
  }
  const hashAt = async (height: number) =>
    height === tip.height ? tip.hash : chain.blockHash({ ...upstream, height });
  const isCommon = async (height: number): Promise<boolean> => {
    const theirs = await hashAt(height);
    const ours = ledger.block(height);
    return theirs !== null && ours !== undefined && equalBytes(theirs, ours.hash);
  };
  if (await isCommon(top)) return undefined;

  // Blocks below the fork match and those above do not, so the boundary can be found by halving.
  let low = heights.findIndex((height) => height >= (tip.storeAlone?.lowestHeight ?? 0));
  let high = heights.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isCommon(heights[middle]!)) low = middle + 1;
    else high = middle;
  }
  const firstForeign = heights[low]!;
  const parent = firstForeign - 1;
  const parentHash = parent < 0 ? null : await hashAt(parent);
  const ours = ledger.block(firstForeign)?.prevHash;
  if (parentHash !== null && ours !== undefined && equalBytes(parentHash, ours)) return parent;
  const lastCommon = heights[low - 1];
  if (lastCommon !== undefined) return lastCommon;
  throw new CompanionError(
    'REORG_TOO_DEEP',
    'The chain changed deeper than this wallet remembers. Nothing was changed; to follow the new chain, rescan (POST /api/wallet/rescan) and sync again.',
  );
}
