// The steps by which this page becomes a cashier's, locks, and is the owner's again. What the cashier's page may do the
// companion decides: the page forgets the token of the owner, and the till's opens nothing but invoices.

import { connect } from '@wallet-companion/client';
import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { call, store, wallet } from './app.ts';

export const walletMayLock = (): boolean =>
  store.follow?.keep_open !== true && store.config?.auto_lock_seconds !== 0;

/** `password`: of the default wallet. */
export async function startTill(pin: string, password: string): Promise<void> {
  // Another wallet has another password; its page says what to do first.
  if (walletMayLock() && wallet === undefined)
    await call('follow.set', { enabled: true, keep_open: true, password });
  const { token } = await call('till.start', { pin, wallets: [wallet ?? DEFAULT_WALLET], password });
  await store.changeHands('on', token);
}

export async function lockTill(): Promise<void> {
  await call('till.lock');
  store.lockTill();
}

export async function unlockTill(pin: string): Promise<void> {
  const { token } = await call('till.unlock', { pin });
  await store.changeHands('on', token);
}

/** Without the till's token, with which no password may be sent. */
export async function endTill(password: string): Promise<void> {
  const { token } = await connect({ baseUrl: location.origin }).call('till.end', { password });
  await store.changeHands('off', token ?? undefined);
}
