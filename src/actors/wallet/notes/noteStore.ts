// The wallet's view of the chain: notes, spends, block hashes and the ranges scanned. Keeps everything in memory for
// fast reads. A change is one atomic commit, and memory follows only when it has succeeded. Applying a block twice
// changes nothing, and blocks may come in any order of ranges: nullifiers seen above a gap are kept until the gap
// closes.

import { setImmediate as otherWork } from 'node:timers/promises';
import {
  asNullifierHex,
  blockHashToHex,
  nullifierFromHex,
  type TxIdHex,
  txIdToHex,
} from '../../../shielded/identifiers.ts';
import { PackedMemo } from '../../../shielded/notes/packedMemo.ts';
import type { ScannedBlock } from '../../../shielded/scan/types.ts';
import type { Height } from '../../../values/height.ts';
import type { JournalPage, JournalPlace } from '../ports/journal.ts';
import type { EnhancedTransaction } from '../ports/scanPool.ts';
import type {
  HeightRange,
  NoteDatabase,
  NoteStoreChange,
  NoteStoreSlice,
  NoteStoreState,
  StoredBlock,
  StoredNote,
  StoredSentOutput,
  StoredTransaction,
} from '../ports/storage.ts';
import { ClaimBook } from './claimBook.ts';
import { feeOf } from './fee.ts';
import {
  type HashAt,
  JournalDraft,
  keepConfirmed,
  keepSaid,
  type NotesBefore,
  saidFromTheStart,
  sayApplied,
  sayMemo,
  sayUndone,
} from './journalDraft.ts';
import { type ChainLink, KnownBlocks, staysKnown } from './knownBlocks.ts';
import { DraftNotes, NoteBook, noteKey } from './noteBook.ts';
import { type NoteTables, SentOutputTable, TransactionTable } from './noteTables.ts';
import { contiguousEnd, type HeightSet, includes } from './ranges.ts';
import {
  everScanned,
  extendedState,
  missingFor,
  type NoteStoreAccount,
  nothingScanned,
  rewoundState,
  scannedTopFor,
} from './scannedRanges.ts';
import { sightingsIn, storedNote, storedSentOutput } from './storedForms.ts';
import { TouchedTransactions } from './touchedTransactions.ts';

export type { NoteStoreAccount } from './scannedRanges.ts';

export interface AppliedBlocks {
  /** Notes of ours in the blocks, known before or not. */
  readonly found: number;
  /** Those that were not known. */
  readonly received: readonly StoredNote[];
  /** Notes that were not known as spent. */
  readonly spent: readonly StoredNote[];
}

export class NoteStore {
  #store: NoteDatabase;
  #accounts: readonly NoteStoreAccount[];
  #state: NoteStoreState;
  #notes = new NoteBook();
  readonly #sent = new SentOutputTable();
  readonly #transactions = new TransactionTable();
  #blocks = new KnownBlocks();
  #claims = new ClaimBook();
  /** Keys of the notes above what was said to be confirmed. */
  readonly #unconfirmed = new Set<string>();
  #minConfirmations: () => number = () => 1;
  #isFresh = true;
  /** A commit failed: what the disk holds is not known until it was read again. */
  #isUncertain = false;

  /** `birthdayHeight` is the wallet's: the height before it counts as scanned last when nothing was. */
  constructor(
    store: NoteDatabase,
    accounts: readonly NoteStoreAccount[],
    birthdayHeight: Height,
    slices: Iterable<NoteStoreSlice> = store.load(),
  ) {
    this.#store = store;
    this.#accounts = accounts;
    this.#state = nothingScanned(birthdayHeight);
    for (const slice of slices) this.#adopt(slice);
  }

  /** For a store of any size: after each slice others have their turn. */
  static async open(
    store: NoteDatabase,
    accounts: readonly NoteStoreAccount[],
    birthdayHeight: Height,
    pause: () => Promise<unknown> = otherWork,
  ): Promise<NoteStore> {
    const noteStore = new NoteStore(store, accounts, birthdayHeight, []);
    for (const slice of store.load()) {
      noteStore.#adopt(slice);
      await pause();
    }
    return noteStore;
  }

