// The wallet file. All integers little-endian.
//
//   magic        16  "wallet-companion"
//   version       2     1
//   facts         2 + n   JSON: network, birthday_height, created_at, watch_only
//   key slot    100  Argon2id memory KiB 4, passes 4, lanes 4, salt 16, then the master key sealed under the password's
//                    key: nonce 24, ciphertext 32, tag 16
//   secrets       4 + n   sealed under a subkey of the master key: recovery phrase, BIP-39 passphrase
//   book          4 + n   sealed under another subkey: accounts with viewing keys, address counters,
//                         labels, contacts, seed fingerprint, device and whether the phrase was confirmed (absent
//                         where a wallet has none)
//   checksum     32  BLAKE2b-256 of everything before it
//
// The facts are readable without the password. They are authenticated with it: magic, version and facts are associated
// data of all three seals, the parameters of the key slot of the first. So where an account's birthday in the book falls, the one
// in the facts follows at the next use of the password. A change of password makes a new master key and
// seals all three anew: a key slot or a section from before fits nothing that came after.
//
// Wrong password or damaged file? The seal alone cannot distinguish them, because a flipped bit in the key slot looks like a
// wrong key. The checksum finds accidents (flipped bits, truncation) before the KDF runs: WALLET_CORRUPT. The seals stop an
// attacker who edits the file and recomputes the checksum: WRONG_PASSWORD when the edit touches
// facts or key slot, WALLET_CORRUPT when it touches a section.

import { blake2b } from '@noble/hashes/blake2.js';
import {
  asciiBytes,
  ByteReader,
  concatBytes,
  equalBytes,
  FormatError,
  u32ToLeBytes,
} from '@wallet-companion/base/bytes';
import {
  isAcceptableKdf,
  KDF_SALT_SIZE,
  type KdfParameters,
  KEY_SIZE,
  SEAL_OVERHEAD,
} from '@wallet-companion/disk/sealing';
import * as z from 'zod';
import type {
  AccountBook,
  AccountRecord,
  AccountSearch,
  WalletHeader,
  WalletSecrets,
} from '../../actors/wallet/ports/walletFile.ts';
import { CompanionError } from '../../protocol/errors.ts';
import * as field from '../../protocol/fields.ts';

const MAGIC = asciiBytes('wallet-companion');
const CHECKSUM_SIZE = 32;
const KDF_PARAMETERS_SIZE = 12 + KDF_SALT_SIZE;
const WRAPPED_KEY_SIZE = KEY_SIZE + SEAL_OVERHEAD;
/** Enough for about 4,000 accounts; a larger file is not one of ours and is not read into memory. */
export const MAX_WALLET_FILE_SIZE = 6 * 1024 * 1024;

/** What every version begins with. */
export interface WalletPrefix {
  readonly version: number;
  /** Magic, version and facts: associated data of every seal. */
  readonly prefix: Uint8Array;
  readonly header: WalletHeader;
}

/** A wallet file taken apart; everything in it is public or sealed. */
export interface WalletContainer extends WalletPrefix {
  readonly kdf: KdfParameters;
  readonly salt: Uint8Array;
  readonly wrappedKey: Uint8Array;
  readonly secrets: Uint8Array;
  readonly book: Uint8Array;
}

const u16 = (value: number): Uint8Array => Uint8Array.of(value & 0xff, value >>> 8);

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export const walletCorrupt = (why: string, cause?: unknown): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    `The wallet file is damaged: ${why}. It was left as it is; put a copy of it in its place, or move it away and restore from the recovery phrase.`,
    { cause },
  );

const unknownVersion = (version: number): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    `The wallet file has format ${version}, which this program does not know; it was left as it is. Use the newer program that wrote it.`,
  );

// ---------------------------------------------------------------------------------------------------------------------
// Container

const factsSchema = z.strictObject({
  network: field.network,
  birthday_height: field.height,
  created_at: z.string().max(64),
  watch_only: z.boolean(),
});

export function encodePrefix(header: WalletHeader, version: number): Uint8Array {
  const facts = utf8(
    JSON.stringify({
      network: header.network,
      birthday_height: header.birthdayHeight,
      created_at: header.createdAt,
      watch_only: header.watchOnly,
    }),
  );
  return concatBytes(MAGIC, u16(version), u16(facts.length), facts);
}

/** What the seal of the master key authenticates. */
export function keySlotContext({
  prefix,
  kdf,
  salt,
}: Pick<WalletContainer, 'prefix' | 'kdf' | 'salt'>): Uint8Array {
  return concatBytes(prefix, encodeKdf(kdf), salt);
}

