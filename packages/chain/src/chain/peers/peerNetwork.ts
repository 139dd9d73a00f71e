// What the network's peers show: the chain of most work, and with it a second opinion on the blocks of any server. It owns the
// connections, the addresses and the file of headers.

import fs from 'node:fs';
import type { Socket } from 'node:net';
import type { After } from '@wallet-companion/base/async';
import { equalBytes, randomBelow } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import { replaceFile } from '@wallet-companion/disk/files';
import { blockSecondsAt } from '@wallet-companion/zcash/blockTimes';
import { type BlockHash, blockHashFromHex, type TxId } from '@wallet-companion/zcash/identifiers';
import { branchIdAt, type NetworkParameters } from '@wallet-companion/zcash/network';
import { parseTransaction } from '@wallet-companion/zcash/transactions';
import { type WorkRules, workRules } from '@wallet-companion/zcash/work';
import { chainStart } from '../headers/checkpoints.ts';
import type { HeaderChain, HeaderChainParts } from '../headers/headerChain.ts';
import { HeaderFile } from '../headers/headerFile.ts';
import type { TransactionService } from '../ports/chainSource.ts';
import type { SendOutcome, TransactionStatus } from '../ports/types.ts';
import { AddressBook, type PeerPlace } from './addressBook.ts';
import type { ServingPeer } from './blockPeers.ts';
import { namedPlaces, type Resolve, seedPlaces } from './dialling.ts';
import type { Frontier } from './frontiers.ts';
import { HeaderPeers } from './headerPeers.ts';
import { KeptHeaders } from './keptHeaders.ts';
import { MAGIC } from './messages.ts';
import { PeerSender } from './peerSending.ts';

/** Peers that are asked for headers at once. */
const WANTED = 8;
const AGENT = '/wallet-companion:0.1.0/';
/** Good addresses that are kept over a restart. */
const MOST_KEPT = 1_000;
const KEEP_MS = 60_000;

/** Without a block for so long, or with less than half of those that were due, the newest may be withheld from us. */
const STALE_SECONDS = 30 * 60;
const WATCHED_SECONDS = 6 * 3_600;

/** Somebody may have so many blocks before our peers have them, beside those that were due since their newest. */
const MOST_AHEAD = 6;

/** A program that has just started connects in some seconds. */
const CONNECT_MS = 60_000;

/** A peer bans for a day who sends what the next block cannot have, and it may be ahead of us by so many blocks. */
const AROUND_UPGRADE = 3;

const DAY_MS = 86_400_000;

export interface PeerNetworkParts {
  readonly parameters: NetworkParameters;
  /** Default: those of the network. */
  readonly rules?: WorkRules;
  /** Where the headers begin; all from there on are needed. Default: the newest known blocks. */
  readonly start?: Frontier['start'] | undefined;
  /** Paths of what is kept over restarts; undefined: nothing is. */
  readonly files: { readonly headers: string; readonly peers: string } | undefined;
  /** What the owner wrote: always wanted. */
  readonly named: readonly string[];
  readonly after: After;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that never go back. */
  elapsed(): number;
  randomBytes(length: number): Uint8Array;
  /** An open connection. Rejects where there is none. */
  dial(place: PeerPlace): Promise<Socket>;
  readonly resolve: Resolve;
  /** Checks solutions of a problem of this size. */
  solver(problem: { readonly n: number; readonly k: number }): Promise<HeaderChainParts['solves']>;
  /** A peer was left for a reason. */
  left(place: PeerPlace, why: string): void;
  failed(where: string, error: unknown): void;
}

export type PeersState =
  /** No peer is connected. */
  | 'connecting'
  /** Headers are still being read. */
  | 'catching up'
  /** At least one peer has the chain's own tip. */
  | 'current'
  /** No block came for half an hour. */
  | 'stale'
  /** Less than half of the blocks came that were due in six hours. */
  | 'slow';

export interface PeersView {
  readonly state: PeersState;
  readonly peers: number;
  /** Those with the chain's own tip. */
  readonly agreeing: number;
  /** Of the chain of most work; undefined while nothing is known of it. */
  readonly height: Height | undefined;
  /** The network may have blocks up to this height by now, with peers that are some minutes behind. */
  readonly highest: Height | undefined;
  /** Sent and received since midnight, UTC. */
  readonly bytesToday: number;
}

