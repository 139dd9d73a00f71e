// The size limits of one payment: the signer's actions in a pool, and the block's items in all pools. A larger amount needs
// further payments.
import { POOLS, type Pool, perPool } from '@wallet-companion/zcash/pools';
import type { OwnNote } from './funds.ts';
import type { Full } from './refusal.ts';
import type { SpendingRules, TransactionForm } from './rules.ts';

export interface Room {
  readonly rules: SpendingRules;
  /** Limit of actions in a pool, with padding. */
  readonly maxActions: number;
}

/** The limit that a payment of this form exceeds. */
export function fullAt(form: TransactionForm, { rules, maxActions }: Room): Full | undefined {
  if (rules.excess(form) !== undefined) return 'block';
  const isTooLarge = POOLS.some((pool) => {
    const { spends, outputs } = rules.filled(pool, form[pool]);
    return Math.max(spends, outputs) > maxActions;
  });
  return isTooLarge ? 'signer' : undefined;
}

/**
 * The notes as further payments of the same form, each as full as possible: the first notes of every pool first. `form`:
 * the outputs of each payment, without the notes.
 */
export function* batchesOf<Note extends OwnNote>(
  notes: readonly Note[],
  form: TransactionForm,
  room: Room,
): Generator<Note[], void, void> {
  const left = perPool((pool) => notes.filter((note) => note.pool === pool));
  const withSpends = (pool: Pool, batch: TransactionForm): TransactionForm => ({
    ...batch,
    [pool]: { ...batch[pool], spends: batch[pool].spends + 1 },
  });
  for (;;) {
    const batch: Note[] = [];
    let filled = form;
    for (const pool of POOLS) {
      let taken = 0;
      for (; taken < left[pool].length; taken++) {
        const more = withSpends(pool, filled);
        if (fullAt(more, room) !== undefined) break;
        filled = more;
      }
      batch.push(...left[pool].splice(0, taken));
    }
    if (batch.length === 0) return;
    yield batch;
  }
}