/** Sealed separately, each under its own key and name. In the format the account book is called "view". */
export const SECTION_NAMES = { secrets: 'secrets', book: 'view' } as const;
export type Section = keyof typeof SECTION_NAMES;

export function sectionContext(prefix: Uint8Array, section: Section): Uint8Array {
  return concatBytes(prefix, utf8(SECTION_NAMES[section]));
}

const encodeKdf = ({ memoryKib, passes, lanes }: KdfParameters): Uint8Array =>
  concatBytes(u32ToLeBytes(memoryKib), u32ToLeBytes(passes), u32ToLeBytes(lanes));

export function encodeContainer(container: Omit<WalletContainer, 'header' | 'version'>): Uint8Array {
  const { wrappedKey, secrets, book } = container;
  const body = concatBytes(
    keySlotContext(container),
    wrappedKey,
    u32ToLeBytes(secrets.length),
    secrets,
    u32ToLeBytes(book.length),
    book,
  );
  return concatBytes(body, checksum(body));
}

const checksum = (body: Uint8Array): Uint8Array => blake2b(body, { dkLen: CHECKSUM_SIZE });

/** Takes a file of this version apart. WALLET_CORRUPT for anything that `encodeContainer` did not write. */
export const parseContainer = (bytes: Uint8Array, version: number): WalletContainer =>
  parsed(() => readContainer(bytes, version));

/** The readable part of a file of this version or an earlier one. WALLET_CORRUPT for any other. */
export const parsePrefix = (bytes: Uint8Array, latest: number): WalletPrefix =>
  parsed(() => readPrefix(bytes, latest));

function parsed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) throw walletCorrupt(error.message, error);
    throw error;
  }
}

function readPrefix(bytes: Uint8Array, latest: number): WalletPrefix {
  const bodyLength = bytes.length - CHECKSUM_SIZE;
  if (bodyLength < MAGIC.length + 2) throw new FormatError('it is too short');
  const reader = new ByteReader(bytes, 0, bodyLength);
  if (!equalBytes(reader.take(MAGIC.length), MAGIC)) throw new FormatError('it is not a wallet file');
  const version = reader.u16();
  const isWhole = equalBytes(checksum(bytes.subarray(0, bodyLength)), bytes.subarray(bodyLength));
  if (isWhole && version > latest) throw unknownVersion(version);
  if (version < 1 || version > latest) {
    throw new FormatError(`its version ${version} is not known to this program`);
  }
  if (!isWhole) throw new FormatError('its checksum does not match');
  const header = parseFacts(reader.take(reader.u16()));
  return { version, header, prefix: bytes.subarray(0, reader.offset) };
}

function readContainer(bytes: Uint8Array, version: number): WalletContainer {
  const start = readPrefix(bytes, version);
  if (start.version < version)
    throw new FormatError(`an earlier one, of version ${start.version}, took its place`);
  const reader = new ByteReader(bytes, start.prefix.length, bytes.length - CHECKSUM_SIZE);
  if (reader.remaining < KDF_PARAMETERS_SIZE + WRAPPED_KEY_SIZE) throw new FormatError('it is too short');
  const kdf: KdfParameters = { memoryKib: reader.u32(), passes: reader.u32(), lanes: reader.u32() };
  if (!isAcceptableKdf(kdf)) throw new FormatError('its key derivation parameters are out of bounds');
  const salt = reader.take(KDF_SALT_SIZE);
  const wrappedKey = reader.take(WRAPPED_KEY_SIZE);
  const secrets = reader.take(reader.u32());
  const book = reader.take(reader.u32());
  reader.expectEnd();
  return { ...start, kdf, salt, wrappedKey, secrets, book };
}

function parseFacts(bytes: Uint8Array): WalletHeader {
  const facts = parseJson(bytes, 'facts', factsSchema);
  return {
    network: facts.network,
    birthdayHeight: facts.birthday_height,
    createdAt: facts.created_at,
    watchOnly: facts.watch_only,
  };
}

