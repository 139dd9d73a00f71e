// Keeps what the wallet knows of the chain, which noteStoreReader.ts has in memory for fast reads. A change is one atomic commit,
// and memory follows only when it has succeeded. Applying a block twice changes nothing, and blocks may come in any order of
// ranges: nullifiers seen above a gap are kept until the gap closes.

import { setImmediate as otherWork } from 'node:timers/promises';
import type { Height } from '@wallet-companion/base/values';
import { chainKey } from '@wallet-companion/zcash/identifiers';
import type { ScannedBlock } from '@wallet-companion/zcash/scan';
import type { JournalPage, JournalPlace } from '../ports/journal.ts';
import type {
  HeightRange,
  NoteDatabase,
  NoteStoreChange,
  NoteStoreSlice,
  NoteStoreState,
  PoolOfAccount,
  Verifier,
} from '../ports/noteDatabase.ts';
import type { PaymentStore } from '../ports/payment.ts';
import type { EnhancedTransaction } from '../ports/scanPool.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import type { LastingChange, WitnessPart } from '../ports/witnessPart.ts';
import { type AppliedBlocks, appliedBlocks } from './blockCommit.ts';
import { nothingSkipped } from './book/emptiedPools.ts';
import { type ChainLink, knownSizes } from './book/knownBlocks.ts';
import { NoteMemory } from './book/noteMemory.ts';
import {
  everScanned,
  lowestFloor,
  type NoteStoreAccount,
  nothingScanned,
  startingAt,
} from './book/scannedRanges.ts';
import { enhance } from './enhancement.ts';
import { JournalDraft } from './journal/journalDraft.ts';
import { type Committed, confirmedHeight, keepLowered, notesBefore } from './journal/journalPart.ts';
import { leavesCutTo } from './leaves/scannedLeaves.ts';
import { type AccountsSearch, NoteStoreReader } from './noteStoreReader.ts';
import { forgottenAbove, undoneAbove } from './rewind.ts';

export type { AppliedBlocks } from './blockCommit.ts';
export type { NoteStoreAccount } from './book/scannedRanges.ts';

type ExportMark = Pick<NoteStoreState, 'exportedScanHeight' | 'exportCount'>;

