// Peers that may be tried: those that were good, and those that somebody named. A flood of names pushes out none of the good.

import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { NODE_NETWORK, type PeerAddress } from './messages.ts';

/** Where a peer listens. `host`: an IP address, or a name that only a proxy looks up. */
export interface PeerPlace {
  readonly host: string;
  readonly port: number;
}

const MOST_TRIED = 1_000;
const MOST_UNTRIED = 1_000;
/** One answer adds no more, so that no peer alone decides whom we know. */
const MOST_OF_ONE = 100;
const ANCHORS = 2;
/**
 * What the owner named is tried again after so much of the time, and after a minute whatever it did. It may be the only peer, and
 * a zebrad refuses an address for two minutes after it took a connection of it, so that a restart meets that.
 */
const NAMED_PART = 1 / 60;
const NAMED_MS = 60_000;

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
  // Nobody here knows where a name leads.
  if (!isIPv6(host)) return host;
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
  /** The longest known first. */
  readonly #tried = new Map<string, PeerPlace>();
  readonly #untried = new Map<string, PeerPlace>();
  /** Named by the owner: always wanted, wherever they are. */
  readonly #named = new Map<string, PeerPlace>();
  /** Tried first after a start. */
  #anchors: PeerPlace[] = [];
  /** Until when a host, or a place that the owner named, is left alone. Hosts are shared, so never for good. */
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

  /** What a resolver answered. */
  name(places: readonly PeerPlace[]): void {
    for (const place of places) this.#name(place);
  }

  /** What the owner wrote. */
  want(places: readonly PeerPlace[]): void {
    for (const place of places) this.#named.set(keyOf(place), place);
  }

  /** The good ones of an earlier run, as `good` had them, of which the first are tried first. */
  remember(places: readonly PeerPlace[]): void {
    for (const place of places.slice(0, MOST_TRIED)) this.#tried.set(keyOf(place), place);
    this.#anchors = places.slice(0, ANCHORS);
  }

  /** The network of a place; what the owner named stands alone. One peer of each is connected. */
  groupOf(place: PeerPlace): string {
    return this.#isNamed(place) ? keyOf(place) : networkOf(place);
  }

  /** A place to try: of good ones and of others in turn, in no group of `groups`. Undefined where there is none now. */
  pick(groups: ReadonlySet<string>): PeerPlace | undefined {
    const { random } = this.#parts;
    const isFree = (one: PeerPlace): boolean => !groups.has(this.groupOf(one)) && !this.#isLeft(one);
    const wanted = [...this.#named.values()].find(isFree) ?? this.#anchors.find(isFree);
    if (wanted !== undefined) {
      this.#anchors = this.#anchors.filter((one) => one !== wanted);
      return wanted;
    }
    const lists = random(2) === 0 ? [this.#tried, this.#untried] : [this.#untried, this.#tried];
    for (const list of lists) {
      const free = [...list.values()].filter(isFree);
      if (free.length > 0) return free[random(free.length)];
    }
    return undefined;
  }

  /** It shook hands. */
  good(place: PeerPlace): void {
    const key = keyOf(place);
    if (this.#named.has(key)) return;
    this.#untried.delete(key);
    if (this.#tried.has(key)) return;
    this.#tried.set(key, place);
    // The newest goes: who is known for long is harder to replace by an attacker.
    if (this.#tried.size > MOST_TRIED) this.#tried.delete(key);
  }

  /** Its host is left alone for so long, what the owner named for less; what is not known to be good is forgotten. */
  leave(place: PeerPlace, ms: number): void {
    const key = keyOf(place);
    this.#untried.delete(key);
    const now = this.#parts.elapsed();
    for (const [one, until] of this.#leftUntil) if (until <= now) this.#leftUntil.delete(one);
    const isNamed = this.#named.has(key);
    this.#leftUntil.set(
      isNamed ? key : place.host,
      now + (isNamed ? Math.min(ms * NAMED_PART, NAMED_MS) : ms),
    );
  }

  /** The longest known good ones, for `remember` after a restart. */
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

  #isNamed(place: PeerPlace): boolean {
    return this.#named.size > 0 && this.#named.has(keyOf(place));
  }

  #isLeft(place: PeerPlace): boolean {
    const until = this.#leftUntil.get(this.#isNamed(place) ? keyOf(place) : place.host);
    return until !== undefined && until > this.#parts.elapsed();
  }
}