function parseJson<T>(bytes: Uint8Array, what: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch (cause) {
    throw new FormatError(`its ${what} cannot be read`, { cause });
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Sections

const NO_MNEMONIC = 0xffff;

/** Bytes only, so that no secret ever becomes a string. The caller wipes the result. */
export function encodeSecrets({ mnemonic, bip39Passphrase }: WalletSecrets): Uint8Array {
  const phrase = mnemonic ?? new Uint8Array(0);
  if (phrase.length >= NO_MNEMONIC || bip39Passphrase.length >= NO_MNEMONIC) {
    throw new RangeError('a secret is longer than the wallet format holds');
  }
  return concatBytes(
    u16(mnemonic === null ? NO_MNEMONIC : phrase.length),
    phrase,
    u16(bip39Passphrase.length),
    bip39Passphrase,
  );
}

/** Views into `bytes`: wiping them wipes both. */
export function parseSecrets(bytes: Uint8Array): WalletSecrets {
  const reader = new ByteReader(bytes);
  const length = reader.u16();
  const mnemonic = length === NO_MNEMONIC ? null : reader.take(length);
  const bip39Passphrase = reader.take(reader.u16());
  reader.expectEnd();
  return { mnemonic, bip39Passphrase };
}

const bookSchema = z.strictObject({
  accounts: z.array(
    z.strictObject({
      index: field.account,
      birthday_height: field.height,
      viewing_key: z.string(),
      account_index: field.accountIndex.optional(),
      name: z.string().optional(),
    }),
  ),
  next_diversifier_index: z.record(z.string(), field.diversifierIndex),
  labels: z
    .array(z.strictObject({ account: field.account, index: field.diversifierIndex, text: z.string() }))
    .optional(),
  contacts: z
    .array(z.strictObject({ name: z.string(), address: z.string(), note: z.string().optional() }))
    .optional(),
  seed_fingerprint: field.seedFingerprint.optional(),
  device: z.strictObject({ kind: field.device, version: field.deviceVersion.optional() }).optional(),
  search: z
    .strictObject({
      last_used: field.account,
      ahead: z.array(z.strictObject({ index: field.account, viewing_key: z.string() })),
      until: field.height.optional(),
    })
    .nullable()
    .optional(),
  phrase_unconfirmed: z.literal(true).optional(),
});

export function encodeBook(book: AccountBook): Uint8Array {
  return utf8(
    JSON.stringify({
      accounts: book.accounts.map(({ index, birthdayHeight, viewingKey, accountIndex, name }) => ({
        index,
        birthday_height: birthdayHeight,
        viewing_key: viewingKey,
        account_index: accountIndex,
        name,
      })),
      next_diversifier_index: book.nextDiversifierIndex,
      ...(book.labels !== undefined && {
        labels: book.labels.map(({ account, diversifierIndex, text }) => ({
          account,
          index: diversifierIndex,
          text,
        })),
      }),
      ...(book.contacts !== undefined && { contacts: book.contacts }),
      ...(book.seedFingerprint !== undefined && { seed_fingerprint: book.seedFingerprint }),
      device: book.device,
      search: book.search && {
        last_used: book.search.lastUsed,
        ahead: book.search.ahead.map(({ index, viewingKey }) => ({ index, viewing_key: viewingKey })),
        until: book.search.until,
      },
      ...(book.phraseUnconfirmed === true && { phrase_unconfirmed: true }),
    }),
  );
}

export function parseBook(bytes: Uint8Array): AccountBook {
  const book = parseJson(bytes, SECTION_NAMES.book, bookSchema);
  const accounts: AccountRecord[] = book.accounts.map((account) => ({
    index: account.index,
    birthdayHeight: account.birthday_height,
    viewingKey: account.viewing_key,
    ...(account.account_index !== undefined && { accountIndex: account.account_index }),
    ...(account.name !== undefined && { name: account.name }),
  }));
  const counters = Object.entries(book.next_diversifier_index);
  return {
    accounts,
    nextDiversifierIndex: Object.fromEntries(counters.map(([account, next]) => [Number(account), next])),
    ...(book.labels !== undefined && {
      labels: book.labels.map(({ account, index, text }) => ({ account, diversifierIndex: index, text })),
    }),
    ...(book.contacts !== undefined && {
      contacts: book.contacts.map(({ note, ...contact }) => ({
        ...contact,
        ...(note !== undefined && { note }),
      })),
    }),
    ...(book.seed_fingerprint !== undefined && { seedFingerprint: book.seed_fingerprint }),
    ...(book.device !== undefined && {
      device: {
        kind: book.device.kind,
        ...(book.device.version !== undefined && { version: book.device.version }),
      },
    }),
    ...(book.search !== undefined && { search: searchIn(book.search) }),
    ...(book.phrase_unconfirmed === true && { phraseUnconfirmed: true }),
  };
}

function searchIn(search: NonNullable<z.output<typeof bookSchema>['search']> | null): AccountSearch | null {
  if (search === null) return null;
  const { last_used: lastUsed, ahead, until } = search;
  return {
    lastUsed,
    ahead: ahead.map(({ index, viewing_key: viewingKey }) => ({ index, viewingKey })),
    ...(until !== undefined && { until }),
  };
}
