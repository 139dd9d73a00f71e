// Several peers at once, none of which is believed: each brings the same chain of headers up to what it shows, and who lies or
// is silent is replaced by another, in another network.

import type { Duplex } from 'node:stream';
import type { After } from '@wallet-companion/base/async';
import { bytesToHex } from '@wallet-companion/base/bytes';
import type { AddressBook, PeerPlace } from './addressBook.ts';
import type { ServingPeer } from './blockPeers.ts';
import type { Followed } from './followHeaders.ts';
import type { KeptHeaders } from './keptHeaders.ts';
import { PeerConnection, PeerError, type PeerFault } from './peerConnection.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long a host is left alone after what happened. Shared addresses make an end without a word nobody's fault. */
const LEFT_MS: Readonly<Record<PeerFault | 'lied', number>> = {
  lied: DAY_MS,
  malformed: DAY_MS,
  unasked: DAY_MS,
  old: DAY_MS,
  ourselves: DAY_MS,
  'without blocks': DAY_MS,
  silent: HOUR_MS,
  closed: HOUR_MS / 6,
  left: 0,
};

/** Between two questions of a peer that announces nothing: some two blocks' time. */
const ASK_EVERY_MS = 60_000;
/** Before the next try where no place could be tried. */
const REST_MS = 10_000;

export interface HeaderPeersParts {
  readonly headers: Pick<KeptHeaders, 'chain' | 'follow'>;
  readonly book: AddressBook;
  /** Connections that are wanted at once. */
  readonly wanted: number;
  readonly magic: Uint8Array;
  readonly agent: string;
  readonly startHeight: number;
  readonly after: After;
  /** Milliseconds since 1970. */
  now(): number;
  randomBytes(length: number): Uint8Array;
  /** An open connection. Rejects where there is none. */
  dial(place: PeerPlace): Promise<Duplex>;
  /** More names, where the book has none that can be tried. */
  seeds(): Promise<readonly PeerPlace[]>;
  /** A peer has shown its chain, or is gone. */
  readonly changed?: () => void;
  /** A peer was left for a reason. */
  left(place: PeerPlace, why: string): void;
}

export interface HeaderPeer {
  readonly place: PeerPlace;
  readonly agent: string;
  /** The last header that it showed, in hex; undefined before its first answer. */
  readonly tip: string | undefined;
}

export interface ConnectedPeer {
  readonly place: PeerPlace;
  readonly connection: PeerConnection;
}

interface Live extends ConnectedPeer {
  /** For those who want blocks of it. */
  readonly serving: ServingPeer;
  tip: string | undefined;
  /** What it did wrong beside its headers. */
  blamed: string | undefined;
  /** Wait for its next answer. */
  asked: (() => void)[];
}

export class HeaderPeers {
  readonly #parts: HeaderPeersParts;
  /** By their groups in the book; undefined while one is dialled. */
  readonly #live = new Map<string, Live | undefined>();
  #isOpen = true;
  #isSeeding = false;
  #cancelRest: () => void = () => undefined;

  constructor(parts: HeaderPeersParts) {
    this.#parts = parts;
  }

