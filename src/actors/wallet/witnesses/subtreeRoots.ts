// The roots of all full subtrees of a pool, kept with each scan: they are the same for all wallets, and asking for them when a
// note is spent would tell that the note is old.

import type { Height } from '@wallet-companion/base/values';
import type { ChainService, SubtreeRoot } from '@wallet-companion/chain/ports';
import type { Pool } from '@wallet-companion/zcash/pools';
import { keptRoots, rootsPart } from './keptParts.ts';
import { keepParts, type TreeStateSource } from './treeStates.ts';
import { witnessMismatch } from './witnessFailures.ts';

export interface SubtreeRootSource extends Omit<TreeStateSource, 'chain'> {
  readonly chain: Pick<ChainService, 'subtreeRoots'>;
}

/** The first `count` roots, kept or requested; all of them were full at `height`. */
export async function fullSubtrees(
  source: SubtreeRootSource,
  pool: Pool,
  count: number,
  height: Height,
): Promise<readonly SubtreeRoot[]> {
  if (count === 0) return [];
  const { chain, noteStore, upstream, mayUseKept } = source;
  const kept = mayUseKept ? keptRoots(noteStore, pool) : [];
  const roots =
    kept.length >= count ? kept.slice(0, count) : await chain.subtreeRoots({ ...upstream, pool, count });
  if (!roots.every(({ endHeight }) => endHeight <= height))
    throw witnessMismatch(upstream.source, height, 'a subtree is full that was not yet');
  if (kept.length < count) keepParts(source, [rootsPart(pool, roots)]);
  return roots;
}
