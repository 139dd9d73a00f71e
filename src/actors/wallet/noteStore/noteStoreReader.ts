// What the wallet knows of the chain, for everyone who reads it: notes, spends, block hashes, the ranges scanned, and what is missing
// for which account. Only NoteStore, which keeps it, changes it.

import type { Height } from '@wallet-companion/base/values';
import type { TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { ScanHeights } from '@wallet-companion/zcash/scan';
import type {
  HeightRange,
  PoolOfAccount,
  StoredBlock,
  StoredSentOutput,
  StoredTransaction,
  Unsearched,
  Verifier,
} from '../ports/noteDatabase.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import { emptiedPools } from './book/emptiedPools.ts';
import type { ChainLink } from './book/knownBlocks.ts';
import type { NoteMemory } from './book/noteMemory.ts';
import type { NoteTables } from './book/noteTables.ts';
import { type HeightSet, includes } from './book/ranges.ts';
import {
  countSearched,
  everScanned,
  floorOf,
  isScannedWith,
  missingFor,
  missingLater,
  type NoteStoreAccount,
  scannedTopFor,
  unverifiedRanges,
  type VerifiedStretch,
  verifiedStretches,
  verifierAt,
  verifierOf,
} from './book/scannedRanges.ts';
import { unenhancedTransactions } from './enhancement.ts';

/**
 * Whether accounts of the phrase are looked for. `stalled`: the next one is not, because its keys are not there yet; so nothing is
 * complete.
 */
export type AccountsSearch = 'none' | 'on' | 'stalled';

export class NoteStoreReader {
  protected readonly memory: NoteMemory;
  protected accounts: readonly NoteStoreAccount[];
  protected search: AccountsSearch = 'none';

  protected constructor(memory: NoteMemory, accounts: readonly NoteStoreAccount[]) {
    this.memory = memory;
    this.accounts = accounts;
  }

  /** Whether nothing was ever kept here: the store of a new wallet, or one that replaces a lost store. */
  get isFresh(): boolean {
    return this.memory.isFresh;
  }

  get lastScanHeight(): number {
    return this.memory.state.lastScanHeight;
  }

  get notes(): IterableIterator<StoredNote> {
    return this.memory.notes.values();
  }

  get sentOutputs(): IterableIterator<StoredSentOutput> {
    return this.memory.sent.values();
  }

  get transactions(): IterableIterator<StoredTransaction> {
    return this.memory.transactions.values();
  }

  transaction(txid: TxIdHex): StoredTransaction | undefined {
    return this.memory.transactions.get(txid);
  }

  /** The notes and transactions in order, and by transaction. */
  get tables(): NoteTables {
    return this.memory.tables;
  }

  /** The wallet's note whose nullifier is the 32 bytes at `offset` of packed ones. */
  byNullifier(pool: StoredNote['pool'], packed: Uint8Array, offset: number): StoredNote | undefined {
    return this.memory.notes.byNullifier(pool, packed, offset);
  }

  block(height: Height): StoredBlock | undefined {
    return this.memory.blocks.get(height);
  }

  /** Ascending. */
  get blockHeights(): readonly number[] {
    return this.memory.blocks.heights;
  }

  /** The known heights of each stretch of linked blocks; both ascending. */
  get stretches(): number[][] {
    return this.memory.blocks.stretches(everScanned(this.memory.state));
  }

  /** Whether the block was scanned, for any account. */
  isScanned(height: Height): boolean {
    return includes(everScanned(this.memory.state), height);
  }

  isScannedFor(account: number, height: Height): boolean {
    return includes(this.memory.state.scanned[account] ?? [], height);
  }

  /** Whether the block came in full. */
  isVerified(height: Height): boolean {
    return includes(this.memory.state.verified, height);
  }

  /** Whether consecutive blocks belong to the chain that was scanned, as far as its hashes are known. */
  fits(blocks: readonly ChainLink[]): boolean {
    return this.memory.blocks.fits(blocks);
  }

  get isSearchStalled(): boolean {
    return this.search === 'stalled';
  }

  /** Whether blocks are still scanned for an account that is looked for. */
  get isSearching(): boolean {
    return this.scannedAccounts.length > this.accounts.filter(({ until }) => until === undefined).length;
  }

  /** How many accounts, from the first on, were looked at without a gap; null where none is looked for. */
  get accountsSearched(): number | null {
    return this.search === 'none' ? null : countSearched(this.memory.state, this.accounts);
  }

  /** The missing ranges that the first account does not miss. */
  get missingLater(): HeightRange[] {
    return missingLater(this.memory.state, this.accounts);
  }

  /** Where the account's chain starts. */
  floor(account: NoteStoreAccount): Height {
    return floorOf(this.memory.state, account);
  }

  /** What was scanned with the keys of an account, ascending. */
  scanned(account: number): HeightSet {
    return this.memory.state.scanned[account] ?? [];
  }

  /** The same, split where the verifier changes. */
  verifiedStretches(account: number): readonly VerifiedStretch[] {
    return verifiedStretches(this.memory.state, account);
  }

  /** The pools of accounts that need not be searched in blocks from `from` up. */
  emptiedPools(heights: ScanHeights, from: Height): PoolOfAccount[] {
    const { state, notes } = this.memory;
    return emptiedPools(state, this.accounts, notes.values(), heights, from);
  }

  /** The scanned blocks in which a pool was not searched for the account. */
  unsearched(account: number): readonly Unsearched[] {
    return (this.memory.state.unsearched ?? []).filter((entry) => entry.account === account);
  }

  /** What verified all scanned blocks, for one account or all. */
  verifiedWith(account?: number): Verifier {
    return verifierOf(this.memory.state, this.#chosen(account));
  }

  /** The scanned blocks that no source verified, ascending. */
  get unverified(): HeightSet {
    return unverifiedRanges(this.memory.state, this.accounts);
  }

  /** The mark of a block. */
  verifiedAt(height: Height): Verifier {
    return verifierAt(this.memory.state, height);
  }

  /** The ranges not scanned between the birthday and the last scanned height, for one account or any of them. */
  missing(account?: number): HeightRange[] {
    return missingFor(this.memory.state, this.#chosen(account));
  }

  /**
   * The highest scanned block; undefined before the first one from a birthday on, that of the account or of any. A scan
   * height that the user wrote is no scanned block.
   */
  scannedTop(account?: number): number | undefined {
    return scannedTopFor(this.memory.state, this.#chosen(account));
  }

  #chosen(account: number | undefined): readonly NoteStoreAccount[] {
    return account === undefined ? this.accounts : this.accounts.filter(({ index }) => index === account);
  }

  /**
   * A rewind to `height` or a little lower ends here: at a known block, or below everything that was scanned without a
   * break. So the next block must link.
   */
  rewindTarget(height: Height): number {
    const stretch = everScanned(this.memory.state).find(({ start, end }) => start <= height && height <= end);
    if (stretch === undefined) return height;
    const known = this.memory.blocks.heights.findLast((candidate) => candidate <= height);
    return known !== undefined && known >= stretch.start ? known : stretch.start - 1;
  }

  /** The wallet's transactions whose full bytes may still add something: memos of compact-scanned notes, sent outputs. */
  unenhancedTransactions(): StoredTransaction[] {
    return unenhancedTransactions(this.memory.transactions.values());
  }

  note(key: string): StoredNote | undefined {
    return this.memory.notes.get(key);
  }

  protected get scannedAccounts(): readonly NoteStoreAccount[] {
    return this.accounts.filter((account) => isScannedWith(this.memory.state, account));
  }
}
