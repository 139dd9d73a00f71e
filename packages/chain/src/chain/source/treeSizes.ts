// Arithmetic and checks for note commitment tree sizes from a server.
import type { CompactBlockSummary } from '@wallet-companion/zcash/blocks';
import { POOLS, type TreeSizes } from '@wallet-companion/zcash/pools';
import { leafCount, subtractLeaves } from '@wallet-companion/zcash/trees';

/** Sizes before a block from those after it; undefined when the block adds more than there is. */
export function removeLeaves(sizes: TreeSizes, counts: TreeSizes): TreeSizes | undefined {
  const before = subtractLeaves(sizes, counts);
  return POOLS.some((pool) => before[pool] < 0) ? undefined : before;
}

/** Sizes that the block carries. 0 in every pool may mean that the server does not fill them in. */
export const carriedSizes = ({ chainMetadata }: CompactBlockSummary): TreeSizes | undefined =>
  chainMetadata !== undefined && leafCount(chainMetadata) > 0 ? chainMetadata : undefined;
