// The journal in the note store: entries in sealed pages of 64, the last one filled up with each commit. Every page contains
// the hash of all entries before it (a chain of keyed hashes), so that a place certainly belongs to this journal and to no
// other branch of it, such as an older copy that was put back and written to. A row sum vouches for the pages; it is proved
// when the journal is first used, not when the store is opened.

import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, concatBytes, equalBytes, hexToBytes } from '@wallet-companion/base/bytes';
import type { SealedTable } from '@wallet-companion/disk/rows';
import type { RandomBytes } from '@wallet-companion/disk/sealing';
import { ColumnError } from '@wallet-companion/disk/sqlite';
import type {
  JournalEntry,
  JournalKey,
  JournalPage,
  JournalPlace,
  NumberedEntry,
} from '../../actors/wallet/ports/journal.ts';
import { decodeRecord, encodeRecord } from './noteRecords.ts';

export const JOURNAL_TABLE = 'journal';
export const ENTRIES_PER_PAGE = 64;
/** Three entries for each of a thousand payments a day, for a year: some 300 MB. Older pages are deleted. */
export const KEPT_ENTRIES = 1 << 20;
const PROOF_SIZE = 16;
const ID_SIZE = 8;

/** The head of the journal, sealed with the state. */
export interface JournalHead {
  /** 32 bytes in hexadecimal that distinguish this journal from every other. A change of password keeps it. */
  readonly secret: string;
  /** Number of the next entry, from 1. */
  readonly next: number;
  readonly oldest: number;
}

interface StoredPage {
  readonly page: number;
  /** The hash of all entries of earlier pages, in hexadecimal. */
  readonly before: string;
  readonly entries: readonly JournalEntry[];
}

const pageOf = (sequence: number): number => Math.floor((sequence - 1) / ENTRIES_PER_PAGE);
const firstOf = (page: number): number => page * ENTRIES_PER_PAGE + 1;

/** A page's key, from its contents. */
export const journalKey = (plain: Uint8Array): string => String(decodeRecord<StoredPage>(plain).page);

export class Journal {
  readonly table: SealedTable;
  readonly #keptEntries: number;
  #head: JournalHead;
  #isProved = false;

  constructor(
    table: SealedTable,
    head: JournalHead | undefined,
    randomBytes: RandomBytes,
    keptEntries = KEPT_ENTRIES,
  ) {
    this.table = table;
    this.#keptEntries = keptEntries;
    this.#head = head ?? { secret: bytesToHex(randomBytes(32)), next: 1, oldest: 1 };
  }

  get head(): JournalHead {
    return this.#head;
  }

  /** Continues another store's journal, whose pages are copied. */
  adopt(head: JournalHead): void {
    this.#head = head;
  }

  save(): () => void {
    const before = this.#head;
    return () => {
      this.#head = before;
    };
  }

  append(entries: Iterable<JournalEntry>): void {
    let page: { stored: StoredPage; entries: JournalEntry[] } | undefined;
    let { next } = this.#head;
    for (const entry of entries) {
      page ??= this.#lastPage();
      if (page.entries.length === ENTRIES_PER_PAGE) {
        this.#put(page.stored, page.entries);
        page = this.#pageAfter(page.stored, page.entries);
      }
      page.entries.push(entry);
      next++;
    }
    if (page === undefined) return;
    this.#put(page.stored, page.entries);
    this.#head = { ...this.#head, next };
    this.#dropOld();
  }

