// The shielded contents of one block in a form that raw and compact blocks share: per transaction the nullifiers it
// reveals and the outputs it makes. All bytes are views on the block.
import { walkBlock } from '../chain/block.ts';
import {
  COMPACT_CIPHERTEXT_SIZE,
  type CompactAction,
  type CompactTransaction,
  decodeCompactBlock,
} from '../chain/compactBlock.ts';
import { type OrchardBundle, orchardAction } from '../chain/orchardBundle.ts';
import { type SaplingBundle, saplingOutput, saplingSpend } from '../chain/saplingBundle.ts';
import type { Transaction } from '../chain/transaction.ts';
import { txid } from '../chain/txid.ts';
import type { Blake2b256 } from '../hashes/blake2.ts';
import type { Pool } from '../network.ts';

const NO_RHO = new Uint8Array(0);

/** One Sapling output or one action. */
export interface ShieldedOutput {
  readonly ephemeralKey: Uint8Array;
  /** cmu or cmx. */
  readonly commitment: Uint8Array;
  /** The action's own nullifier; empty in Sapling. */
  readonly rho: Uint8Array;
  /** The first 52 bytes of encCiphertext. */
  readonly compactCiphertext: Uint8Array;
  /** What only a full transaction has. */
  readonly full: FullOutput | undefined;
}

export interface FullOutput {
  readonly cv: Uint8Array;
  /** 580 bytes. */
  readonly encCiphertext: Uint8Array;
  /** 80 bytes. */
  readonly outCiphertext: Uint8Array;
}

export interface ShieldedTransaction {
  /** Index in the full block. */
  readonly txIndex: number;
  /** Wire order. A function, because hashing is only worth it for transactions that matter. */
  readonly txid: () => Uint8Array;
  /** Nullifiers revealed, in order. */
  readonly nullifiers: Readonly<Record<Pool, readonly Uint8Array[]>>;
  readonly outputs: Readonly<Record<Pool, readonly ShieldedOutput[]>>;
}

export interface BlockContents {
  /** Seconds since 1970. */
  readonly time: number;
  /** Those with shielded parts, in block order. */
  readonly transactions: readonly ShieldedTransaction[];
}

export function readBlockContents(
  format: 'raw' | 'compact',
  bytes: Uint8Array,
  hash: Blake2b256,
): BlockContents {
  return format === 'raw' ? readRawBlock(bytes, hash) : readCompactBlock(bytes);
}

function readRawBlock(bytes: Uint8Array, hash: Blake2b256): BlockContents {
  const transactions: ShieldedTransaction[] = [];
  const { time } = walkBlock(bytes, (transaction, index) => {
    const shielded = shieldedTransaction(transaction, index, hash);
    if (shielded !== undefined) transactions.push(shielded);
  });
  return { time, transactions };
}

/** The shielded parts of a full transaction; undefined when it has none. */
export function shieldedTransaction(
  transaction: Transaction,
  txIndex: number,
  hash: Blake2b256,
): ShieldedTransaction | undefined {
  const { sapling, orchard, ironwood } = transaction;
  const parts = sapling.spends.count + sapling.outputs.count + orchard.actions.count + ironwood.actions.count;
  if (parts === 0) return undefined;
  const nullifiers = {
    sapling: Array.from({ length: sapling.spends.count }, (_, i) => saplingSpend(sapling, i).nullifier),
    orchard: actionNullifiers(orchard),
    ironwood: actionNullifiers(ironwood),
  };
  const outputs = {
    sapling: saplingOutputs(sapling),
    orchard: actionOutputs(orchard),
    ironwood: actionOutputs(ironwood),
  };
  let known: Uint8Array | undefined;
  return {
    txIndex,
    txid: () => {
      known ??= txid(transaction, hash);
      return known;
    },
    nullifiers,
    outputs,
  };
}

function saplingOutputs(bundle: SaplingBundle): ShieldedOutput[] {
  return Array.from({ length: bundle.outputs.count }, (_, i) => {
    const { cv, cmu, ephemeralKey, encCiphertext, outCiphertext } = saplingOutput(bundle, i);
    return {
      ephemeralKey,
      commitment: cmu,
      rho: NO_RHO,
      compactCiphertext: encCiphertext.subarray(0, COMPACT_CIPHERTEXT_SIZE),
      full: { cv, encCiphertext, outCiphertext },
    };
  });
}

const actionNullifiers = (bundle: OrchardBundle): Uint8Array[] =>
  Array.from({ length: bundle.actions.count }, (_, i) => orchardAction(bundle, i).nullifier);

function actionOutputs(bundle: OrchardBundle): ShieldedOutput[] {
  return Array.from({ length: bundle.actions.count }, (_, i) => {
    const { cv, nullifier, cmx, ephemeralKey, encCiphertext, outCiphertext } = orchardAction(bundle, i);
    return {
      ephemeralKey,
      commitment: cmx,
      rho: nullifier,
      compactCiphertext: encCiphertext.subarray(0, COMPACT_CIPHERTEXT_SIZE),
      full: { cv, encCiphertext, outCiphertext },
    };
  });
}

function readCompactBlock(bytes: Uint8Array): BlockContents {
  const { time, transactions } = decodeCompactBlock(bytes);
  return { time, transactions: transactions.map(compactContents) };
}

function compactContents(transaction: CompactTransaction): ShieldedTransaction {
  const { index, spends, outputs, actions, ironwoodActions } = transaction;
  return {
    txIndex: index,
    txid: () => transaction.txid,
    nullifiers: {
      sapling: spends,
      orchard: actions.map((action) => action.nullifier),
      ironwood: ironwoodActions.map((action) => action.nullifier),
    },
    outputs: {
      sapling: outputs.map(({ cmu, ephemeralKey, ciphertext }) => ({
        ephemeralKey,
        commitment: cmu,
        rho: NO_RHO,
        compactCiphertext: ciphertext,
        full: undefined,
      })),
      orchard: actions.map(compactOutput),
      ironwood: ironwoodActions.map(compactOutput),
    },
  };
}

const compactOutput = ({ nullifier, cmx, ephemeralKey, ciphertext }: CompactAction): ShieldedOutput => ({
  ephemeralKey,
  commitment: cmx,
  rho: nullifier,
  compactCiphertext: ciphertext,
  full: undefined,
});
