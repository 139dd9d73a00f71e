// The note store (ledger.db) as the wallet actor needs it: what was scanned. Everything about the wallet is sealed at rest with the
// master key; chain data is plain. It lies in src/storage/notes.

import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type { BlockHash, Nullifier, TxId, TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { Scope } from '@wallet-companion/zcash/network';
import type { Pool, TreeSizes } from '@wallet-companion/zcash/pools';
import type * as z from 'zod';
import type { verifier } from '../../../protocol/fields.ts';
import type { JournalEntry, JournalKey, JournalPage, JournalPlace, RescanPage } from './journal.ts';
import type { PaymentStore } from './payment.ts';
import type { Memo, StoredNote } from './storedNote.ts';
import type { LastingChange, WitnessPartStore } from './witnessPart.ts';

export interface StoredSentOutput {
  readonly pool: Pool;
  readonly account: number;
  readonly scope: Scope;
  readonly txid: TxIdHex;
  readonly height: Height;
  readonly outputIndex: number;
  readonly value: Zatoshi;
  /** Hex of 43 bytes. */
  readonly recipient: string;
  readonly memo: Memo;
}

/** A transaction of the wallet. */
export interface StoredTransaction {
  readonly txid: TxIdHex;
  readonly height: Height;
  readonly txIndex: number;
  /** Unix seconds of its block. */
  readonly time: number;
  /** Whether the full transaction has been read (memos, sent outputs). */
  readonly complete: boolean;
  /** The hash of its block, hexadecimal in display order. Undefined where its spend was seen above a gap. */
  readonly blockHash?: string;
  /** Zatoshi; undefined unless the wallet is known to have paid all of it. */
  readonly fee?: Zatoshi;
}

export interface StoredBlock {
  readonly height: Height;
  readonly hash: BlockHash;
  readonly prevHash: BlockHash;
  readonly time: number;
  readonly treeSizes: TreeSizes;
}

/** A nullifier seen above a gap; kept until the gap closes so that a note found later is known as spent. */
export interface NullifierSighting {
  readonly pool: Pool;
  /** 32 bytes. */
  readonly nullifier: Nullifier;
  readonly height: Height;
  readonly txIndex: number;
  readonly txid: TxId;
  /** Unix seconds of its block. */
  readonly time: number;
}

/** Inclusive. */
export interface HeightRange {
  readonly start: Height;
  readonly end: Height;
}

/** What besides a compact server confirms the contents of blocks; null: none. */
export type Verifier = z.infer<typeof verifier> | null;

export interface PoolOfAccount {
  readonly account: number;
  readonly pool: Pool;
}

/** Scanned blocks in which outputs of the pool were not searched for the account. */
export interface Unsearched extends PoolOfAccount {
  readonly ranges: readonly HeightRange[];
}

/** Small state of the note store, written with every commit. Sealed. */
export interface NoteStoreState {
  /** Scanned ranges per account, ascending, disjoint, not touching. */
  readonly scanned: Readonly<Record<number, readonly HeightRange[]>>;
  /** The scanned blocks that came in full in their last scan. */
  readonly verified: readonly HeightRange[];
  /** Those of them that peers gave, and not a node; absent in stores of older versions: none. */
  readonly byWork?: readonly HeightRange[];
  /** Absent where every pool was searched everywhere. */
  readonly unsearched?: readonly Unsearched[];
  /** Where each account's chain starts: its birthday, or lower once something below it was scanned. */
  readonly floors: Readonly<Record<number, number>>;
  /** Highest block scanned. */
  readonly lastScanHeight: Height;
  /** The value last written to config.json, so that a crash between the two writes is never mistaken for a user's edit. */
  readonly exportedScanHeight: Height;
  /** How often it was written there; config.json has the same count, so that a restored old store is no edit either. */
  readonly exportCount: number;
  /** The journal reports every note up to here as confirmed, and none above. */
  readonly confirmedUpTo: Height;
}

/** A part of the store that takes a few milliseconds to load, so that the loader can let other work run in between. */
export interface NoteStoreSlice {
  /** Only in the first slice, if there is a state. */
  readonly state?: NoteStoreState;
  readonly notes?: readonly StoredNote[];
  readonly sentOutputs?: readonly StoredSentOutput[];
  readonly transactions?: readonly StoredTransaction[];
  /** Ascending by height. */
  readonly blocks?: readonly StoredBlock[];
  readonly rescanEntries?: readonly RescanPage[];
}

/** One atomic commit. Notes, sent outputs and transactions are keyed by (txid, pool, outputIndex, account) / (txid). */
export interface NoteStoreChange {
  readonly state: NoteStoreState;
  /** Deletes everything kept before, except journal and rescan entries, first. */
  readonly clear?: boolean;
  /** Appended in this order. */
  readonly journal?: Iterable<JournalEntry>;
  readonly putRescanPages?: readonly RescanPage[];
  /** Inserted, or replaced when the key is there. */
  readonly putNotes?: readonly StoredNote[];
  readonly deleteNotes?: readonly StoredNote[];
  readonly putSentOutputs?: readonly StoredSentOutput[];
  readonly deleteSentOutputs?: readonly StoredSentOutput[];
  readonly putTransactions?: readonly StoredTransaction[];
  readonly deleteTransactions?: readonly StoredTransaction[];
  readonly putBlocks?: readonly StoredBlock[];
  readonly deleteBlocks?: readonly number[];
  readonly deleteBlocksAbove?: number;
  readonly sightings?: readonly NullifierSighting[];
  /** Before the new ones are put. */
  readonly deleteNullifiers?: readonly HeightRange[];
  readonly lasting?: LastingChange;
}

/** Errors: `STORAGE_FAILED`; `WALLET_CORRUPT` when a record does not open with the master key. */
export interface NoteDatabase extends WitnessPartStore, PaymentStore {
  /** Milliseconds that commits have waited for the disk so far, where that is counted. */
  readonly commitMs?: number;
  /** Loads everything, or throws before the end. The caller must not write meanwhile. */
  load(): IterableIterator<NoteStoreSlice>;
  /** All or nothing, durable when it returns (synchronous=FULL). */
  commit(change: NoteStoreChange): void;
  /** Kept sightings of these nullifiers, in the order of the argument; undefined where not seen. */
  findSightings(
    wanted: readonly { readonly pool: Pool; readonly nullifier: Nullifier }[],
  ): (NullifierSighting | undefined)[];
  /**
   * Entries after a place, or from the oldest on; `end`: no entries, only the place after the last. `unknown`: the place is not
   * one of this journal in its present state. `dropped`: some of the entries after it are no longer kept.
   */
  readJournal(after: JournalPlace | 'end' | undefined, limit: number): JournalPage | 'unknown' | 'dropped';
  /** Numbers of the newest entries of these kinds about these notes, in the order of `wanted`; null where none is kept. */
  findReported(wanted: readonly JournalKey[]): (number | null)[];
  /**
   * Writes a copy sealed with another master key next to the store: `NoteDatabases.open` with that key replaces the store by it.
   * Works in slices of some milliseconds; the caller must not write meanwhile.
   */
  reseal(masterKey: Uint8Array): IterableIterator<void>;
  close(): void;
}

export interface NoteDatabases {
  /**
   * Opens (or creates) the note store sealed with this wallet's master key. The store keeps derived keys, not the
   * master key.
   */
  open(masterKey: Uint8Array): NoteDatabase;
  /** Deletes the copy that `reseal` wrote. Does not throw: `open` would delete it, too. */
  dropResealed(): void;
  /** Moves aside a note store that an earlier wallet left behind. Called when a wallet is made. */
  retire(): void;
}
