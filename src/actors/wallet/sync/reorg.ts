// Finds where the node's chain leaves the wallet's. The wallet rewinds only to a branch that reaches at least its
// height: a node that is lower or empty may just be syncing.

import { lowestNotHolding } from '@wallet-companion/base/async';
import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { ChainService, ChainTip, Upstream } from '@wallet-companion/chain/ports';
import { CompanionError } from '../../../protocol/errors.ts';
import { KEPT_BLOCKS, SETTLED_SPACING } from '../noteStore/book/knownBlocks.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';

/**
 * The height to go back to, or undefined when the node's chain extends the wallet's: the last common block, or where
 * that lies in a gap or below the birthday, the last block below which nothing has to be undone. Every stretch is
 * compared, the lowest first: ranges scanned at different times may lie on different branches. Changes nothing. Throws
 * `NODE_BEHIND`, `REORG_TOO_DEEP`, and why the server could not be asked when the store alone does not show it.
 */
export async function findFork(
  noteStore: NoteStore,
  chain: Pick<ChainService, 'blockHash'>,
  upstream: Upstream,
  tip: ChainTip,
): Promise<number | undefined> {
  const top = noteStore.blockHeights.at(-1);
  if (top === undefined) return undefined;
  if (tip.offline !== undefined && tip.height <= top) {
    // A store may be old: it overrides scanned blocks only if it is longer, but one of the same branch can be scanned.
    const ours = noteStore.block(tip.height);
    if (ours !== undefined && equalBytes(ours.hash, tip.hash)) return undefined;
    throw CompanionError.fromRecord(tip.offline.reason);
  }
  if (tip.height < top) {
    throw new CompanionError(
      'NODE_BEHIND',
      `The other side is at height ${tip.height}, below the ${top} this wallet has scanned. Wait until it has caught up, or point to another one.`,
    );
  }
  const isCommon = async (height: Height): Promise<boolean> => {
    const theirs = height === tip.height ? tip.hash : await chain.blockHash({ ...upstream, height });
    const ours = noteStore.block(height);
    return theirs !== null && ours !== undefined && equalBytes(theirs, ours.hash);
  };
  for (const stretch of noteStore.stretches) {
    const end = stretch.at(-1)!;
    const { offline } = tip;
    // A lower stretch that only the server can check waits until the server is back.
    if (offline !== undefined && end < offline.lowestHeight && end !== top) continue;
    if (await isCommon(end)) continue;
    const lowest = stretch.findIndex((height) => height >= (offline?.lowestHeight ?? 0));
    // Blocks below the fork match and those above it do not.
    const changed = await lowestNotHolding(Math.max(0, lowest), stretch.length - 1, (index) =>
      isCommon(stretch[index]!),
    );
    if (offline !== undefined && changed === lowest && changed > 0)
      throw CompanionError.fromRecord(offline.reason);
    return rewindHeight(noteStore, top, stretch, changed);
  }
  return undefined;
}

/** `changed`: index of the first block of the stretch that the other chain does not have. */
function rewindHeight(
  noteStore: NoteStore,
  top: Height,
  stretch: readonly number[],
  changed: number,
): number {
  const parent = stretch[changed]! - 1;
  // Between the two, the chains may part anywhere.
  const lastCommon = stretch[changed - 1];
  const known = noteStore.isScanned(parent) ? lastCommon : parent;
  const isNear = known !== undefined && parent - known < SETTLED_SPACING;
  if (isNear && top - known <= KEPT_BLOCKS) return known;
  throw tooDeep(known);
}

const tooDeep = (common: number | undefined): CompanionError =>
  new CompanionError(
    'REORG_TOO_DEEP',
    `Your money is on the chain and not affected, but the chain changed deeper than this wallet follows by itself, so nothing was changed here. To read the new chain, rescan (POST /api/wallet/rescan${
      common === undefined ? '' : ` with from_height ${common + 1} or lower`
    }) and sync again.`,
  );
