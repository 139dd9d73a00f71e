// Puts transactions into a block: header, merkle root, tree sizes. Header commitments, nonce and solution are filler: a
// wallet does not look at them, and a node would reject the proof of work anyway.

import type { Height } from '@wallet-companion/base/values';
import { merkleRoot, parseHeader, serializeBlock } from '@wallet-companion/zcash/blocks';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { Network } from '@wallet-companion/zcash/network';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import { addLeaves } from '@wallet-companion/zcash/trees';
import type { BuiltTransaction } from './builtTransaction.ts';
import { REGTEST_BITS } from './genesis.ts';
import { MinedBlock } from './minedBlock.ts';
import type { Randomness } from './randomness.ts';

const BLOCK_VERSION = 4;
/** Bytes of an Equihash solution: parameters (48, 5) on regtest, (200, 9) elsewhere. */
const SOLUTION_SIZE: Record<Network, number> = { main: 1344, test: 1344, regtest: 36 };

export interface BlockContents {
  readonly network: Network;
  readonly height: Height;
  readonly prevHash: BlockHash;
  readonly parent: MinedBlock | undefined;
  /** Sizes before the block. */
  readonly treeSizes: TreeSizes;
  /** Block time in seconds since 1970. */
  readonly time: number;
  /** All transactions, the coinbase first. */
  readonly transactions: readonly BuiltTransaction[];
  readonly randomness: Randomness;
}

export function assembleBlock(contents: BlockContents): MinedBlock {
  const { network, height, prevHash, parent, time, transactions, randomness } = contents;
  const header = {
    version: BLOCK_VERSION,
    prevHash,
    merkleRoot: merkleRoot(transactions.map((transaction) => transaction.txid)),
    blockCommitments: randomness.fieldElement(),
    time,
    bits: REGTEST_BITS,
    nonce: randomness.bytes(32),
    solution: new Uint8Array(SOLUTION_SIZE[network]),
  };
  const bytes = serializeBlock(
    header,
    transactions.map((transaction) => transaction.bytes),
  );
  const { hash } = parseHeader(bytes);
  const treeSizes = transactions.reduce(
    (sizes, { leafCounts }) => addLeaves(sizes, leafCounts),
    contents.treeSizes,
  );
  return new MinedBlock({ height, hash, prevHash, time, bytes, transactions, treeSizes, parent });
}
