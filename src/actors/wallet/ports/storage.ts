// What the wallet actor asks of storage. The files live in src/storage; tests may use them in a temporary folder.

import type { BlockHash, Nullifier, TxId, TxIdHex } from '@wallet-companion/shielded/identifiers';
import type { ActivationHeights, Scope } from '@wallet-companion/shielded/network';
import type { Pool, TreeSizes } from '@wallet-companion/shielded/pools';
import type { Height, Zatoshi } from '@wallet-companion/shielded/values';
import type * as z from 'zod';
import type { LOG_LEVELS, SCAN_KERNELS, THEMES, verifier } from '../../../protocol/fields.ts';
import type { HookSetting } from '../../../protocol/hooks.ts';
import type { Network } from '../../../protocol/network.ts';
import type { ProverSetting } from '../../../protocol/prover.ts';
import type { Source } from '../../chain/ports/types.ts';
import type { ClaimPage, JournalEntry, JournalPage, JournalPlace, SaidOf } from './journal.ts';
import type { PaymentStore, PaymentWrites } from './payment.ts';
import type { Memo, StoredNote } from './storedNote.ts';
import type { WitnessPartStore } from './witnessPart.ts';

export type { Memo, StoredNote } from './storedNote.ts';

// ---------------------------------------------------------------------------------------------------------------------
// Wallet file

/** What can spend. Handed out only for the length of one call and wiped by the caller. */
export interface WalletSecrets {
  /** UTF-8 of the recovery phrase, normalised; null in a watch-only wallet. Bytes, so that they can be wiped. */
  readonly mnemonic: Uint8Array | null;
  readonly bip39Passphrase: Uint8Array;
}

export interface AccountRecord {
  readonly index: number;
  readonly birthdayHeight: Height;
  /** UFVK or UIVK text. */
  readonly viewingKey: string;
}

/** What an unlock gives: viewing material only. */
export interface AccountBook {
  readonly accounts: readonly AccountRecord[];
  /** Addresses handed out by `POST /api/address`, per account: the next unused diversifier index. */
  readonly nextDiversifierIndex: Readonly<Record<number, string>>;
  /** What the person calls addresses; absent where there is none. */
  readonly labels?: readonly AddressLabel[];
  /** The seed's fingerprint (ZIP 32), hexadecimal: signers know their keys by it. Absent in a watch-only wallet. */
  readonly seedFingerprint?: string;
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
  /** Runs `use` with the secrets and wipes them afterwards, whatever happens. */
  withSecrets<T>(password: Uint8Array, use: (secrets: WalletSecrets) => T | Promise<T>): Promise<T>;
  /** Rewrites the book; needs the open session's master key, not the password. */
  replaceBook(masterKey: Uint8Array, book: AccountBook): Promise<void>;
  /**
   * Seals the file with a new master key, under the new password: what was copied before opens nothing that comes after.
   * The answer is the new key, the caller's to wipe. Where it fails, `sealsWith` tells whether the old one still holds.
   */
  changePassword(password: Uint8Array, newPassword: Uint8Array, sealed: SealedBesides): Promise<Uint8Array>;
  /** Whether the file, as it lies there, is sealed with this key. */
  sealsWith(masterKey: Uint8Array): boolean;
}

/** What else is sealed with the wallet file's master key. */
export interface SealedBesides {
  /** Before the file is replaced. The keys are wiped afterwards. Where it throws, nothing is changed. */
  prepare(masterKey: Uint8Array, next: Uint8Array): Promise<void>;
  /** The file was not replaced, and what was prepared is of no use. Does not throw. */
  abandon(): void;
}

// ---------------------------------------------------------------------------------------------------------------------
// Configuration (config.json)

export type Theme = (typeof THEMES)[number];

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config {
  readonly network: Network;
  readonly node_url: string;
  readonly node_cookie_file: string | null;
  /** Written when a caller sets `node_url`: while it is that address, the cookie is for the one before. */
  readonly node_url_over_http: { readonly node_url: string; readonly instead_of: string } | null;
  readonly compact_server_url: string;
  /** Highest block scanned, for people to read and to edit while stopped; null when the file does not say. */
  readonly last_scan_height: Height | null;
  /** Which wallet `last_scan_height` is of (when it was made): data directories may share a config.json. */
  readonly last_scan_wallet: string | null;
  /** How often the companion wrote `last_scan_height`: a person who edits it leaves this alone. */
  readonly last_scan_writes: number | null;
  /** Of the wallet that `last_scan_wallet` names; null where nobody has counted yet. */
  readonly payment_writes: PaymentWrites | null;
  readonly theme: Theme;
  readonly min_confirmations: number;
  /** Zatoshi that payments pay for an action (ZIP 317). */
  readonly fee_per_action: number;
  readonly auto_lock_seconds: number;
  readonly allowed_origins: readonly string[];
  readonly restrict_db_path: boolean;
  /** Blocks below the last scanned one that stay of what a scan stores for itself; null: all of it stays. */
  readonly compact_tail_blocks: number | null;
  /** Whether new blocks are scanned as they come, from where, and whether the wallet stays unlocked meanwhile. */
  readonly follow: boolean;
  readonly follow_source: Source;
  readonly follow_keep_open: boolean;
  /**
   * Whether memos and sent notes of compact-scanned transactions are fetched in full (tells the server which are ours).
   */
  readonly complete_transactions: boolean;
  /** Which trial decryption: `wide` where this Node has it. */
  readonly scan_kernel: (typeof SCAN_KERNELS)[number];
  /** Whether payments are sent with the password alone, session or not. */
  readonly broadcast_needs_password: boolean;
  /** A queue of scan workers, on this machine or over TLS; null: scans run in this process alone. */
  readonly fleet_redis_url: string | null;
  readonly fleet_redis_password_file: string | null;
  /** What jobs and results are sealed with. */
  readonly fleet_key_file: string | null;
  /** Null: what the environment says. */
  readonly log_level: LogLevel | null;
  readonly on_event: readonly HookSetting[];
  /** Null: nobody makes proofs. */
  readonly prover: ProverSetting | null;
  /** Regtest only; undefined members take the defaults. */
  readonly activation_heights: Partial<ActivationHeights>;
}

