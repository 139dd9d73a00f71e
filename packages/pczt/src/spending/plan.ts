// One way to make a payment: its notes, its outputs and its cost. proposal.ts compares plans; this file computes their
// sums.
import type { Zatoshi } from '@wallet-companion/base/values';
import { POOLS, type Pool, perPool } from '@wallet-companion/zcash/pools';
import { INPUT_SIZE, type ItemCounts } from '@wallet-companion/zcash/zip317';
import type { PlannedChange } from '../pczt/change.ts';
import type { Place } from '../pczt/inspection.ts';
import { type Disclosure, disclosuresOf } from './disclosure.ts';
import { type OwnNote, total } from './funds.ts';
import type { OwnOutput } from './ownOutput.ts';
import { noItems, type SpendingRules, type TransactionForm } from './rules.ts';

export interface PlannedPayment {
  readonly place: Place;
  /** 43 bytes of a shielded receiver, or the script. */
  readonly receiver: Uint8Array;
  /** The address as typed. */
  readonly address: string;
  readonly zatoshi: Zatoshi;
  /** As given; in a proposal 512 bytes, and undefined for transparent recipients. */
  readonly memo: Uint8Array | undefined;
}

export interface Plan<Note extends OwnNote> {
  readonly spends: readonly Note[];
  /** Transparent outputs that are spent; empty except where they are shielded. */
  readonly inputs: readonly OwnOutput[];
  readonly payments: readonly PlannedPayment[];
  readonly change: PlannedChange | undefined;
  readonly fee: Zatoshi;
  readonly disclosures: readonly Disclosure[];
}

/** Value and script length, in bytes. */
const OUTPUT_SIZE_WITHOUT_SCRIPT = 9;

/** The form of a transaction before padding: what it spends and makes in each pool, and the bytes of its transparent parts. */
export function formOf(
  spends: readonly OwnNote[],
  payments: readonly Pick<PlannedPayment, 'place' | 'receiver'>[],
  change: Pick<PlannedChange, 'pool' | 'notes'> | undefined,
  inputs: readonly OwnOutput[] = [],
): TransactionForm {
  const counts: Record<Pool, ItemCounts> = noItems();
  const count = (pool: Pool, side: keyof ItemCounts, items = 1): void => {
    counts[pool] = { ...counts[pool], [side]: counts[pool][side] + items };
  };
  for (const { pool } of spends) count(pool, 'spends');
  let transparentOutputBytes = 0;
  for (const { place, receiver } of payments) {
    if (place === 'transparent') transparentOutputBytes += OUTPUT_SIZE_WITHOUT_SCRIPT + receiver.length;
    else count(place, 'outputs');
  }
  if (change !== undefined) count(change.pool, 'outputs', change.notes);
  return { ...counts, transparentInputBytes: inputs.length * INPUT_SIZE, transparentOutputBytes };
}

/** The amount that leaves each used pool; negative where it enters. */
export function balancesOf({
  spends,
  payments,
  change,
}: Pick<Plan<OwnNote>, 'spends' | 'payments' | 'change'>): Partial<Record<Pool, Zatoshi>> {
  const form = formOf(spends, payments, change);
  const used = POOLS.filter((pool) => form[pool].spends + form[pool].outputs > 0);
  const balances = perPool((pool) => total(spends.filter((note) => note.pool === pool)));
  for (const { place, zatoshi } of payments) if (place !== 'transparent') balances[place] -= zatoshi;
  if (change !== undefined) balances[change.pool] -= change.zatoshi;
  return Object.fromEntries(used.map((pool) => [pool, balances[pool]]));
}

/** Completes the plan with its disclosures; the fee is the remainder, so it may exceed the usual one. */
export function completePlan<Note extends OwnNote>(
  parts: Pick<Plan<Note>, 'spends' | 'payments' | 'change'>,
  rules: SpendingRules,
): Plan<Note> {
  const { spends, payments, change } = parts;
  const fee = total(spends) - total(payments) - (change?.zatoshi ?? 0);
  const conventional = rules.conventionalFee(formOf(spends, payments, change));
  return {
    ...parts,
    inputs: [],
    fee,
    disclosures: disclosuresOf({
      balances: balancesOf(parts),
      transparent: payments.filter(({ place }) => place === 'transparent'),
      excessFee: fee - conventional,
    }),
  };
}
