// The wallet's view of the chain: notes, spends, block hashes and the ranges scanned. Keeps everything in memory for
// fast reads and writes each change as one atomic commit. Applying a block twice changes nothing, and blocks may come in
// any order of ranges: nullifiers seen above a gap are kept until the gap closes.

import { setImmediate as otherWork } from 'node:timers/promises';
import { bytesToHex, hexToBytes, toDisplayHex } from '../../shielded/bytes.ts';
import { PackedMemo } from '../../shielded/notes/packedMemo.ts';
import type { FoundNote, ScannedBlock, SentOutput } from '../../shielded/scan/types.ts';
import { type LedgerTables, NoteTable, SentOutputTable, TransactionTable } from './ledgerTables.ts';
import { NullifierIndex } from './nullifierIndex.ts';
import { addRange, contiguousEnd, missingRanges, removeRange } from './ranges.ts';
import type {
  HeightRange,
  KeptNullifier,
  LedgerChange,
  LedgerSlice,
  LedgerState,
  LedgerStore,
  StoredBlock,
  StoredNote,
  StoredSentOutput,
  StoredTransaction,
} from './storage.ts';

/** Block hashes are kept this far below the highest block: nodes reorganise at most 1,000 blocks. */
export const KEPT_BLOCKS = 1_100;

export interface LedgerAccount {
  readonly index: number;
  readonly birthdayHeight: number;
}

export interface AppliedBlocks {
  readonly received: readonly StoredNote[];
  readonly spent: readonly StoredNote[];
}

/** What the full bytes of one of our transactions told. */
export interface CompletedTransaction {
  readonly txid: string;
  /** Unix seconds of its block, where the block was read. */
  readonly time?: number;
  readonly memos: readonly {
    readonly note: Pick<FoundNote, 'pool' | 'outputIndex'>;
    readonly memo: Uint8Array;
  }[];
  readonly sent: readonly SentOutput[];
}

const noteKey = (note: Pick<StoredNote, 'pool' | 'txid' | 'outputIndex' | 'account'>): string =>
  `${note.txid}:${note.pool}:${note.outputIndex}:${note.account}`;

export class Ledger {
  readonly #store: LedgerStore;
  #accounts: readonly LedgerAccount[];
  #state: LedgerState;
  readonly #notes = new NoteTable();
  readonly #sent = new SentOutputTable();
  readonly #transactions = new TransactionTable();
  readonly #blocks = new Map<number, StoredBlock>();
  #noteByNullifier = new NullifierIndex<string>();
  #isFresh = true;

  /** `birthdayHeight` is the wallet's: the height before it counts as scanned last when nothing was. */
  constructor(
    store: LedgerStore,
    accounts: readonly LedgerAccount[],
    birthdayHeight: number,
    slices: Iterable<LedgerSlice> = store.load(),
  ) {
    this.#store = store;
    this.#accounts = accounts;
    const before = birthdayHeight - 1;
    this.#state = { scanned: {}, floors: {}, lastScanHeight: before, exportedScanHeight: before };
    for (const slice of slices) this.#adopt(slice);
  }

  /** For a store of any size: after each slice others have their turn. */
  static async open(
    store: LedgerStore,
    accounts: readonly LedgerAccount[],
    birthdayHeight: number,
    pause: () => Promise<unknown> = otherWork,
  ): Promise<Ledger> {
    const ledger = new Ledger(store, accounts, birthdayHeight, []);
    for (const slice of store.load()) {
      ledger.#adopt(slice);
      await pause();
    }
    return ledger;
  }

  #reload(): void {
    this.#isFresh = true;
    this.#notes.clear();
    this.#sent.clear();
    this.#transactions.clear();
    this.#blocks.clear();
    this.#noteByNullifier = new NullifierIndex();
    for (const slice of this.#store.load()) this.#adopt(slice);
  }