export class PeerNetwork implements Pick<TransactionService, 'send' | 'transactionStatus'> {
  readonly #parts: PeerNetworkParts;
  readonly #rules: WorkRules;
  readonly #book: AddressBook;
  readonly #traffic: Traffic;
  #headers: KeptHeaders | undefined;
  #pool: HeaderPeers | undefined;
  #sender: PeerSender | undefined;
  #isOpen = true;
  #cancelKeeping: () => void = () => undefined;
  /** Wait for what a peer shows. */
  readonly #waits = new Set<() => void>();
  #kept = '';
  readonly #random = (bound: number): number => randomBelow(bound, this.#parts.randomBytes);

  constructor(parts: PeerNetworkParts) {
    this.#parts = parts;
    this.#rules = parts.rules ?? workRules(parts.parameters);
    this.#traffic = new Traffic(parts.now);
    this.#book = new AddressBook({
      isLocalAllowed: parts.parameters.network === 'regtest',
      elapsed: parts.elapsed,
      random: this.#random,
    });
  }

  /** Reads what was kept, and begins to dial. Never rejects. */
  async start(): Promise<void> {
    const { parameters, solver, now, failed, named, resolve } = this.#parts;
    const { equihash } = this.#rules;
    try {
      const solves = equihash === null ? () => true : await solver(equihash);
      const wanted = await namedPlaces(named, parameters.network, resolve);
      if (!this.#isOpen) return;
      this.#headers = new KeptHeaders({
        rules: this.#rules,
        start: this.#start,
        isWhole: this.#parts.start !== undefined,
        solves,
        now,
        file: this.#file(),
        failed: (error) => failed('peers.headers', error),
      });
      this.#book.remember(this.#keptPlaces());
      this.#book.want(wanted);
      this.#pool = this.#newPool(this.#headers);
      this.#sender = this.#newSender(this.#headers, this.#pool);
      this.#pool.start();
      this.#keepLater();
    } catch (error) {
      failed('peers.start', error);
    }
  }

  get #start(): Frontier['start'] {
    return this.#parts.start ?? chainStart(this.#parts.parameters);
  }

  /** Ends all connections. */
  close(): void {
    this.#isOpen = false;
    this.#cancelKeeping();
    this.#sender?.close();
    this.#pool?.close();
    this.#headers?.close();
    this.#changed();
  }

  view(): PeersView {
    const { peers = [], agreeing = 0 } = this.#pool ?? {};
    const chain = this.#headers?.chain;
    return {
      state: this.#state(peers.length, agreeing, chain),
      peers: peers.length,
      agreeing,
      height: chain?.tip.height,
      highest: chain && this.#highest(chain),
      bytesToday: this.#traffic.today(),
    };
  }

  /**
   * Whether a block is on the chain of most work. Undefined where nobody can say: no peer with the chain's tip is connected, or
   * the height is above or below what is known.
   */
  isOnBest(height: Height, hash: BlockHash): boolean | undefined {
    if ((this.#pool?.agreeing ?? 0) === 0) return undefined;
    return this.#headers?.chain?.isOnBest(height, hash);
  }

  /**
   * Asks all peers for what is new; resolves when they have answered, or after `ms`, with how many of those that answered have
   * the chain's own tip.
   */
  async refresh(ms: number): Promise<number> {
    if (this.#pool === undefined) return 0;
    let cancel: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = this.#parts.after(ms, resolve);
    });
    await Promise.race([this.#pool.askAll(), late]).finally(cancel);
    return this.#pool.confirming;
  }

  /** Undefined while nothing is known of it. */
  get chain(): HeaderChain | undefined {
    return this.#headers?.chain;
  }

  /** Peers that may be asked for blocks. */
  get serving(): readonly ServingPeer[] {
    return this.#pool?.serving ?? [];
  }

  /** The chain of most work, once a peer has shown all of it: now, or within `ms`. Throws `PEERS_UNREACHABLE`. */
  async currentChain(ms: number): Promise<HeaderChain> {
    const isCurrent = await this.#until(() => (this.#pool?.agreeing ?? 0) > 0, ms);
    const { chain } = this;
    if (isCurrent && chain !== undefined) return chain;
    const { peers, height } = this.view();
    throw peers === 0 ? notConnected() : stillReading(height ?? 0);
  }

  /** Whether the chain has another tip than this one, by now or within `ms`. */
  untilOther(tip: BlockHash, ms: number, signal?: AbortSignal): Promise<boolean> {
    const isOther = (): boolean => this.chain !== undefined && !equalBytes(this.chain.tip.hash, tip);
    return this.#until(isOther, ms, signal);
  }

  async #until(isSo: () => boolean, ms: number, signal?: AbortSignal): Promise<boolean> {
    if (isSo() || !this.#isOpen || signal?.aborted === true) return isSo();
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel();
        this.#waits.delete(look);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const look = (): void => {
        if (isSo() || !this.#isOpen) end();
      };
      const cancel = this.#parts.after(ms, end);
      this.#waits.add(look);
      signal?.addEventListener('abort', end);
    });
    return isSo();
  }

  #changed(): void {
    for (const look of [...this.#waits]) look();
  }

  /**
   * Hands a transaction to a peer, and returns when another shows it. `PEERS_UNREACHABLE` and `PAYMENT_STATE` before anything has
   * left, `UPSTREAM_TIMEOUT` where nobody shows it for minutes.
   */
  async send(raw: Uint8Array, txid: TxId): Promise<SendOutcome> {
    const sender = await this.#readySender();
    this.#requireSendable(raw);
    const sending = await sender.send(raw, txid);
    if (sending.kind === 'seen') return { kind: 'accepted' };
    if (sending.kind === 'no peer') throw notConnected();
    if (sending.kind === 'rejected') return { kind: 'refused', reason: 'other', text: sending.text };
    const what = 'The transaction was handed to peers of the network, and none of the others has shown it';
    throw new CompanionError('UPSTREAM_TIMEOUT', `${what} so far.`);
  }

  async transactionStatus(txid: TxId): Promise<TransactionStatus> {
    const sender = await this.#readySender();
    return (await sender.isSeen(txid)) ? { kind: 'mempool' } : { kind: 'unknown' };
  }

  async #readySender(): Promise<PeerSender> {
    await this.currentChain(CONNECT_MS);
    return this.#sender!;
  }

  /** `PAYMENT_STATE` for what none of the next blocks can have. */
  #requireSendable(raw: Uint8Array): void {
    const { activation } = this.#parts.parameters;
    const { version, consensusBranchId, expiryHeight } = parseTransaction(raw);
    const next = this.#headers!.chain!.tip.height + 1;
    const isOfRules = (height: Height): boolean =>
      version < 5 || consensusBranchId === branchIdAt(activation, height);
    if (isOfRules(next) && isOfRules(next + AROUND_UPGRADE) && (expiryHeight === 0 || expiryHeight > next))
      return;
    throw new CompanionError(
      'PAYMENT_STATE',
      `The payment was not sent: it expires with block ${next}, or was made for other rules than those from there on. Prepare another one.`,
    );
  }

  /** Twice the blocks that were due since the newest one: they do not come evenly. */
  #highest({ tip: { height, time } }: HeaderChain): Height {
    const { now, parameters } = this.#parts;
    // Test chains on one machine have whatever times they like.
    if (!this.#rules.adjusts) return height + MOST_AHEAD;
    const due = Math.max(0, now() / 1_000 - time) / blockSecondsAt(parameters.activation, height + 1);
    return height + MOST_AHEAD + Math.ceil(2 * due);
  }

  #state(peers: number, agreeing: number, chain: HeaderChain | undefined): PeersState {
    if (peers === 0) return 'connecting';
    if (chain === undefined || agreeing === 0) return 'catching up';
    // Test chains on one machine have whatever times they like.
    if (!this.#rules.adjusts) return 'current';
    const now = this.#parts.now() / 1_000;
    const { height, time } = chain.tip;
    if (now - time > STALE_SECONDS) return 'stale';
    const due = WATCHED_SECONDS / blockSecondsAt(this.#parts.parameters.activation, height);
    const half = chain.timeAt(height - Math.floor(due / 2));
    return half !== undefined && now - half > WATCHED_SECONDS ? 'slow' : 'current';
  }

  #newPool(headers: KeptHeaders): HeaderPeers {
    const { parameters, after, now, randomBytes, dial, resolve, left } = this.#parts;
    const { network } = parameters;
    const start = this.#start;
    return new HeaderPeers({
      headers,
      book: this.#book,
      wanted: WANTED,
      magic: MAGIC[network],
      agent: AGENT,
      startHeight: 'at' in start ? start.at.height : 0,
      after,
      now,
      randomBytes,
      dial: async (place) => this.#traffic.count(await dial(place)),
      seeds: () => seedPlaces(network, resolve, this.#random),
      changed: () => this.#changed(),
      left,
    });
  }

  #newSender(headers: KeptHeaders, peers: HeaderPeers): PeerSender {
    return new PeerSender({
      peers,
      groupOf: ({ place }) => this.#book.groupOf(place),
      chain: () => headers.chain!,
      after: this.#parts.after,
      random: this.#random,
    });
  }

  /** Each regtest chain begins with the same block, so that nothing of another may be kept. */
  get #files(): PeerNetworkParts['files'] {
    const { files, parameters } = this.#parts;
    return parameters.network === 'regtest' ? undefined : files;
  }

  #file(): HeaderFile | undefined {
    const { parameters, failed } = this.#parts;
    const path = this.#files?.headers;
    if (path === undefined) return undefined;
    try {
      return new HeaderFile(path, blockHashFromHex(parameters.genesisHash));
    } catch (error) {
      failed('peers.headers', error);
      return undefined;
    }
  }

  /** None where the file is missing, too long, or not what was written. */
  #keptPlaces(): PeerPlace[] {
    const file = this.#files?.peers;
    try {
      if (file === undefined || fs.statSync(file).size > 100 * MOST_KEPT) return [];
      const places: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
      return Array.isArray(places) ? places.filter(isPlace).slice(0, MOST_KEPT) : [];
    } catch {
      return [];
    }
  }

  #keepLater(): void {
    this.#cancelKeeping = this.#parts.after(KEEP_MS, () => {
      void this.#keepPlaces();
      if (this.#isOpen) this.#keepLater();
    });
  }

  async #keepPlaces(): Promise<void> {
    const file = this.#files?.peers;
    // Without a connection this computer may be offline, where every peer that was tried counts as lost.
    if (this.#pool?.peers.length === 0) return;
    const text = `${JSON.stringify(this.#book.anchors(MOST_KEPT).map(({ host, port }) => ({ host, port })))}\n`;
    if (file === undefined || text === this.#kept) return;
    this.#kept = text;
    await replaceFile(file, new TextEncoder().encode(text)).catch((error: unknown) =>
      this.#parts.failed('peers.keep', error),
    );
  }
}

