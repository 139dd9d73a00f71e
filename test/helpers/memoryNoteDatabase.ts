// A note database that forgets with the test. Same contract as the SQLite one, which has its own tests.

import { createHash } from 'node:crypto';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { noteKey } from '@wallet-companion/zcash/identifiers';
import type {
  JournalEntry,
  JournalKey,
  JournalPage,
  JournalPlace,
  RescanPage,
} from '../../src/actors/wallet/ports/journal.ts';
import type {
  NoteDatabase,
  NoteStoreChange,
  NoteStoreSlice,
  NoteStoreState,
  NullifierSighting,
  StoredBlock,
  StoredSentOutput,
  StoredTransaction,
} from '../../src/actors/wallet/ports/noteDatabase.ts';
import type { KeyChange, KeyedPayment, StoredPayment } from '../../src/actors/wallet/ports/payment.ts';
import type { StoredNote } from '../../src/actors/wallet/ports/storedNote.ts';
import type { LastingChange, WitnessPart } from '../../src/actors/wallet/ports/witnessPart.ts';

export class MemoryNoteDatabase implements NoteDatabase {
  #state: NoteStoreState | undefined;
  readonly #notes = new Map<string, StoredNote>();
  readonly #sent = new Map<string, StoredSentOutput>();
  readonly #transactions = new Map<string, StoredTransaction>();
  readonly #blocks = new Map<number, StoredBlock>();
  readonly #nullifiers = new Map<string, NullifierSighting>();
  readonly #rescanEntries = new Map<number, RescanPage>();
  readonly #journal: JournalEntry[] = [];
  readonly #witnessParts = new Map<string, WitnessPart>();
  readonly #lasting = new Map<string, Uint8Array>();
  readonly #payments = new Map<string, StoredPayment>();
  readonly #keys = new Map<string, KeyedPayment>();
  paymentWrites = 0;
  commits = 0;

  *load(): IterableIterator<NoteStoreSlice> {
    yield {
      ...(this.#state === undefined ? {} : { state: this.#state }),
      notes: [...this.#notes.values()],
      sentOutputs: [...this.#sent.values()],
      transactions: [...this.#transactions.values()],
      blocks: [...this.#blocks.values()].sort((a, b) => a.height - b.height),
      rescanEntries: [...this.#rescanEntries.values()],
    };
  }

  commit(change: NoteStoreChange): void {
    this.commits++;
    if (change.clear === true) this.#clear();
    this.#state = change.state;
    if (change.lasting !== undefined) this.changeLasting(change.lasting);
    for (const n of change.deleteNotes ?? []) this.#notes.delete(noteKey(n));
    for (const n of change.putNotes ?? []) this.#notes.set(noteKey(n), n);
    for (const o of change.deleteSentOutputs ?? []) this.#sent.delete(noteKey(o));
    for (const o of change.putSentOutputs ?? []) this.#sent.set(noteKey(o), o);
    for (const t of change.deleteTransactions ?? []) this.#transactions.delete(t.txid);
    for (const t of change.putTransactions ?? []) this.#transactions.set(t.txid, t);
    for (const page of change.putRescanPages ?? []) {
      if (page.rescanEntries.length === 0) this.#rescanEntries.delete(page.page);
      else this.#rescanEntries.set(page.page, page);
    }
    this.#journal.push(...(change.journal ?? []));
    for (const b of change.putBlocks ?? []) this.#blocks.set(b.height, b);
    for (const { start, end } of change.deleteNullifiers ?? [])
      for (const [key, { height }] of this.#nullifiers)
        if (height >= start && height <= end) this.#nullifiers.delete(key);
    for (const n of change.sightings ?? []) this.#nullifiers.set(`${n.pool}:${bytesToHex(n.nullifier)}`, n);
    for (const height of change.deleteBlocks ?? []) this.#blocks.delete(height);
    for (const height of this.#blocks.keys())
      if (height > (change.deleteBlocksAbove ?? Infinity)) this.#blocks.delete(height);
    for (const [key, { height }] of this.#witnessParts)
      if (height > (change.deleteBlocksAbove ?? Infinity)) this.#witnessParts.delete(key);
  }

  get keptNullifierCount(): number {
    return this.#nullifiers.size;
  }

  findSightings(wanted: Parameters<NoteDatabase['findSightings']>[0]): (NullifierSighting | undefined)[] {
    return wanted.map(({ pool, nullifier }) => this.#nullifiers.get(`${pool}:${bytesToHex(nullifier)}`));
  }

  readJournal(place: JournalPlace | 'end' | undefined, limit: number): JournalPage | 'unknown' | 'dropped' {
    const last = this.#journal.length;
    const after = place === 'end' ? { sequence: last, proof: this.#proof(last) } : place;
    const from = after?.sequence ?? 0;
    if (after !== undefined && Buffer.compare(this.#proof(from), after.proof) !== 0) return 'unknown';
    const entries = this.#journal
      .slice(from, from + limit)
      .map((entry, i) => ({ ...entry, sequence: from + i + 1 }));
    const sequence = from + entries.length;
    return {
      id: new Uint8Array(8),
      entries,
      next: { sequence, proof: this.#proof(sequence) },
      hasMore: sequence < this.#journal.length,
      oldest: 1,
    };
  }

  #proof(sequence: number): Uint8Array {
    const output = JSON.stringify(this.#journal.slice(0, sequence));
    return new Uint8Array(createHash('md5').update(output).digest());
  }

  findReported(wanted: readonly JournalKey[]): (number | null)[] {
    return wanted.map(({ kind, note }) => {
      const i = this.#journal.findLastIndex(
        (entry) => entry.kind === kind && noteKey(entry) === noteKey(note),
      );
      return i === -1 ? null : i + 1;
    });
  }

  witnessPart(key: string): WitnessPart | undefined {
    return this.#witnessParts.get(key);
  }

  keepWitnessParts(parts: readonly WitnessPart[]): void {
    for (const part of parts) this.#witnessParts.set(part.key, part);
  }

  lastingPart(key: string): Uint8Array | undefined {
    return this.#lasting.get(key);
  }

  changeLasting({ put, drop }: LastingChange): void {
    for (const key of drop) this.#lasting.delete(key);
    for (const { key, bytes } of put) this.#lasting.set(key, bytes);
  }

  payments(): StoredPayment[] {
    return [...this.#payments.values()].map((payment) => ({ ...payment, pczt: payment.pczt.slice() }));
  }

  putPayment(payment: StoredPayment, writes: number, key?: KeyChange): void {
    this.#changeKey(key);
    this.paymentWrites = writes;
    this.#payments.set(payment.id, { ...payment, pczt: payment.pczt.slice() });
  }

  deletePayment(id: string, writes: number, key?: KeyChange): void {
    this.#changeKey(key);
    this.paymentWrites = writes;
    this.#payments.delete(id);
  }

  keyedPayment(key: string): KeyedPayment | undefined {
    return this.#keys.get(key);
  }

  #changeKey(change?: KeyChange): void {
    if (change?.row === null) this.#keys.delete(change.key);
    else if (change !== undefined) this.#keys.set(change.key, change.row);
  }

  #clear(): void {
    this.#witnessParts.clear();
    this.#lasting.clear();
    for (const map of [this.#notes, this.#sent, this.#transactions, this.#blocks, this.#nullifiers])
      map.clear();
  }

  /** Nothing is sealed in memory. */
  *reseal(): IterableIterator<void> {}

  close(): void {}
}
