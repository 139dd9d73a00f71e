// Removing the wallet: its file is put aside, and only where the recovery phrase was seen since the wallet was made, or
// the user says that it need not have been.

import { badField, type CompanionError } from '../../../protocol/errors.ts';
import type { Caller, HandledInput, Output } from '../../../protocol/operations.ts';
import type { WalletHeader } from '../ports/walletFile.ts';
import { lock } from './locking.ts';
import type { WalletContext } from './walletContext.ts';

/** Remembers that the user has the phrase. A disk that refuses it keeps nobody from a backup. */
export async function markBackedUp(
  { environment }: WalletContext,
  { createdAt }: WalletHeader,
): Promise<void> {
  const { configFile, logFault } = environment;
  if (configFile.get().backed_up_wallet === createdAt) return;
  await configFile
    .update({ backed_up_wallet: createdAt })
    .catch((error: unknown) => logFault('wallet.mark_backed_up', error));
}

export async function removeWallet(
  context: WalletContext,
  { password, without_backup }: HandledInput<'wallet.remove'>,
  caller: Caller,
): Promise<Output<'wallet.remove'>> {
  const { environment, sessions, configuration } = context;
  const { header } = await sessions.enterAs(caller, password);
  const isBackedUp = header.watchOnly || environment.configFile.get().backed_up_wallet === header.createdAt;
  if (!isBackedUp && without_backup !== true) throw notBackedUp();
  let kept_as = '';
  await lock(context, 'asked', async () => {
    kept_as = await environment.walletFile.putAside();
  });
  await configuration.updateChain();
  return { removed: true, kept_as };
}

const notBackedUp = (): CompanionError =>
  badField(
    'without_backup',
    'must be true for a wallet whose phrase was never backed up',
    'The recovery phrase of this wallet was never shown again since it was made. See it first with "wallet-companion wallet backup", or say without_backup.',
  );
