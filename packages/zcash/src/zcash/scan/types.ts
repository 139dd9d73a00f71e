// Input and output of a scan, shared by the reference scanner, the scanner on the kernel, the chain actor that packs
// batches and the wallet actor that applies results. Plain data only, because everything here crosses threads.

import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type { BlockHash, Nullifier, TxId } from '../identifiers.ts';
import type { IncomingKey, OutgoingKey } from '../keys/decryptionKeys.ts';
import type { ActivationHeights, Network, Scope } from '../network.ts';
import type { RecoverableOutput, RecoveredOutput } from '../notes/recovery.ts';
import type { EncryptedOutput } from '../notes/trialDecryption.ts';
import type { PerPool, Pool, PoolUpgrade, TreeSizes } from '../pools.ts';

/** The heights that a scanner needs. */
export type ScanHeights = { readonly network: Network } & Pick<ActivationHeights, PoolUpgrade>;

/** What a scan tries and follows. */
export interface ScanKeys {
  readonly incoming: readonly IncomingKey[];
  readonly outgoing: readonly OutgoingKey[];
  readonly heights: ScanHeights;
}

/** The scanned block right before a range. */
export interface ScannedBefore {
  readonly hash: BlockHash;
  /** Note commitment tree sizes after it: the start of the range's counts where the server does not report them. */
  readonly treeSizes: TreeSizes;
}

/** What a range of blocks has cost so far, beside its scan. */
export interface FetchCosts {
  /** Bytes from the server; blocks from a store cost nothing. */
  readonly receivedBytes: number;
  /** The part of the wait for batches that went to the server, ... */
  readonly networkMs: number;
  /** ... to the disk of the store, ... */
  readonly diskMs: number;
  /** ... and to the processor. */
  readonly busyMs: number;
}

/** One block inside a batch buffer. */
export interface BlockRef {
  readonly height: Height;
  readonly hash: BlockHash;
  readonly prevHash: BlockHash;
  /** Offset of the block's bytes in the batch buffer. */
  readonly offset: number;
  readonly length: number;
  /** Note commitment tree sizes before this block. */
  readonly treeSizes: TreeSizes;
  /** Outputs and actions in the block. */
  readonly outputCount: number;
}

/** An output that is searched with those of a block and is not in it, to see whether the search works. */
export interface PlantedOutput {
  readonly height: Height;
  readonly pool: Pool;
  /** The fields of `BARE_OUTPUT`. */
  readonly bytes: Uint8Array;
}

/** Consecutive blocks, packed back to back in one transferable buffer: the unit of one scan task. */
export interface BlockBatch {
  /** `raw`: full blocks as a node serves them. `compact`: CompactBlock protobuf messages. */
  readonly format: 'raw' | 'compact';
  readonly buffer: ArrayBuffer;
  readonly blocks: readonly BlockRef[];
  /**
   * Searched after the outputs of their blocks. Notes in them have positions from the block's tree size on, one after the
   * other; nothing else of the result shows them.
   */
  readonly planted?: readonly PlantedOutput[];
}

/** A note of the wallet, fully verified (protocol specification §4.20, ZIP 212). */
export interface FoundNote {
  readonly pool: Pool;
  readonly account: number;
  readonly scope: Scope;
  /** Zatoshi, at most MAX_MONEY. */
  readonly value: Zatoshi;
  readonly height: Height;
  readonly txid: TxId;
  /** Index of the transaction in its block; 0 is the coinbase. */
  readonly txIndex: number;
  /** Index among the Sapling outputs, or among the actions of the pool's bundle. */
  readonly outputIndex: number;
  /** Leaf index in that pool's note commitment tree. */
  readonly position: number;
  /** Null without a nullifier key. */
  readonly nullifier: Nullifier | null;
  /** 11 bytes. */
  readonly diversifier: Uint8Array;
  /** FF1-decrypted diversifier. */
  readonly diversifierIndex: bigint;
  /** 512 bytes, or null when only the compact form was read. */
  readonly memo: Uint8Array | null;
  /** The compact output, to open the note once more; absent where it is not from a block that was scanned here. */
  readonly output?: EncryptedOutput;
}

/** An output that one of the wallet's transactions sent, recovered with an outgoing viewing key. */
export interface SentOutput {
  readonly pool: Pool;
  readonly account: number;
  readonly scope: Scope;
  readonly txid: TxId;
  readonly height: Height;
  readonly txIndex: number;
  readonly outputIndex: number;
  readonly value: Zatoshi;
  /** 43 bytes: diversifier and pk_d. */
  readonly recipient: Uint8Array;
  readonly memo: Uint8Array;
}

