// Tree sizes before compact blocks: from the sizes that the block carries, which old servers leave out, else from the
// block before, else from the server's tree state.
import type { CompactBlockSkim } from '../shielded/chain/skim.ts';
import type { TreeSizes } from '../shielded/scan/types.ts';
import { leafCount } from './blockPacking.ts';
import { badAnswer } from './compactFailure.ts';
import type { CompactServer } from './compactServer.ts';
import { EMPTY_TREES, equalSizes, removeLeaves } from './treeSizes.ts';

/** `running`: sizes after the block before, undefined for the first of a range. */
export async function compactTreeSizesBefore(
  server: CompactServer,
  block: CompactBlockSkim,
  running: TreeSizes | undefined,
  saplingActivation: number,
): Promise<TreeSizes> {
  const { chainMetadata: after, counts, height } = block;
  // Sizes of 0 in every pool may mean that the server does not fill them in.
  const derived = after !== undefined && leafCount(after) > 0 ? removeLeaves(after, counts) : undefined;
  if (running !== undefined) {
    if (derived === undefined || equalSizes(derived, running)) return running;
    throw badAnswer(server.host, `gave tree sizes in block ${height} that do not fit the blocks before it`);
  }
  if (derived !== undefined) return derived;
  if (height <= saplingActivation) return EMPTY_TREES;
  const told = await server.treeSizesAfter(height - 1);
  if (told !== null) return told;
  // Nobody contradicts sizes of 0, as on a young chain.
  if (after !== undefined && leafCount(counts) === 0) return EMPTY_TREES;
  throw badAnswer(server.host, `does not tell the note commitment tree sizes before block ${height}`);
}
