// Arithmetic on note commitment tree sizes: what a block adds, and whether two accounts of the sizes agree.
import type { CompactBlockSkim } from '../../../shielded/encoding/skim.ts';
import type { TreeSizes } from '../../../shielded/pools.ts';
import { leafCount } from './blockPacking.ts';

export const EMPTY_TREES: TreeSizes = { sapling: 0, orchard: 0, ironwood: 0 };

export const addLeaves = (sizes: TreeSizes, counts: TreeSizes): TreeSizes => ({
  sapling: sizes.sapling + counts.sapling,
  orchard: sizes.orchard + counts.orchard,
  ironwood: sizes.ironwood + counts.ironwood,
});

/** Sizes before a block from those after it; undefined when the block adds more than there is. */
export function removeLeaves(sizes: TreeSizes, counts: TreeSizes): TreeSizes | undefined {
  const before = {
    sapling: sizes.sapling - counts.sapling,
    orchard: sizes.orchard - counts.orchard,
    ironwood: sizes.ironwood - counts.ironwood,
  };
  return before.sapling < 0 || before.orchard < 0 || before.ironwood < 0 ? undefined : before;
}

export const equalSizes = (a: TreeSizes, b: TreeSizes): boolean =>
  a.sapling === b.sapling && a.orchard === b.orchard && a.ironwood === b.ironwood;

/** Sizes that the block carries. 0 in every pool may mean that the server does not fill them in. */
export const carriedSizes = ({ chainMetadata }: CompactBlockSkim): TreeSizes | undefined =>
  chainMetadata !== undefined && leafCount(chainMetadata) > 0 ? chainMetadata : undefined;
