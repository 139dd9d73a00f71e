// One peer: the handshake, questions one at a time, and the end of a connection by whichever side ends it. A peer is
// believed nothing; what it answers is only brought into form here.

import type { Duplex } from 'node:stream';
import { type After, SerialQueue } from '@wallet-companion/base/async';
import { bytesToHex, equalBytes, FormatError } from '@wallet-companion/base/bytes';
import { parseHeader } from '@wallet-companion/zcash/blocks';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import { type Frame, FrameReader, frameBytes, HEAD_BYTES, LONGEST_BODY } from './frames.ts';
import {
  blockItems,
  getHeadersBody,
  type Item,
  MOST_ITEMS,
  NODE_NETWORK,
  type PeerAddress,
  PROTOCOL_VERSION,
  type ReceivedHeader,
  type Rejection,
  readAddresses,
  readHeaders,
  readItems,
  readRejection,
  readVersion,
  type Version,
  versionBody,
} from './messages.ts';

export type PeerFault =
  /** It ended the connection, or the network did. */
  | 'closed'
  /** It did not answer in time. */
  | 'silent'
  /** It sent what cannot be read, or not in this order. */
  | 'malformed'
  /** It follows the rules from before an upgrade. */
  | 'old'
  /** It has no blocks to give. */
  | 'without blocks'
  /** We are connected to ourselves. */
  | 'ourselves'
  /** It sent what was not asked for. */
  | 'unasked'
  /** This side ended the connection. */
  | 'left';

export class PeerError extends Error {
  override readonly name = 'PeerError';
  readonly fault: PeerFault;

  constructor(fault: PeerFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

export interface PeerOptions {
  readonly magic: Uint8Array;
  readonly agent: string;
  /** The height that is known without asking anybody. */
  readonly startHeight: number;
  /** Eight bytes, other ones for each connection. */
  readonly nonce: Uint8Array;
  readonly after: After;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Milliseconds in which a whole answer must be there, not a part of it. */
const GREETING_MS = 10_000;
const ANSWER_MS = 20_000;
/** 16 blocks at 20 kB/s and more. */
const BLOCKS_MS = 60_000;
const PING_EVERY_MS = 60_000;

/** Blocks that a node answers at once; it leaves out the others without a word. */
export const MOST_BLOCKS_ASKED = 16;

/** What arrives while an answer is waited for: true where it was the last part. */
type Take = (frame: Frame) => boolean;

/** Bytes that wait for a peer that does not read. */
const MOST_UNREAD = 64 * 1_024;
/** Bytes besides blocks from one answered question to the next, which come every minute: the longest list of a mempool is 1.8 MB. */
const MOST_BETWEEN = 8 * 2 ** 20;

interface Waiting {
  readonly take: Take;
  readonly resolve: () => void;
}

export class PeerConnection {
  readonly #socket: Duplex;
  readonly #options: PeerOptions;
  readonly #frames: FrameReader;
  readonly #turns = new SerialQueue();
  #waiting: Waiting | undefined;
  #end: PeerError | undefined;
  #cancelPing: () => void = () => undefined;
  #theirs: Version | undefined;
  #pings = 0;
  /** Bytes that came since a question was answered. */
  #between = 0;
  /** A block was announced since headers were asked for. */
  #hasNews = false;
  #announce: () => void = () => undefined;
  /** What the end of the connection rejects. */
  readonly #waits = new Set<(error: PeerError) => void>();
  /** Rejects when the connection ends. A race with it would keep memory until then: waits are in the set. */
  readonly ended: Promise<never>;

  private constructor(socket: Duplex, options: PeerOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#frames = new FrameReader(options.magic);
    this.ended = new Promise<never>((_, reject) => this.#waits.add(reject));
    this.ended.catch(() => undefined);
    socket.on('data', (chunk: Uint8Array) => this.#arrived(chunk));
    socket.on('error', () => this.#over('closed', 'the connection broke'));
    for (const end of ['end', 'close'])
      socket.on(end, () => this.#over('closed', 'the peer ended the connection'));
  }

  /** Shakes hands over a socket that is open. Rejects with `PeerError`; the socket is then destroyed. */
  static async open(socket: Duplex, options: PeerOptions): Promise<PeerConnection> {
    const peer = new PeerConnection(socket, options);
    await peer.#turns.run(() => peer.#greet());
    peer.#pingLater();
    return peer;
  }

  /** What the peer says of itself. */
  get version(): Version {
    return this.#theirs!;
  }

  /** At most 160 headers after the first of the hashes that the peer knows; fewer: its chain ends there. Rejects with `PeerError`. */
  async headers(locator: readonly BlockHash[]): Promise<ReceivedHeader[]> {
    const version = Math.min(PROTOCOL_VERSION, this.version.version);
    let headers: ReceivedHeader[] = [];
    this.#hasNews = false;
    await this.#ask({ command: 'getheaders', body: getHeadersBody(version, locator) }, ANSWER_MS, (frame) => {
      if (frame.command === 'headers') headers = readHeaders(frame.body);
    });
    return headers;
  }

  /**
   * Bytes of blocks by the hex of their hashes, at most 16 asked at once; those that the peer lacks, or does not send at
   * once, are not among them. Rejects with `PeerError`, for a block that was not asked for, too.
   */
  async blocks(hashes: readonly BlockHash[]): Promise<Map<string, Uint8Array>> {
    const asked = new Set(hashes.map(bytesToHex));
    const blocks = new Map<string, Uint8Array>();
    await this.#ask({ command: 'getdata', body: blockItems(hashes) }, BLOCKS_MS, ({ command, body }) => {
      if (command !== 'block') return;
      const hash = bytesToHex(parseHeader(body).hash);
      if (!asked.has(hash)) throw new PeerError('unasked', 'the peer sent a block that was not asked for');
      blocks.set(hash, body);
    });
    return blocks;
  }

  /** Resolves when the peer has announced a block since its headers were asked for, or after `ms`. Rejects with `PeerError`. */
  async news(ms: number): Promise<void> {
    if (this.#hasNews) return;
    let cancel: () => void = () => undefined;
    await this.#orEnd((resolve) => {
      this.#announce = resolve;
      cancel = this.#options.after(ms, resolve);
    }).finally(cancel);
  }

  /** Ends the wait for news. */
  wake(): void {
    this.#hasNews = true;
    this.#announce();
  }

  /** The transactions of its mempool, as it names them. Rejects with `PeerError`. */
  async mempool(): Promise<Item[]> {
    const items: Item[] = [];
    await this.#ask({ command: 'mempool', body: new Uint8Array() }, ANSWER_MS, ({ command, body }) => {
      if (command !== 'inv') return;
      for (const item of readItems(body)) if (item.kind !== 'block') items.push(item);
      if (items.length > MOST_ITEMS) throw new FormatError('there are more than 50,000 transactions');
    });
    return items;
  }

