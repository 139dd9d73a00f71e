// A session's knowledge of the mempool, in memory alone: which transactions were read, and the wallet's ones until they are
// mined or vanish. All of it is bounded, whatever the server reports as its mempool.

import type { Height } from '@wallet-companion/base/values';
import {
  asNullifier,
  nullifierToHex,
  type TxId,
  type TxIdHex,
  txIdToHex,
} from '@wallet-companion/zcash/identifiers';
import type { ReadUnmined, ScannedBlock } from '@wallet-companion/zcash/scan';
import { NullifierIndex } from '../noteStore/book/nullifierIndex.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import {
  isMined,
  notesSpentBy,
  nullifierCount,
  type UnminedTransaction,
  unminedTransaction,
  type VanishReason,
} from './unmined.ts';

export interface UnminedLimits {
  /** Transactions read and still in the mempool; nodes hold 8,000 at most (ZIP 401). */
  readonly known: number;
  /** The wallet's transactions, their notes, and the nullifiers that they reveal. */
  readonly transactions: number;
  readonly notes: number;
  readonly nullifiers: number;
  readonly vanished: number;
}

export const UNMINED_LIMITS: UnminedLimits = {
  known: 20_000,
  transactions: 500,
  notes: 2_000,
  nullifiers: 20_000,
  vanished: 100,
};

export interface Vanished {
  readonly transaction: UnminedTransaction;
  readonly reason: VanishReason;
  /** Value of the wallet's mined notes that it would have spent. */
  readonly spent: number;
}

export class UnminedBook {
  readonly #noteStore: NoteStore;
  readonly #limits: UnminedLimits;
  readonly #known = new Map<TxIdHex, TxId>();
  readonly #ours = new Map<TxIdHex, UnminedTransaction>();
  /** For each nullifier, the transactions that reveal it. */
  #revealers = new NullifierIndex<readonly TxIdHex[]>();
  #isOverfull = false;

  constructor(noteStore: NoteStore, limits: UnminedLimits = UNMINED_LIMITS) {
    this.#noteStore = noteStore;
    this.#limits = limits;
  }

