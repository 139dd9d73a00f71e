// The data that an open wallet shows: read together, so that balance and transactions are from nearly the same moment.

import type { Client, Output } from '@wallet-companion/client';
import { sharedTexts } from '../texts/shared.ts';

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
  /** The same for notes. */
  readonly areNotesCut: boolean;
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
    isCut: transactions.at(-1)?.next_cursor !== null,
    areNotesCut: notes.at(-1)?.next_cursor !== null,
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

// When notes, transactions and payments look final: as deep as this wallet spends a note by its own rule (ZIP 315: 3 blocks for
// what it made itself, 10 for what others sent), or as config.json says, if that is more.

/** As `DEFAULT_CONFIRMATIONS` of the protocol package, whose door is too much to load here; a test compares them. */
export const CONFIRMATIONS = { change: 3, received: 10 };

/** `least`: `min_confirmations`. Undefined: nothing is waited for. */
export function waitingText(confirmations: number, isOwn: boolean, least: number): string | undefined {
  const needed = Math.max(isOwn ? CONFIRMATIONS.change : CONFIRMATIONS.received, least);
  return confirmations < needed ? sharedTexts().confirmationsOf(confirmations, needed) : undefined;
}

export const noteWaits = ({ confirmations, scope }: Note, least: number): string | undefined =>
  waitingText(confirmations, scope === 'internal', least);

/** Unspent, and not spendable yet. */
export const waitingZatoshi = (notes: readonly Note[], least: number): number =>
  notes
    .filter((note) => note.spent === null && noteWaits(note, least) !== undefined)
    .reduce((sum, { value_zatoshi }) => sum + value_zatoshi, 0);
