// The data that an open wallet shows: read together, so that balance and transactions are from nearly the same moment.

import type { Client, Output } from '@wallet-companion/client';

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

export async function readFunds(call: Client['call']): Promise<Funds> {
  const [balance, coverage, transactions, notes] = await Promise.all([
    call('balance.get'),
    call('coverage.get'),
    pages((cursor) => call('transactions.list', { limit: PAGE, ...cursor })),
    pages((cursor) => call('notes.list', { limit: PAGE, ...cursor })),
  ]);
  return {
    balance,
    coverage,
    transactions: transactions.flatMap((page) => page.transactions),
    notes: notes.flatMap((page) => page.notes),
    isCut: [transactions, notes].some((read) => read.at(-1)?.next_cursor !== null),
  };
}

async function pages<P extends { readonly next_cursor: string | null }>(
  read: (cursor: { readonly cursor?: string }) => Promise<P>,
): Promise<readonly P[]> {
  const found = [await read({})];
  for (let cursor = found[0]!.next_cursor; cursor !== null && found.length < MAX_PAGES; ) {
    const page = await read({ cursor });
    found.push(page);
    cursor = page.next_cursor;
  }
  return found;
}
