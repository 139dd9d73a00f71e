// The effects of opening and locking the wallet on everything that runs beside the session.

import type { LockReason } from '../session/sessions.ts';
import type { WalletContext } from './walletContext.ts';

export async function openWallet({
  configuration,
  following,
  sessions,
  payments,
  invoices,
}: WalletContext): Promise<void> {
  await configuration.updateChain();
  following.unlocked();
  const session = sessions.current;
  if (session === undefined) return;
  payments.events.opened(session);
  await invoices.opened(session);
}

/** `last`: done before anybody can open the wallet again. */
export async function lock(
  { following, scans, sessions, mempool, payments, invoices }: WalletContext,
  reason: LockReason,
  last: () => Promise<void> = async () => undefined,
): Promise<void> {
  following.locked();
  await scans.turns.afterStopping(() => sessions.exclusive(() => sessions.close(reason).then(last)));
  mempool.forget();
  payments.events.forget();
  invoices.close();
}

/** A scan without a commit for that long is still activity, unless follow mode started it. */
export function lockWhenIdle(context: WalletContext): Promise<void> | undefined {
  const { scans, sessions, environment } = context;
  if (scans.turns.current?.kind !== 'requested')
    return lock(context, 'idle').catch((error: unknown) => environment.logFault('wallet.auto_lock', error));
  sessions.touch();
  return undefined;
}
