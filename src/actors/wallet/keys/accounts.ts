// Accounts of the open wallet and their addresses.

import { type AccountAddress, addressAt, firstAddress } from '@wallet-companion/shielded/addresses';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import { scanReach } from '../notes/scanReach.ts';
import type { AccountBook } from '../ports/storage.ts';
import type { Account, Session } from '../session/session.ts';
import { deriveAccount, refuseWatchOnly } from '../session/walletDraft.ts';
import { requestedBirthday } from '../sync/birthday.ts';
import type { WalletContext } from '../walletContext.ts';

/** No scan may run meanwhile: the keys change. */
export async function createAccount(
  context: WalletContext,
  input: Input<'accounts.create'>,
): Promise<Output<'accounts.create'>> {
  const { environment, params, sessions } = context;
  const session = sessions.use();
  refuseWatchOnly(session.header);
  const index = Math.max(...session.accounts.map((account) => account.index)) + 1;
  const requested = requestedBirthday(params, input, environment.clock.now());
  const birthday = requested?.birthdayHeight ?? session.header.birthdayHeight;
  const { record } = await sessions.withSecrets(input.password, (mnemonic, passphrase) =>
    deriveAccount({ mnemonic, passphrase }, params, index, birthday),
  );
  const accounts = [...session.book.accounts, record];
  await replaceBook(context, session, { ...session.book, accounts });
  return accountEntry(context, session, session.account(index));
}

export function addressOf(
  { sessions, params }: WalletContext,
  input: Input<'address.get'>,
): Output<'address.get'> {
  const session = sessions.use(input.account);
  const { keys } = session.account(input.account ?? 0);
  if (input.diversifier_index === undefined) return addressView(firstAddress(keys, params, 0n));
  const address = addressAt(keys, params, BigInt(input.diversifier_index));
  if (address === undefined) {
    throw new CompanionError(
      'INVALID_REQUEST',
      'There is no address at this diversifier index (about half have none); try the next one.',
      {
        errors: [{ path: 'diversifier_index', message: 'has no valid address' }],
      },
    );
  }
  return addressView(address);
}

export async function nextAddress(
  context: WalletContext,
  input: Input<'address.next'>,
): Promise<Output<'address.next'>> {
  const { sessions, params } = context;
  const session = sessions.use(input.account);
  const account = session.account(input.account ?? 0);
  const handedOut = session.book.nextDiversifierIndex[account.index];
  const from =
    handedOut === undefined
      ? firstAddress(account.keys, params, 0n).diversifierIndex + 1n
      : BigInt(handedOut);
  const address = firstAddress(account.keys, params, from);
  await replaceBook(context, session, {
    ...session.book,
    nextDiversifierIndex: {
      ...session.book.nextDiversifierIndex,
      [account.index]: (address.diversifierIndex + 1n).toString(),
    },
  });
  return addressView(address);
}

export function accountEntry(
  { params }: WalletContext,
  session: Session,
  account: Account,
): Output<'accounts.create'> {
  const { complete, missing } = scanReach(session.noteStore, account.index);
  return {
    account: account.index,
    birthday_height: account.birthdayHeight,
    unified_address: firstAddress(account.keys, params, 0n).unifiedAddress,
    complete,
    missing_ranges: missing,
  };
}

async function replaceBook(
  { environment }: WalletContext,
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
