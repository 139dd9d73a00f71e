// A shop that keeps its books from the journal alone. It polls when it likes, and may die between an answer and its own
// books: then it asks again from the cursor that it had saved with them. Throws where a row does not fit what it knows.

import type { JournalPlace, NumberedEntry } from '../../../src/actors/wallet/ports/journal.ts';
import type { StoredNote } from '../../../src/actors/wallet/ports/storedNote.ts';

interface Bought {
  readonly received: number;
  readonly value: number;
  readonly height: number;
  readonly confirmed: boolean;
  readonly spent: { readonly sequence: number; readonly txid: string | null; readonly height: number } | null;
}

interface Books {
  readonly cursor: JournalPlace | undefined;
  readonly notes: ReadonlyMap<string, Bought>;
}

const keyOf = (note: Pick<StoredNote, 'txid' | 'pool' | 'outputIndex' | 'account'>): string =>
  `${note.txid}:${note.pool}:${note.outputIndex}:${note.account}`;

/** What the shop asks, and what it is compared with. */
export interface Journaled {
  readJournal(
    after: JournalPlace | undefined,
    limit: number,
  ):
    | { readonly entries: readonly NumberedEntry[]; readonly next: JournalPlace; readonly hasMore: boolean }
    | 'unknown'
    | 'dropped';
  readonly notes: Iterable<StoredNote>;
  isScannedFor(account: number, height: number): boolean;
}

export class Shop {
  /** What is on the shop's disk. */
  #books: Books = { cursor: undefined, notes: new Map() };
  readonly #minConfirmations: number;
  #polls = 0;
  rows = 0;
  reversals = 0;

  constructor(minConfirmations: number) {
    this.#minConfirmations = minConfirmations;
  }

  /** Dies now and then before it has saved. True where it has read everything. */
  poll(journal: Journaled, top: number): boolean {
    this.#polls++;
    const limit = 1 + (this.#polls % 5);
    const dies = this.#polls % 3 === 0;
    for (;;) {
      const page = journal.readJournal(this.#books.cursor, limit);
      if (typeof page === 'string') throw new Error(`the cursor is ${page}`);
      const notes = new Map(this.#books.notes);
      let last = this.#books.cursor?.sequence ?? 0;
      for (const row of page.entries) {
        if (row.sequence !== last + 1) throw new Error(`row ${row.sequence} comes after ${last}`);
        last = row.sequence;
        this.#take(notes, row, top);
      }
      if (dies) return false;
      this.rows += page.entries.length;
      this.#books = { cursor: page.next, notes };
      if (!page.hasMore) return true;
    }
  }

  /** When all was read: what is in the books is what was scanned. */
  compare(journal: Journaled, top: number): void {
    const stored = new Map([...journal.notes].map((note) => [keyOf(note), note]));
    for (const [key, note] of stored) {
      const bought = this.#books.notes.get(key);
      if (bought?.height !== note.height || bought.value !== note.value)
        throw new Error(`${key} is stored, and in the books is ${JSON.stringify(bought)}`);
      const isSpent =
        note.spent === null
          ? bought.spent !== null && journal.isScannedFor(note.account, bought.spent.height)
          : bought.spent?.txid !== note.spent.txid || bought.spent.height !== note.spent.height;
      if (isSpent)
        throw new Error(`${key} is ${JSON.stringify(note.spent)} for ${JSON.stringify(bought.spent)}`);
      if (!bought.confirmed && note.height <= top - this.#minConfirmations + 1)
        throw new Error(`${key} at ${note.height} is not called confirmed at ${top}`);
    }
    for (const [key, bought] of this.#books.notes) {
      const account = Number(key.split(':')[3]);
      if (!stored.has(key) && journal.isScannedFor(account, bought.height))
        throw new Error(`${key} is in the books, and not in the block at ${bought.height}`);
    }
  }

  #take(notes: Map<string, Bought>, row: NumberedEntry, top: number): void {
    const key = keyOf(row);
    const known = notes.get(key);
    const fail = (): void => {
      throw new Error(`${JSON.stringify(row)} for ${JSON.stringify(known)}`);
    };
    if (row.kind === 'received') {
      if (known !== undefined) fail();
      const { value, height } = row;
      notes.set(key, { received: row.sequence, value, height, confirmed: false, spent: null });
      return;
    }
    if (known === undefined) throw new Error(`${JSON.stringify(row)} for nothing`);
    if (row.kind === 'confirmed') {
      if (known.confirmed || row.height !== known.height) fail();
      if (known.height > top - this.#minConfirmations + 1) fail();
      notes.set(key, { ...known, confirmed: true });
    } else if (row.kind === 'spent') {
      if (known.spent !== null || row.height < known.height) fail();
      notes.set(key, { ...known, spent: { sequence: row.sequence, txid: row.spentBy, height: row.height } });
    } else if (row.kind === 'unspent') {
      if (known.spent?.sequence !== row.reverses || known.spent?.txid !== row.spentBy) fail();
      this.reversals++;
      notes.set(key, { ...known, spent: null });
    } else if (row.kind === 'unreceived') {
      if (known.spent !== null || known.received !== row.reverses || known.height !== row.height) fail();
      this.reversals++;
      notes.delete(key);
    }
  }
}
