// Making, opening, locking and backing up the wallet.

import { firstAddress } from '@wallet-companion/zcash/addresses';
import type { FeatureHandlers, HandledInput, Input, Output } from '../../../protocol/operations.ts';
import type { PasswordGuard } from '../../../protocol/passwordGuard.ts';
import { signsItself } from '../session/signerFacts.ts';
import { refuseWatchOnly } from '../session/walletDraft.ts';
import { deviceView, keepDevice } from './device.ts';
import { lock } from './locking.ts';
import { createWallet, importViewingKey, restoreWallet } from './making.ts';
import { confirmPhrase, phraseView } from './phrase.ts';
import { markBackedUp, removeWallet } from './removing.ts';
import type { WalletContext } from './walletContext.ts';

export function walletHandlers(context: WalletContext): FeatureHandlers<'wallet'> {
  const { environment, sessions, scans, invoices } = context;
  return {
    'wallet.exists': () => ({ exists: environment.walletFile.exists() }),
    'wallet.status': () => ({
      exists: environment.walletFile.exists(),
      unlocked: sessions.current !== undefined,
      expires_at: sessions.expiresAt,
      syncing: scans.turns.isScanning,
      network: context.params.network,
      device: deviceView(sessions.current),
      own_signer:
        sessions.current !== undefined && signsItself(sessions.current.header, environment.configFile.get()),
      ...phraseView(sessions.current),
      program_signer: sessions.current !== undefined && environment.configFile.get().signer !== null,
    }),
    'wallet.create': (input) => making(context, () => createWallet(context, input)),
    'wallet.restore': (input) => making(context, () => restoreWallet(context, input)),
    'wallet.import_viewing_key': (input) => making(context, () => importViewingKey(context, input)),
    'wallet.device': (input) => sessions.exclusive(() => keepDevice(context, input)),
    'wallet.unlock': (input, caller) =>
      sessions.exclusiveTry(caller, (guard) => unlock(context, guard, input)),
    'wallet.lock': () => lock(context, 'asked').then(() => ({ unlocked: false as const })),
    'wallet.change_password': ({ password, new_password }, caller) =>
      sessions.exclusiveTry(caller, async (guard) => {
        // The whole note store is sealed anew, with its present content.
        await scans.turns.during('change', () =>
          invoices.whileClosed(() => sessions.changePassword(guard, password, new_password)),
        );
        return { changed: true };
      }),
    'wallet.backup': (input, caller) =>
      sessions.exclusiveTry(caller, (guard) => backup(context, guard, input)),
    'wallet.confirm_phrase': (input, caller) =>
      sessions.exclusiveTry(caller, (guard) => confirmPhrase(context, guard, input)),
    'wallet.remove': (input, caller) => removeWallet(context, input, caller),
    'wallet.rescan': (input) => sessions.exclusive(() => scans.between(() => rescan(context, input))),
    'wallet.viewing_key': (input, caller) =>
      sessions.exclusiveTry(caller, (guard) => viewingKey(context, guard, input)),
  };
}

/** If the wallet file was moved away, the session of that wallet ends before another wallet is made. */
async function making<T>(context: WalletContext, make: () => Promise<T>): Promise<T> {
  const { environment, sessions } = context;
  if (sessions.current !== undefined && !environment.walletFile.exists()) await lock(context, 'asked');
  return sessions.exclusive(make);
}

async function unlock(
  { sessions, params }: WalletContext,
  guard: PasswordGuard,
  { password }: HandledInput<'wallet.unlock'>,
): Promise<Output<'wallet.unlock'>> {
  const session = await sessions.enter(guard, password);
  return {
    unlocked: true,
    expires_at: sessions.expiresAt,
    unified_address: firstAddress(session.account(0).keys, params, 0n).unifiedAddress,
  };
}

async function backup(
  context: WalletContext,
  guard: PasswordGuard,
  { password }: HandledInput<'wallet.backup'>,
): Promise<Output<'wallet.backup'>> {
  const { sessions } = context;
  refuseWatchOnly(sessions.header());
  const shown = await sessions.withSecrets(guard, password, (mnemonic, passphrase) => ({
    mnemonic,
    bip39_passphrase: passphrase === '' ? null : passphrase,
  }));
  // The password has brought the readable facts up to date.
  const header = sessions.current?.header ?? sessions.header();
  await markBackedUp(context, header);
  return { ...shown, birthday_height: header.birthdayHeight, network: header.network };
}

async function viewingKey(
  { sessions, params }: WalletContext,
  guard: PasswordGuard,
  input: HandledInput<'wallet.viewing_key'>,
): Promise<Output<'wallet.viewing_key'>> {
  const session = await sessions.enter(guard, input.password);
  const account = session.account(input.account ?? 0);
  return {
    account: account.index,
    viewing_key: account.viewingKey,
    kind: account.keys.kind,
    birthday_height: session.noteStore.floor(account),
    network: params.network,
  };
}

async function rescan(
  { sessions, scans, payments, invoices }: WalletContext,
  { from_height }: Input<'wallet.rescan'>,
): Promise<Output<'wallet.rescan'>> {
  const session = sessions.use();
  await scans.rescan(session, from_height);
  payments.events.report(session);
  invoices.look(session, 'forgotten');
  const { lastScanHeight } = session.noteStore;
  return { last_scan_height: lastScanHeight, next_start_height: lastScanHeight + 1 };
}
