// A block of the devnet with all that its servers need. Data that only some callers need (the compact form, the leaves)
// is made on demand and kept, so that mining a long chain does not pay for it.

import type { Height } from '@wallet-companion/base/values';
import { type Block, parseBlock } from '@wallet-companion/zcash/blocks';
import { compactFromBlock, encodeCompactBlock } from '@wallet-companion/zcash/compactBlocks';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import { isActionPool, type Pool, type TreeSizes } from '@wallet-companion/zcash/pools';
import { orchardAction, saplingOutput, txid } from '@wallet-companion/zcash/transactions';
import { EMPTY_TREES, subtractLeaves } from '@wallet-companion/zcash/trees';
import type { BuiltTransaction } from './builtTransaction.ts';

export interface MinedBlockFields {
  readonly height: Height;
  readonly hash: BlockHash;
  readonly prevHash: BlockHash;
  /** Seconds since 1970. */
  readonly time: number;
  /** The whole block as a node serves it. */
  readonly bytes: Uint8Array;
  readonly transactions: readonly BuiltTransaction[];
  /** Tree sizes after the block. */
  readonly treeSizes: TreeSizes;
  /** Undefined for the first block the devnet knows. */
  readonly parent: MinedBlock | undefined;
}

/** A block without any note of the devnet's accounts. */
export function foreignBlock(
  bytes: Uint8Array,
  place: Pick<MinedBlockFields, 'height' | 'treeSizes' | 'parent'>,
): MinedBlockFields {
  const { header, transactions } = parseBlock(bytes);
  return {
    ...place,
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
  };
}

export class MinedBlock implements MinedBlockFields {
  readonly height: Height;
  readonly hash: BlockHash;
  readonly prevHash: BlockHash;
  readonly time: number;
  readonly bytes: Uint8Array;
  readonly transactions: readonly BuiltTransaction[];
  readonly treeSizes: TreeSizes;
  readonly parent: MinedBlock | undefined;
  #compact: Uint8Array | undefined;

  constructor(fields: MinedBlockFields) {
    this.height = fields.height;
    this.hash = fields.hash;
    this.prevHash = fields.prevHash;
    this.time = fields.time;
    this.bytes = fields.bytes;
    this.transactions = fields.transactions;
    this.treeSizes = fields.treeSizes;
    this.parent = fields.parent;
  }

  parse(): Block {
    return parseBlock(this.bytes);
  }

  /** The CompactBlock message. */
  get compact(): Uint8Array {
    this.#compact ??= encodeCompactBlock(compactFromBlock(this.parse(), this.height, this.treeSizes));
    return this.#compact;
  }

  /** Tree sizes before the block. */
  get treeSizesBefore(): TreeSizes {
    return this.transactions.reduce(
      (sizes, { leafCounts }) => subtractLeaves(sizes, leafCounts),
      this.treeSizes,
    );
  }

  /** Note commitments in tree order. */
  leaves(pool: Pool): Uint8Array[] {
    return this.parse().transactions.flatMap((transaction) => {
      if (isActionPool(pool)) {
        const bundle = transaction[pool];
        return Array.from({ length: bundle.actions.count }, (_, i) => orchardAction(bundle, i).cmx);
      }
      const bundle = transaction[pool];
      return Array.from({ length: bundle.outputs.count }, (_, i) => saplingOutput(bundle, i).cmu);
    });
  }
}
