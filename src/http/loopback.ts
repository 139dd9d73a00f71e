// Only this machine may connect, and only under a name that means this machine: a page on a foreign domain that
// resolves to 127.0.0.1 (DNS rebinding) still sends its own name as Host.

import { CompanionError } from '../protocol/errors.ts';

export const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'] as const;
export type LoopbackAddress = (typeof LOOPBACK_ADDRESSES)[number];

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** Any port, so that tunnels and port forwards work. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOST.test(host);

/** The addresses to bind for what the user asked for; both when nothing was asked. */
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
