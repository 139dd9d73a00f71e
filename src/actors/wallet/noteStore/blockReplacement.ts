// Blocks that are scanned once more. A full block fits its header, while the outputs of a compact block are a server's word: so what
// a full block says replaces what was known of it, and a compact block changes nothing for an account that has scanned the full one.

import type { Height } from '@wallet-companion/base/values';
import { noteKey, type TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { HeightRange, Verifier } from '../ports/noteDatabase.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import type { NoteMemory } from './book/noteMemory.ts';
import { includes, isWithin, missingRanges } from './book/ranges.ts';
import { everScanned } from './book/scannedRanges.ts';

/** A note made in a block, or spent in it, for an account. */
interface Fact {
  readonly height: Height;
  readonly account: number;
}

export class BlockReplacement {
  readonly #memory: NoteMemory;
  readonly #range: HeightRange;
  readonly #isFull: boolean;
  /** Some of the blocks were scanned before, and this scan replaces them or may not touch them. */
  readonly #isAgain: boolean;
  readonly #found = new Map<string, Fact>();
  #knownNotes: readonly StoredNote[] | undefined;

  constructor(memory: NoteMemory, range: HeightRange, verifiedBy: Verifier) {
    this.#memory = memory;
    this.#range = range;
    this.#isFull = verifiedBy !== null;
    const { state } = memory;
    const before = this.#isFull ? everScanned(state) : state.verified;
    const [left] = missingRanges(before, range);
    this.#isAgain = left === undefined || left.start !== range.start || left.end !== range.end;
  }

  /** Committed notes that the blocks must confirm: they were made or spent in them. */
  toConfirm(): readonly StoredNote[] {
    return this.#isFull ? this.#known() : [];
  }

  /** The committed note, although the draft has forgotten it until it is found again. */
  before(note: StoredNote): StoredNote | undefined {
    return this.#isFull ? this.#memory.notes.get(noteKey(note)) : undefined;
  }

  /** The same note under another key, as `before`. */
  twinBefore(note: StoredNote): StoredNote | undefined {
    return this.#isFull ? this.#memory.notes.twinOf(note) : undefined;
  }

  /** The spend that is known of a note, unless it is one that the blocks must confirm. */
  spentBefore(note: StoredNote | undefined): StoredNote['spent'] {
    const spent = note?.spent ?? null;
    return spent !== null && this.#isFull && isWithin(this.#range, spent.height) ? null : spent;
  }

  /** Whether a full block was scanned for the account, and these are compact ones. */
  isSettled({ account, height }: Fact): boolean {
    const { scanned, verified } = this.#memory.state;
    return (
      this.#isAgain && !this.#isFull && includes(verified, height) && includes(scanned[account] ?? [], height)
    );
  }

  found(note: StoredNote): void {
    if (this.#isAgain) this.#found.set(...madeIn(note));
  }

  foundSpend(note: StoredNote, height: Height, txid: TxIdHex): void {
    if (this.#isAgain) this.#found.set(...spentIn(note, height, txid));
  }

  /** Blocks of which the two scans say different things about the wallet, ascending. */
  contradicted(): readonly Height[] {
    if (!this.#isAgain) return [];
    const known = new Map<string, Fact>();
    for (const note of this.#known()) {
      if (isWithin(this.#range, note.height)) known.set(...madeIn(note));
      if (note.spent !== null && isWithin(this.#range, note.spent.height))
        known.set(...spentIn(note, note.spent.height, note.spent.txid));
    }
    const differing = [
      ...[...known].filter(([name]) => !this.#found.has(name)),
      ...[...this.#found].filter(([name]) => !known.has(name)),
    ].map(([, fact]) => fact);
    const heights = differing.filter((fact) => this.#wasScanned(fact)).map(({ height }) => height);
    return [...new Set(heights)].sort((a, b) => a - b);
  }

  #wasScanned(fact: Fact): boolean {
    if (!this.#isFull) return this.isSettled(fact);
    return includes(this.#memory.state.scanned[fact.account] ?? [], fact.height);
  }

  /** Committed notes that were made or spent in the blocks. The wallet may have very many, so they are gone through once. */
  #known(): readonly StoredNote[] {
    if (!this.#isAgain) return [];
    this.#knownNotes ??= [...this.#memory.notes.values()].filter(
      ({ height, spent }) =>
        isWithin(this.#range, height) || (spent !== null && isWithin(this.#range, spent.height)),
    );
    return this.#knownNotes;
  }
}

const madeIn = (note: StoredNote): [string, Fact] => [
  `made ${noteKey(note)} ${note.height} ${note.value}`,
  { account: note.account, height: note.height },
];

const spentIn = (note: StoredNote, height: Height, txid: TxIdHex): [string, Fact] => [
  `spent ${noteKey(note)} ${height} ${txid}`,
  { account: note.account, height },
];
