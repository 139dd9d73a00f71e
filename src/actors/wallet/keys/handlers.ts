// Accounts and their addresses.

import { type AccountAddress, addressAt, firstAddress } from '@wallet-companion/zcash/addresses';
import { wipeViewingKeys } from '@wallet-companion/zcash/keys';
import { badField } from '../../../protocol/errors.ts';
import type { FeatureHandlers, HandledInput, Input, Output } from '../../../protocol/operations.ts';
import type { PasswordGuard } from '../../../protocol/passwordGuard.ts';
import { INVOICE_INDEX } from '../noteStore/book/noteTables.ts';
import { scanReach } from '../noteViews/scanReach.ts';
import type { AccountBook } from '../ports/walletFile.ts';
import type { Account, Session } from '../session/session.ts';
import type { SessionContext } from '../session/sessions.ts';
import { refuseShared } from '../session/sharedKeys.ts';
import { accountIndexOf, contradicts, withFacts } from '../session/signerFacts.ts';
import { deriveAccount, importedAccount, refuseWatchOnly, validViewingKey } from '../session/walletDraft.ts';
import { requestedBirthday } from '../sync/birthday.ts';
import type { Scans } from '../sync/scans.ts';

export function keyHandlers(context: SessionContext & { readonly scans: Scans }): FeatureHandlers<'keys'> {
  const { sessions, scans } = context;
  return {
    'address.get': (input) => addressOf(context, input),
    'address.next': (input) => sessions.exclusive(() => nextAddress(context, input)),
    'accounts.list': () => {
      const session = sessions.use();
      return {
        accounts: session.accounts.map((account) => accountEntry(context, session, account)),
        seed_fingerprint: session.book.seedFingerprint ?? null,
      };
    },
    'accounts.create': (input, caller) => {
      sessions.use();
      return sessions.exclusiveTry(caller, (guard) =>
        scans.between(() => createAccount(context, guard, input)),
      );
    },
    'accounts.import_viewing_key': (input, caller) => {
      sessions.use();
      return sessions.exclusiveTry(caller, (guard) =>
        scans.between(() => importAccount(context, guard, input)),
      );
    },
  };
}

/** No scan may run meanwhile: the keys change. */
async function createAccount(
  context: SessionContext,
  guard: PasswordGuard,
  input: HandledInput<'accounts.create'>,
): Promise<Output<'accounts.create'>> {
  const { environment, params, sessions } = context;
  const session = sessions.use();
  refuseWatchOnly(session.header);
  const index = nextIndex(session);
  const requested = requestedBirthday(params, input, environment.clock.now());
  const birthday = requested?.birthdayHeight ?? session.header.birthdayHeight;
  const { record } = await sessions.withSecrets(guard, input.password, (mnemonic, passphrase) =>
    deriveAccount({ mnemonic, passphrase }, params, index, birthday),
  );
  const accounts = [...session.book.accounts, record];
  await replaceBook(context, session, { ...session.book, accounts });
  return accountEntry(context, session, session.account(index));
}

/** The same for a watch-only wallet, whose accounts are of one seed and of one kind of key. */
async function importAccount(
  context: SessionContext,
  guard: PasswordGuard,
  input: HandledInput<'accounts.import_viewing_key'>,
): Promise<Output<'accounts.create'>> {
  const { environment, params, sessions } = context;
  sessions.use();
  const session = await sessions.enter(guard, input.password);
  const { book, header, accounts } = session;
  if (!header.watchOnly)
    throw badField(
      'viewing_key',
      'is not for a wallet with a recovery phrase: accounts.create adds its accounts',
    );
  if (contradicts(input.seed_fingerprint, book.seedFingerprint))
    throw badField('seed_fingerprint', "is of another seed than the wallet's: make another wallet for it");
  const requested = requestedBirthday(params, input, environment.clock.now());
  const birthdayHeight = requested?.birthdayHeight ?? header.birthdayHeight;
  const keys = validViewingKey(input.viewing_key, params);
  try {
    refuseShared(accounts, keys);
    if (keys.kind !== accounts[0]!.keys.kind)
      throw badField('viewing_key', `is no ${accounts[0]!.keys.kind} viewing key, as the wallet has`);
  } catch (error) {
    wipeViewingKeys(keys);
    throw error;
  }
  const index = nextIndex(session);
  const record = importedAccount(keys, params, { index, birthdayHeight, name: input.name });
  const { account_index, seed_fingerprint } = input;
  const more = { ...book, accounts: [...book.accounts, record] };
  await replaceBook(context, session, withFacts(more, index, { account_index, seed_fingerprint }, true));
  return accountEntry(context, session, session.account(index));
}

