// A transaction as plain fields: the devnet fills them in and `serializeTransaction` writes them.

import { FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { isTxVersion, type TxVersion } from '../network.ts';
import { type ActionPool, perActionPool } from '../pools.ts';
import { type OrchardActionFields, type OrchardBundle, orchardAction } from './orchardBundle.ts';
import { type Records, recordAt, recordField } from './records.ts';
import {
  type SaplingBundle,
  type SaplingOutputFields,
  type SaplingSpendFields,
  saplingOutput,
  saplingSpend,
} from './saplingBundle.ts';
import type { Transaction } from './transaction.ts';
import {
  type TransparentInput,
  type TransparentOutput,
  transparentInputs,
  transparentOutputs,
} from './transparentBundle.ts';

export interface SaplingSpendContents extends SaplingSpendFields {
  /** 192 bytes. */
  readonly proof: Uint8Array;
  /** 64 bytes. */
  readonly spendAuthSig: Uint8Array;
}

export interface SaplingOutputContents extends SaplingOutputFields {
  /** 192 bytes. */
  readonly proof: Uint8Array;
}

export interface SaplingContents {
  /** v5 and v6 write one anchor, that of the first spend. */
  readonly spends: readonly SaplingSpendContents[];
  readonly outputs: readonly SaplingOutputContents[];
  /** Zatoshi leaving the pool. */
  readonly valueBalance: bigint;
  /** 64 bytes. */
  readonly bindingSig: Uint8Array;
}

export interface OrchardActionContents extends OrchardActionFields {
  /** 64 bytes. */
  readonly spendAuthSig: Uint8Array;
}

export interface OrchardContents {
  readonly actions: readonly OrchardActionContents[];
  readonly flags: number;
  /** Zatoshi leaving the pool. */
  readonly valueBalance: bigint;
  readonly anchor: Uint8Array;
  readonly proof: Uint8Array;
  /** 64 bytes. */
  readonly bindingSig: Uint8Array;
}

/** The contents of the pools that the version carries. */
type ActionContents = { readonly [P in ActionPool]?: OrchardContents | undefined };

/** A transaction without JoinSplits, in a version that can carry notes of the known pools. */
export interface TransactionContents extends ActionContents {
  readonly version: TxVersion;
  /** Not written in v4. */
  readonly consensusBranchId: number;
  readonly lockTime: number;
  readonly expiryHeight: Height;
  readonly inputs: readonly TransparentInput[];
  readonly outputs: readonly TransparentOutput[];
  readonly sapling?: SaplingContents | undefined;
}

/**
 * The fields of a parsed transaction; the inverse of `serializeTransaction`. FormatError for JoinSplits and for
 * versions without shielded pools.
 */
export function transactionContents(transaction: Transaction): TransactionContents {
  const { version, versionGroupId, sapling } = transaction;
  if (!isTxVersion(version) || versionGroupId === 0)
    throw new FormatError(`transactions of version ${version} have no shielded contents`);
  if (transaction.sprout.joinSplits.count > 0) throw new FormatError('JoinSplits have no contents form');
  return {
    version,
    consensusBranchId: transaction.consensusBranchId ?? 0,
    lockTime: transaction.lockTime,
    expiryHeight: transaction.expiryHeight,
    inputs: transparentInputs(transaction.transparent),
    outputs: transparentOutputs(transaction.transparent),
    sapling: saplingContents(sapling),
    ...perActionPool((pool) => orchardContents(transaction[pool])),
  };
}

const indices = (records: Records): number[] => Array.from({ length: records.count }, (_, i) => i);

function saplingContents(bundle: SaplingBundle): SaplingContents | undefined {
  if (bundle.spends.count + bundle.outputs.count === 0) return undefined;
  const v4 = bundle.version === 4;
  return {
    spends: indices(bundle.spends).map((i) => ({
      ...saplingSpend(bundle, i),
      proof: v4 ? recordField(bundle.spends, i, 128, 192) : recordAt(bundle.spendProofs, i),
      spendAuthSig: v4 ? recordField(bundle.spends, i, 320, 64) : recordAt(bundle.spendAuthSigs, i),
    })),
    outputs: indices(bundle.outputs).map((i) => ({
      ...saplingOutput(bundle, i),
      proof: v4 ? recordField(bundle.outputs, i, 756, 192) : recordAt(bundle.outputProofs, i),
    })),
    valueBalance: bundle.valueBalance,
    bindingSig: bundle.bindingSig,
  };
}

function orchardContents(bundle: OrchardBundle): OrchardContents | undefined {
  if (bundle.actions.count === 0) return undefined;
  return {
    actions: indices(bundle.actions).map((i) => ({
      ...orchardAction(bundle, i),
      spendAuthSig: recordAt(bundle.spendAuthSigs, i),
    })),
    flags: bundle.flags,
    valueBalance: bundle.valueBalance,
    anchor: bundle.anchor,
    proof: bundle.proof,
    bindingSig: bundle.bindingSig,
  };
}
