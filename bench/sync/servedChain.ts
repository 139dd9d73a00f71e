// A prepared chain as the embedded servers want it.
import {
  BlockTree,
  type ChainView,
  foreignBlock,
  Mempool,
  MinedBlock,
  type MinedBlockFields,
} from '@wallet-companion/devnet/chain';
import { sizedTrees } from '../chains/sizedTrees.ts';
import { type ChainFiles, paramsOf } from './preparedChain.ts';

class StoredBlock extends MinedBlock {
  readonly #stored: Uint8Array;

  constructor(fields: MinedBlockFields, compact: Uint8Array) {
    super(fields);
    this.#stored = compact;
  }

  override get compact(): Uint8Array {
    return this.#stored;
  }
}

/** Takes pieces off the front. */
function pieces(bytes: Uint8Array): (length: number) => Uint8Array {
  let at = 0;
  return (length) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
}

export function viewOf({ facts, raw, compact }: ChainFiles): ChainView {
  const nextRaw = pieces(raw);
  const nextCompact = pieces(compact);
  let blocks: BlockTree | undefined;
  facts.blocks.forEach(({ lengths, treeSizes }, height) => {
    const bytes = nextRaw(lengths[0]);
    const block = new StoredBlock(
      foreignBlock(bytes, { height, treeSizes, parent: blocks?.tip }),
      nextCompact(lengths[1]),
    );
    if (blocks === undefined) blocks = new BlockTree(block);
    else blocks.append(block);
  });
  if (blocks === undefined) throw new Error('a chain has a first block');
  return { params: paramsOf(facts.activation), blocks, trees: sizedTrees(), mempool: new Mempool() };
}
