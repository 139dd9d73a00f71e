// The effects of opening and locking the wallet on everything that runs beside the session.

import type { LockReason } from '../session/sessions.ts';
import type { WalletContext } from '../walletContext.ts';

export async function opened({ configuration, following, sessions, payments }: WalletContext): Promise<void> {
  await configuration.tellChain();
  following.unlocked();
  if (sessions.current !== undefined) payments.events.opened(sessions.current);
}

export async function lock(
  { following, scans, sessions, mempool, payments }: WalletContext,
  reason: LockReason,
): Promise<void> {
  following.locked();
  await scans.turns.afterStopping(() => sessions.exclusive(() => sessions.close(reason)));
  mempool.forget();
  payments.events.forget();
}

/** A scan without a commit for that long is still activity, unless follow mode started it. */
export function lockWhenIdle(context: WalletContext): void {
  const { scans, sessions, environment } = context;
  if (scans.turns.current?.kind === 'requested') sessions.touch();
  else lock(context, 'idle').catch((error: unknown) => environment.logFault('wallet.auto_lock', error));
}
