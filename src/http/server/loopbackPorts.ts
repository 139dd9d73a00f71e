// The loopback addresses to listen on, and one port bound on both of them, or none. A client that connects to `localhost`
// may reach either address: another program that holds one of them would receive passwords meant for the companion. Only
// a machine without IPv6 has just one address.

import { CompanionError, errnoOf } from '@wallet-companion/client/contract';

export interface Bound {
  readonly port: number;
  close(): Promise<void>;
}

/** Rejects with the system's error. Port 0 picks a free one. */
export type Bind<B extends Bound> = (address: LoopbackAddress, port: number) => Promise<B>;

/** The system picks a port that is free on the first address; it is rarely taken on the second. */
const MAX_TRIES = 16;

/** The machine, or its loopback interface, does not have the address. */
const ABSENT: readonly (string | undefined)[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT'];

/** Binds the same port on every address; the first address must exist. Nothing stays bound after a failure. */
export async function bindLoopback<B extends Bound>(
  bind: Bind<B>,
  addresses: readonly LoopbackAddress[],
  port: number,
): Promise<ReadonlyMap<LoopbackAddress, B>> {
  for (let tries = 1; ; tries++) {
    try {
      return await bindEach(bind, addresses, port);
    } catch (error) {
      if (port !== 0 || tries === MAX_TRIES || !(error instanceof Held)) throw refusal(error);
    }
  }
}

async function bindEach<B extends Bound>(
  bind: Bind<B>,
  addresses: readonly LoopbackAddress[],
  port: number,
): Promise<ReadonlyMap<LoopbackAddress, B>> {
  const bound = new Map<LoopbackAddress, B>();
  for (const address of addresses) {
    const [first] = bound.values();
    const wanted = first?.port ?? port;
    try {
      bound.set(address, await bind(address, wanted));
    } catch (error) {
      const code = errnoOf(error);
      if (first !== undefined && ABSENT.includes(code)) continue;
      await Promise.all([...bound.values()].map((open) => open.close()));
      throw code === 'EADDRINUSE' || code === 'EACCES' ? new Held(address, wanted, code) : error;
    }
  }
  return bound;
}

/** The port is taken. */
class Held extends Error {
  readonly place: string;
  readonly port: number;
  readonly reason: 'EADDRINUSE' | 'EACCES';

  constructor(address: LoopbackAddress, port: number, reason: 'EADDRINUSE' | 'EACCES') {
    super(`${address} is not to be had`);
    this.place = `${address === '::1' ? '[::1]' : address}:${port}`;
    this.port = port;
    this.reason = reason;
  }
}

function refusal(error: unknown): unknown {
  if (!(error instanceof Held)) return error;
  const { place, port, reason } = error;
  return new CompanionError(
    'INVALID_REQUEST',
    reason === 'EACCES'
      ? `Port ${port} needs privileges that this process does not have (${place}); choose another with --port.`
      : `${place} is in use, perhaps by another companion, and what is sent there would not be ours; choose another port with --port.`,
  );
}

// The loopback addresses to listen on: only this machine may connect.
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
