// The data that an open wallet shows: read together, so that balance and transactions are from nearly the same moment.

import type { Output } from '@wallet-companion/client';
import type { Call } from './transport.ts';

const PAGE = 1000;
/** More pages would make the view slow; beyond them the lists show that they are cut. */
const MAX_PAGES = 5;

export type Note = Output<'notes.list'>['notes'][number];

export interface Funds {
  readonly balance: Output<'balance.get'>;
  readonly transactions: Output<'transactions.list'>['transactions'];
  readonly notes: readonly Note[];
  readonly coverage: Output<'coverage.get'>;
  /** Older transactions exist and were not loaded. */
  readonly isCut: boolean;
}

export async function readFunds(call: Call): Promise<Funds> {
  const [balance, coverage, transactions, notes] = await Promise.all([
    call('balance.get'),
    call('coverage.get'),
    pages(
      (cursor) => call('transactions.list', { limit: PAGE, ...cursor }),
      (page) => page.transactions,
    ),
    pages(
      (cursor) => call('notes.list', { limit: PAGE, ...cursor }),
      (page) => page.notes,
    ),
  ]);
  return {
    balance,
    coverage,
    transactions: transactions.items,
    notes: notes.items,
    isCut: transactions.isCut || notes.isCut,
  };
}

async function pages<P extends { readonly next_cursor: string | null }, T>(
  read: (cursor: { readonly cursor?: string }) => Promise<P>,
  itemsOf: (page: P) => readonly T[],
): Promise<{ readonly items: readonly T[]; readonly isCut: boolean }> {
  const items: T[] = [];
  let cursor: { readonly cursor?: string } = {};
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await read(cursor);
    items.push(...itemsOf(answer));
    if (answer.next_cursor === null) return { items, isCut: false };
    cursor = { cursor: answer.next_cursor };
  }
  return { items, isCut: true };
}
