// The wallet's view of the chain: notes, spends, block hashes and the ranges scanned. Keeps everything in memory for
// fast reads. A change is one atomic commit, and memory follows only when it has succeeded. Applying a block twice
// changes nothing, and blocks may come in any order of ranges: nullifiers seen above a gap are kept until the gap
// closes.

import { setImmediate as otherWork } from 'node:timers/promises';
import type { ScannedBlock } from '@wallet-companion/shielded/scan';
import type { Height } from '@wallet-companion/shielded/values';
import type { JournalPage, JournalPlace } from '../ports/journal.ts';
import type { PaymentStore } from '../ports/payment.ts';
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
  Verifier,
} from '../ports/storage.ts';
import type { WitnessPart } from '../ports/witnessPart.ts';
import { type AppliedBlocks, appliedBlocks } from './blockCommit.ts';
import { enhancedBy, unenhanced } from './enhancement.ts';
import type { Committed } from './journalPart.ts';
import type { ChainLink } from './knownBlocks.ts';
import { NoteMemory } from './noteMemory.ts';
import type { NoteTables } from './noteTables.ts';
import { type HeightSet, includes } from './ranges.ts';
import { forgottenAbove, undoneAbove } from './rewind.ts';
import {
  everScanned,
  missingFor,
  type NoteStoreAccount,
  nothingScanned,
  scannedTopFor,
  type VerifiedStretch,
  verifiedStretches,
  verifiedWith,
} from './scannedRanges.ts';

export type { AppliedBlocks } from './blockCommit.ts';
export type { NoteStoreAccount } from './scannedRanges.ts';

type ExportMark = Pick<NoteStoreState, 'exportedScanHeight' | 'exportCount'>;

export class NoteStore {
  #store: NoteDatabase;
  #accounts: readonly NoteStoreAccount[];
  readonly #memory: NoteMemory;
  #minConfirmations: () => number = () => 1;
  /** A commit failed: what the disk holds is not known until it was read again. */
  #isUncertain = false;
  /** What config.json says and the disk does not yet. */
  #unkeptExport: ExportMark | undefined;

