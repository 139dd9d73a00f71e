// How a connection leaves this machine: directly, or through the owner's SOCKS5 proxy, on which each purpose and server has a login
// of its own. Tor builds another circuit for another login, so that no exit sees two of them together.

import { createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import type { After } from '../async/after.ts';
import { greet, openToProxy, type ProxyLogin, proxyFault, type Target, through } from './socks5.ts';

export type Purpose = 'node' | 'compact' | 'peers' | 'hooks' | 'prices';

export type Way =
  | { readonly kind: 'direct' }
  | { readonly kind: 'proxy'; readonly route: Route }
  /** A hidden service without a proxy: its name must not be looked up (RFC 7686). */
  | { readonly kind: 'none' };

/** `hostname`: as in a URL. */
export type WayTo = (hostname: string) => Way;

/** Where nothing is configured. */
export const DIRECT: WayTo = () => ({ kind: 'direct' });

export interface ProxySetting {
  /** `socks5://host:port` */
  readonly url: string;
  /** Whether each purpose and server has a login of its own; else none is used. */
  readonly isolates: boolean;
}

export interface OutgoingParts {
  readonly proxy: ProxySetting | null;
  isHere(hostname: string): boolean;
  isOnion(hostname: string): boolean;
  randomBytes(length: number): Uint8Array;
  readonly after: After;
}

const PROXY_PORT = 1080;
const SECRET_BYTES = 32;
const LOGIN_PART = 32;

/** The owner's choice of a way out. Make one for each process or thread: it draws the logins. */
export class Outgoing {
  readonly #parts: OutgoingParts;
  readonly #proxy: Target | undefined;
  /** Drawn at each start, so that the proxy cannot link two of them. */
  readonly #secret: Uint8Array;

  constructor(parts: OutgoingParts) {
    this.#parts = parts;
    this.#proxy = parts.proxy === null ? undefined : proxyTarget(parts.proxy.url);
    this.#secret = parts.randomBytes(SECRET_BYTES);
  }

  /** What is on this machine never goes through the proxy. */
  wayOf(purpose: Purpose): WayTo {
    return (hostname) => {
      const { isHere, isOnion, after } = this.#parts;
      if (isHere(hostname)) return { kind: 'direct' };
      if (this.#proxy !== undefined)
        return { kind: 'proxy', route: new Route(this.#proxy, this.#login(`${purpose} ${hostname}`), after) };
      return isOnion(hostname) ? { kind: 'none' } : { kind: 'direct' };
    };
  }

  /** Why the proxy cannot be used, in fixed words; undefined where it can, or where there is none. */
  async fault(): Promise<string | undefined> {
    if (this.#proxy === undefined) return undefined;
    const { after } = this.#parts;
    let socket: Socket | undefined;
    try {
      socket = await openToProxy(this.#proxy, after);
      socket.on('error', () => undefined);
      await greet(socket, this.#login('doctor'), after);
      return undefined;
    } catch (error) {
      return proxyFault(String(error))?.words ?? 'the SOCKS proxy cannot be asked';
    } finally {
      socket?.destroy();
    }
  }

  #login(of: string): ProxyLogin | undefined {
    if (this.#parts.proxy?.isolates !== true) return undefined;
    const drawn = createHmac('sha256', this.#secret).update(of).digest('hex');
    return { user: drawn.slice(0, LOGIN_PART), password: drawn.slice(LOGIN_PART) };
  }
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

function proxyTarget(text: string): Target {
  const { hostname, port } = new URL(text);
  return { host: withoutBrackets(hostname), port: port === '' ? PROXY_PORT : Number(port) };
}

/** The way through the proxy, with the login of one purpose. */
export class Route {
  readonly proxy: Target;
  readonly #login: ProxyLogin | undefined;
  readonly #after: After;

  constructor(proxy: Target, login: ProxyLogin | undefined, after: After) {
    this.proxy = proxy;
    this.#login = login;
    this.#after = after;
  }

  /** Rejects with `ProxyError`. */
  async open(target: Target): Promise<Socket> {
    const socket = await openToProxy(this.proxy, this.#after);
    try {
      await this.through(socket, target);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** The same over a new connection to the proxy that somebody else has opened, and closes. */
  through(socket: Socket, { host, port }: Target): Promise<void> {
    return through(socket, { host: withoutBrackets(host), port }, this.#login, this.#after);
  }

  /** `protocol`: `http:` or `https:`. */
  agent(protocol: string, options: http.AgentOptions = {}): http.Agent {
    return protocol === 'https:' ? new TlsRouteAgent(this, options) : new RouteAgent(this, options);
  }
}

/** What Node's agents call with the connection, later. Their types know no answer that comes later. */
type Connected = (error: Error | null, socket?: Duplex) => void;

interface Wanted {
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
}

const targetOf = ({ host, port }: Wanted): Target => ({ host: host ?? '', port: Number(port) });

class RouteAgent extends http.Agent {
  readonly #route: Route;

  constructor(route: Route, options: http.AgentOptions) {
    super(options);
    this.#route = route;
  }

  override createConnection(options: Wanted, connected: Connected): undefined {
    this.#route.open(targetOf(options)).then((socket) => connected(null, socket), connected);
  }
}

class TlsRouteAgent extends https.Agent {
  readonly #route: Route;

  constructor(route: Route, options: http.AgentOptions) {
    super({ ...options, rejectUnauthorized: true });
    this.#route = route;
  }

  override createConnection(options: Wanted & tls.ConnectionOptions, connected: Connected): undefined {
    this.#route
      .open(targetOf(options))
      .then((socket) => connected(null, tls.connect({ ...options, socket })), connected);
  }
}
