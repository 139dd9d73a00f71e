// The notes of the wallet in memory, found by their names on the chain. A server may name the wrong transaction or
// position for a note, so one note is found by either: by its transaction and output, and by its nullifier (without a
// nullifier key: by its position in the tree).

import { noteKey } from '@wallet-companion/zcash/identifiers';
import type { StoredNote } from '../../ports/storedNote.ts';
import { NoteTable } from './noteTables.ts';
import { NullifierIndex } from './nullifierIndex.ts';

const placeOf = ({ pool, position, account }: StoredNote): string => `${pool}:${position}:${account}`;

/** Look-ups among notes, committed or about to be. */
export interface Notes {
  get(key: string): StoredNote | undefined;
  /** The note with the 32 bytes at `offset` of packed nullifiers. */
  byNullifier(pool: StoredNote['pool'], packed: Uint8Array, offset: number): StoredNote | undefined;
  /** The same note under another key, of another account too. */
  twinOf(note: StoredNote): StoredNote | undefined;
}

export class NoteBook implements Notes {
  readonly table = new NoteTable();
  readonly #keyByNullifier = new NullifierIndex<string>();
  /** Keys of the notes without a nullifier. */
  readonly #keyByPlace = new Map<string, string>();
  readonly #accounts = new Set<number>();

  constructor(notes: Iterable<StoredNote> = []) {
    for (const note of notes) this.keep(note);
  }

  values(): IterableIterator<StoredNote> {
    return this.table.values();
  }

  get(key: string): StoredNote | undefined {
    return this.table.get(key);
  }

  byNullifier(pool: StoredNote['pool'], packed: Uint8Array, offset: number): StoredNote | undefined {
    const key = this.#keyByNullifier.find(pool, packed, offset);
    return key === undefined ? undefined : this.table.get(key);
  }

  twinOf(note: StoredNote): StoredNote | undefined {
    const key =
      note.nullifier === null
        ? this.#keyByPlace.get(placeOf(note))
        : this.#keyByNullifier.findHex(note.pool, note.nullifier);
    const twin = key === undefined ? undefined : this.table.get(key);
    return twin === undefined || noteKey(twin) === noteKey(note) ? this.#ofOtherAccount(note) : twin;
  }

  /** Two accounts whose keys share a part have the same note. */
  #ofOtherAccount(note: StoredNote): StoredNote | undefined {
    for (const account of this.#accounts) {
      const other = account === note.account ? undefined : this.table.get(noteKey({ ...note, account }));
      if (other !== undefined) return other;
    }
    return undefined;
  }

  keep(note: StoredNote): void {
    const key = noteKey(note);
    const known = this.table.get(key);
    if (known !== undefined) this.#unlink(known, key);
    this.table.set(key, note);
    this.#accounts.add(note.account);
    if (note.nullifier === null) this.#keyByPlace.set(placeOf(note), key);
    else this.#keyByNullifier.set(note.pool, note.nullifier, key);
  }

  forget(note: StoredNote): void {
    const key = noteKey(note);
    const known = this.table.get(key);
    if (known === undefined) return;
    this.#unlink(known, key);
    this.table.delete(key);
  }

  /** Another note may have replaced this one in the index meanwhile. */
  #unlink(known: StoredNote, key: string): void {
    if (known.nullifier === null) {
      if (this.#keyByPlace.get(placeOf(known)) === key) this.#keyByPlace.delete(placeOf(known));
    } else if (this.#keyByNullifier.findHex(known.pool, known.nullifier) === key) {
      this.#keyByNullifier.delete(known.pool, known.nullifier);
    }
  }
}

/** Notes as they are after a change is committed. The committed notes stay unchanged until then. */
export class DraftNotes implements Notes {
  readonly #committed: Notes;
  readonly #drafted = new NoteBook();
  readonly #replaced = new Map<string, StoredNote>();

  constructor(committed: Notes) {
    this.#committed = committed;
  }

  get put(): StoredNote[] {
    return [...this.#drafted.values()];
  }

  get deleted(): StoredNote[] {
    return [...this.#replaced.values()];
  }

  get(key: string): StoredNote | undefined {
    return this.#drafted.get(key) ?? this.#unchanged(this.#committed.get(key));
  }

  byNullifier(pool: StoredNote['pool'], packed: Uint8Array, offset: number): StoredNote | undefined {
    return (
      this.#drafted.byNullifier(pool, packed, offset) ??
      this.#unchanged(this.#committed.byNullifier(pool, packed, offset))
    );
  }

  twinOf(note: StoredNote): StoredNote | undefined {
    return this.#drafted.twinOf(note) ?? this.#unchanged(this.#committed.twinOf(note));
  }

  keep(note: StoredNote): void {
    this.#replaced.delete(noteKey(note));
    this.#drafted.keep(note);
  }

  forget(note: StoredNote): void {
    this.#drafted.forget(note);
    const key = noteKey(note);
    if (this.#committed.get(key) !== undefined) this.#replaced.set(key, note);
  }

  /** A committed note that the draft neither replaced nor changed. */
  #unchanged(note: StoredNote | undefined): StoredNote | undefined {
    if (note === undefined) return undefined;
    const key = noteKey(note);
    return this.#replaced.has(key) || this.#drafted.get(key) !== undefined ? undefined : note;
  }
}