/** Amounts that a transaction without transparent inputs and JoinSplits took from the shielded pools, in zatoshi. */
export interface PaidByPools {
  /** Value that leaves all pools together: fee and transparent outputs. Negative where more enters. */
  readonly leaving: number;
  readonly fee: number;
  /** Count of shielded inputs, dummies included. */
  readonly inputs: number;
}

/** Nullifiers of one transaction, in order; `nullifiers` is a multiple of 32 bytes. */
export interface TxNullifiers {
  readonly pool: Pool;
  readonly txIndex: number;
  readonly txid: TxId;
  readonly nullifiers: Uint8Array;
}

export interface ScannedBlock {
  readonly height: Height;
  readonly hash: BlockHash;
  readonly prevHash: BlockHash;
  /** Seconds since 1970. */
  readonly time: number;
  /** Tree sizes after this block. */
  readonly treeSizes: TreeSizes;
  readonly outputCount: number;
  /**
   * The packed note commitments of all blocks of the batch, with its first block: one array for each block would cost more.
   * None of a batch with planted outputs.
   */
  readonly leaves?: PerPool<Uint8Array>;
  readonly notes: readonly FoundNote[];
  readonly nullifiers: readonly TxNullifiers[];
}

/** Shielded outputs of one pool as columns, the input of both trial decryptors. Row i is one output. */
export interface OutputColumns {
  readonly pool: Pool;
  readonly count: number;
  /** count x 32: ephemeralKey as transmitted. */
  readonly ephemeralKeys: Uint8Array;
  /** count x 52: first bytes of encCiphertext. */
  readonly ciphertexts: Uint8Array;
  /** count x 32: cmu or cmx. */
  readonly commitments: Uint8Array;
  /** count x 32: nullifier of the same action (rho). Empty for Sapling. */
  readonly nullifiers: Uint8Array;
  /** Leaf index of each output's commitment. */
  readonly positions: Uint32Array;
  /** Allowed lead bytes of each row: bit (b - 1) set when lead byte b is allowed. */
  readonly leadBytes: Uint8Array;
}

export interface DecryptedOutput {
  /** Row in the columns. */
  readonly row: number;
  /** Index into the given keys. */
  readonly keyIndex: number;
  /** 52 bytes: lead, diversifier 11, value LE8, rseed 32. */
  readonly plaintext: Uint8Array;
  /** 32 bytes: encoding of pk_d. */
  readonly transmissionKey: Uint8Array;
  /** 32 bytes: K_enc; opens the full ciphertext (memo). */
  readonly encryptionKey: Uint8Array;
  /** 32 bytes, or null when the key has no nullifier key. */
  readonly nullifier: Nullifier | null;
}

/**
 * Exact trial decryption (compact form) of every row with every key that fits the pool, with all checks: lead byte,
 * value at most MAX_MONEY, commitment and ephemeral key. Results are ordered by row, then key. Implemented by the
 * reference in this folder and by the WebAssembly kernel; both give equal results on every input.
 */
export interface TrialDecryptor {
  decrypt(columns: OutputColumns, keys: readonly IncomingKey[]): DecryptedOutput[];
  /** The same for several pools, with a list for each: the kernel searches those of one protocol together. */
  decryptAll(all: readonly OutputColumns[], keys: readonly IncomingKey[]): DecryptedOutput[][];
  /**
   * For rows that are known to be notes of the key: every possible K_enc of each row, one or two where the note is the
   * key's. Nothing else is checked: the tag of the full ciphertext shows which of them is right, if any.
   */
  encryptionKeys(columns: OutputColumns, key: IncomingKey): Uint8Array[][];
  /** The plaintext of a full ciphertext under K_enc (protocol specification §4.20); undefined when the tag is wrong. */
  open(encryptionKey: Uint8Array, ciphertext: Uint8Array): Uint8Array | undefined;
  /**
   * The note that was sent in a full output, by the first of the outgoing viewing keys that recovers it, with all checks
   * of §4.20.3 and a value of at most MAX_MONEY. `leadBytes`: mask of `allowedLeadBytes`.
   */
  recover(
    pool: Pool,
    output: RecoverableOutput,
    ovks: readonly Uint8Array[],
    leadBytes: number,
  ): RecoveredOutput | undefined;
}
