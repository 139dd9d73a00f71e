// Selects notes for a payment from some of the pools. The fee depends on the notes and on the change, and the change on the
// fee: so each set of notes is tried as a whole, and the first with an exact sum becomes the plan.

import type { Zatoshi } from '@wallet-companion/base/values';
import { isActionPool, type Pool } from '@wallet-companion/zcash/pools';
import type { PlannedChange } from '../pczt/change.ts';
import { type ChangePolicy, changePools, takesChange } from './changePool.ts';
import { isDust, type OwnNote, type SortedFunds, total } from './funds.ts';
import type { Receiver } from './payees.ts';
import { completePlan, formOf, type Plan, type PlannedPayment } from './plan.ts';
import type { Full } from './refusal.ts';
import { fullAt, type Room } from './room.ts';
import type { SpendingRules, TransactionForm } from './rules.ts';
import { isWorthSplitting, notesLacking } from './splitChange.ts';

/** A larger excess is never left to the miner, even with consent. */
const MAX_EXCESS_FEE: Zatoshi = 10 * 10_000;

export interface SelectionContext extends Room {
  readonly changePolicy: ChangePolicy | undefined;
  /** Whether the account has a viewing key for the pool. */
  hasKey(pool: Pool): boolean;
  /** Notes for further payments that the account should have, and that it has. */
  readonly changeNotes: { readonly wanted: number; readonly useful: number };
}

export type Selection<Note extends OwnNote> =
  | { readonly plan: Plan<Note> }
  /** The amount needed with the last tried notes, their value, and the limit that kept others out. */
  | { readonly needed: Zatoshi; readonly reached: Zatoshi; readonly full: Full | undefined };

/**
 * `notes` in their order of use, dust last. As few as possible are taken: one that is enough, otherwise one after the
 * other.
 */
export function selectNotes<Note extends OwnNote>(
  notes: readonly Note[],
  payments: readonly PlannedPayment[],
  context: SelectionContext,
): Selection<Note> {
  const { rules } = context;
  const paid = total(payments);
  const smallestFirst = notes
    .filter(({ zatoshi }) => zatoshi > paid && !isDust(zatoshi, rules))
    .sort((a, b) => a.zatoshi - b.zatoshi);
  for (const note of smallestFirst) {
    const plan = evenPlan([note], payments, context);
    if (plan !== undefined) return { plan };
  }
  const spends: Note[] = [];
  let uneven: Plan<Note> | undefined;
  let full: Full | undefined;
  for (const note of notes) {
    const more = [...spends, note];
    const fullWith = fullAt(formWithChange(more, payments, context), context);
    if (fullWith !== undefined) {
      full = fullWith;
      continue;
    }
    if (isDust(note.zatoshi, rules) && surplus(more, payments, rules) <= surplus(spends, payments, rules))
      continue;
    spends.push(note);
    const plan = evenPlan(spends, payments, context);
    if (plan !== undefined) return { plan };
    uneven ??= unevenPlan(spends, payments, rules);
  }
  if (uneven !== undefined) return { plan: uneven };
  const needed = total(payments) + rules.conventionalFee(formOf(spends, payments, undefined));
  return { needed, reached: total(spends), full };
}

function formWithChange(
  spends: readonly OwnNote[],
  payments: readonly PlannedPayment[],
  { rules, changePolicy, hasKey }: SelectionContext,
): TransactionForm {
  const [changePool] = changePools(spends, payments, changePolicy, rules, hasKey);
  return formOf(spends, payments, changePool && { pool: changePool, notes: 1 });
}

/** The remainder without change. */
const surplus = (
  spends: readonly OwnNote[],
  payments: readonly PlannedPayment[],
  rules: SpendingRules,
): Zatoshi => total(spends) - total(payments) - rules.conventionalFee(formOf(spends, payments, undefined));

