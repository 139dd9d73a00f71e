// The wallet's view of the chain: notes, spends, block hashes and the ranges scanned. Keeps everything in memory for
// fast reads. A change is one atomic commit, and memory follows only when it has succeeded. Applying a block twice
// changes nothing, and blocks may come in any order of ranges: nullifiers seen above a gap are kept until the gap
// closes.

import { setImmediate as otherWork } from 'node:timers/promises';
import type { Height } from '@wallet-companion/base/values';
import type { TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { ScannedBlock } from '@wallet-companion/zcash/scan';
import type { JournalPage, JournalPlace } from '../ports/journal.ts';
import type {
  HeightRange,
  NoteDatabase,
  NoteStoreChange,
  NoteStoreSlice,
  NoteStoreState,
  StoredBlock,
  StoredSentOutput,
  StoredTransaction,
  Verifier,
} from '../ports/noteDatabase.ts';
import type { PaymentStore } from '../ports/payment.ts';
import type { EnhancedTransaction } from '../ports/scanPool.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import type { LastingChange, WitnessPart } from '../ports/witnessPart.ts';
import { type AppliedBlocks, appliedBlocks } from './blockCommit.ts';
import { type ChainLink, knownSizes } from './book/knownBlocks.ts';
import { NoteMemory } from './book/noteMemory.ts';
import type { NoteTables } from './book/noteTables.ts';
import { type HeightSet, includes } from './book/ranges.ts';
import {
  countSearched,
  everScanned,
  floorOf,
  isScannedWith,
  lowestFloor,
  missingFor,
  missingLater,
  type NoteStoreAccount,
  nothingScanned,
  scannedTopFor,
  startingAt,
  unverifiedRanges,
  type VerifiedStretch,
  verifiedStretches,
  verifierOf,
} from './book/scannedRanges.ts';
import { enhance, unenhancedTransactions } from './enhancement.ts';
import { withoutDoubles } from './journal/doubles.ts';
import type { Committed } from './journal/journalPart.ts';
import { leavesCutTo } from './leaves/scannedLeaves.ts';
import { forgottenAbove, undoneAbove } from './rewind.ts';

export type { AppliedBlocks } from './blockCommit.ts';
export type { NoteStoreAccount } from './book/scannedRanges.ts';

/**
 * Whether accounts of the phrase are looked for. `stalled`: the next one is not, because its keys are not there yet; so nothing is
 * complete.
 */
export type AccountsSearch = 'none' | 'on' | 'stalled';

type ExportMark = Pick<NoteStoreState, 'exportedScanHeight' | 'exportCount'>;

export class NoteStore {
  #store: NoteDatabase;
  #accounts: readonly NoteStoreAccount[];
  #search: AccountsSearch = 'none';
  readonly #memory: NoteMemory;
  #minConfirmations: () => number = () => 1;
  /** A commit failed: the content of the disk is unknown until it is read again. */
  #isUncertain = false;
  /** The value that config.json has and the disk does not have yet. */
  #unkeptExport: ExportMark | undefined;

  /** `birthdayHeight` is the wallet's: before the first scan, the height before it counts as the last scanned one. */
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

  /** For a store of any size: after each slice other work can run. */
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

  /** Reads all before memory changes: a disk that does not answer leaves memory as it was. */
  #reload(): void {
    this.#memory.replace([...this.#store.load()]);
    this.#isUncertain = false;
  }

  /** A commit failed, and the disk has not been read since: its content may be less than memory's, or different. */
  get isUncertain(): boolean {
    return this.#isUncertain;
  }

  /** Call it before anything is shown: the disk may answer again. Does not throw. */
  readAgain(): void {
    if (this.#isUncertain) this.#reloadAfterFailure();
  }

  /** How deep a note must lie for the journal to report it as confirmed; called with every commit. */
  confirmAfter(minConfirmations: () => number): void {
    this.#minConfirmations = minConfirmations;
  }

  /** Whether nothing was ever kept here: the store of a new wallet, or one that replaces a lost store. */
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

  transaction(txid: TxIdHex): StoredTransaction | undefined {
    return this.#memory.transactions.get(txid);
  }

  /** The notes and transactions in order, and by transaction. */
  get tables(): NoteTables {
    return this.#memory.tables;
  }

  /** The wallet's note whose nullifier is the 32 bytes at `offset` of packed ones. */
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

  /** Milliseconds that commits have waited for the disk so far. */
  get commitMs(): number {
    return this.#store.commitMs ?? 0;
  }

  /** The known heights of each stretch of linked blocks; both ascending. */
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

  /** Whether a node gave the block. */
  isVerified(height: Height): boolean {
    return includes(this.#memory.state.verified, height);
  }

  /** Whether consecutive blocks belong to the chain that was scanned, as far as its hashes are known. */
  fits(blocks: readonly ChainLink[]): boolean {
    return this.#memory.blocks.fits(blocks);
  }

  /** The blocks to read before the range is scanned, because parts of it were scanned whose hashes are not kept. */
  toProve(range: HeightRange): HeightRange | undefined {
    const scanned = everScanned(this.#memory.state);
    this.#memory.blocks.forgetProvenOutside(scanned);
    return this.#memory.blocks.toProve(range, scanned);
  }

  /** Keeps their hashes in memory, for `fits`. */
  prove(blocks: readonly ChainLink[]): void {
    this.#memory.blocks.prove(blocks);
  }

  /** Those that are looked for come last. */
  setAccounts(accounts: readonly NoteStoreAccount[], search: AccountsSearch = 'none'): void {
    this.#accounts = accounts;
    this.#search = search;
  }

  /** An account that was looked for has notes: until the accounts are set anew, the one after it is not looked at. */
  stallSearch(): void {
    this.#search = 'stalled';
  }

  get isSearchStalled(): boolean {
    return this.#search === 'stalled';
  }

  /** Whether blocks are still scanned for an account that is looked for. */
  get isSearching(): boolean {
    return this.#scanned.length > this.#accounts.filter(({ until }) => until === undefined).length;
  }

  /** How many accounts, from the first on, were looked at without a gap; null where none is looked for. */
  get accountsSearched(): number | null {
    return this.#search === 'none' ? null : countSearched(this.#memory.state, this.#accounts);
  }

  /** The missing ranges that the first account does not miss. */
  get missingLater(): HeightRange[] {
    return missingLater(this.#memory.state, this.#accounts);
  }

  /** Where the account's chain starts. */
  floor(account: NoteStoreAccount): Height {
    return floorOf(this.#memory.state, account);
  }

  /** What was scanned with the keys of an account, ascending. */
  scanned(account: number): HeightSet {
    return this.#memory.state.scanned[account] ?? [];
  }

  /** The same, split where the verifier changes. */
  verifiedStretches(account: number): readonly VerifiedStretch[] {
    return verifiedStretches(this.#memory.state, account);
  }

  /** The source that verified all scanned blocks, for one account or all. */
  verifiedWith(account?: number): Verifier {
    return verifierOf(this.#memory.state, this.#chosen(account));
  }

  /** The scanned blocks that no source verified, ascending. */
  get unverified(): HeightSet {
    return unverifiedRanges(this.#memory.state, this.#accounts);
  }

  /** The mark of a block. */
  verifiedAt(height: Height): Verifier {
    return this.isVerified(height) ? 'node' : null;
  }

  /** The ranges not scanned between the birthday and the last scanned height, for one account or any of them. */
  missing(account?: number): HeightRange[] {
    return missingFor(this.#memory.state, this.#chosen(account));
  }

  /**
   * The highest scanned block; undefined before the first one from a birthday on, that of the account or of any. A scan
   * height that the user wrote is no scanned block.
   */
  scannedTop(account?: number): number | undefined {
    return scannedTopFor(this.#memory.state, this.#chosen(account));
  }

  #chosen(account: number | undefined): readonly NoteStoreAccount[] {
    return account === undefined ? this.#accounts : this.#accounts.filter(({ index }) => index === account);
  }

  /**
   * Applies consecutive blocks that fit, scanned with the keys of every account. One durable commit. `tip`: the chain's,
   * where it is known: fewer hashes are kept of blocks far below it. `verifiedBy`: the source of full blocks, null for compact ones.
   * `lasting`: what is kept of the blocks for witnesses.
   */
  apply(
    blocks: readonly ScannedBlock[],
    tip?: Height,
    verifiedBy: Verifier = null,
    lasting?: LastingChange,
  ): AppliedBlocks {
    const [first, ...others] = blocks;
    if (first === undefined) return { found: 0, received: [], spent: [], contradicted: [] };
    this.#settle();
    const { change, applied } = appliedBlocks(this.#committed, [first, ...others], tip, verifiedBy);
    const state = { ...change.state, ...this.#unkeptExport };
    this.#commit({ ...change, state, ...(lasting && { lasting }) });
    this.#unkeptExport = undefined;
    return applied;
  }

  /**
   * The chain has other blocks above `height`: undoes notes made there, spends seen there, ranges, hashes. One durable
   * commit.
   */
  rewind(height: Height): void {
    this.#settle();
    this.#commit({ ...undoneAbove(this.#committed, height), ...this.#leavesUpTo(height) });
  }

  /**
   * Blocks from `from` on are to be scanned again, or others that took their place: until then the journal reverses nothing. No
   * account begins above.
   */
  forget(from: Height): void {
    this.#settle();
    this.#commit(this.#forgotten(this.rewindTarget(from - 1), from));
  }

  #forgotten(height: Height, from: Height): NoteStoreChange {
    const change = forgottenAbove(this.#committed, height);
    const state = startingAt(change.state, this.#accounts, from);
    return { ...change, state, ...this.#leavesUpTo(height) };
  }

  /** One durable commit, where two accounts have the same note of the chain. */
  dropDoubles(): void {
    this.#settle();
    const change = withoutDoubles(this.#committed);
    if (change !== undefined) this.#commit(change);
  }

  /** The leaves that stay when blocks above the height go. */
  #leavesUpTo(height: Height): Pick<NoteStoreChange, 'lasting'> {
    return { lasting: leavesCutTo(this, knownSizes(this, height)) };
  }

  /**
   * A rewind to `height` or a little lower ends here: at a known block, or below everything that was scanned without a
   * break. So the next block must link.
   */
  rewindTarget(height: Height): number {
    const stretch = everScanned(this.#memory.state).find(
      ({ start, end }) => start <= height && height <= end,
    );
    if (stretch === undefined) return height;
    const known = this.#memory.blocks.heights.findLast((candidate) => candidate <= height);
    return known !== undefined && known >= stretch.start ? known : stretch.start - 1;
  }

  /**
   * The user moved `last_scan_height` in config.json: lower scans again from there, higher skips (and leaves a gap). `lowest`: the
   * first block that can have a note.
   */
  adoptEditedScanHeight(height: Height, lowest: Height = 0): void {
    this.#settle();
    const isLower = height < this.#memory.state.lastScanHeight;
    const target = isLower ? this.rewindTarget(height) : height;
    const change: NoteStoreChange = isLower
      ? this.#forgotten(target, Math.max(height + 1, lowest))
      : { state: this.#memory.state };
    this.#commit({
      ...change,
      state: { ...change.state, lastScanHeight: target, exportedScanHeight: height },
    });
    this.#unkeptExport = undefined;
  }

  /**
   * config.json contains `lastScanHeight` now, written for the `count`th time. `later`: the mark goes to the disk with the
   * next applied blocks, or with `keepExport`. If the process ends before, config.json has a count that is ahead, as if the
   * process had ended before this call.
   */
  markExported(count: number, when: 'now' | 'later' = 'now'): void {
    const { lastScanHeight } = this.#memory.state;
    this.#unkeptExport = { exportedScanHeight: lastScanHeight, exportCount: count };
    if (when === 'now') this.keepExport();
  }

  /** `lasting`: kept in the same commit. */
  keepExport(lasting: LastingChange = { put: [], drop: [] }): void {
    const unkept = this.#unkeptExport;
    const hasParts = lasting.put.length > 0;
    if (unkept === undefined && !hasParts) return;
    const { exportedScanHeight, exportCount } = this.#memory.state;
    const isKept = exportedScanHeight === unkept?.exportedScanHeight && exportCount === unkept.exportCount;
    if (this.#memory.isFresh || !isKept || hasParts) {
      this.#settle();
      this.#commit({ state: { ...this.#memory.state, ...unkept }, lasting });
    }
    this.#unkeptExport = undefined;
  }

  get #exported(): ExportMark {
    return this.#unkeptExport ?? this.#memory.state;
  }

  /** Forgets everything scanned. The chain of each account starts where it did. */
  restart(): void {
    this.#settle();
    const { exportedScanHeight, exportCount } = this.#exported;
    const { state } = this.#memory;
    const begun = nothingScanned(lowestFloor(state, this.#accounts));
    this.#commit({
      clear: true,
      putRescanPages: forgottenAbove(this.#committed, -1).putRescanPages ?? [],
      state: { ...begun, floors: state.floors, exportedScanHeight, exportCount },
    });
  }

  /** The wallet's transactions whose full bytes may still add something: memos of compact-scanned notes, sent outputs. */
  unenhancedTransactions(): StoredTransaction[] {
    return unenhancedTransactions(this.#memory.transactions.values());
  }

  /** Returns the notes whose memos were not known before. */
  enhance(enhanced: readonly EnhancedTransaction[]): readonly StoredNote[] {
    this.#settle();
    const { change, opened } = enhance(this.#committed, enhanced);
    this.#commit(change);
    return opened;
  }

  /** Journal entries after a place, or from the beginning. */
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

  /** Outside commits: nothing that is scanned depends on it. */
  keepWitnessParts(parts: readonly WitnessPart[]): void {
    this.#store.keepWitnessParts(parts);
  }

  lastingPart(key: string): Uint8Array | undefined {
    return this.#store.lastingPart(key);
  }

  /** Outside commits, too. */
  changeLasting(change: LastingChange): void {
    this.#store.changeLasting(change);
  }

  /** Part of the present store; a change of password replaces it. */
  get paymentStore(): PaymentStore {
    return this.#store;
  }

  /** Writes a copy sealed with another master key next to the store. Must not run during a scan. */
  async reseal(masterKey: Uint8Array, pause: () => Promise<unknown> = otherWork): Promise<void> {
    this.#settle();
    for (const _ of this.#store.reseal(masterKey)) await pause();
  }

  /** Continues with another store of the same content. If that fails, no store is left. */
  reopen(open: () => NoteDatabase): void {
    this.#store.close();
    this.#store = open();
    this.#reload();
  }

  close(): void {
    this.#store.close();
  }

  /** After a failed commit, memory is read from the disk again before the next change. */
  #settle(): void {
    if (this.#isUncertain) this.#reload();
  }

  /** A commit that reports a failure may still be on the disk: callers see what the disk has. */
  #reloadAfterFailure(): void {
    this.#isUncertain = true;
    try {
      this.#reload();
    } catch {
      // The disk does not answer: the next change reads it first.
    }
  }

  get #scanned(): readonly NoteStoreAccount[] {
    return this.#accounts.filter((account) => isScannedWith(this.#memory.state, account));
  }

  get #committed(): Committed {
    return {
      memory: this.#memory,
      store: this.#store,
      accounts: this.#scanned,
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