  #adopt({ state, notes = [], sentOutputs = [], transactions = [], blocks = [] }: LedgerSlice): void {
    if (state !== undefined) {
      this.#state = state;
      this.#isFresh = false;
    }
    for (const note of notes) this.#keep(note);
    for (const output of sentOutputs) this.#sent.set(noteKey(output), output);
    for (const transaction of transactions) this.#transactions.set(transaction.txid, transaction);
    for (const block of blocks) this.#blocks.set(block.height, block);
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
  get tables(): LedgerTables {
    return { notes: this.#notes, sentOutputs: this.#sent, transactions: this.#transactions };
  }

  block(height: number): StoredBlock | undefined {
    return this.#blocks.get(height);
  }

  /** Ascending. */
  get blockHeights(): number[] {
    return [...this.#blocks.keys()].sort((a, b) => a - b);
  }

  setAccounts(accounts: readonly LedgerAccount[]): void {
    this.#accounts = accounts;
  }

  /** What is not scanned between the birthday and the last scanned height, for one account or any of them. */
  missing(account?: number): HeightRange[] {
    let missing: HeightRange[] = [];
    for (const candidate of this.#accounts) {
      if (account !== undefined && candidate.index !== account) continue;
      const within = { start: this.#floor(candidate), end: this.#state.lastScanHeight };
      for (const range of missingRanges(this.#state.scanned[candidate.index] ?? [], within)) {
        missing = addRange(missing, range);
      }
    }
    return missing;
  }

  /** Applies consecutive blocks, scanned with the keys of every account. One durable commit. */
  apply(blocks: readonly ScannedBlock[]): AppliedBlocks {
    const first = blocks[0];
    const last = blocks.at(-1);
    if (first === undefined || last === undefined) return { received: [], spent: [] };
    const range = { start: first.height, end: last.height };
    const touched = new Map<string, StoredNote>();
    const ours = new TouchedTransactions();
    const received: StoredNote[] = [];
    const spent: StoredNote[] = [];

    // Notes of the whole stretch come first, so that a spend in the same block or commit finds its note.
    for (const block of blocks) {
      for (const found of block.notes) {
        const note = storedNote(found);
        const key = noteKey(note);
        const known = this.#notes.get(key);
        if (known === undefined) received.push(note);
        const merged =
          known === undefined ? note : { ...note, memo: note.memo ?? known.memo, spent: known.spent };
        touched.set(key, merged);
        this.#keep(merged);
        ours.touch(note, block.time, merged.memo === null);
      }
    }
    for (const note of this.#spendsSeenAbove(received)) {
      spent.push(note);
      touched.set(noteKey(note), note);
      this.#keep(note);
      ours.touch(note.spent, this.#blocks.get(note.spent.height)?.time ?? 0, true);
    }
    for (const block of blocks) {
      for (const { pool, txIndex, txid, nullifiers } of block.nullifiers) {
        for (let offset = 0; offset + 32 <= nullifiers.length; offset += 32) {
          const key = this.#noteByNullifier.find(pool, nullifiers, offset);
          const note = key === undefined ? undefined : this.#notes.get(key);
          if (key === undefined || note === undefined) continue;
          const spender = { txid: toDisplayHex(txid), height: block.height, txIndex };
          const spentNote = { ...note, spent: spender };
          if (note.spent === null) spent.push(spentNote);
          touched.set(key, spentNote);
          this.#keep(spentNote);
          ours.touch(spender, block.time, note.spent === null);
        }
      }
    }
    const putTransactions = ours.merged(this.#transactions);

    const state = this.#extended(range, received);
    const kept = Math.min(
      ...this.#accounts.map((a) => contiguousEnd(state.scanned[a.index] ?? [], state.floors[a.index]!)),
    );
    const top = Math.max(range.end, ...this.#blocks.keys());
    const putBlocks = blocks
      .filter((block) => block.height > top - KEPT_BLOCKS)
      .map(({ height, hash, prevHash, time, treeSizes }) => ({ height, hash, prevHash, time, treeSizes }));
    this.#commit({
      state,
      putNotes: [...touched.values()],
      putTransactions,
      putBlocks,
      deleteBlocksBelow: top - KEPT_BLOCKS + 1,
      keepNullifiers: blocks.filter((block) => block.height > kept).flatMap(keptNullifiers),
      deleteNullifiersUpTo: kept,
    });
    for (const transaction of putTransactions) this.#transactions.set(transaction.txid, transaction);
    for (const block of putBlocks) this.#blocks.set(block.height, block);
    for (const height of this.#blocks.keys()) if (height <= top - KEPT_BLOCKS) this.#blocks.delete(height);
    return { received, spent };
  }

  /** Forgets everything above `height`: notes made there, spends seen there, ranges, hashes. One durable commit. */
  rewind(height: number): void {
    const deleteNotes: StoredNote[] = [];
    const putNotes: StoredNote[] = [];
    for (const note of this.#notes.values()) {
      if (note.height > height) deleteNotes.push(note);
      else if (note.spent !== null && note.spent.height > height) putNotes.push({ ...note, spent: null });
    }
    const deleteSentOutputs = [...this.#sent.values()].filter((output) => output.height > height);
    const deleteTransactions = [...this.#transactions.values()].filter(
      (transaction) => transaction.height > height,
    );
    const above = { start: height + 1, end: Number.MAX_SAFE_INTEGER };
    const scanned = Object.fromEntries(
      Object.entries(this.#state.scanned).map(([account, ranges]) => [account, removeRange(ranges, above)]),
    );
    this.#commit({
      state: { ...this.#state, scanned, lastScanHeight: Math.min(this.#state.lastScanHeight, height) },
      putNotes,
      deleteNotes,
      deleteSentOutputs,
      deleteTransactions,
      deleteBlocksAbove: height,
      deleteNullifiersAbove: height,
    });
    for (const note of deleteNotes) this.#forget(note);
    for (const note of putNotes) this.#keep(note);
    for (const output of deleteSentOutputs) this.#sent.delete(noteKey(output));
    for (const transaction of deleteTransactions) this.#transactions.delete(transaction.txid);
    for (const blockHeight of this.#blocks.keys()) if (blockHeight > height) this.#blocks.delete(blockHeight);
  }

  /** The user moved `last_scan_height` in config.json: lower scans again from there, higher skips (and shows a gap). */
  adoptEditedScanHeight(height: number): void {
    if (height < this.#state.lastScanHeight) this.rewind(height);
    this.#commit({ state: { ...this.#state, lastScanHeight: height, exportedScanHeight: height } });
  }

  markExported(): void {
    if (!this.#isFresh && this.#state.exportedScanHeight === this.#state.lastScanHeight) return;
    this.#commit({ state: { ...this.#state, exportedScanHeight: this.#state.lastScanHeight } });
  }

  /** Forgets everything scanned. The caller has written `birthdayHeight - 1` to config.json before. */
  restart(birthdayHeight: number): void {
    this.#store.clear();
    const before = birthdayHeight - 1;
    this.#commit({ state: { scanned: {}, floors: {}, lastScanHeight: before, exportedScanHeight: before } });
    this.#reload();
  }

  /** Our transactions whose full bytes could still tell more: memos of compact-scanned notes, outputs we sent. */
  incompleteTransactions(): StoredTransaction[] {
    return [...this.#transactions.values()]
      .filter((transaction) => !transaction.complete)
      .sort((a, b) => a.height - b.height || a.txIndex - b.txIndex);
  }

  complete(completed: readonly CompletedTransaction[]): void {
    const putNotes: StoredNote[] = [];
    const putSentOutputs: StoredSentOutput[] = [];
    const putTransactions: StoredTransaction[] = [];
    for (const { txid, time, memos, sent } of completed) {
      const transaction = this.#transactions.get(txid);
      if (transaction === undefined) continue;
      putTransactions.push({ ...transaction, time: time ?? transaction.time, complete: true });
      for (const { note, memo } of memos) {
        for (const account of this.#accounts) {
          const known = this.#notes.get(noteKey({ ...note, txid, account: account.index }));
          if (known !== undefined) putNotes.push({ ...known, memo: new PackedMemo(memo) });
        }
      }
      for (const output of sent) putSentOutputs.push(storedSentOutput(output, txid, transaction.height));
    }
    this.#commit({ state: this.#state, putNotes, putSentOutputs, putTransactions });
    for (const note of putNotes) this.#keep(note);
    for (const output of putSentOutputs) this.#sent.set(noteKey(output), output);
    for (const transaction of putTransactions) this.#transactions.set(transaction.txid, transaction);
  }

  close(): void {
    this.#store.close();
  }

  #floor(account: LedgerAccount): number {
    return this.#state.floors[account.index] ?? account.birthdayHeight;
  }

  /** State after `range` was scanned for every account. */
  #extended(range: HeightRange, received: readonly StoredNote[]): LedgerState {
    const scanned: Record<number, readonly HeightRange[]> = { ...this.#state.scanned };
    const floors: Record<number, number> = { ...this.#state.floors };
    for (const account of this.#accounts) {
      const floor = this.#floor(account);
      const before = scanned[account.index] ?? [];
      floors[account.index] = floor;
      let ranges = addRange(before, range);
      if (range.start < floor && received.some((note) => note.account === account.index)) {
        // Nullifiers above were dropped once everything from the birthday on was contiguous, so a note found below the
        // birthday has an unknown fate there: those blocks count as missing until they are scanned again.
        floors[account.index] = range.start;
        const dropped = contiguousEnd(before, floor);
        if (dropped > range.end) ranges = removeRange(ranges, { start: range.end + 1, end: dropped });
      }
      scanned[account.index] = ranges;
    }
    return {
      ...this.#state,
      scanned,
      floors,
      lastScanHeight: Math.max(this.#state.lastScanHeight, range.end),
    };
  }

  /** New notes whose nullifier was seen higher up before, marked spent. */
  #spendsSeenAbove(received: readonly StoredNote[]): SpentNote[] {
    const wanted = received.filter((note) => note.nullifier !== null);
    const sightings = this.#store.findKeptNullifiers(
      wanted.map((note) => ({ pool: note.pool, nullifier: hexToBytes(note.nullifier ?? '') })),
    );
    return wanted.flatMap((note, i) => {
      const seen = sightings[i];
      if (seen === undefined) return [];
      return [
        { ...note, spent: { txid: toDisplayHex(seen.txid), height: seen.height, txIndex: seen.txIndex } },
      ];
    });
  }

  #keep(note: StoredNote): void {
    const key = noteKey(note);
    const known = this.#notes.get(key);
    if (known?.nullifier != null && known.nullifier !== note.nullifier) {
      this.#noteByNullifier.delete(known.pool, known.nullifier);
    }
    this.#notes.set(key, note);
    if (note.nullifier !== null && known?.nullifier !== note.nullifier) {
      this.#noteByNullifier.set(note.pool, note.nullifier, key);
    }
  }

  #forget(note: StoredNote): void {
    this.#notes.delete(noteKey(note));
    if (note.nullifier !== null) this.#noteByNullifier.delete(note.pool, note.nullifier);
  }

  /** A commit that fails leaves memory ahead of the disk, so memory is read back from it. */
  #commit(change: LedgerChange): void {
    try {
      this.#store.commit(change);
    } catch (error) {
      this.#reload();
      throw error;
    }
    this.#state = change.state;
    this.#isFresh = false;
  }
}

/** Transactions of ours met while applying blocks. */
class TouchedTransactions {
  readonly #touched = new Map<string, StoredTransaction>();

  /** `incomplete`: only its full bytes can tell a memo, or what a newly seen spend sent. */
  touch(at: Pick<StoredTransaction, 'txid' | 'height' | 'txIndex'>, time: number, incomplete: boolean): void {
    const complete = !incomplete && (this.#touched.get(at.txid)?.complete ?? true);
    this.#touched.set(at.txid, { txid: at.txid, height: at.height, txIndex: at.txIndex, time, complete });
  }

  /** With what was known before: a block applied twice leaves a transaction as incomplete as it was. */
  merged(known: ReadonlyMap<string, StoredTransaction>): StoredTransaction[] {
    return [...this.#touched.values()].map((transaction) => {
      const before = known.get(transaction.txid);
      return before?.height === transaction.height && !before.complete
        ? { ...transaction, complete: false }
        : transaction;
    });
  }
}

type SpentNote = StoredNote & { readonly spent: NonNullable<StoredNote['spent']> };

function storedNote(found: FoundNote): StoredNote {
  return {
    pool: found.pool,
    account: found.account,
    scope: found.scope,
    value: found.value,
    height: found.height,
    txid: toDisplayHex(found.txid),
    txIndex: found.txIndex,
    outputIndex: found.outputIndex,
    position: found.position,
    nullifier: found.nullifier === null ? null : bytesToHex(found.nullifier),
    diversifierIndex: found.diversifierIndex.toString(),
    memo: found.memo === null ? null : new PackedMemo(found.memo),
    spent: null,
  };
}

function storedSentOutput(output: SentOutput, txid: string, height: number): StoredSentOutput {
  const { pool, account, scope, outputIndex, value } = output;
  return {
    pool,
    account,
    scope,
    txid,
    height,
    outputIndex,
    value,
    recipient: bytesToHex(output.recipient),
    memo: new PackedMemo(output.memo),
  };
}

function keptNullifiers(block: ScannedBlock): KeptNullifier[] {
  return block.nullifiers.flatMap(({ pool, txIndex, txid, nullifiers }) => {
    const kept: KeptNullifier[] = [];
    for (let offset = 0; offset + 32 <= nullifiers.length; offset += 32) {
      kept.push({
        pool,
        nullifier: nullifiers.slice(offset, offset + 32),
        height: block.height,
        txIndex,
        txid,
      });
    }
    return kept;
  });
}