export interface ConfigFile {
  /** The values in force: file over defaults, then what `serve` flags override (never written). */
  get(): Config;
  /** Whether config.json or a flag says it, rather than the default. */
  isSet(key: keyof Config): boolean;
  /** The nodes that config.json and the command line name. What a caller has set since is none of them. */
  namedNodes(): string[];
  /**
   * Writes the changed keys atomically (temp, fsync, rename, folder fsync); unknown keys in the file are kept.
   * `byOwner`: by whoever owns the file, rather than by somebody who may call.
   */
  update(changes: Partial<Config>, byOwner?: boolean): Promise<Config>;
  /**
   * Takes what may change while running from the file as it lies there. What is wrong with the file is thrown, as at
   * start, and changes nothing.
   */
  reload(): Promise<Config>;
}

// ---------------------------------------------------------------------------------------------------------------------
// Note store (ledger.db): what was scanned. Everything of ours is sealed at rest with the master key; chain data is
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

/** One of our transactions. */
export interface StoredTransaction {
  readonly txid: TxIdHex;
  readonly height: Height;
  readonly txIndex: number;
  /** Unix seconds of its block. */
  readonly time: number;
  /** Whether the full transaction has been read (memos, sent outputs). */
  readonly complete: boolean;
  /** Of its block, hexadecimal in display order. Undefined where its spend was seen above a gap. */
  readonly blockHash?: string;
  /** Zatoshi; undefined where it cannot be known that all of it was ours to pay. */
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

/** Who else than a compact server says what is in blocks; null: nobody. */
export type Verifier = z.infer<typeof verifier> | null;

/** Small state of the note store, written with every commit. Sealed. */
export interface NoteStoreState {
  /** Scanned ranges per account, ascending, disjoint, not touching. */
  readonly scanned: Readonly<Record<number, readonly HeightRange[]>>;
  /** The scanned blocks that a chain node gave in their last scan, or confirmed. */
  readonly verified: readonly HeightRange[];
  /** Where each account's chain starts: its birthday, or lower once something below it was scanned. */
  readonly floors: Readonly<Record<number, number>>;
  /** Highest block scanned. */
  readonly lastScanHeight: Height;
  /** The value last written to config.json, so that a crash between the two is never taken for a user's edit. */
  readonly exportedScanHeight: Height;
  /**
   * How often it was written there; config.json counts along, so that a store put back is not taken for an edit either.
   */
  readonly exportCount: number;
  /** The journal reports every note up to here as confirmed, and none above. */
  readonly confirmedUpTo: Height;
}

/**
 * What a store holds comes in slices that take a few milliseconds each, so that whoever loads it can do others a turn.
 */
export interface NoteStoreSlice {
  /** In the first slice, where there is one. */
  readonly state?: NoteStoreState;
  readonly notes?: readonly StoredNote[];
  readonly sentOutputs?: readonly StoredSentOutput[];
  readonly transactions?: readonly StoredTransaction[];
  /** Ascending by height. */
  readonly blocks?: readonly StoredBlock[];
  readonly claims?: readonly ClaimPage[];
}

/** One atomic commit. Notes, sent outputs and transactions are keyed by (txid, pool, outputIndex, account) / (txid). */
export interface NoteStoreChange {
  readonly state: NoteStoreState;
  /** Everything kept before goes first, journal and claims apart. */
  readonly clear?: boolean;
  /** Appended in this order. */
  readonly journal?: Iterable<JournalEntry>;
  readonly putClaims?: readonly ClaimPage[];
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
  readonly deleteNullifiersUpTo?: number;
  readonly deleteNullifiersAbove?: number;
}

/** Errors: `STORAGE_FAILED`; `WALLET_CORRUPT` when a record does not open with the master key. */
export interface NoteDatabase extends WitnessPartStore, PaymentStore {
  /** Milliseconds in which commits have waited for the disk so far, where that is counted. */
  readonly commitMs?: number;
  /** Everything, or it throws before the end. Nothing may be written while it is read. */
  load(): IterableIterator<NoteStoreSlice>;
  /** All or nothing, durable when it returns (synchronous=FULL). */
  commit(change: NoteStoreChange): void;
  /** Kept sightings of these nullifiers, in the order asked; undefined where not seen. */
  findSightings(
    wanted: readonly { readonly pool: Pool; readonly nullifier: Nullifier }[],
  ): (NullifierSighting | undefined)[];
  /**
   * Entries after a place, or from the oldest on; `end`: none, and the place after all of them. `unknown`: the place is not one of this journal, as it is now.
   * `dropped`: some of what followed it is no longer kept.
   */
  readJournal(after: JournalPlace | 'end' | undefined, limit: number): JournalPage | 'unknown' | 'dropped';
  /** Numbers of the newest entries of these kinds about these notes, in the order asked; null where none is kept. */
  findSaid(wanted: readonly SaidOf[]): (number | null)[];
  /**
   * Lays the same beside, sealed with another master key: `NoteDatabases.open` with that key puts it in its place. In
   * slices of some milliseconds; nothing may be written meanwhile.
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
  /** Throws away what `reseal` laid beside. Does not throw: `open` would do it, too. */
  dropResealed(): void;
  /** Moves a note store that an earlier wallet left behind out of the way. Called when a wallet is made. */
  retire(): void;
}
