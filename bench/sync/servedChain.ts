// A prepared chain as the embedded servers want it.
import { BlockTree } from '../../src/devnet/blockTree.ts';
import type { ChainView } from '../../src/devnet/chainView.ts';
import { Mempool } from '../../src/devnet/mempool.ts';
import { MinedBlock, type MinedBlockFields } from '../../src/devnet/minedBlock.ts';
import { parseBlock } from '../../src/shielded/encoding/block.ts';
import { txid } from '../../src/shielded/encoding/txid.ts';
import { EMPTY_TREES } from '../../src/shielded/treeSizes.ts';
import { sizedTrees } from '../chains/sizedTrees.ts';
import { type ChainFiles, PARAMS } from './preparedChain.ts';

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
    const { header, transactions } = parseBlock(bytes);
    const block = new StoredBlock(
      {
        height,
        hash: header.hash,
        prevHash: header.prevHash,
        time: header.time,
        bytes,
        transactions: transactions.map((transaction) => ({
          txid: txid(transaction),
          version: transaction.version,
          bytes: transaction.bytes,
          fee: 0n,
          notes: [],
          spends: [],
          leafCounts: EMPTY_TREES,
        })),
        treeSizes,
        parent: blocks?.tip,
      },
      nextCompact(lengths[1]),
    );
    if (blocks === undefined) blocks = new BlockTree(block);
    else blocks.append(block);
  });
  if (blocks === undefined) throw new Error('a chain has a first block');
  return { params: PARAMS, blocks, trees: sizedTrees(), mempool: new Mempool() };
}