export class NoteStore extends NoteStoreReader {
  #store: NoteDatabase;
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
    super(new NoteMemory(nothingScanned(birthdayHeight)), accounts);
    this.#store = store;
    for (const slice of slices) this.memory.adopt(slice);
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
      noteStore.memory.adopt(slice);
      await pause();
    }
    return noteStore;
  }

  /** Reads all before memory changes: a disk that does not answer leaves memory as it was. */
  #reload(): void {
    this.memory.replace([...this.#store.load()]);
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

  get exportedScanHeight(): number {
    return this.#exported.exportedScanHeight;
  }

  get exportCount(): number {
    return this.#exported.exportCount;
  }

  /** Milliseconds that commits have waited for the disk so far. */
  get commitMs(): number {
    return this.#store.commitMs ?? 0;
  }

  /** The blocks to read before the range is scanned, because parts of it were scanned whose hashes are not kept. */
  toProve(range: HeightRange): HeightRange | undefined {
    const scanned = everScanned(this.memory.state);
    this.memory.blocks.forgetProvenOutside(scanned);
    return this.memory.blocks.toProve(range, scanned);
  }

  /** Keeps their hashes in memory, for `fits`. */
  prove(blocks: readonly ChainLink[]): void {
    this.memory.blocks.prove(blocks);
  }

  /** Those that are looked for come last. */
  setAccounts(accounts: readonly NoteStoreAccount[], search: AccountsSearch = 'none'): void {
    this.accounts = accounts;
    this.search = search;
  }

  /** An account that was looked for has notes: until the accounts are set anew, the one after it is not looked at. */
  stallSearch(): void {
    this.search = 'stalled';
  }

  /**
   * Applies consecutive blocks that fit, scanned with the keys of every account. One durable commit. `tip`: the chain's,
   * where it is known: fewer hashes are kept of blocks far below it. `verifiedBy`: the source of full blocks, null for compact ones.
   * `lasting`: what is kept of the blocks for witnesses. `without`: the pools that were not searched, as `emptiedPools` has them.
   */
  apply(
    blocks: readonly ScannedBlock[],
    tip?: Height,
    verifiedBy: Verifier = null,
    lasting?: LastingChange,
    without: readonly PoolOfAccount[] = [],
  ): AppliedBlocks {
    const [first, ...others] = blocks;
    if (first === undefined) return { found: 0, received: [], spent: [], contradicted: [] };
    this.#settle();
    const { change, applied } = appliedBlocks(this.#committed, [first, ...others], tip, verifiedBy, without);
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
    const state = startingAt(change.state, this.accounts, from);
    return { ...change, state, ...this.#leavesUpTo(height) };
  }

  /** Every pool is searched from now on: what was not counts as missing. */
  searchAllPools(): void {
    if ((this.memory.state.unsearched ?? []).length === 0) return;
    this.#settle();
    const committed = this.#committed;
    const searched = nothingSkipped(this.memory.state);
    const state = { ...searched, confirmedUpTo: confirmedHeight(committed, searched) };
    const draft = new JournalDraft(notesBefore(committed));
    keepLowered(committed, draft, state, Number.MAX_SAFE_INTEGER);
    this.#commit({ state, ...draft.finish() });
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
   * The user moved `last_scan_height` in config.json: lower scans again from there, higher skips (and leaves a gap). `lowest`: the
   * first block that can have a note.
   */
  adoptEditedScanHeight(height: Height, lowest: Height = 0): void {
    this.#settle();
    const isLower = height < this.memory.state.lastScanHeight;
    const target = isLower ? this.rewindTarget(height) : height;
    const change: NoteStoreChange = isLower
      ? this.#forgotten(target, Math.max(height + 1, lowest))
      : { state: this.memory.state };
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
    const { lastScanHeight } = this.memory.state;
    this.#unkeptExport = { exportedScanHeight: lastScanHeight, exportCount: count };
    if (when === 'now') this.keepExport();
  }

  /** `lasting`: kept in the same commit. */
  keepExport(lasting: LastingChange = { put: [], drop: [] }): void {
    const unkept = this.#unkeptExport;
    const hasParts = lasting.put.length > 0;
    if (unkept === undefined && !hasParts) return;
    const { exportedScanHeight, exportCount } = this.memory.state;
    const isKept = exportedScanHeight === unkept?.exportedScanHeight && exportCount === unkept.exportCount;
    if (this.memory.isFresh || !isKept || hasParts) {
      this.#settle();
      this.#commit({ state: { ...this.memory.state, ...unkept }, lasting });
    }
    this.#unkeptExport = undefined;
  }

  get #exported(): ExportMark {
    return this.#unkeptExport ?? this.memory.state;
  }

  /** Forgets everything scanned. The chain of each account starts where it did. */
  restart(): void {
    this.#settle();
    const { exportedScanHeight, exportCount } = this.#exported;
    const { state } = this.memory;
    const begun = nothingScanned(lowestFloor(state, this.accounts));
    this.#commit({
      clear: true,
      putRescanPages: forgottenAbove(this.#committed, -1).putRescanPages ?? [],
      state: { ...begun, floors: state.floors, exportedScanHeight, exportCount },
    });
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
    if (this.memory.isFresh) this.#commit({ state: this.memory.state });
    return this.#store.readJournal(after, limit);
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

  get #committed(): Committed {
    return {
      memory: this.memory,
      store: this.#store,
      accounts: this.scannedAccounts,
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
    this.memory.follow(change);
  }
}

// A note of the chain counts once: where two accounts have it, because their keys share a part, it is the one with the lower number's.

/** What takes back the notes that an account with a lower number has too; undefined where there are none. */
function withoutDoubles(committed: Committed): NoteStoreChange | undefined {
  const { memory } = committed;
  const owners = new Map<string, number>();
  for (const note of memory.notes.values()) {
    const key = chainKey(note);
    owners.set(key, Math.min(note.account, owners.get(key) ?? note.account));
  }
  const doubles = [...memory.notes.values()].filter((note) => note.account > owners.get(chainKey(note))!);
  if (doubles.length === 0) return undefined;
  const draft = new JournalDraft(notesBefore(committed));
  for (const note of doubles) draft.unreceived(note);
  return { state: memory.state, ...draft.finish(), deleteNotes: doubles };
}
