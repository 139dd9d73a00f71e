// Accounts of the open wallet and their addresses.

import { type AccountAddress, addressAt, firstAddress } from '@wallet-companion/shielded/addresses';
import type { NetworkParameters } from '@wallet-companion/shielded/network';
import { CompanionError } from '../../protocol/errors.ts';
import type { Input, Output } from '../../protocol/operations.ts';
import { scanReach } from './notes/scanReach.ts';
import type { AccountBook } from './ports/storage.ts';
import type { WalletEnvironment } from './ports/walletEnvironment.ts';
import type { Account, Session } from './session/session.ts';
import type { Sessions } from './session/sessions.ts';
import { deriveAccount, refuseWatchOnly } from './session/walletDraft.ts';
import { requestedBirthday } from './sync/birthday.ts';

export class Accounts {
  readonly #environment: Pick<WalletEnvironment, 'walletFile' | 'clock' | 'logFault'>;
  readonly #params: NetworkParameters;
  readonly #sessions: Sessions;

  constructor(
    environment: Pick<WalletEnvironment, 'walletFile' | 'clock' | 'logFault'>,
    params: NetworkParameters,
    sessions: Sessions,
  ) {
    this.#environment = environment;
    this.#params = params;
    this.#sessions = sessions;
  }

  list(): Output<'accounts.list'> {
    const session = this.#sessions.use();
    return { accounts: session.accounts.map((account) => this.#entry(session, account)) };
  }

  /** Nothing may scan meanwhile: the keys change. */
  async create(input: Input<'accounts.create'>): Promise<Output<'accounts.create'>> {
    const session = this.#sessions.use();
    refuseWatchOnly(session.header);
    const index = Math.max(...session.accounts.map((account) => account.index)) + 1;
    const requested = requestedBirthday(this.#params, input, this.#environment.clock.now());
    const { record, seedFingerprint } = await this.#sessions.withSecrets(
      input.password,
      (mnemonic, passphrase) =>
        deriveAccount(
          { mnemonic, passphrase },
          this.#params,
          index,
          requested?.birthdayHeight ?? session.header.birthdayHeight,
        ),
    );
    const accounts = [...session.book.accounts, record];
    await this.#replaceBook(session, { ...session.book, accounts, seedFingerprint });
    return this.#entry(session, session.account(index));
  }

  address(input: Input<'address.get'>): Output<'address.get'> {
    const session = this.#sessions.use(input.account);
    const { keys } = session.account(input.account ?? 0);
    if (input.diversifier_index === undefined) return addressView(firstAddress(keys, this.#params, 0n));
    const address = addressAt(keys, this.#params, BigInt(input.diversifier_index));
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

  async nextAddress(input: Input<'address.next'>): Promise<Output<'address.next'>> {
    const session = this.#sessions.use(input.account);
    const account = session.account(input.account ?? 0);
    const handedOut = session.book.nextDiversifierIndex[account.index];
    const from =
      handedOut === undefined
        ? firstAddress(account.keys, this.#params, 0n).diversifierIndex + 1n
        : BigInt(handedOut);
    const address = firstAddress(account.keys, this.#params, from);
    await this.#replaceBook(session, {
      ...session.book,
      nextDiversifierIndex: {
        ...session.book.nextDiversifierIndex,
        [account.index]: (address.diversifierIndex + 1n).toString(),
      },
    });
    return addressView(address);
  }

  /** Nobody has asked for it, so nothing fails where it cannot be kept. */
  async keepFingerprint(seedFingerprint: string): Promise<void> {
    const session = this.#sessions.current;
    if (session === undefined) return;
    const book = { ...session.book, seedFingerprint };
    try {
      await this.#environment.walletFile.replaceBook(session.masterKey, book);
      session.relabel(book);
    } catch (error) {
      this.#environment.logFault('wallet.seed_fingerprint', error);
    }
  }

  async #replaceBook(session: Session, book: AccountBook): Promise<void> {
    await this.#environment.walletFile.replaceBook(session.masterKey, book);
    session.replaceBook(book);
  }

  #entry(session: Session, account: Account): Output<'accounts.create'> {
    const { complete, missing } = scanReach(session.noteStore, account.index);
    return {
      account: account.index,
      birthday_height: account.birthdayHeight,
      unified_address: firstAddress(account.keys, this.#params, 0n).unifiedAddress,
      complete,
      missing_ranges: missing,
    };
  }
}

const addressView = (address: AccountAddress) => ({
  unified_address: address.unifiedAddress,
  sapling_address: address.saplingAddress,
  diversifier_index: address.diversifierIndex.toString(),
});
