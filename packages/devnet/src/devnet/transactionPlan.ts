// The planned contents of a devnet transaction, before any cryptography. A plan contains values and recipients; keys,
// change and the choice of notes are already decided.

import type { Height } from '@wallet-companion/base/values';
import type { Nullifier } from '@wallet-companion/zcash/identifiers';
import type { NetworkParameters, TxVersion } from '@wallet-companion/zcash/network';
import {
  type ActionPool,
  POOLS,
  type Pool,
  perActionPool,
  perPool,
  type TreeSizes,
} from '@wallet-companion/zcash/pools';
import type { TransparentOutput } from '@wallet-companion/zcash/transactions';
import { feePerAction, INPUT_SIZE, logicalActions, OUTPUT_SIZE } from '@wallet-companion/zcash/zip317';

/** Ways to make an output that decrypts with the recipient's key but must not be credited. */
export type OutputFlaw =
  | 'wrong-commitment' // the commitment is that of another value
  | 'wrong-lead-byte' // the lead byte of another pool's or an older note format
  | 'wrong-ephemeral-key' // not the key that the note's seed prescribes (ZIP 212)
  | 'excessive-value'; // more than MAX_MONEY

export interface PlannedOutput {
  readonly pool: Pool;
  /** 43 bytes: diversifier and pk_d. */
  readonly recipient: Uint8Array;
  /** Zatoshi. */
  readonly value: bigint;
  /** 512 bytes. */
  readonly memo: Uint8Array;
  /** The key that recovers the note as sent; undefined when no key does. */
  readonly outgoingKey: Uint8Array | undefined;
  readonly flaw: OutputFlaw | undefined;
}

export interface PlannedSpend {
  readonly pool: Pool;
  readonly nullifier: Nullifier;
  /** Zatoshi. */
  readonly value: bigint;
}

export interface TransactionPlan {
  /** Height of the block that the transaction is meant for. */
  readonly height: Height;
  readonly version: TxVersion;
  readonly outputs: readonly PlannedOutput[];
  readonly spends: readonly PlannedSpend[];
  /** The payer of what the spends do not cover: a made-up note of a pool, or a transparent coin. */
  readonly payer: Pool | 'transparent' | 'none';
  /** Outputs without an owner: random bytes around a valid ephemeral key. */
  readonly otherOutputs: TreeSizes;
  /** Transparent outputs to an address. */
  readonly transparentOutputs?: readonly TransparentOutput[];
  /** Set for a coinbase: the miner's transparent amount (zatoshi). */
  readonly coinbase: { readonly transparentValue: bigint } | undefined;
}

/** The least number of actions in a wallet's bundle, which is padded to two; a miner's bundle is not padded. */
const MIN_ACTIONS = 2;

/** Spends of a pool, the made-up one included. */
export function spendCount(plan: TransactionPlan, pool: Pool): number {
  return plan.spends.filter((spend) => spend.pool === pool).length + (plan.payer === pool ? 1 : 0);
}

/** Outputs of a pool without padding. */
export function outputCount(plan: TransactionPlan, pool: Pool): number {
  return plan.outputs.filter((output) => output.pool === pool).length + plan.otherOutputs[pool];
}

export function actionCount(plan: TransactionPlan, pool: ActionPool): number {
  const outputs = outputCount(plan, pool);
  const needed = Math.max(outputs, spendCount(plan, pool));
  if (needed === 0 || plan.coinbase) return outputs;
  return Math.max(needed, MIN_ACTIONS);
}

/** The usual fee of ZIP 317, in zatoshi. */
export function usualFee(plan: TransactionPlan, params: NetworkParameters): bigint {
  if (plan.coinbase) return 0n;
  const actions = logicalActions({
    sapling: { spends: spendCount(plan, 'sapling'), outputs: outputCount(plan, 'sapling') },
    ...perActionPool((pool) => {
      const count = actionCount(plan, pool);
      return { spends: count, outputs: count };
    }),
    transparentInputBytes: plan.payer === 'transparent' ? INPUT_SIZE : 0,
    transparentOutputBytes: OUTPUT_SIZE * (plan.transparentOutputs?.length ?? 0),
  });
  return BigInt(actions * feePerAction(params, plan.height));
}

/** Zatoshi leaving each pool: its spends minus its outputs; the payer covers the rest and the fee. */
export function valueBalances(plan: TransactionPlan, fee: bigint): Record<Pool, bigint> {
  const balances = perPool(() => 0n);
  for (const { pool, value } of plan.spends) balances[pool] += value;
  for (const { pool, value, flaw } of plan.outputs) {
    if (flaw !== 'excessive-value') balances[pool] -= value;
  }
  const { payer } = plan;
  if (payer === 'transparent' || payer === 'none') return balances;
  const open = (plan.transparentOutputs ?? []).reduce((sum, { value }) => sum + value, fee);
  balances[payer] += POOLS.reduce((rest, pool) => rest - balances[pool], open);
  return balances;
}
