// Connections through a SOCKS5 proxy (RFC 1928, with the login of RFC 1929): the proxy gets names as they are, so that nobody else
// is asked for them. It may be dead, slow or hostile: replies are read to their exact length, and each has a deadline.

import { connect, isIPv4, isIPv6, type Socket } from 'node:net';
import type { After } from '../async/after.ts';

/** A name, or an IP address without brackets. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface ProxyLogin {
  readonly user: string;
  readonly password: string;
}

/** Fixed words: nothing in them is from the other side. */
const PROXY_FAULTS = {
  away: 'the SOCKS proxy cannot be reached',
  silent: 'the SOCKS proxy does not answer',
  closed: 'the SOCKS proxy closes the connection',
  'not SOCKS5': 'the proxy does not speak SOCKS5',
  'no login': 'the SOCKS proxy takes no user name: set proxy_isolation to false',
  'other login': 'the SOCKS proxy takes user names as a login: set proxy_isolation to false',
  'wants login': 'the SOCKS proxy wants a login',
} as const;

/** For a library that opens the connection to the proxy itself. */
export const PROXY_AWAY = PROXY_FAULTS.away;

/** What a proxy says of the target (RFC 1928, section 6). */
const REFUSALS: Readonly<Record<number, string>> = {
  2: 'the SOCKS proxy does not allow this address',
  3: 'the SOCKS proxy has no route to the network',
  4: 'the SOCKS proxy does not find the host',
  5: 'refused, as the SOCKS proxy says',
  6: 'timed out, as the SOCKS proxy says',
};
const OTHER_REFUSAL = 'the SOCKS proxy cannot connect to it';
const LATE = 'the SOCKS proxy waits for it for too long';

/** The proxy, or the target behind it, cannot be reached; its message is of fixed words. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

/** The words of a `ProxyError` in a text, such as that of a library; `isOfProxy`: the server was never asked. */
export function proxyFault(
  text: string,
): { readonly words: string; readonly isOfProxy: boolean } | undefined {
  const find = (all: readonly string[]): string | undefined => all.find((words) => text.includes(words));
  const own = find(Object.values(PROXY_FAULTS));
  const words = own ?? find([...Object.values(REFUSALS), OTHER_REFUSAL, LATE]);
  return words === undefined ? undefined : { words, isOfProxy: own !== undefined };
}

const VERSION = 5;
const NO_LOGIN = 0;
const LOGIN = 2;
const LOGIN_VERSION = 1;
const CONNECT = 1;
const IPV4 = 1;
const NAME = 3;
const IPV6 = 4;
const NONE_ACCEPTABLE = 0xff;

/** A proxy stands near: only what it connects to may take long. */
const PROXY_MS = 5_000;
/** A circuit of Tor to a hidden service may take so long. */
const TARGET_MS = 30_000;

/** A TCP connection to the proxy itself. Rejects with `ProxyError`. */
export function openToProxy({ host, port }: Target, after: After): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    const fail = (fault: keyof typeof PROXY_FAULTS): void => {
      callOff();
      reject(new ProxyError(PROXY_FAULTS[fault]));
    };
    const callOff = after(PROXY_MS, () => {
      socket.destroy();
      fail('silent');
    });
    const away = (): void => fail('away');
    socket.once('error', away);
    socket.once('connect', () => {
      callOff();
      socket.off('error', away);
      resolve(socket);
    });
  });
}

/**
 * Has the proxy at the other end of a new connection connect to the target; what the socket carries then is the target's. Rejects
 * with `ProxyError`; the caller closes the socket.
 */
export async function through(
  socket: Socket,
  target: Target,
  login: ProxyLogin | undefined,
  after: After,
): Promise<void> {
  // A connection that breaks between two reads must not end the process.
  socket.on('error', () => undefined);
  await greet(socket, login, after);
  socket.write(Buffer.concat([Buffer.of(VERSION, CONNECT, 0), addressBytes(target)]));
  const [version, reply = 0, , kind = 0] = await read(socket, 4, TARGET_MS, LATE, after);
  if (version !== VERSION) throw fault('not SOCKS5');
  if (reply !== 0) throw new ProxyError(REFUSALS[reply] ?? OTHER_REFUSAL);
  // The address from which the proxy connects: of no use here, but in the way.
  const near = (length: number): Promise<Buffer> =>
    read(socket, length, PROXY_MS, PROXY_FAULTS.silent, after);
  if (kind === IPV4) await near(4 + 2);
  else if (kind === IPV6) await near(16 + 2);
  else if (kind === NAME) await near((await near(1))[0]! + 2);
  else throw fault('not SOCKS5');
}

/** Only whether it takes us: nothing is connected. Rejects with `ProxyError`. */
export async function greet(socket: Socket, login: ProxyLogin | undefined, after: After): Promise<void> {
  const answer = (): Promise<Buffer> => read(socket, 2, PROXY_MS, PROXY_FAULTS.silent, after);
  const method = login === undefined ? NO_LOGIN : LOGIN;
  socket.write(Buffer.of(VERSION, 1, method));
  const [version, chosen] = await answer();
  if (version !== VERSION) throw fault('not SOCKS5');
  if (chosen === NONE_ACCEPTABLE) throw fault(login === undefined ? 'wants login' : 'no login');
  if (chosen !== method) throw fault('not SOCKS5');
  if (login === undefined) return;
  const parts = [login.user, login.password].map((text) => Buffer.from(text));
  socket.write(
    Buffer.concat([Buffer.of(LOGIN_VERSION), ...parts.flatMap((part) => [Buffer.of(part.length), part])]),
  );
  const [, status] = await answer();
  if (status !== 0) throw fault('other login');
}

const fault = (kind: keyof typeof PROXY_FAULTS): ProxyError => new ProxyError(PROXY_FAULTS[kind]);

function addressBytes({ host, port }: Target): Buffer {
  const end = Buffer.of(port >> 8, port & 0xff);
  if (isIPv4(host)) return Buffer.concat([Buffer.of(IPV4, ...host.split('.').map(Number)), end]);
  if (isIPv6(host)) return Buffer.concat([Buffer.of(IPV6), ipv6Bytes(host), end]);
  const name = Buffer.from(host);
  if (name.length > 255) throw new ProxyError(REFUSALS[4]);
  return Buffer.concat([Buffer.of(NAME, name.length), name, end]);
}

function ipv6Bytes(host: string): Buffer {
  // One spelling for each address: groups alone, with one gap at most.
  const plain = new URL(`http://[${host.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [head = '', tail = ''] = plain
    .split('::')
    .map(groups)
    .map((all) => all.map((one) => one.padStart(4, '0')).join(''));
  return Buffer.from(head + tail.padStart(32 - head.length, '0'), 'hex');
}

/** Exactly so many bytes: what follows them is the target's, and stays in the socket. */
function read(socket: Socket, length: number, ms: number, late: string, after: After): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      callOff();
      socket.off('readable', look).off('end', closed).off('close', closed);
    };
    const closed = (): void => {
      settle();
      reject(fault('closed'));
    };
    const look = (): void => {
      const bytes = socket.read(length) as Buffer | null;
      if (bytes === null) return;
      // The last ones of a connection that ended come however few they are.
      if (bytes.length < length) closed();
      else {
        settle();
        resolve(bytes);
      }
    };
    const callOff = after(ms, () => {
      settle();
      reject(new ProxyError(late));
    });
    socket.on('readable', look).on('end', closed).on('close', closed);
    if (socket.destroyed) closed();
    else look();
  });
}
