// The wallet file as the wallet actor needs it: the only place of secrets that can spend. It lies in src/storage/wallet.

import type { Height } from '@wallet-companion/base/values';
import type { Device } from '../../../protocol/fields.ts';
import type { Network } from '../../../protocol/network.ts';

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
  /** The phrase was made here, and three of its words were not given back yet: it may stand on no paper. */
  readonly phraseUnconfirmed?: boolean;
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
  readonly header: WalletHeader;
  readonly book: AccountBook;
  /** 32 bytes; seals the note store. Owned (and wiped) by the session. */
  readonly masterKey: Uint8Array;
}

/** Throws for a wallet that is not to be opened; called before the password is tried. */
export type HeaderCheck = (header: WalletHeader) => void;

export interface WalletFileBytes {
  readonly bytes: Uint8Array;
  /** Of the format that this program writes. */
  readonly version: number;
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
  open(password: Uint8Array, check?: HeaderCheck): Promise<OpenWallet>;
  /** Runs `use` with the secrets and wipes them afterwards, also after a failure. */
  withSecrets<T>(
    password: Uint8Array,
    use: (secrets: WalletSecrets) => T | Promise<T>,
    check?: HeaderCheck,
  ): Promise<T>;
  /** Rewrites the book; needs the open session's master key, not the password. */
  replaceBook(masterKey: Uint8Array, book: AccountBook): Promise<void>;
  /**
   * Seals the file with a new master key, under the new password: earlier copies of the file open nothing that comes after.
   * Returns the new key, which the caller wipes. Where it fails, `sealsWith` shows whether the old key still holds.
   */
  changePassword(password: Uint8Array, newPassword: Uint8Array, sealed: SealedBesides): Promise<Uint8Array>;
  /** Moves the file to a name that says that the wallet was removed, and returns that name. */
  putAside(): Promise<string>;
  /** The whole file as it is, for the thread that signs: it opens nothing without the password. */
  bytes(): WalletFileBytes;
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
