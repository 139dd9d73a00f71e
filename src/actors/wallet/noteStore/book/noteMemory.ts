// The content of a note store in memory, for fast reads: filled from the disk, and changed only by a commit that
// succeeded there.

import type { Height } from '@wallet-companion/base/values';
import { noteKey } from '@wallet-companion/zcash/identifiers';
import type { NoteStoreChange, NoteStoreSlice, NoteStoreState } from '../../ports/noteDatabase.ts';
import type { StoredNote } from '../../ports/storedNote.ts';
import { KnownBlocks } from './knownBlocks.ts';
import { NoteBook } from './noteBook.ts';
import { type NoteTables, SentOutputTable, TransactionTable } from './noteTables.ts';
import { RescanJournal } from './rescanJournal.ts';

export class NoteMemory {
  #state: NoteStoreState;
  #isFresh = true;
  #notes = new NoteBook();
  #blocks = new KnownBlocks();
  #rescanEntries = new RescanJournal();
  readonly sent = new SentOutputTable();
  readonly transactions = new TransactionTable();
  /** Keys of the notes above the height up to which the journal reports them as confirmed. */
  readonly unconfirmed = new Set<string>();

  constructor(state: NoteStoreState) {
    this.#state = state;
  }

  get state(): NoteStoreState {
    return this.#state;
  }

  /** Whether nothing was ever kept. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  get notes(): NoteBook {
    return this.#notes;
  }

  get blocks(): KnownBlocks {
    return this.#blocks;
  }

  get rescanEntries(): RescanJournal {
    return this.#rescanEntries;
  }

  get tables(): NoteTables {
    return { notes: this.#notes.table, sentOutputs: this.sent, transactions: this.transactions };
  }

  /** Replaces everything with the disk's content. */
  replace(slices: readonly NoteStoreSlice[]): void {
    this.#isFresh = true;
    this.#empty();
    this.#rescanEntries = new RescanJournal();
    for (const slice of slices) this.adopt(slice);
  }

  #empty(): void {
    this.#notes = new NoteBook();
    this.sent.clear();
    this.transactions.clear();
    this.#blocks = new KnownBlocks();
    this.unconfirmed.clear();
  }

  adopt(slice: NoteStoreSlice): void {
    const { state, notes = [], sentOutputs = [], transactions = [], blocks = [], rescanEntries = [] } = slice;
    if (state !== undefined) {
      this.#state = state;
      this.#isFresh = false;
    }
    for (const page of rescanEntries) this.#rescanEntries.keep(page);
    for (const note of notes) {
      this.#notes.keep(note);
      this.watch(note);
    }
    for (const output of sentOutputs) this.sent.set(noteKey(output), output);
    for (const transaction of transactions) this.transactions.set(transaction.txid, transaction);
    if (blocks.length > 0) this.#blocks.keep(blocks);
  }

  /** Applies a change that is on the disk. */
  follow(change: NoteStoreChange): void {
    const before = this.#state.confirmedUpTo;
    this.#state = change.state;
    this.#isFresh = false;
    if (change.clear === true) {
      this.#empty();
    }
    for (const page of change.putRescanPages ?? []) this.#rescanEntries.keep(page);
    for (const note of change.deleteNotes ?? []) {
      this.#notes.forget(note);
      this.unconfirmed.delete(noteKey(note));
    }
    for (const note of change.putNotes ?? []) {
      this.#notes.keep(note);
      this.watch(note);
    }
    this.#recount(before, change.state.confirmedUpTo);
    for (const output of change.deleteSentOutputs ?? []) this.sent.delete(noteKey(output));
    for (const output of change.putSentOutputs ?? []) this.sent.set(noteKey(output), output);
    for (const entry of change.deleteTransactions ?? []) this.transactions.delete(entry.txid);
    for (const entry of change.putTransactions ?? []) this.transactions.set(entry.txid, entry);
    if (change.deleteBlocks !== undefined) this.#blocks.delete(change.deleteBlocks);
    if (change.deleteBlocksAbove !== undefined) this.#blocks.deleteAbove(change.deleteBlocksAbove);
    if (change.putBlocks !== undefined) this.#blocks.keep(change.putBlocks);
  }

  /** The height up to which notes are confirmed has changed. */
  #recount(before: Height, confirmedUpTo: Height): void {
    if (confirmedUpTo < before) for (const note of this.#notes.values()) this.watch(note);
    for (const key of this.unconfirmed) {
      if ((this.#notes.get(key)?.height ?? -1) <= confirmedUpTo) this.unconfirmed.delete(key);
    }
  }

  watch(note: StoredNote): void {
    if (note.height > this.#state.confirmedUpTo) this.unconfirmed.add(noteKey(note));
    else this.unconfirmed.delete(noteKey(note));
  }
}