  read(from: JournalPlace | 'end' | undefined, limit: number): JournalPage | 'unknown' | 'dropped' {
    this.#prove();
    const { next, oldest } = this.#head;
    const last = next - 1;
    const after = from === 'end' ? { sequence: last, proof: this.#proofAt(last) } : from;
    if (after !== undefined && after.sequence > last) return 'unknown';
    if (after !== undefined && after.sequence < oldest - 1) return 'dropped';
    const start = after?.sequence ?? oldest - 1;
    const entries: NumberedEntry[] = [];
    let proof = this.#proofAt(start);
    if (after !== undefined && !equalBytes(proof, after.proof)) return 'unknown';
    let sequence = start;
    for (let page = pageOf(start + 1); sequence < last && entries.length < limit; page++) {
      for (const entry of this.#page(page).entries.slice(sequence + 1 - firstOf(page))) {
        if (entries.length === limit) break;
        sequence++;
        proof = this.#follow(proof, entry);
        entries.push({ ...entry, sequence });
      }
    }
    const id = this.#hash('id', ID_SIZE);
    return { id, entries, next: { sequence, proof }, hasMore: sequence < last, oldest };
  }

  /** Searches from the newest entry down until all are found. */
  findReported(wanted: readonly JournalKey[]): (number | null)[] {
    this.#prove();
    const open = new Map(wanted.map((key) => [keyOf(key.kind, key.note), null as number | null]));
    let missing = open.size;
    const { next, oldest } = this.#head;
    for (let page = pageOf(next - 1); missing > 0 && page >= pageOf(oldest); page--) {
      const { entries } = this.#page(page);
      for (let i = entries.length - 1; i >= 0 && missing > 0; i--) {
        const entry = entries[i]!;
        const key = keyOf(entry.kind, entry);
        if (open.get(key) !== null) continue;
        open.set(key, firstOf(page) + i);
        missing--;
      }
    }
    return wanted.map((key) => open.get(keyOf(key.kind, key.note)) ?? null);
  }

  get #secret(): Uint8Array {
    return hexToBytes(this.#head.secret);
  }

  /** Throws ColumnError unless all pages are there, and no other. */
  #prove(): void {
    if (this.#isProved) return;
    const found = this.table.emptyRowSum();
    for (const { rows } of this.table.tallied()) found.addAll(rows);
    if (!found.equals(this.table.rowSum.value())) {
      throw new ColumnError('the journal is not the one that was written');
    }
    this.#isProved = true;
  }

  #lastPage(): { stored: StoredPage; entries: JournalEntry[] } {
    this.#prove();
    const { next } = this.#head;
    if (next === 1) {
      return { stored: { page: 0, before: bytesToHex(this.#beginning()), entries: [] }, entries: [] };
    }
    const stored = this.#page(pageOf(next - 1));
    return { stored, entries: [...stored.entries] };
  }

  #pageAfter(stored: StoredPage, entries: readonly JournalEntry[]) {
    const before = bytesToHex(this.#followAll(hexToBytes(stored.before), entries));
    return { stored: { page: stored.page + 1, before, entries: [] }, entries: [] as JournalEntry[] };
  }

  #put(stored: StoredPage, entries: readonly JournalEntry[]): void {
    const plain = encodeRecord({ ...stored, entries });
    this.table.put(String(stored.page), plain);
    plain.fill(0);
  }

  #page(page: number): StoredPage {
    const plain = this.table.read(String(page));
    if (plain === undefined) throw new ColumnError('a page of the journal does not open');
    try {
      return decodeRecord<StoredPage>(plain);
    } finally {
      plain.fill(0);
    }
  }

  #dropOld(): void {
    const { next, oldest } = this.#head;
    const first = pageOf(Math.max(1, next - this.#keptEntries));
    for (let page = pageOf(oldest); page < first; page++) this.table.delete(String(page));
    this.#head = { ...this.#head, oldest: Math.max(oldest, firstOf(first)) };
  }

  /** The hash of all entries up to this one. */
  #proofAt(sequence: number): Uint8Array {
    if (this.#head.next === 1) return this.#beginning();
    // A page contains the hash before its first entry: the page before it may be gone.
    const isBeforePage = sequence % ENTRIES_PER_PAGE === 0 && sequence < this.#head.next - 1;
    const page = isBeforePage ? sequence / ENTRIES_PER_PAGE : pageOf(sequence);
    const { before, entries } = this.#page(page);
    return this.#followAll(hexToBytes(before), entries.slice(0, sequence + 1 - firstOf(page)));
  }

  #beginning(): Uint8Array {
    return this.#hash('journal', PROOF_SIZE);
  }

  #followAll(proof: Uint8Array, entries: readonly JournalEntry[]): Uint8Array {
    return entries.reduce((before, entry) => this.#follow(before, entry), proof);
  }

  #follow(proof: Uint8Array, entry: JournalEntry): Uint8Array {
    return this.#hash(JSON.stringify(entry), PROOF_SIZE, proof);
  }

  #hash(text: string, dkLen: number, before: Uint8Array = new Uint8Array(0)): Uint8Array {
    return blake2b(concatBytes(before, new TextEncoder().encode(text)), { key: this.#secret, dkLen });
  }
}

function keyOf(kind: JournalEntry['kind'], note: JournalKey['note']): string {
  return `${kind}:${note.txid}:${note.pool}:${note.outputIndex}:${note.account}`;
}