const unreachable = (why: string): CompanionError =>
  new CompanionError('PEERS_UNREACHABLE', `${why} Try again in a moment.`);

const notConnected = (): CompanionError =>
  unreachable(
    'No peer of the network is connected yet; after a restart one may refuse this address for two minutes. If it stays so, see whether this computer may open connections to them ("doctor"), or use a node or a compact server.',
  );

const stillReading = (height: Height): CompanionError =>
  unreachable(`Headers are still being read from peers of the network, up to block ${height}.`);

function isPlace(value: unknown): value is PeerPlace {
  if (typeof value !== 'object' || value === null) return false;
  const { host, port } = value as Record<string, unknown>;
  return typeof host === 'string' && host.length <= 45 && Number.isInteger(port);
}

/** Bytes of all connections since midnight. */
class Traffic {
  readonly #now: () => number;
  readonly #open = new Set<Socket>();
  #closed = 0;
  #day = 0;
  #before = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  count(socket: Socket): Socket {
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#closed += bytesOf(socket);
    });
    return socket;
  }

  today(): number {
    const all = [...this.#open].reduce((sum, socket) => sum + bytesOf(socket), this.#closed);
    const day = Math.floor(this.#now() / DAY_MS);
    if (day !== this.#day) {
      this.#before = this.#day === 0 ? 0 : all;
      this.#day = day;
    }
    return all - this.#before;
  }
}

const bytesOf = ({ bytesRead, bytesWritten }: Socket): number => bytesRead + bytesWritten;