/** A plan with the usual fee, and change that is worth a note or is 0. */
function evenPlan<Note extends OwnNote>(
  spends: readonly Note[],
  payments: readonly PlannedPayment[],
  context: SelectionContext,
): Plan<Note> | undefined {
  const { rules, changePolicy, hasKey } = context;
  for (const pool of changePools(spends, payments, changePolicy, rules, hasKey)) {
    const change = changeIn(pool, spends, payments, context);
    if (!takesChange(pool, change.zatoshi, spends, rules)) continue;
    // Change of 0 is made too: payments without change would stand out.
    if (change.zatoshi === 0 || change.zatoshi >= rules.feePerAction)
      return completePlan({ spends: [...spends], payments, change }, rules);
    break;
  }
  if (surplus(spends, payments, rules) !== 0) return undefined;
  return completePlan({ spends: [...spends], payments, change: undefined }, rules);
}

/** The change after the fee, in as many notes as are wanted, worth it, and have room. */
function changeIn(
  pool: Pool,
  spends: readonly OwnNote[],
  payments: readonly PlannedPayment[],
  context: SelectionContext,
): PlannedChange {
  const { rules, changeNotes } = context;
  for (let notes = notesLacking(pool, { ...changeNotes, spends }); ; notes--) {
    const form = formOf(spends, payments, { pool, notes });
    const zatoshi = total(spends) - total(payments) - rules.conventionalFee(form);
    if (notes === 1 || (isWorthSplitting(zatoshi, notes) && fullAt(form, context) === undefined))
      return { pool, zatoshi, notes };
  }
}

/** A plan whose remainder is not worth a note: the miner gets it. */
function unevenPlan<Note extends OwnNote>(
  spends: readonly Note[],
  payments: readonly PlannedPayment[],
  rules: SpendingRules,
): Plan<Note> | undefined {
  const over = surplus(spends, payments, rules);
  if (over < 0 || over > MAX_EXCESS_FEE) return undefined;
  return completePlan({ spends: [...spends], payments, change: undefined }, rules);
}

// Selects the notes among which a payment is planned. Merchants have a hundred thousand notes, and every plan is compared:
// but no plan takes more notes of a pool than the limit of actions, so the largest notes and those nearest to the amount are
// enough.

/** One of these notes alone is enough, unless the fee requires a little more. */
const NEAREST = 16;

export interface NotesToTry<Note> extends SortedFunds<Note> {
  /** Some notes were left out. */
  readonly isCut: boolean;
}

export function worthTrying<Note extends OwnNote>(
  { funds, notes, dust }: SortedFunds<Note>,
  {
    pools,
    paid,
    maxActions,
  }: { readonly pools: readonly Pool[]; readonly paid: Zatoshi; readonly maxActions: number },
): NotesToTry<Note> {
  const tried = pools.flatMap((pool) => {
    // The largest first.
    const ofPool = notes.filter((note) => note.pool === pool);
    const enough = ofPool.findLastIndex(({ zatoshi }) => zatoshi > paid) + 1;
    const largest = ofPool.slice(0, maxActions);
    return [...largest, ...ofPool.slice(Math.max(largest.length, enough - NEAREST), enough)];
  });
  const triedDust = pools.flatMap((pool) => dust.filter((note) => note.pool === pool).slice(0, maxActions));
  return { funds, notes: tried, dust: triedDust, isCut: tried.length < notes.length };
}

// The sets of pools that may fund a payment, best first: one sufficient pool before two, and the recipient's pool
// before others, because nothing crosses pools then.

/** Each set lists the pools in the order in which their notes are used. */
export function sourceSets(
  sources: readonly Pool[],
  receivers: readonly Receiver[],
  { payable }: SpendingRules,
): Pool[][] {
  const paid = receivers.flatMap(({ place }) => (place === 'transparent' ? [] : [place]));
  // Pools that only pay out are emptied before Sapling, whose spends need more from a signer.
  const newestFirst = [...payable.filter(isActionPool).toReversed(), ...sources.filter(isActionPool)];
  const order = [...new Set([...paid, ...newestFirst, ...sources])].filter((pool) => sources.includes(pool));
  return subsetsOf(order).sort((a, b) => a.length - b.length);
}

/** All non-empty subsets, earlier items first. */
function subsetsOf<T>(items: readonly T[]): T[][] {
  const [first, ...rest] = items;
  if (first === undefined) return [];
  const others = subsetsOf(rest);
  return [[first], ...others.map((set) => [first, ...set]), ...others];
}