  /** Other peers that it knows of. Rejects with `PeerError`. */
  async addresses(): Promise<PeerAddress[]> {
    let addresses: PeerAddress[] = [];
    await this.#ask({ command: 'getaddr', body: new Uint8Array() }, ANSWER_MS, ({ command, body }) => {
      if (command === 'addr') addresses = readAddresses(body);
    });
    return addresses;
  }

  /**
   * Hands over a transaction, and waits until the peer has read it. Few peers reject one in words: without a
   * rejection nothing is known. Rejects with `PeerError`.
   */
  async send(transaction: Uint8Array): Promise<Rejection | undefined> {
    let rejection: Rejection | undefined;
    await this.#ask({ command: 'tx', body: transaction }, ANSWER_MS, ({ command, body }) => {
      const one = command === 'reject' ? readRejection(body) : undefined;
      if (one?.command === 'tx') rejection = one;
    });
    return rejection;
  }

  /** Ends the connection. */
  close(): void {
    this.#over('left', 'the connection was ended here');
  }

  async #greet(): Promise<void> {
    const { nonce, agent, startHeight, now } = this.#options;
    const ours = { version: PROTOCOL_VERSION, services: 0n, nonce, agent, startHeight };
    const body = versionBody(ours, Math.floor(now() / 1_000));
    let isAcknowledged = false;
    await this.#exchange([{ command: 'version', body }], GREETING_MS, (frame) => {
      if (frame.command === 'version' && this.#theirs === undefined) {
        this.#theirs = readVersion(frame.body);
        requireUseful(this.#theirs, nonce);
        this.#write({ command: 'verack', body: new Uint8Array() });
      } else if (frame.command === 'verack' && !isAcknowledged) isAcknowledged = true;
      else throw new PeerError('malformed', `the peer sent ${frame.command} before the handshake was done`);
      if (this.#theirs === undefined || !isAcknowledged) return false;
      // The next message may be in the same piece.
      this.#frames.limit = LONGEST_BODY;
      return true;
    });
  }

  #pingLater(): void {
    if (this.#end !== undefined) return;
    this.#cancelPing = this.#options.after(PING_EVERY_MS, () => {
      this.#ask(undefined, ANSWER_MS, () => undefined).then(
        () => this.#pingLater(),
        () => undefined,
      );
    });
  }

  /** A peer answers in order: what has not come before the answer to a ping behind the question does not come. */
  #ask(question: Frame | undefined, ms: number, collect: (frame: Frame) => void): Promise<void> {
    const nonce = new Uint8Array(8);
    new DataView(nonce.buffer).setUint32(0, ++this.#pings);
    const ping = { command: 'ping', body: nonce };
    const frames = question === undefined ? [ping] : [question, ping];
    return this.#turns.run(() =>
      this.#exchange(frames, ms, (frame) => {
        if (frame.command === 'pong') return equalBytes(frame.body, nonce);
        collect(frame);
        return false;
      }),
    );
  }

  /** Sends, and waits for the last part of what answers. */
  async #exchange(frames: readonly Frame[], ms: number, take: Take): Promise<void> {
    if (this.#end !== undefined) throw this.#end;
    const cancel = this.#options.after(ms, () => this.#over('silent', 'the peer did not answer in time'));
    try {
      await this.#orEnd((resolve) => {
        this.#waiting = { take, resolve };
        for (const one of frames) this.#write(one);
      });
    } catch (error) {
      // A peer that does not read ends the connection, too.
      if (error instanceof PeerError) this.#over(error.fault, error.message);
      throw error;
    } finally {
      cancel();
      this.#waiting = undefined;
    }
  }

  /** Resolves by what `begin` is given; rejects when the connection ends. */
  #orEnd(begin: (resolve: () => void) => void): Promise<void> {
    let wait: (error: PeerError) => void = () => undefined;
    return new Promise<void>((resolve, reject) => {
      if (this.#end !== undefined) throw this.#end;
      wait = reject;
      this.#waits.add(reject);
      begin(resolve);
    }).finally(() => this.#waits.delete(wait));
  }

  #write(frame: Frame): void {
    if (this.#socket.writableLength > MOST_UNREAD)
      throw new PeerError('silent', 'the peer does not read what it is sent');
    this.#socket.write(frameBytes(this.#options.magic, frame));
  }

  #arrived(chunk: Uint8Array): void {
    try {
      for (const frame of this.#frames.push(chunk)) {
        if (this.#end !== undefined) return;
        this.#read(frame);
      }
    } catch (error) {
      if (error instanceof PeerError) this.#over(error.fault, error.message);
      else if (error instanceof FormatError)
        this.#over('malformed', `it sent what cannot be read: ${error.message}`);
      else throw error;
    }
  }

  /** What is no answer is left out: peers ask and announce of their own accord, and some know messages that we do not. */
  #read(frame: Frame): void {
    if (frame.command !== 'block') this.#between += HEAD_BYTES + frame.body.length;
    if (this.#between > MOST_BETWEEN)
      throw new PeerError('unasked', 'the peer sends without end what was not asked for');
    if (this.#theirs !== undefined && frame.command === 'ping') {
      if (frame.body.length !== 8) throw new FormatError('the ping has no nonce');
      this.#write({ command: 'pong', body: frame.body });
      return;
    }
    const waiting = this.#waiting;
    if (waiting?.take(frame)) {
      this.#waiting = undefined;
      this.#between = 0;
      waiting.resolve();
    }
    if (frame.command === 'inv' && readItems(frame.body).some(({ kind }) => kind === 'block')) this.wake();
  }

  #over(fault: PeerFault, message: string): void {
    if (this.#end !== undefined) return;
    this.#end = new PeerError(fault, message);
    this.#cancelPing();
    this.#socket.destroy();
    for (const reject of this.#waits) reject(this.#end);
  }
}

function requireUseful({ version, services, nonce }: Version, ours: Uint8Array): void {
  if (equalBytes(nonce, ours)) throw new PeerError('ourselves', 'this is a connection to ourselves');
  if (version < PROTOCOL_VERSION)
    throw new PeerError('old', `the peer's version ${version} is older than the network's rules`);
  if ((services & NODE_NETWORK) === 0n)
    throw new PeerError('without blocks', 'the peer has no blocks to give');
}
