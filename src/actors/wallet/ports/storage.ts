// What the wallet actor needs of storage. The files lie in src/storage; tests may use them in a temporary folder.

import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type { BlockHash, Nullifier, TxId, TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { ActivationHeights, Scope } from '@wallet-companion/zcash/network';
import type { Pool, TreeSizes } from '@wallet-companion/zcash/pools';
import type * as z from 'zod';
import type { ProgramSetting } from '../../../programs/programRun.ts';
import type { AnonymousAccess } from '../../../protocol/anonymousAccess.ts';
import type {
  BLOCK_SOURCES,
  Device,
  LOG_LEVELS,
  SCAN_KERNELS,
  THEMES,
  verifier,
} from '../../../protocol/fields.ts';
import type { HookSetting } from '../../../protocol/hookEvents.ts';
import type { Network } from '../../../protocol/network.ts';
import type { JournalEntry, JournalPage, JournalPlace, RescanPage, SaidOf } from './journal.ts';
import type { PaymentStore, PaymentWrites } from './payment.ts';
import type { Memo, StoredNote } from './storedNote.ts';
import type { LastingChange, WitnessPartStore } from './witnessPart.ts';

export type { Memo, StoredNote } from './storedNote.ts';

// ---------------------------------------------------------------------------------------------------------------------
// Wallet file

/** The secrets that can spend. Given for one call only; the caller wipes them. */
export interface WalletSecrets {
  /** UTF-8 of the recovery phrase, normalised; null in a watch-only wallet. Bytes, so that they can be wiped. */
  readonly mnemonic: Uint8Array | null;
  readonly bip39Passphrase: Uint8Array;
}

export interface AccountRecord {
  readonly index: number;
  readonly birthdayHeight: Height;
  /** Text of the UFVK or UIVK. */
  readonly viewingKey: string;
  /** ZIP 32 account in the seed that signs. Absent where `index` is that, and in a watch-only wallet that was not given it. */
  readonly accountIndex?: number;
  readonly name?: string;
}

/** What signs for the wallet. */
export interface SigningDevice {
  readonly kind: Device;
  /** Three numbers with points, as the device shows them. */
  readonly version?: string;
}

/** What an unlock opens: viewing material only. */
export interface AccountBook {
  readonly accounts: readonly AccountRecord[];
  /** The next unused diversifier index of each account; `POST /api/address` counts it up. */
  readonly nextDiversifierIndex: Readonly<Record<number, string>>;
  /** The user's names for addresses; absent where there are none. */
  readonly labels?: readonly AddressLabel[];
  /** Whom the user pays; absent where there is nobody. */
  readonly contacts?: readonly Contact[];
  /** The seed's fingerprint (ZIP 32), hexadecimal: signers know their keys by it. Absent in a watch-only wallet that was not given it. */
  readonly seedFingerprint?: string;
  readonly device?: SigningDevice;
  /**
   * The search for accounts that the phrase had before it was restored. Null: none, because the phrase was made here. Absent: a
   * wallet without a phrase, or a file of an earlier program, whose search begins at the next unlock.
   */
  readonly search?: AccountSearch | null;
}

export interface AccountSearch {
  /** The highest account (ZIP 32) with a note; 0 before one was found. The next one is looked for. */
  readonly lastUsed: number;
  /** Viewing keys of accounts above it: a scan has no phrase. */
  readonly ahead: readonly AheadKey[];
  /** The search has seen every block up to here; absent before it came to the end of a chain. Later blocks are not searched. */
  readonly until?: Height;
}

export interface AheadKey {
  readonly index: number;
  readonly viewingKey: string;
}

/** Neither a name nor an address is twice in a book. */
export interface Contact {
  readonly name: string;
  /** An address of the wallet's network, as it was given. */
  readonly address: string;
  readonly note?: string;
}

export interface AddressLabel {
  readonly account: number;
  /** Decimal. */
  readonly diversifierIndex: string;
  readonly text: string;
}

/** Readable without the password, authenticated with it. */
export interface WalletHeader {
  readonly network: Network;
  readonly birthdayHeight: Height;
  readonly createdAt: string;
  readonly watchOnly: boolean;
}

export interface OpenWallet {
  readonly book: AccountBook;
  /** 32 bytes; seals the note store. Owned (and wiped) by the session. */
  readonly masterKey: Uint8Array;
}

/** Errors: `WALLET_EXISTS`, `NO_WALLET`, `WRONG_PASSWORD`, `WALLET_CORRUPT`, `STORAGE_FAILED`. */
export interface WalletFile {
  /** Whether the file is there, whatever its state; reads nothing. */
  exists(): boolean;
  /** Throws `WALLET_CORRUPT` when the header is damaged. */
  header(): WalletHeader | undefined;
  create(
    header: WalletHeader,
    secrets: WalletSecrets,
    book: AccountBook,
    password: Uint8Array,
  ): Promise<OpenWallet>;
  open(password: Uint8Array): Promise<OpenWallet>;
  /** Runs `use` with the secrets and wipes them afterwards, also after a failure. */
  withSecrets<T>(password: Uint8Array, use: (secrets: WalletSecrets) => T | Promise<T>): Promise<T>;
  /** Rewrites the book; needs the open session's master key, not the password. */
  replaceBook(masterKey: Uint8Array, book: AccountBook): Promise<void>;
  /**
   * Seals the file with a new master key, under the new password: earlier copies of the file open nothing that comes after.
   * Returns the new key, which the caller wipes. Where it fails, `sealsWith` shows whether the old key still holds.
   */
  changePassword(password: Uint8Array, newPassword: Uint8Array, sealed: SealedBesides): Promise<Uint8Array>;
  /** Moves the file to a name that says that the wallet was removed, and returns that name. */
  putAside(): Promise<string>;
  /** Whether the file on disk is sealed with this key. */
  sealsWith(masterKey: Uint8Array): boolean;
}

/** Other files that are sealed with the wallet file's master key. */
export interface SealedBesides {
  /** Runs before the file is replaced. The keys are wiped afterwards. Where it throws, nothing is changed. */
  prepare(masterKey: Uint8Array, next: Uint8Array): Promise<void>;
  /** The file was not replaced: drops what was prepared. Does not throw. */
  abandon(): void;
}

// ---------------------------------------------------------------------------------------------------------------------
// Configuration (config.json)

export type Theme = (typeof THEMES)[number];

export type BlockSourceSetting = (typeof BLOCK_SOURCES)[number];

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config {
  readonly network: Network;
  readonly node_url: string;
  readonly node_cookie_file: string | null;
  /** Written when a caller sets `node_url`: while `node_url` has that value, the cookie is for the address before it. */
  readonly node_url_over_http: { readonly node_url: string; readonly instead_of: string } | null;
  readonly compact_server_url: string;
  /** Where blocks come from for every call without a source of its own. The first use replaces `auto` by what it chose. */
  readonly block_source: BlockSourceSetting;
  /** Highest block scanned, for people to read and to edit while stopped; null when it is not in the file. */
  readonly last_scan_height: Height | null;
  /** The wallet of `last_scan_height` (when it was made): data directories may share a config.json. */
  /** The wallet whose phrase the user has seen or typed since it was made. */
  readonly backed_up_wallet: string | null;
  readonly last_scan_wallet: string | null;
  /** How often the companion wrote `last_scan_height`: a user who edits it leaves this unchanged. */
  readonly last_scan_writes: number | null;
  /** Counts for the wallet of `last_scan_wallet`; null where nothing was counted yet. */
  readonly payment_writes: PaymentWrites | null;
  readonly theme: Theme;
  readonly min_confirmations: number;
  /** Zatoshi that payments pay per action (ZIP 317). */
  readonly fee_per_action: number;
  /** Invoices below so many zatoshi count as confirmed with one confirmation, unless they say another number. */
  readonly invoice_one_confirmation_below: number;
  readonly auto_lock_seconds: number;
  readonly allowed_origins: readonly string[];
  /** What callers over HTTP may do without a grant. */
  readonly anonymous_access: AnonymousAccess;
  readonly restrict_db_path: boolean;
  /** How many blocks below the last scanned one stay of those that a scan stored by itself; null: all. */
  readonly compact_tail_blocks: number | null;
  /** Whether new blocks are scanned as they come, and whether the wallet stays unlocked meanwhile. */
  readonly follow: boolean;
  readonly follow_keep_open: boolean;
  /**
   * Whether memos and sent notes of compact-scanned transactions are fetched in full (shows the server which are the wallet's).
   */
  readonly complete_transactions: boolean;
  /** Which trial decryption to use: `wide` only where this Node has it. */
  readonly scan_kernel: (typeof SCAN_KERNELS)[number];
  /** Whether sending a payment needs the password, even in an open session. */
  readonly broadcast_needs_password: boolean;
  /** Whether a payment that was sent and not mined is sent again by itself, until it expires. */
  readonly rebroadcast: boolean;
  /** A queue of scan workers, on this machine or over TLS; null: scans run in this process alone. */
  readonly fleet_redis_url: string | null;
  readonly fleet_redis_password_file: string | null;
  /** The key file that seals jobs and results. */
  readonly fleet_key_file: string | null;
  /** The share of a fleet's jobs that two workers do. */
  readonly fleet_double_jobs: number;
  /** Null: the environment decides. */
  readonly log_level: LogLevel | null;
  /** For how long a followed chain may have no new block, in seconds; and below how much free disk is told. 0: never. */
  readonly behind_after_seconds: number;
  readonly disk_low_bytes: number;
  readonly on_event: readonly HookSetting[];
  /** Programs for the payments' PCZTs; null: none is configured. */
  readonly prover: ProgramSetting | null;
  readonly signer: ProgramSetting | null;
  /** Regtest only; undefined members take the defaults. */
  readonly activation_heights: Partial<ActivationHeights>;
}

export interface ConfigFile {
  /** The values in force: file over defaults, then what `serve` flags override (never written). */
  get(): Config;
  /** Whether the value comes from config.json or a flag, not from the default. */
  isSet(key: keyof Config): boolean;
  /** The nodes that config.json and the command line name, without those that a caller has set since. */
  namedNodes(): string[];
  /**
   * Writes the changed keys atomically (temp, fsync, rename, folder fsync); unknown keys in the file are kept. `byOwner`: the
   * change comes from the owner of the file, not from another caller.
   */
  update(changes: Partial<Config>, byOwner?: boolean): Promise<Config>;
  /**
   * Reads the values that may change at run time from the file again. An error in the file is thrown, as at start, and changes
   * nothing.
   */
  reload(): Promise<Config>;
}

// ---------------------------------------------------------------------------------------------------------------------
// Note store (ledger.db): what was scanned. Everything about the wallet is sealed at rest with the master key; chain data is
// plain.

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

/** Which source besides a compact server confirms the contents of blocks; null: none. */
export type Verifier = z.infer<typeof verifier> | null;

/** Small state of the note store, written with every commit. Sealed. */
export interface NoteStoreState {
  /** Scanned ranges per account, ascending, disjoint, not touching. */
  readonly scanned: Readonly<Record<number, readonly HeightRange[]>>;
  /** The scanned blocks that a chain node gave in their last scan. */
  readonly verified: readonly HeightRange[];
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
  findSaid(wanted: readonly SaidOf[]): (number | null)[];
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
