// The loopback addresses to listen on: only this machine may connect.

import { CompanionError } from '@wallet-companion/client/contract';

export const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'] as const;
export type LoopbackAddress = (typeof LOOPBACK_ADDRESSES)[number];

/** The addresses to bind for the user's `host`; both when it is left out. */
export function loopbackAddresses(host: string | undefined): readonly LoopbackAddress[] {
  if (host === undefined || host === 'localhost') return LOOPBACK_ADDRESSES;
  const address = LOOPBACK_ADDRESSES.find((known) => known === host);
  if (address === undefined) {
    throw new CompanionError(
      'INVALID_REQUEST',
      'The companion listens on 127.0.0.1 and ::1 only. To reach it from elsewhere, use a tunnel or a reverse proxy with its own authentication.',
    );
  }
  return [address];
}