  get peers(): readonly HeaderPeer[] {
    return [...this.#live.values()]
      .filter((one) => one !== undefined)
      .map(({ place, connection, tip }) => ({ place, agent: connection.version.agent, tip }));
  }

  /** Those that are asked for headers, for other questions between. */
  get connected(): readonly ConnectedPeer[] {
    return [...this.#live.values()].filter((one) => one !== undefined);
  }

  /** Shakes hands with one more peer, in none of the networks of those and not in `others`. Undefined where none is known that answers. */
  async another(others: ReadonlySet<string>): Promise<ConnectedPeer | undefined> {
    const { book } = this.#parts;
    const tried = new Set([...this.#live.keys(), ...others]);
    while (this.#isOpen) {
      const place = book.pick(tried);
      if (place === undefined) return undefined;
      tried.add(book.groupOf(place));
      try {
        return { place, connection: await this.#shakeHands(place) };
      } catch (error) {
        if (!(error instanceof PeerError)) throw error;
        book.leave(place, LEFT_MS[error.fault]);
      }
    }
    return undefined;
  }

  /** Peers in different networks that show the chain's own tip. */
  get agreeing(): number {
    return this.#showingTip().length;
  }

  /** Those of them that owe no answer to `askAll`. */
  get confirming(): number {
    return this.#showingTip().filter(({ asked }) => asked.length === 0).length;
  }

  /** Those that may be asked for blocks: they show the chain's own tip. */
  get serving(): readonly ServingPeer[] {
    return this.#showingTip().map(({ serving }) => serving);
  }

  /** Dials until as many are connected as are wanted, and again whenever one is lost. */
  start(): void {
    while (this.#isOpen && this.#live.size < this.#parts.wanted) {
      const place = this.#parts.book.pick(new Set(this.#live.keys()));
      if (place === undefined) {
        this.#seed();
        return;
      }
      const group = this.#parts.book.groupOf(place);
      this.#live.set(group, undefined);
      void this.#serve(place, group).then(() => this.start());
    }
  }

  /** Asks each at once; resolves when all have answered or are gone. */
  async askAll(): Promise<void> {
    const live = [...this.#live.values()].filter((one) => one !== undefined);
    await Promise.all(
      live.map(
        (one) =>
          new Promise<void>((resolve) => {
            one.asked.push(resolve);
            one.connection.wake();
          }),
      ),
    );
  }

  /** Ends all connections. */
  close(): void {
    this.#isOpen = false;
    this.#cancelRest();
    for (const one of this.#live.values()) one?.connection.close();
  }

  #showingTip(): Live[] {
    const { chain } = this.#parts.headers;
    if (chain === undefined) return [];
    const tip = bytesToHex(chain.tip.hash);
    return [...this.#live.values()].filter((one) => one !== undefined).filter((one) => one.tip === tip);
  }

  #seed(): void {
    if (this.#isSeeding) return;
    this.#isSeeding = true;
    const rest = (): void => {
      if (!this.#isOpen) return;
      this.#cancelRest = this.#parts.after(REST_MS, () => {
        this.#isSeeding = false;
        this.start();
      });
    };
    this.#parts
      .seeds()
      .then((places) => this.#parts.book.name(places))
      .then(rest, rest);
  }

  /** One peer from the dial to its end. Never rejects. */
  async #serve(place: PeerPlace, group: string): Promise<void> {
    const { book, left } = this.#parts;
    let why: { readonly fault: PeerFault | 'lied'; readonly message: string };
    try {
      const live = await this.#open(place, group);
      book.good(place);
      why = await this.#follow(live);
    } catch (error) {
      why = error instanceof PeerError ? error : { fault: 'closed', message: 'this program failed at it' };
    }
    const live = this.#live.get(group);
    if (live?.blamed !== undefined) why = { fault: 'lied', message: live.blamed };
    live?.connection.close();
    this.#live.delete(group);
    for (const answered of live?.asked ?? []) answered();
    if (!this.#isOpen) return;
    book.leave(place, LEFT_MS[why.fault]);
    left(place, why.message);
  }

  async #open(place: PeerPlace, group: string): Promise<Live> {
    const connection = await this.#shakeHands(place);
    const live: Live = {
      place,
      connection,
      tip: undefined,
      asked: [],
      blamed: undefined,
      serving: {
        place,
        blocks: (hashes) => connection.blocks(hashes),
        blame: (why) => {
          live.blamed = why;
          connection.close();
        },
      },
    };
    this.#live.set(group, live);
    if (!this.#isOpen) connection.close();
    return live;
  }

  async #shakeHands(place: PeerPlace): Promise<PeerConnection> {
    const { dial, randomBytes, magic, agent, startHeight, after, now } = this.#parts;
    const options = { magic, agent, startHeight, after, now, nonce: randomBytes(8) };
    const socket = await dial(place).catch(() => {
      throw new PeerError('closed', 'no connection could be opened');
    });
    if (!this.#isOpen) socket.destroy();
    return PeerConnection.open(socket, options);
  }

  /** Returns when it has lied. Rejects with `PeerError`. */
  async #follow(live: Live): Promise<{ readonly fault: 'lied'; readonly message: string }> {
    const { headers, book } = this.#parts;
    book.learn(await live.connection.addresses());
    for (;;) {
      const asked = live.asked.length;
      const followed = await headers.follow(live.connection);
      if (followed.kind === 'lied') return { fault: 'lied', message: LIES[followed.why] };
      // A tip ahead of our clock is none that the chain can have.
      live.tip = followed.kind === 'followed' ? followed.tip && bytesToHex(followed.tip) : undefined;
      for (const answered of live.asked.splice(0, asked)) answered();
      this.#parts.changed?.();
      if (live.asked.length === 0) await live.connection.news(ASK_EVERY_MS);
    }
  }
}

type Lie = Extract<Followed, { readonly kind: 'lied' }>['why'];

const LIES: Readonly<Record<Lie, string>> = {
  unlinked: 'it sent a header that follows none',
  deep: 'it follows a chain that parted from this one long ago',
  version: 'it sent a header of an unknown version',
  target: 'it sent a header with less work than the network asks for',
  time: 'it sent a header with an impossible time',
  hash: 'it sent a header that was not worked for',
  solution: 'it sent a header that was not worked for',
  checkpoint: 'it follows another chain than the known blocks',
  endless: 'it sent headers without end',
};