  /** `birthdayHeight` is the wallet's: the height before it counts as scanned last when nothing was. */
  constructor(
    store: NoteDatabase,
    accounts: readonly NoteStoreAccount[],
    birthdayHeight: Height,
    slices: Iterable<NoteStoreSlice> = store.load(),
  ) {
    this.#store = store;
    this.#accounts = accounts;
    this.#memory = new NoteMemory(nothingScanned(birthdayHeight));
    for (const slice of slices) this.#memory.adopt(slice);
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
      noteStore.#memory.adopt(slice);
      await pause();
    }
    return noteStore;
  }

  /** All is read before memory changes: a disk that does not answer leaves it as it was. */
  #reload(): void {
    this.#memory.replace([...this.#store.load()]);
    this.#isUncertain = false;
  }

  /** A commit failed, and the disk has not been read since: what it holds may be less than memory has, or other. */
  get isUncertain(): boolean {
    return this.#isUncertain;
  }

  /** Before anything is shown: the disk may answer again. Does not throw. */
  readAgain(): void {
    if (this.#isUncertain) this.#reloadAfterFailure();
  }

  /** How deep a note must lie for the journal to call it confirmed; asked with every commit. */
  confirmAfter(minConfirmations: () => number): void {
    this.#minConfirmations = minConfirmations;
  }

  /** Whether nothing was ever kept here: a new wallet's store, or that of one whose store was lost. */
  get isFresh(): boolean {
    return this.#memory.isFresh;
  }

  get lastScanHeight(): number {
    return this.#memory.state.lastScanHeight;
  }

  get exportedScanHeight(): number {
    return this.#exported.exportedScanHeight;
  }

  get exportCount(): number {
    return this.#exported.exportCount;
  }

  get notes(): IterableIterator<StoredNote> {
    return this.#memory.notes.values();
  }

  get sentOutputs(): IterableIterator<StoredSentOutput> {
    return this.#memory.sent.values();
  }

  get transactions(): IterableIterator<StoredTransaction> {
    return this.#memory.transactions.values();
  }

  /** For lists: in order, and by transaction. */
  get tables(): NoteTables {
    return this.#memory.tables;
  }

  /** The note of ours whose nullifier these 32 bytes of packed ones are. */
  byNullifier(pool: StoredNote['pool'], packed: Uint8Array, offset: number): StoredNote | undefined {
    return this.#memory.notes.byNullifier(pool, packed, offset);
  }

  block(height: Height): StoredBlock | undefined {
    return this.#memory.blocks.get(height);
  }

  /** Ascending. */
  get blockHeights(): readonly number[] {
    return this.#memory.blocks.heights;
  }

  /** Milliseconds in which commits have waited for the disk so far. */
  get commitMs(): number {
    return this.#store.commitMs ?? 0;
  }

  /** The known heights of each stretch of blocks that are linked with each other; both ascending. */
  get stretches(): number[][] {
    return this.#memory.blocks.stretches(everScanned(this.#memory.state));
  }

  /** Whether the block was scanned, for any account. */
  isScanned(height: Height): boolean {
    return includes(everScanned(this.#memory.state), height);
  }

  isScannedFor(account: number, height: Height): boolean {
    return includes(this.#memory.state.scanned[account] ?? [], height);
  }

  /** Whether consecutive blocks belong to the chain that was scanned, as far as its hashes are known. */
  fits(blocks: readonly ChainLink[]): boolean {
    return this.#memory.blocks.fits(blocks);
  }

  /** The blocks to read before the range is scanned, because parts of it were scanned whose hashes are not kept. */
  toProve(range: HeightRange): HeightRange | undefined {
    return this.#memory.blocks.toProve(range, everScanned(this.#memory.state));
  }

  /** Keeps their hashes in memory, for `fits`. */
  prove(blocks: readonly ChainLink[]): void {
    this.#memory.blocks.prove(blocks);
  }

  setAccounts(accounts: readonly NoteStoreAccount[]): void {
    this.#accounts = accounts;
  }

  /** What was scanned with the keys of an account, ascending. */
  scanned(account: number): HeightSet {
    return this.#memory.state.scanned[account] ?? [];
  }

  /** The same, cut where another one verified it. */
  verifiedStretches(account: number): readonly VerifiedStretch[] {
    return verifiedStretches(this.#memory.state, account);
  }

  /** Who verified all that was scanned, for one account or any of them. */
  verifiedWith(account?: number): Verifier {
    return verifiedWith(this.#memory.state, this.#chosen(account));
  }

  /** What is not scanned between the birthday and the last scanned height, for one account or any of them. */
  missing(account?: number): HeightRange[] {
    return missingFor(this.#memory.state, this.#chosen(account));
  }

  /**
   * The highest block that was scanned; undefined before the first one from a birthday on, that of the account or of
   * any. A scan height that a person wrote is no scanned block.
   */
  scannedTop(account?: number): number | undefined {
    return scannedTopFor(this.#memory.state, this.#chosen(account));
  }

  #chosen(account: number | undefined): readonly NoteStoreAccount[] {
    return account === undefined ? this.#accounts : this.#accounts.filter(({ index }) => index === account);
  }

  /**
   * Applies consecutive blocks that fit, scanned with the keys of every account. One durable commit. `tip`: of the chain,
   * where it is known: of blocks far below it fewer hashes are kept. `verifiedBy`: who else than a compact server has them.
   */
  apply(blocks: readonly ScannedBlock[], tip?: Height, verifiedBy: Verifier = null): AppliedBlocks {
    const [first, ...others] = blocks;
    if (first === undefined) return { found: 0, received: [], spent: [] };
    this.#settle();
    const { change, applied } = appliedBlocks(this.#committed, [first, ...others], tip, verifiedBy);
    this.#commit({ ...change, state: { ...change.state, ...this.#unkeptExport } });
    this.#unkeptExport = undefined;
    return applied;
  }

  /**
   * The chain has other blocks above `height`: undoes notes made there, spends seen there, ranges, hashes. One durable
   * commit.
   */
  rewind(height: Height): void {
    this.#settle();
    this.#commit(undoneAbove(this.#committed, height));
  }

  /** The same, to scan the same blocks again: until then the journal takes nothing back. */
  forget(height: Height): void {
    this.#settle();
    this.#commit(forgottenAbove(this.#committed, height));
  }

  /**
   * Where a rewind to `height` or a little lower ends with a block that is known, or below everything that was scanned
   * without a break: what comes next can only be a block that links.
   */
  rewindTarget(height: Height): number {
    const stretch = everScanned(this.#memory.state).find(
      ({ start, end }) => start <= height && height <= end,
    );
    if (stretch === undefined) return height;
    const known = this.#memory.blocks.heights.findLast((candidate) => candidate <= height);
    return known !== undefined && known >= stretch.start ? known : stretch.start - 1;
  }

  /** The user moved `last_scan_height` in config.json: lower scans again from there, higher skips (and shows a gap). */
  adoptEditedScanHeight(height: Height): void {
    this.#settle();
    const isLower = height < this.#memory.state.lastScanHeight;
    const target = isLower ? this.rewindTarget(height) : height;
    const change: NoteStoreChange = isLower
      ? forgottenAbove(this.#committed, target)
      : { state: this.#memory.state };
    this.#commit({
      ...change,
      state: { ...change.state, lastScanHeight: target, exportedScanHeight: height },
    });
    this.#unkeptExport = undefined;
  }

  /**
   * config.json says `lastScanHeight` now, and that it was written for the `count`th time. `later`: the next blocks that
   * are applied take it to the disk, or `keepExport`. The process may end before: config.json then has a count that is
   * ahead, as if it had ended before this.
   */
  markExported(count: number, when: 'now' | 'later' = 'now'): void {
    const { lastScanHeight } = this.#memory.state;
    this.#unkeptExport = { exportedScanHeight: lastScanHeight, exportCount: count };
    if (when === 'now') this.keepExport();
  }

  keepExport(): void {
    const unkept = this.#unkeptExport;
    if (unkept === undefined) return;
    const { exportedScanHeight, exportCount } = this.#memory.state;
    const isKept = exportedScanHeight === unkept.exportedScanHeight && exportCount === unkept.exportCount;
    if (this.#memory.isFresh || !isKept) {
      this.#settle();
      this.#commit({ state: { ...this.#memory.state, ...unkept } });
    }
    this.#unkeptExport = undefined;
  }

  get #exported(): ExportMark {
    return this.#unkeptExport ?? this.#memory.state;
  }

  /** Forgets everything scanned. */
  restart(birthdayHeight: Height): void {
    this.#settle();
    const { exportedScanHeight, exportCount } = this.#exported;
    this.#commit({
      clear: true,
      putClaims: forgottenAbove(this.#committed, -1).putClaims ?? [],
      state: { ...nothingScanned(birthdayHeight), exportedScanHeight, exportCount },
    });
  }

  /** Our transactions whose full bytes could still tell more: memos of compact-scanned notes, outputs we sent. */
  unenhancedTransactions(): StoredTransaction[] {
    return unenhanced(this.#memory.transactions.values());
  }

  /** Returns the notes whose memos were not known before. */
  enhance(enhanced: readonly EnhancedTransaction[]): readonly StoredNote[] {
    this.#settle();
    const { change, opened } = enhancedBy(this.#committed, enhanced);
    this.#commit(change);
    return opened;
  }

  /** What was said of notes after a place in the journal, or from its beginning. */
  readJournal(after: JournalPlace | 'end' | undefined, limit: number): JournalPage | 'unknown' | 'dropped' {
    this.#settle();
    // The journal has a name from the first commit on.
    if (this.#memory.isFresh) this.#commit({ state: this.#memory.state });
    return this.#store.readJournal(after, limit);
  }

  note(key: string): StoredNote | undefined {
    return this.#memory.notes.get(key);
  }

  witnessPart(key: string): WitnessPart | undefined {
    return this.#store.witnessPart(key);
  }

  /** Besides commits: nothing that is scanned depends on it. */
  keepWitnessParts(parts: readonly WitnessPart[]): void {
    this.#store.keepWitnessParts(parts);
  }

  /** Of the store as it is by now; a change of password brings another. */
  get paymentStore(): PaymentStore {
    return this.#store;
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

  /** After a commit that failed nothing is built on memory before it was read from the disk again. */
  #settle(): void {
    if (this.#isUncertain) this.#reload();
  }

  /** A commit that reports a failure may still be on the disk: what is shown is what the disk has. */
  #reloadAfterFailure(): void {
    this.#isUncertain = true;
    try {
      this.#reload();
    } catch {
      // The disk does not answer: the next change reads it first.
    }
  }

  get #committed(): Committed {
    return {
      memory: this.#memory,
      store: this.#store,
      accounts: this.#accounts,
      minConfirmations: this.#minConfirmations,
    };
  }

  #commit(change: NoteStoreChange): void {
    try {
      this.#store.commit(change);
    } catch (error) {
      this.#reloadAfterFailure();
      throw error;
    }
    this.#memory.follow(change);
  }
}