  /** All is read before memory changes: a disk that does not answer leaves it as it was. */
  #reload(): void {
    const slices = [...this.#store.load()];
    this.#isFresh = true;
    this.#empty();
    this.#claims = new ClaimBook();
    for (const slice of slices) this.#adopt(slice);
    this.#isUncertain = false;
  }

  #empty(): void {
    this.#notes = new NoteBook();
    this.#sent.clear();
    this.#transactions.clear();
    this.#blocks = new KnownBlocks();
    this.#unconfirmed.clear();
  }

  #adopt(slice: NoteStoreSlice): void {
    const { state, notes = [], sentOutputs = [], transactions = [], blocks = [], claims = [] } = slice;
    if (state !== undefined) {
      this.#state = state;
      this.#isFresh = false;
    }
    for (const page of claims) this.#claims.keep(page);
    for (const note of notes) {
      this.#notes.keep(note);
      this.#watch(note);
    }
    for (const output of sentOutputs) this.#sent.set(noteKey(output), output);
    for (const transaction of transactions) this.#transactions.set(transaction.txid, transaction);
    if (blocks.length > 0) this.#blocks.keep(blocks);
  }

  /** How deep a note must lie for the journal to call it confirmed; asked with every commit. */
  confirmAfter(minConfirmations: () => number): void {
    this.#minConfirmations = minConfirmations;
  }

  /** Whether nothing was ever kept here: a new wallet's store, or that of one whose store was lost. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  get lastScanHeight(): number {
    return this.#state.lastScanHeight;
  }

  get exportedScanHeight(): number {
    return this.#state.exportedScanHeight;
  }

  get exportCount(): number {
    return this.#state.exportCount;
  }

  get notes(): IterableIterator<StoredNote> {
    return this.#notes.values();
  }

  get sentOutputs(): IterableIterator<StoredSentOutput> {
    return this.#sent.values();
  }

  get transactions(): IterableIterator<StoredTransaction> {
    return this.#transactions.values();
  }

  /** For lists: in order, and by transaction. */
  get tables(): NoteTables {
    return { notes: this.#notes.table, sentOutputs: this.#sent, transactions: this.#transactions };
  }

  /** The note of ours whose nullifier these 32 bytes of packed ones are. */
  byNullifier(pool: StoredNote['pool'], packed: Uint8Array, offset: number): StoredNote | undefined {
    return this.#notes.byNullifier(pool, packed, offset);
  }

  block(height: Height): StoredBlock | undefined {
    return this.#blocks.get(height);
  }

  /** Ascending. */
  get blockHeights(): readonly number[] {
    return this.#blocks.heights;
  }

  /** The known heights of each stretch of blocks that are linked with each other; both ascending. */
  get stretches(): number[][] {
    return this.#blocks.stretches(everScanned(this.#state));
  }

  /** Whether the block was scanned, for any account. */
  isScanned(height: Height): boolean {
    return includes(everScanned(this.#state), height);
  }

  isScannedFor(account: number, height: Height): boolean {
    return includes(this.#state.scanned[account] ?? [], height);
  }

  /** Whether consecutive blocks belong to the chain that was scanned, as far as its hashes are known. */
  fits(blocks: readonly ChainLink[]): boolean {
    return this.#blocks.fits(blocks);
  }

  setAccounts(accounts: readonly NoteStoreAccount[]): void {
    this.#accounts = accounts;
  }

  /** What was scanned with the keys of an account, ascending. */
  scanned(account: number): HeightSet {
    return this.#state.scanned[account] ?? [];
  }

  /** What is not scanned between the birthday and the last scanned height, for one account or any of them. */
  missing(account?: number): HeightRange[] {
    return missingFor(this.#state, this.#chosen(account));
  }

  /**
   * The highest block that was scanned; undefined before the first one from a birthday on, that of the account or of
   * any. A scan height that a person wrote is no scanned block.
   */
  scannedTop(account?: number): number | undefined {
    return scannedTopFor(this.#state, this.#chosen(account));
  }

  #chosen(account: number | undefined): readonly NoteStoreAccount[] {
    return account === undefined ? this.#accounts : this.#accounts.filter(({ index }) => index === account);
  }

  /** Applies consecutive blocks that fit, scanned with the keys of every account. One durable commit. */
  apply(blocks: readonly ScannedBlock[]): AppliedBlocks {
    const first = blocks[0];
    const last = blocks.at(-1);
    if (first === undefined || last === undefined) return { found: 0, received: [], spent: [] };
    this.#settle();
    const notes = new DraftNotes(this.#notes);
    const ours = new TouchedTransactions();
    const received: StoredNote[] = [];
    /** Notes whose nullifier was not known before: a spend of them may have passed unseen. */
    const unwatched = new Map<string, StoredNote>();
    const spent: StoredNote[] = [];
    let found = 0;

    // Notes of the whole stretch come first, so that a spend in the same block or commit finds its note.
    for (const block of blocks) {
      for (const foundNote of block.notes) {
        found++;
        const note = storedNote(foundNote);
        const twin = notes.twinOf(note);
        const known = notes.get(noteKey(note)) ?? twin;
        if (twin !== undefined) notes.forget(twin);
        const merged = {
          ...note,
          memo: note.memo ?? known?.memo ?? null,
          spent: known?.spent ?? twin?.spent ?? null,
        };
        if (known === undefined) received.push(note);
        if (note.nullifier !== null && known?.nullifier !== note.nullifier)
          unwatched.set(noteKey(note), merged);
        notes.keep(merged);
        ours.touch(note, block, merged.memo === null);
      }
    }
    for (const { note, time } of this.#spendsSeenAbove([...unwatched.values()])) {
      if (notes.get(noteKey(note))?.spent === null) spent.push(note);
      notes.keep(note);
      ours.touch(note.spent, this.#blocks.get(note.spent.height) ?? { time }, true);
    }
    for (const block of blocks) {
      for (const { pool, txIndex, txid, nullifiers } of block.nullifiers) {
        for (let offset = 0; offset + 32 <= nullifiers.length; offset += 32) {
          const note = notes.byNullifier(pool, nullifiers, offset);
          if (note === undefined) continue;
          const spender = { txid: txIdToHex(txid), height: block.height, txIndex };
          const spentNote = { ...note, spent: spender };
          if (note.spent === null) spent.push(spentNote);
          notes.keep(spentNote);
          ours.touch(spender, block, note.spent === null);
        }
      }
    }
    const putTransactions = ours.merged(this.#transactions);
    const gone = this.#disowned(notes, new Set(putTransactions.map(({ txid }) => txid)));

    const range = { start: first.height, end: last.height };
    const fateless = [...unwatched.keys()].filter((key) => notes.get(key)?.spent === null);
    const state = extendedState(this.#state, this.#accounts, range, (account) =>
      fateless.some((key) => notes.get(key)?.account === account),
    );
    const kept = Math.min(
      ...this.#accounts.map((a) => contiguousEnd(state.scanned[a.index] ?? [], state.floors[a.index]!)),
    );
    const { putBlocks, deleteBlocks } = this.#blocksToKnow(blocks, everScanned(state));
    const confirmedTo = this.#confirmedTo(state);
    const before = this.#before(blocks);
    const draft = new JournalDraft(before);
    // More confirmations may be asked for than before.
    this.#keepConfirmed(draft, { ...state, confirmedUpTo: confirmedTo }, Number.MAX_SAFE_INTEGER);
    sayApplied(draft, before, {
      notes: [
        ...notes.deleted.map((note) => ({ before: this.#notes.get(noteKey(note)), after: undefined })),
        ...notes.put.map((after) => ({ before: this.#notes.get(noteKey(after)), after })),
      ],
      range,
      noteAt: (key) => notes.get(key),
      isScanned: (account, height) => includes(state.scanned[account] ?? [], height),
      confirmedTo,
      unconfirmed: this.#unconfirmed,
    });
    this.#commit({
      state: { ...state, confirmedUpTo: confirmedTo },
      ...draft.finish(),
      putNotes: notes.put,
      deleteNotes: notes.deleted,
      deleteSentOutputs: gone.sentOutputs,
      putTransactions,
      deleteTransactions: gone.transactions,
      putBlocks,
      deleteBlocks,
      sightings: blocks.filter((block) => block.height > kept).flatMap(sightingsIn),
      deleteNullifiersUpTo: kept,
    });
    return { found, received, spent };
  }

  /**
   * The chain has other blocks above `height`: undoes notes made there, spends seen there, ranges, hashes. One durable
   * commit.
   */
  rewind(height: Height): void {
    this.#settle();
    const before = this.#before();
    const draft = new JournalDraft(before);
    sayUndone(draft, before, this.#notes.values(), height);
    const change = this.#rewound(height);
    this.#keepConfirmed(draft, change.state, height);
    this.#commit({ ...change, ...draft.finish() });
  }

  /** The same, to scan the same blocks again: until then the journal takes nothing back. */
  forget(height: Height): void {
    this.#settle();
    this.#commit(this.#forgotten(height));
  }

  /**
   * Where a rewind to `height` or a little lower ends with a block that is known, or below everything that was scanned
   * without a break: what comes next can only be a block that links.
   */
  rewindTarget(height: Height): number {
    const stretch = everScanned(this.#state).find(({ start, end }) => start <= height && height <= end);
    if (stretch === undefined) return height;
    const known = this.#blocks.heights.findLast((candidate) => candidate <= height);
    return known !== undefined && known >= stretch.start ? known : stretch.start - 1;
  }

  /** The user moved `last_scan_height` in config.json: lower scans again from there, higher skips (and shows a gap). */
  adoptEditedScanHeight(height: Height): void {
    this.#settle();
    const isLower = height < this.#state.lastScanHeight;
    const target = isLower ? this.rewindTarget(height) : height;
    const change: NoteStoreChange = isLower ? this.#forgotten(target) : { state: this.#state };
    this.#commit({
      ...change,
      state: { ...change.state, lastScanHeight: target, exportedScanHeight: height },
    });
  }

  /** config.json says `lastScanHeight` now, and that it was written for the `count`th time. */
  markExported(count: number): void {
    const { exportedScanHeight, exportCount, lastScanHeight } = this.#state;
    if (!this.#isFresh && exportedScanHeight === lastScanHeight && exportCount === count) return;
    this.#settle();
    this.#commit({
      state: { ...this.#state, exportedScanHeight: this.#state.lastScanHeight, exportCount: count },
    });
  }

  /** Forgets everything scanned. */
  restart(birthdayHeight: Height): void {
    this.#settle();
    const { exportedScanHeight, exportCount } = this.#state;
    this.#commit({
      clear: true,
      putClaims: this.#forgotten(-1).putClaims ?? [],
      state: { ...nothingScanned(birthdayHeight), exportedScanHeight, exportCount },
    });
  }

  /** Our transactions whose full bytes could still tell more: memos of compact-scanned notes, outputs we sent. */
  unenhancedTransactions(): StoredTransaction[] {
    return [...this.#transactions.values()]
      .filter((transaction) => !transaction.complete)
      .sort((a, b) => a.height - b.height || a.txIndex - b.txIndex);
  }

  enhance(enhanced: readonly EnhancedTransaction[]): void {
    this.#settle();
    const putNotes: StoredNote[] = [];
    const putSentOutputs: StoredSentOutput[] = [];
    const putTransactions: StoredTransaction[] = [];
    const draft = new JournalDraft(this.#before());
    for (const { txid, time, memos, sent, paid } of enhanced) {
      const transaction = this.#transactions.get(txid);
      if (transaction === undefined) continue;
      const { notes } = this.tables;
      const fee = feeOf(paid, notes.madeIn(txid), notes.spentIn(txid), sent);
      putTransactions.push({
        ...transaction,
        time: time ?? transaction.time,
        complete: true,
        ...(fee !== undefined && { fee }),
      });
      for (const { note, memo } of memos) {
        for (const account of this.#accounts) {
          const known = this.#notes.get(noteKey({ ...note, txid, account: account.index }));
          if (known === undefined) continue;
          putNotes.push({ ...known, memo: new PackedMemo(memo) });
          if (known.memo === null) sayMemo(draft, known);
        }
      }
      for (const output of sent) putSentOutputs.push(storedSentOutput(output, txid, transaction.height));
    }
    this.#commit({ state: this.#state, putNotes, putSentOutputs, putTransactions, ...draft.finish() });
  }

  /** What was said of notes after a place in the journal, or from its beginning. */
  readJournal(after: JournalPlace | undefined, limit: number): JournalPage | 'unknown' | 'dropped' {
    this.#settle();
    // The journal has a name from the first commit on.
    if (this.#isFresh) this.#commit({ state: this.#state });
    return this.#store.readJournal(after, limit);
  }

  note(key: string): StoredNote | undefined {
    return this.#notes.get(key);
  }

  /** Lays what is kept beside, sealed with another master key. Not while a scan runs. */
  async reseal(masterKey: Uint8Array, pause: () => Promise<unknown> = otherWork): Promise<void> {
    this.#settle();
    for (const _ of this.#store.reseal(masterKey)) await pause();
  }

  /** Goes on with another store that holds the same. Where that fails, there is none any more. */
  reopen(open: () => NoteDatabase): void {
    this.#store.close();
    this.#store = open();
    this.#reload();
  }

  close(): void {
    this.#store.close();
  }

  #forgotten(height: Height): NoteStoreChange {
    const change = this.#rewound(height);
    const before = this.#before();
    const draft = new JournalDraft(before);
    keepSaid(draft, before, this.#notes.values(), height, this.#state.confirmedUpTo ?? -1);
    this.#keepConfirmed(draft, change.state, height);
    return { ...change, ...draft.finish() };
  }

  /** Where what is confirmed begins to end lower: it was said of the notes between, up to `height`. */
  #keepConfirmed(draft: JournalDraft, { confirmedUpTo = -1 }: NoteStoreState, height: Height): void {
    const end = Math.min(height, this.#state.confirmedUpTo ?? -1);
    if (confirmedUpTo < end) keepConfirmed(draft, this.#notes.values(), { start: confirmedUpTo + 1, end });
  }

  /** For what is about to be said, with the hashes of blocks that become known by it. */
  #before(blocks: readonly ScannedBlock[] = []): NotesBefore {
    const scanned = new Map(blocks.map(({ height, hash }) => [height, hash]));
    const hashAt: HashAt = (height) => {
      const hash = scanned.get(height) ?? this.#blocks.get(height)?.hash;
      return hash === undefined ? null : blockHashToHex(hash);
    };
    return { claims: this.#claims, hashAt, findSaid: (wanted) => this.#store.findSaid(wanted) };
  }

  /** The highest that is confirmed once the store is in this state. */
  #confirmedTo(state: NoteStoreState): Height {
    return (everScanned(state).at(-1)?.end ?? -1) - this.#minConfirmations() + 1;
  }

  /** What is confirmed ends elsewhere. */
  #recount(before: Height, confirmedUpTo: Height): void {
    if (confirmedUpTo < before) for (const note of this.#notes.values()) this.#watch(note);
    for (const key of this.#unconfirmed) {
      if ((this.#notes.get(key)?.height ?? -1) <= confirmedUpTo) this.#unconfirmed.delete(key);
    }
  }

  #watch(note: StoredNote): void {
    if (note.height > (this.#state.confirmedUpTo ?? -1)) this.#unconfirmed.add(noteKey(note));
    else this.#unconfirmed.delete(noteKey(note));
  }

  #rewound(height: Height): NoteStoreChange {
    const notes = [...this.#notes.values()];
    const state = rewoundState(this.#state, height);
    return {
      state: { ...state, confirmedUpTo: this.#confirmedTo(state) },
      putNotes: notes
        .filter((note) => note.height <= height && note.spent !== null && note.spent.height > height)
        .map((note) => ({ ...note, spent: null })),
      deleteNotes: notes.filter((note) => note.height > height),
      deleteSentOutputs: [...this.#sent.values()].filter((output) => output.height > height),
      deleteTransactions: [...this.#transactions.values()].filter((entry) => entry.height > height),
      deleteBlocksAbove: height,
      deleteNullifiersAbove: height,
    };
  }

  /** Which of the blocks become known, and which known ones need not be any longer. */
  #blocksToKnow(
    blocks: readonly ScannedBlock[],
    scanned: HeightSet,
  ): { putBlocks: StoredBlock[]; deleteBlocks: number[] } {
    const top = Math.max(blocks.at(-1)?.height ?? -1, this.#blocks.heights.at(-1) ?? -1);
    return {
      putBlocks: blocks
        .filter(({ height }) => staysKnown(height, top, scanned))
        .map(({ height, hash, prevHash, time, treeSizes }) => ({ height, hash, prevHash, time, treeSizes })),
      deleteBlocks: this.#blocks.heights.filter((height) => !staysKnown(height, top, scanned)),
    };
  }

  /** Transactions that were ours because of notes and spends which a change names otherwise. */
  #disowned(
    notes: DraftNotes,
    touched: ReadonlySet<TxIdHex>,
  ): { transactions: StoredTransaction[]; sentOutputs: StoredSentOutput[] } {
    const before = [...notes.deleted, ...notes.put.flatMap((note) => this.#notes.get(noteKey(note)) ?? [])];
    const suspects = new Set(before.flatMap(({ txid, spent }) => [txid, spent?.txid ?? txid]));
    for (const txid of touched) suspects.delete(txid);
    for (const { txid, spent } of notes.put) {
      suspects.delete(txid);
      if (spent !== null) suspects.delete(spent.txid);
    }
    if (suspects.size === 0) return { transactions: [], sentOutputs: [] };
    for (const committed of this.#notes.values()) {
      if (notes.get(noteKey(committed)) !== committed) continue;
      suspects.delete(committed.txid);
      if (committed.spent !== null) suspects.delete(committed.spent.txid);
    }
    return {
      transactions: [...suspects].flatMap((txid) => this.#transactions.get(txid) ?? []),
      sentOutputs: [...this.#sent.values()].filter(({ txid }) => suspects.has(txid)),
    };
  }

  /** Notes whose nullifier was seen higher up before, marked spent, and when that was. */
  #spendsSeenAbove(wanted: readonly StoredNote[]): { readonly note: SpentNote; readonly time: number }[] {
    const sightings = this.#store.findSightings(
      wanted.map((note) => ({
        pool: note.pool,
        nullifier: nullifierFromHex(note.nullifier ?? asNullifierHex('')),
      })),
    );
    return wanted.flatMap((note, i) => {
      const seen = sightings[i];
      if (seen === undefined) return [];
      const { txid, height, txIndex, time } = seen;
      return [{ note: { ...note, spent: { txid: txIdToHex(txid), height, txIndex } }, time }];
    });
  }

  /** After a commit that failed nothing is built on memory before it was read from the disk again. */
  #settle(): void {
    if (this.#isUncertain) this.#reload();
    if (this.#state.confirmedUpTo === undefined) this.#beginJournal();
  }

  /** In a store of a version that had none: with what there is to say. */
  #beginJournal(): void {
    const confirmedUpTo = this.#confirmedTo(this.#state);
    const notes = this.tables.notes.sorted.toReversed();
    const journal = saidFromTheStart(notes, this.#before().hashAt, confirmedUpTo);
    this.#commit({ state: { ...this.#state, confirmedUpTo }, journal });
    for (const note of notes) this.#watch(note);
  }

  #commit(change: NoteStoreChange): void {
    try {
      this.#store.commit(change);
    } catch (error) {
      this.#isUncertain = true;
      throw error;
    }
    this.#follow(change);
  }

  /** Memory as the disk is after the change. */
  #follow(change: NoteStoreChange): void {
    const before = this.#state.confirmedUpTo ?? -1;
    this.#state = change.state;
    this.#isFresh = false;
    if (change.clear === true) {
      this.#empty();
    }
    for (const page of change.putClaims ?? []) this.#claims.keep(page);
    for (const note of change.deleteNotes ?? []) {
      this.#notes.forget(note);
      this.#unconfirmed.delete(noteKey(note));
    }
    for (const note of change.putNotes ?? []) {
      this.#notes.keep(note);
      this.#watch(note);
    }
    this.#recount(before, change.state.confirmedUpTo ?? -1);
    for (const output of change.deleteSentOutputs ?? []) this.#sent.delete(noteKey(output));
    for (const output of change.putSentOutputs ?? []) this.#sent.set(noteKey(output), output);
    for (const entry of change.deleteTransactions ?? []) this.#transactions.delete(entry.txid);
    for (const entry of change.putTransactions ?? []) this.#transactions.set(entry.txid, entry);
    if (change.deleteBlocks !== undefined) this.#blocks.delete(change.deleteBlocks);
    if (change.deleteBlocksAbove !== undefined) this.#blocks.deleteAbove(change.deleteBlocksAbove);
    if (change.putBlocks !== undefined) this.#blocks.keep(change.putBlocks);
  }
}

type SpentNote = StoredNote & { readonly spent: NonNullable<StoredNote['spent']> };
