// CompactBlock messages of the light wallet protocol 0.5.0: the form in which compact servers store blocks. Messages
// from a server are read in place, once on arrival (`summarizeCompactBlock`) and once by the scan (`readCompactBlock`).

import { concatBytes, FormatError } from '@wallet-companion/base/bytes';
import { type Height, MAX_HEIGHT } from '@wallet-companion/base/values';
import type { BlockHash, Nullifier, TxId } from '../identifiers.ts';
import {
  ACTION_POOLS,
  type ActionPool,
  POOL,
  POOLS,
  type Pool,
  poolsByNumber,
  type TreeSizes,
} from '../pools.ts';
import { EMPTY_TREES } from '../treeSizes.ts';
import { bytesField, messageField, ProtobufReader, uintField } from './protobuf.ts';

export const COMPACT_CIPHERTEXT_SIZE = 52;

export interface CompactSaplingOutput {
  readonly cmu: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  /** First 52 bytes of encCiphertext. */
  readonly ciphertext: Uint8Array;
}

export interface CompactAction {
  readonly nullifier: Nullifier;
  readonly cmx: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  /** First 52 bytes of encCiphertext. */
  readonly ciphertext: Uint8Array;
}

export interface CompactTransaction {
  /** Position in the full block; 0 is the coinbase. Transactions without shielded parts are left out. */
  readonly index: number;
  readonly txid: TxId;
  /** Nullifiers of the Sapling spends. */
  readonly spends: readonly Uint8Array[];
  readonly outputs: readonly CompactSaplingOutput[];
  readonly actions: Readonly<Record<ActionPool, readonly CompactAction[]>>;
}

export interface CompactBlock {
  readonly height: Height;
  readonly hash: BlockHash;
  readonly prevHash: BlockHash;
  /** Seconds since 1970. */
  readonly time: number;
  readonly transactions: readonly CompactTransaction[];
  /** Tree sizes after the block; undefined when the server sends none. A size of 0 may also mean "unset". */
  readonly treeSizes: TreeSizes | undefined;
}

export function checkedHeight(height: Height): Height {
  if (height > MAX_HEIGHT) throw new FormatError(`height ${height} is out of range`);
  return height;
}

const POOL_OF_TREE_SIZE = poolsByNumber(POOLS, 'chainMetadataField');

/** Absent sizes are 0; a repeated message adds to the one before, as protobuf merges them. */
export function decodeChainMetadata(bytes: Uint8Array, earlier: TreeSizes | undefined): TreeSizes {
  const reader = new ProtobufReader(bytes);
  const sizes: Record<Pool, number> = { ...EMPTY_TREES, ...earlier };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    const pool = POOL_OF_TREE_SIZE[field];
    if (pool === undefined) reader.skipValue();
    else sizes[pool] = reader.uint32();
  }
  return sizes;
}

/** The message that a compact server would send, in canonical field order. */
export function encodeCompactBlock(block: CompactBlock): Uint8Array {
  const sizes = block.treeSizes;
  return concatBytes(
    uintField(2, block.height),
    bytesField(3, block.hash),
    bytesField(4, block.prevHash),
    uintField(5, block.time),
    ...block.transactions.map((transaction) => messageField(7, encodeCompactTransaction(transaction))),
    ...(sizes
      ? [
          messageField(
            8,
            concatBytes(...POOLS.map((pool) => uintField(POOL[pool].chainMetadataField, sizes[pool]))),
          ),
        ]
      : []),
  );
}

/** `CompactTx` of a compact block (ZIP 307), as protobuf. */
export function encodeCompactTransaction(transaction: CompactTransaction): Uint8Array {
  return concatBytes(
    uintField(1, transaction.index),
    bytesField(2, transaction.txid),
    ...transaction.spends.map((nullifier) => messageField(4, bytesField(1, nullifier))),
    ...transaction.outputs.map((output) =>
      messageField(
        POOL.sapling.compactOutputsField,
        concatBytes(
          bytesField(1, output.cmu),
          bytesField(2, output.ephemeralKey),
          bytesField(3, output.ciphertext),
        ),
      ),
    ),
    ...ACTION_POOLS.flatMap((pool) =>
      transaction.actions[pool].map((action) =>
        messageField(POOL[pool].compactOutputsField, encodeAction(action)),
      ),
    ),
  );
}

const encodeAction = (action: CompactAction): Uint8Array =>
  concatBytes(
    bytesField(1, action.nullifier),
    bytesField(2, action.cmx),
    bytesField(3, action.ephemeralKey),
    bytesField(4, action.ciphertext),
  );
