// The effects of a transaction from v5 on, as plain data: everything that its id and its signatures commit to. Proofs,
// signatures and scripts of inputs are not included, so effects exist as soon as a transaction is planned.

import { FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { OrchardActionFields } from '../encoding/orchardBundle.ts';
import type { SaplingOutputFields, SaplingSpendFields } from '../encoding/saplingBundle.ts';
import type { TransactionContents } from '../encoding/transactionContents.ts';
import type { TransparentInput, TransparentOutput } from '../encoding/transparentBundle.ts';
import type { Outpoint } from '../encoding/transparentDigest.ts';
import type { Nullifier } from '../identifiers.ts';
import type { DigestVersion } from '../network.ts';
import { type ActionPool, isActionPool, type Pool, perActionPool } from '../pools.ts';

/** A transparent input and the output that it spends, whose value and script are signed from v5 on. */
export interface SpentOutput extends Omit<TransparentInput, 'scriptSig'>, TransparentOutput {}

export interface SaplingEffects {
  readonly spends: readonly Omit<SaplingSpendFields, 'anchor'>[];
  readonly outputs: readonly SaplingOutputFields[];
  /** Zatoshi leaving the pool. */
  readonly valueBalance: bigint;
  /** Needed in v5, where it is signed, if there are spends. v6 leaves it open until the proofs are made. */
  readonly anchor?: Uint8Array | undefined;
}

export interface ActionEffects {
  readonly actions: readonly OrchardActionFields[];
  readonly flags: number;
  /** Zatoshi leaving the pool. */
  readonly valueBalance: bigint;
  /** As in Sapling. */
  readonly anchor?: Uint8Array | undefined;
}

type PoolsOfActions = { readonly [P in ActionPool]?: ActionEffects | undefined };

export interface TransactionEffects extends PoolsOfActions {
  readonly version: DigestVersion;
  readonly consensusBranchId: number;
  readonly lockTime: number;
  readonly expiryHeight: Height;
  readonly inputs: readonly SpentOutput[];
  readonly outputs: readonly TransparentOutput[];
  readonly sapling?: SaplingEffects | undefined;
}

const NULL_INDEX = 0xffff_ffff;

/** Whether these are the inputs of a coinbase transaction: one, which spends nothing. */
export const isCoinbase = (inputs: readonly Outpoint[]): boolean =>
  inputs.length === 1 &&
  inputs[0]!.prevIndex === NULL_INDEX &&
  inputs[0]!.prevTxid.every((byte) => byte === 0);

const NO_OUTPUT: TransparentOutput = { value: 0n, scriptPubKey: new Uint8Array(0) };

/**
 * The effects of a whole transaction: all that its signatures sign. `spent` are the outputs that its inputs spend, in
 * their order; a coinbase needs none. FormatError for version 4, whose signatures sign other digests, and for another
 * number of `spent`.
 */
export function effectsOf(
  contents: TransactionContents,
  spent: readonly TransparentOutput[] = isCoinbase(contents.inputs) ? [NO_OUTPUT] : [],
): TransactionEffects {
  const { version, consensusBranchId, lockTime, expiryHeight, inputs, outputs, sapling } = contents;
  if (version === 4) throw new FormatError('transactions of version 4 have other signature hashes');
  if (spent.length !== inputs.length) {
    throw new FormatError(`${inputs.length} inputs cannot spend ${spent.length} outputs`);
  }
  return {
    version,
    consensusBranchId,
    lockTime,
    expiryHeight,
    inputs: inputs.map((input, i) => ({ ...input, ...spent[i]! })),
    outputs,
    sapling: sapling && { ...sapling, anchor: sapling.spends[0]?.anchor },
    ...perActionPool((pool) => contents[pool]),
  };
}

/** The common form of a pool's spends, outputs or actions; empty where the transaction does not use the pool. */
export interface PoolEffects {
  /** Each needs a signature of the key `rk`. */
  readonly spends: readonly { readonly nullifier: Nullifier; readonly rk: Uint8Array }[];
  /** Value commitments of spends, or of whole actions. */
  readonly added: readonly Uint8Array[];
  /** Value commitments of outputs, where they are separate. */
  readonly subtracted: readonly Uint8Array[];
  readonly ephemeralKeys: readonly Uint8Array[];
  readonly valueBalance: bigint;
  readonly isEmpty: boolean;
}

const NO_SAPLING: SaplingEffects = { spends: [], outputs: [], valueBalance: 0n };
const NO_ACTIONS: ActionEffects = { actions: [], flags: 0, valueBalance: 0n };

/** What one pool's part of a transaction does, in one form for all pools; empty where there is none. */
export function poolEffects(effects: TransactionEffects, pool: Pool): PoolEffects {
  if (isActionPool(pool)) {
    const { actions, valueBalance } = effects[pool] ?? NO_ACTIONS;
    return {
      spends: actions,
      added: actions.map(({ cv }) => cv),
      subtracted: [],
      ephemeralKeys: actions.map(({ ephemeralKey }) => ephemeralKey),
      valueBalance,
      isEmpty: actions.length === 0,
    };
  }
  const { spends, outputs, valueBalance } = effects.sapling ?? NO_SAPLING;
  return {
    spends,
    added: spends.map(({ cv }) => cv),
    subtracted: outputs.map(({ cv }) => cv),
    ephemeralKeys: outputs.map(({ ephemeralKey }) => ephemeralKey),
    valueBalance,
    isEmpty: spends.length + outputs.length === 0,
  };
}
