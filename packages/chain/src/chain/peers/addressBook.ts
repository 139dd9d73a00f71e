// Peers that may be tried: those that were good, and those that somebody named. A flood of names pushes out none of the good.

import { BlockList, isIPv4 } from 'node:net';
import { NODE_NETWORK, type PeerAddress } from './messages.ts';

/** Where a peer listens. `host`: an IP address. */
export interface PeerPlace {
  readonly host: string;
  readonly port: number;
}

const MOST_TRIED = 1_000;
const MOST_UNTRIED = 1_000;
/** One answer adds no more, so that no peer alone decides whom we know. */
const MOST_OF_ONE = 100;

const LOCAL: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const local = new BlockList();
for (const [net, prefix, family] of LOCAL) local.addSubnet(net, prefix, family);

/** The network that an address is in, of which one owner may have all: an IPv4 /16 or an IPv6 /32. */
export function networkOf({ host }: PeerPlace): string {
  if (isIPv4(host)) return host.split('.').slice(0, 2).join('.');
  return fullGroups(host).slice(0, 2).join(':');
}

/** The eight groups of an IPv6 address, without leading zeros. */
function fullGroups(host: string): string[] {
  const groups = (text: string): string[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16));
  const [head = '', tail] = host.split('::');
  const first = groups(head);
  const last = groups(tail ?? '');
  return [...first, ...new Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last];
}

const MAPPED = '0,0,0,0,0,0,0,0,0,0,255,255';

function placeOf({ ip, port }: PeerAddress): PeerPlace {
  if (ip.subarray(0, 12).join() === MAPPED) return { host: ip.subarray(12).join('.'), port };
  const groups = Array.from({ length: 8 }, (_, i) => (256 * ip[2 * i]! + ip[2 * i + 1]!).toString(16));
  return { host: groups.join(':'), port };
}

const keyOf = ({ host, port }: PeerPlace): string => `${host} ${port}`;

export interface AddressBookParts {
  /** Whether this machine and its neighbours count: on regtest, where all peers are there. */
  readonly isLocalAllowed: boolean;
  /** Milliseconds that never go back. */
  elapsed(): number;
  /** An integer from 0 to below the bound, drawn anew. */
  random(bound: number): number;
}

export class AddressBook {
  readonly #parts: AddressBookParts;
  /** The best first: named by the owner, or the longest known. */
  readonly #tried = new Map<string, PeerPlace>();
  readonly #untried = new Map<string, PeerPlace>();
  /** Until when a host is left alone. Hosts are shared, so never for good. */
  readonly #leftUntil = new Map<string, number>();

  constructor(parts: AddressBookParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#tried.size + this.#untried.size;
  }

  /** Names that one source gave: of a long list some, drawn, and none that cannot be a peer with blocks. */
  learn(addresses: readonly PeerAddress[]): void {
    const { isLocalAllowed, random } = this.#parts;
    const places = addresses
      .filter(({ services, port }) => (services & NODE_NETWORK) !== 0n && port !== 0)
      .map(placeOf)
      .filter(({ host }) => isLocalAllowed || !local.check(host, isIPv4(host) ? 'ipv4' : 'ipv6'));
    for (let taken = 0; taken < MOST_OF_ONE && places.length > 0; taken++) {
      const [place] = places.splice(random(places.length), 1);
      this.#name(place!);
    }
  }

  /** What a resolver answered, or the owner wrote. */
  name(places: readonly PeerPlace[]): void {
    for (const place of places) this.#name(place);
  }

  /** A place to try: of good ones and of others in turn, in no network of `networks`. Undefined where there is none now. */
  pick(networks: ReadonlySet<string>): PeerPlace | undefined {
    const { random } = this.#parts;
    const lists = random(2) === 0 ? [this.#tried, this.#untried] : [this.#untried, this.#tried];
    for (const list of lists) {
      const free = [...list.values()].filter((one) => !networks.has(networkOf(one)) && !this.#isLeft(one));
      if (free.length > 0) return free[random(free.length)];
    }
    return undefined;
  }

  /** It shook hands. */
  good(place: PeerPlace): void {
    const key = keyOf(place);
    this.#untried.delete(key);
    if (this.#tried.has(key)) return;
    this.#tried.set(key, place);
    // The newest goes: who is known for long is harder to replace by an attacker.
    if (this.#tried.size > MOST_TRIED) this.#tried.delete(key);
  }

  /** Its host is left alone for so long; what is not known to be good is forgotten. */
  leave(place: PeerPlace, ms: number): void {
    this.#untried.delete(keyOf(place));
    const { elapsed } = this.#parts;
    for (const [host, until] of this.#leftUntil) if (until <= elapsed()) this.#leftUntil.delete(host);
    this.#leftUntil.set(place.host, elapsed() + ms);
  }

  /** The longest known good ones, which are tried first after a restart. */
  anchors(count: number): PeerPlace[] {
    return [...this.#tried.values()].filter((one) => !this.#isLeft(one)).slice(0, count);
  }

  #name(place: PeerPlace): void {
    const key = keyOf(place);
    if (this.#tried.has(key) || this.#untried.has(key) || this.#isLeft(place)) return;
    if (this.#untried.size >= MOST_UNTRIED) {
      const keys = [...this.#untried.keys()];
      this.#untried.delete(keys[this.#parts.random(keys.length)]!);
    }
    this.#untried.set(key, place);
  }

  #isLeft({ host }: PeerPlace): boolean {
    return (this.#leftUntil.get(host) ?? Number.NEGATIVE_INFINITY) > this.#parts.elapsed();
  }
}
