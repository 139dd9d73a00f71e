// A wallet about to be written, made from a recovery phrase or a viewing key. The seed exists only inside these
// functions.

import type { Clocks } from '@wallet-companion/base/async';
import { bytesToHex, FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { encodeUnifiedViewingKey, parseViewingKey } from '@wallet-companion/zcash/addresses';
import {
  deriveViewingKeys,
  MnemonicError,
  mnemonicToSeed,
  normaliseMnemonic,
  seedFingerprint,
  type ViewingKeys,
  wipeViewingKeys,
} from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { badField, CompanionError } from '../../../protocol/errors.ts';
import type {
  AccountBook,
  AccountRecord,
  AheadKey,
  WalletHeader,
  WalletSecrets,
} from '../ports/walletFile.ts';
import { missingAhead, newSearch } from './accountSearch.ts';
import { type GivenFacts, withFacts } from './signerFacts.ts';

export interface WalletDraft {
  readonly header: WalletHeader;
  /** The caller that writes the wallet wipes them. */
  readonly secrets: WalletSecrets;
  readonly book: AccountBook;
}

interface Phrase {
  readonly mnemonic: string;
  readonly passphrase: string;
}

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export interface DerivedAccount {
  readonly record: AccountRecord;
  /** Hexadecimal. */
  readonly seedFingerprint: string;
}

/** The viewing key of one account (ZIP 32), and the seed fingerprint for signers. */
export function deriveAccount(
  phrase: Phrase,
  params: NetworkParameters,
  index: number,
  birthdayHeight: Height,
): DerivedAccount {
  return withSeed(phrase, (seed) => ({
    record: { index, birthdayHeight, viewingKey: viewingKeyOf(seed, params, index) },
    seedFingerprint: bytesToHex(seedFingerprint(seed)),
  }));
}

/** Viewing keys of the accounts that a search may come to. */
export const deriveAhead = (
  phrase: Phrase,
  params: NetworkParameters,
  indices: readonly number[],
): readonly AheadKey[] =>
  withSeed(phrase, (seed) =>
    indices.map((index) => ({ index, viewingKey: viewingKeyOf(seed, params, index) })),
  );

function viewingKeyOf(seed: Uint8Array, params: NetworkParameters, index: number): string {
  const keys = deriveViewingKeys(seed, params, index);
  try {
    return encodeUnifiedViewingKey(keys, params);
  } finally {
    wipeViewingKeys(keys);
  }
}

function withSeed<T>({ mnemonic, passphrase }: Phrase, use: (seed: Uint8Array) => T): T {
  const seed = mnemonicToSeed(mnemonic, passphrase);
  try {
    return use(seed);
  } finally {
    seed.fill(0);
  }
}

/** A wallet with account 0; a phrase that is not new may have more. */
export function draftFromPhrase(
  phrase: Phrase & { readonly isNew: boolean },
  params: NetworkParameters,
  birthdayHeight: Height,
  clock: Clocks,
): WalletDraft {
  const { record, seedFingerprint } = deriveAccount(phrase, params, 0, birthdayHeight);
  const header = newHeader(params, birthdayHeight, clock, false);
  const book = { accounts: [record], nextDiversifierIndex: {}, seedFingerprint };
  return {
    header,
    secrets: { mnemonic: utf8(phrase.mnemonic), bip39Passphrase: utf8(phrase.passphrase) },
    book: {
      ...book,
      search: phrase.isNew ? null : newSearch(deriveAhead(phrase, params, missingAhead(book, header))),
      // A phrase that was typed is known.
      ...(phrase.isNew && { phraseUnconfirmed: true }),
    },
  };
}

/** A watch-only wallet; its account is number 0, whatever its number in the seed. */
export const draftFromRecord = (
  record: AccountRecord,
  facts: GivenFacts,
  params: NetworkParameters,
  clock: Clocks,
): WalletDraft => ({
  header: newHeader(params, record.birthdayHeight, clock, true),
  secrets: { mnemonic: null, bip39Passphrase: new Uint8Array(0) },
  book: withFacts({ accounts: [record], nextDiversifierIndex: {} }, record.index, facts, true),
});

/** An account of which there is the viewing key alone. The keys are wiped. */
export function importedAccount(
  keys: ViewingKeys,
  params: NetworkParameters,
  { index, birthdayHeight, name }: { index: number; birthdayHeight: Height; name: string | undefined },
): AccountRecord {
  const viewingKey = encodeUnifiedViewingKey(keys, params);
  wipeViewingKeys(keys);
  return { index, birthdayHeight, viewingKey, ...(name !== undefined && { name }) };
}

const newHeader = (
  { network }: NetworkParameters,
  birthdayHeight: Height,
  clock: Clocks,
  watchOnly: boolean,
): WalletHeader => ({
  network,
  birthdayHeight,
  createdAt: new Date(clock.now()).toISOString(),
  watchOnly,
});

/** Throws `INVALID_MNEMONIC`. */
export function validMnemonic(text: string): string {
  try {
    return normaliseMnemonic(text);
  } catch (error) {
    if (!(error instanceof MnemonicError)) throw error;
    const { message, advice } = error;
    throw badField(
      'mnemonic',
      message,
      `${message.charAt(0).toUpperCase()}${message.slice(1)}. ${advice}`,
      'INVALID_MNEMONIC',
    );
  }
}

/** Throws `INVALID_VIEWING_KEY`, for keys of another network too. */
export function validViewingKey(text: string, params: NetworkParameters): ViewingKeys {
  try {
    return parseViewingKey(text, params);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw badField(
      'viewing_key',
      error.message,
      `This is no viewing key for the network "${params.network}": ${error.message}.`,
      'INVALID_VIEWING_KEY',
    );
  }
}

/** For operations that need a recovery phrase. */
export function refuseWatchOnly(header: WalletHeader): void {
  if (header.watchOnly) throw watchOnly();
}

export const watchOnly = (): CompanionError =>
  new CompanionError(
    'INVALID_REQUEST',
    'This wallet was made from a viewing key and has no recovery phrase. Use the wallet that the key came from; accounts.import_viewing_key adds another account of it.',
  );
