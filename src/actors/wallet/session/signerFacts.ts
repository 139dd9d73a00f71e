// What signs for the wallet, and where it finds the keys of an account (ZIP 32): kept with the accounts, because no viewing
// key contains it. A wallet with a recovery phrase knows its own.

import { hexToBytes } from '@wallet-companion/base/bytes';
import type { SeedAccount } from '@wallet-companion/pczt/spending';
import { badField } from '../../../protocol/errors.ts';
import type { Device } from '../../../protocol/fields.ts';
import type { Config } from '../ports/configFile.ts';
import type { AccountBook, AccountRecord, SigningDevice, WalletHeader } from '../ports/walletFile.ts';

/** As requests have them. */
export interface GivenFacts {
  readonly account_index?: number | undefined;
  readonly seed_fingerprint?: string | undefined;
  readonly device?: Device | undefined;
  readonly device_version?: string | undefined;
}

/** The ZIP 32 account; undefined where it is not known. */
export const accountIndexOf = (
  { index, accountIndex }: AccountRecord,
  isWatchOnly: boolean,
): number | undefined => (isWatchOnly ? accountIndex : index);

/** Whether the wallet's own phrase may sign its payments. */
export const signsItself = (
  { watchOnly }: Pick<WalletHeader, 'watchOnly'>,
  { own_signer: isOn }: Pick<Config, 'own_signer'>,
): boolean => !watchOnly && isOn;

/** The book with these facts about the account; what is left out stays. Throws `INVALID_REQUEST`. */
export function withFacts(
  book: AccountBook,
  account: number,
  given: GivenFacts,
  isWatchOnly: boolean,
): AccountBook {
  const device = deviceOf(book.device, given);
  const seedFingerprint = given.seed_fingerprint ?? book.seedFingerprint;
  if (!isWatchOnly) refuseOther(book, account, given);
  const taken = book.accounts.find(
    (one) => one.index !== account && accountIndexOf(one, isWatchOnly) === given.account_index,
  );
  if (given.account_index !== undefined && taken !== undefined)
    throw badField('account_index', `is that of account ${taken.index} of this wallet`);
  const isNew = isWatchOnly && given.account_index !== undefined;
  return {
    ...book,
    accounts: book.accounts.map((one) =>
      isNew && one.index === account ? { ...one, accountIndex: given.account_index! } : one,
    ),
    ...(seedFingerprint !== undefined && { seedFingerprint }),
    ...(device !== undefined && { device }),
  };
}

/** What the wallet derives from its phrase is not to be changed. */
function refuseOther({ seedFingerprint }: AccountBook, account: number, given: GivenFacts): void {
  if (given.seed_fingerprint !== undefined && given.seed_fingerprint !== seedFingerprint)
    throw badField('seed_fingerprint', OTHER_PHRASE);
  if (given.account_index !== undefined && given.account_index !== account)
    throw badField('account_index', `is not that of the account, which is ${account}`);
}

const OTHER_PHRASE = "is not that of this wallet's recovery phrase";

/** The version belongs to its device: another device begins without one. */
function deviceOf(
  kept: SigningDevice | undefined,
  { device, device_version }: GivenFacts,
): SigningDevice | undefined {
  const kind = device ?? kept?.kind;
  if (kind === undefined) {
    if (device_version !== undefined) throw badField('device_version', 'needs device beside it');
    return undefined;
  }
  const version = device_version ?? (kind === kept?.kind ? kept.version : undefined);
  return { kind, ...(version !== undefined && { version }) };
}

export const contradicts = <T>(given: T | undefined, known: T | undefined): boolean =>
  given !== undefined && known !== undefined && given !== known;

/** For a payment of the account. Undefined where nothing is known; what is half known, or not what is known, is refused. */
export function seedAccountFor(
  book: AccountBook,
  record: AccountRecord,
  isWatchOnly: boolean,
  given: Pick<GivenFacts, 'account_index' | 'seed_fingerprint'>,
): SeedAccount | undefined {
  const index = accountIndexOf(record, isWatchOnly);
  if (contradicts(given.account_index, index))
    throw badField('account_index', `is not that of the account, which is ${index}`);
  const { seedFingerprint: own } = book;
  if (contradicts(given.seed_fingerprint, own))
    throw badField('seed_fingerprint', isWatchOnly ? 'is not that which the wallet has' : OTHER_PHRASE);
  const [accountIndex, fingerprint] = [index ?? given.account_index, own ?? given.seed_fingerprint];
  if (accountIndex !== undefined && fingerprint !== undefined)
    return { seedFingerprint: hexToBytes(fingerprint), accountIndex };
  if (given.account_index !== undefined)
    throw badField('seed_fingerprint', 'is missing: a signer finds no account without its seed');
  if (given.seed_fingerprint !== undefined)
    throw badField('account_index', 'is missing: which ZIP 32 account of that seed is this?');
  return undefined;
}