  get known(): readonly TxId[] {
    return [...this.#known.values()];
  }

  get room(): number {
    return this.#limits.known - this.#known.size;
  }

  /** A transaction of the wallet, or one that may be, did not fit within the limits. */
  get isOverfull(): boolean {
    return this.#isOverfull || this.room <= 0;
  }

  /** Those that are in no scanned block, in the order in which they were seen. */
  get unmined(): UnminedTransaction[] {
    return [...this.#ours.values()].filter(({ txid }) => !isMined(this.#noteStore, txid));
  }

  /** The known ones that are still there, and those that are not. */
  listed(known: readonly TxId[], gone: ReadonlySet<number>, tipHeight: Height): void {
    known.forEach((id, index) => {
      const txid = txIdToHex(id);
      const ours = this.#ours.get(txid);
      if (gone.has(index)) {
        this.#known.delete(txid);
        if (ours !== undefined) ours.absentSince ??= tipHeight;
      } else if (ours !== undefined) ours.absentSince = null;
    });
  }

  /** Adds a transaction that was read. Returns it where it is the wallet's and was not listed yet. */
  add(id: TxId, read: ReadUnmined | null, now: number, tipHeight: Height): UnminedTransaction | undefined {
    const txid = txIdToHex(id);
    if (this.room > 0) this.#known.set(txid, id);
    const listed = this.#ours.get(txid);
    if (listed !== undefined) listed.absentSince = null;
    if (listed !== undefined || read === null) return undefined;
    const spent = notesSpentBy(this.#noteStore, read);
    if (read.notes.length === 0 && spent.length === 0) return undefined;
    // The server is behind, or lies: it can never be mined.
    if (spent.some((note) => note.spent !== null && note.spent.txid !== txid)) return undefined;
    if (!this.#hasRoomFor(read)) {
      this.#isOverfull = true;
      return undefined;
    }
    const transaction = unminedTransaction(txid, read, now, tipHeight);
    this.#ours.set(txid, transaction);
    this.#index(transaction);
    return isMined(this.#noteStore, txid) ? undefined : transaction;
  }

  /** Unlisted transactions will be read once more: they may spend notes found since, or the chain has changed. */
  forgetOthers(): void {
    for (const txid of this.#known.keys()) if (!this.#ours.has(txid)) this.#known.delete(txid);
  }

  /** Blocks that were just scanned: a transaction that spends the same notes as one of theirs can no longer be mined. */
  conflicting(blocks: readonly ScannedBlock[]): Vanished[] {
    if (this.#ours.size === 0) return [];
    const conflicts = new Set<TxIdHex>();
    for (const block of blocks) {
      for (const { pool, txid, nullifiers } of block.nullifiers) {
        for (let offset = 0; offset + 32 <= nullifiers.length; offset += 32) {
          const revealers = this.#revealers.find(pool, nullifiers, offset) ?? [];
          for (const revealer of revealers) if (revealer !== txIdToHex(txid)) conflicts.add(revealer);
        }
      }
    }
    return this.unmined.flatMap((one) => (conflicts.has(one.txid) ? [this.#vanish(one, 'conflicted')] : []));
  }

  /** Removes the transactions that are over according to the scanned blocks. Returns the vanished ones. */
  settle(): Vanished[] {
    const vanished: Vanished[] = [];
    for (const one of [...this.#ours.values()]) {
      const { txid, seenAtTip, expiryHeight, absentSince } = one;
      if (isMined(this.#noteStore, txid)) {
        // While it is listed, a chain that changes may make it unmined again.
        if (absentSince !== null) this.#forget(one);
      } else if (expiryHeight > 0 && this.#hasScanned(seenAtTip, expiryHeight)) {
        vanished.push(this.#vanish(one, 'expired'));
      } else if (absentSince !== null && this.#hasScanned(seenAtTip, absentSince)) {
        vanished.push(this.#vanish(one, 'dropped'));
      }
    }
    return vanished;
  }

  #hasScanned(from: Height, to: Height): boolean {
    const { lastScanHeight } = this.#noteStore;
    if (Math.min(lastScanHeight, this.#noteStore.scannedTop() ?? -1) < to) return false;
    return this.#noteStore.missing().every(({ start, end }) => end < from || start > to);
  }

  #hasRoomFor(read: ReadUnmined): boolean {
    const { transactions, notes, nullifiers } = this.#limits;
    const sum = (count: (one: Pick<UnminedTransaction, 'notes' | 'nullifiers'>) => number): number =>
      [...this.#ours.values()].reduce((total, one) => total + count(one), 0);
    return (
      this.#ours.size < transactions &&
      sum((one) => one.notes.length) + read.notes.length <= notes &&
      sum(nullifierCount) + nullifierCount(read) <= nullifiers
    );
  }

  /** It stays known while it is listed, so that it is not seen as new. */
  #vanish(transaction: UnminedTransaction, reason: VanishReason): Vanished {
    const spent = notesSpentBy(this.#noteStore, transaction)
      .filter((note) => note.spent === null)
      .reduce((sum, { value }) => sum + value, 0);
    this.#forget(transaction);
    return { transaction, reason, spent };
  }

  #forget({ txid }: UnminedTransaction): void {
    this.#ours.delete(txid);
    this.#revealers = new NullifierIndex();
    for (const other of this.#ours.values()) this.#index(other);
    // There is space now for what did not fit.
    if (this.#isOverfull) this.forgetOthers();
    this.#isOverfull = false;
  }

  #index({ txid, nullifiers }: UnminedTransaction): void {
    for (const { pool, nullifiers: packed } of nullifiers) {
      for (let offset = 0; offset + 32 <= packed.length; offset += 32) {
        const others = this.#revealers.find(pool, packed, offset) ?? [];
        const nullifier = nullifierToHex(asNullifier(packed.subarray(offset, offset + 32)));
        this.#revealers.set(pool, nullifier, [...others, txid]);
      }
    }
  }
}