const nextIndex = ({ accounts }: Session): number => Math.max(...accounts.map(({ index }) => index)) + 1;

export function addressOf(
  { sessions, params }: SessionContext,
  input: Input<'address.get'>,
): Output<'address.get'> {
  const session = sessions.use(input.account);
  const { keys } = session.account(input.account ?? 0);
  if (input.diversifier_index === undefined) return addressView(firstAddress(keys, params, 0n));
  const address = addressAt(keys, params, BigInt(input.diversifier_index));
  if (address === undefined) {
    throw badField(
      'diversifier_index',
      'has no valid address',
      'There is no address at this diversifier index (about half have none); try the next one.',
    );
  }
  return addressView(address);
}

async function nextAddress(
  context: SessionContext,
  input: Input<'address.next'>,
): Promise<Output<'address.next'>> {
  const { sessions, params } = context;
  const session = sessions.use(input.account);
  const account = session.account(input.account ?? 0);
  const handedOut = session.book.nextDiversifierIndex[account.index];
  const unused =
    handedOut === undefined
      ? firstAddress(account.keys, params, 0n).diversifierIndex + 1n
      : BigInt(handedOut);
  const paid = highestPaid(session, account.index) + 1n;
  const address = firstAddress(account.keys, params, paid > unused ? paid : unused);
  await replaceBook(context, session, {
    ...session.book,
    nextDiversifierIndex: {
      ...session.book.nextDiversifierIndex,
      [account.index]: (address.diversifierIndex + 1n).toString(),
    },
  });
  const { complete } = scanReach(session.noteStore, account.index);
  return { ...addressView(address), ...(!complete && { warning: MAY_BE_PAID }) };
}

const MAY_BE_PAID =
  'Not every block of this account was scanned, so this address may have been paid before. Sync to the tip, then ask for another one.';

/** The counter does not know what another program gave out, nor what this one did before a restore. Invoices have indices of their own. */
function highestPaid({ noteStore }: Session, account: number): bigint {
  let highest = -1n;
  for (const { account: of, scope, diversifierIndex } of noteStore.notes) {
    if (of !== account || scope !== 'external') continue;
    const index = BigInt(diversifierIndex);
    if (index > highest && index < INVOICE_INDEX) highest = index;
  }
  return highest;
}

function accountEntry(
  { params }: SessionContext,
  session: Session,
  account: Account,
): Output<'accounts.create'> {
  const { complete, missing } = scanReach(session.noteStore, account.index);
  return {
    account: account.index,
    name: account.name ?? null,
    account_index: accountIndexOf(account, session.header.watchOnly) ?? null,
    birthday_height: session.noteStore.floor(account),
    unified_address: firstAddress(account.keys, params, 0n).unifiedAddress,
    complete,
    missing_ranges: missing,
  };
}

async function replaceBook(
  { environment }: SessionContext,
  session: Session,
  book: AccountBook,
): Promise<void> {
  await environment.walletFile.replaceBook(session.masterKey, book);
  session.replaceBook(book);
}

const addressView = (address: AccountAddress) => ({
  unified_address: address.unifiedAddress,
  sapling_address: address.saplingAddress,
  diversifier_index: address.diversifierIndex.toString(),
});
