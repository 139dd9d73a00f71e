// A peer of the network on the loopback interface, over the same blocks as the node: it shakes hands, answers for headers,
// blocks and the mempool, takes transactions, announces what is mined, and on request misbehaves in ways that a client has to survive.

import { type AddressInfo, createServer, type Socket } from 'node:net';
import {
  asciiBytes,
  ByteReader,
  concatBytes,
  encodeCompactSize,
  u32ToLeBytes,
  u64ToLeBytes,
} from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { asBlockHash, asTxId, blockHashToHex, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { authDigest, doubleSha256, parseTransaction, txid } from '@wallet-companion/zcash/transactions';
import type { ChainView } from './chainView.ts';
import { Faults, type FaultTiming } from './faults.ts';
import type { MinedBlock } from './minedBlock.ts';

export interface PeerFault extends FaultTiming {
  readonly kind:
    | 'stale' // its chain ends with block `at`
    | 'stall' // it reads and answers nothing
    | 'hang-up' // it ends the connection instead of an answer
    | 'huge' // its answer is longer than any may be
    | 'drip' // its answer is as long as one may be, and ends in the middle
    | 'flood' // it announces transactions without end instead of an answer
    | 'deaf' // it asks for answers without end, and reads none
    | 'withhold' // it has no headers and no blocks
    | 'swallow' // it reads transactions, and does nothing with them
    | 'reject' // it says of each transaction that it does not take it
    | 'forged' // the header of block `at` names another block before it
    | 'garbage'; // its answer is no answer
  readonly at?: Height;
}

/** Regtest's. */
const MAGIC = Uint8Array.of(0xaa, 0xe8, 0x3f, 0x5f);
const VERSION = 170_190;
const HEAD_BYTES = 24;
const MOST_HEADERS = 160;
const TRANSACTION_ITEM = 1;
const BLOCK_ITEM = 2;
/** A transaction with its signatures. */
const WITNESSED_ITEM = 5;
const NON_STANDARD = 0x40;
const TOO_LONG = 3 * 1_024 * 1_024;
const LONGEST = 2 * 1_024 * 1_024;
const MOST_ITEMS = 50_000;
/** Of a header, up to the length of its solution. */
const FIXED_BYTES = 140;

const SPOILING: readonly PeerFault['kind'][] = ['hang-up', 'huge', 'drip', 'flood', 'deaf', 'garbage'];

/** What a peer shows of a chain. */
export type PeerView = Pick<ChainView, 'blocks' | 'mempool' | 'receive'>;

interface Message {
  readonly command: string;
  readonly body: Uint8Array;
}

export class PeerServer {
  #view: PeerView;
  #ignore: () => void = () => undefined;
  readonly #faults = new Faults<PeerFault>();
  readonly #sockets = new Set<Socket>();
  readonly #received: string[] = [];
  readonly #server = createServer({ noDelay: true }, (socket) => this.#serve(socket));

  constructor(view: PeerView) {
    this.#view = view;
    this.#listen();
  }

  /** Serves another chain from the next message on, and announces its tip. */
  show(view: PeerView): void {
    this.#ignore();
    this.#view = view;
    this.#listen();
    this.#announce();
  }

  /** Resolves with the peer's address, host and port. */
  async listen({ port = 0 }: { readonly port?: number } = {}): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    this.#ignore();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  misbehave(fault: PeerFault): void {
    this.#faults.add(fault);
  }

  behave(): void {
    this.#faults.clear();
  }

  /** The commands that came, in their order. */
  get received(): readonly string[] {
    return this.#received;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  #listen(): void {
    this.#ignore = this.#view.blocks.onBlock(() => this.#announce());
  }

  #announce(): void {
    const item = concatBytes(Uint8Array.of(1), u32ToLeBytes(BLOCK_ITEM), this.#view.blocks.tip.hash);
    for (const socket of this.#sockets) send(socket, { command: 'inv', body: item });
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
    let waiting: Uint8Array = new Uint8Array();
    socket.on('data', (chunk: Uint8Array) => {
      waiting = concatBytes(waiting, chunk);
      for (;;) {
        const [message, length] = messageOf(waiting);
        if (message === undefined) return;
        waiting = waiting.subarray(length);
        this.#received.push(message.command);
        this.#answer(socket, message);
      }
    });
  }

  #answer(socket: Socket, { command, body }: Message): void {
    if (this.#faults.take(({ kind }) => kind === 'stall') !== undefined) return;
    switch (command) {
      case 'version':
        send(socket, { command: 'version', body: this.#version() });
        send(socket, { command: 'verack', body: new Uint8Array() });
        break;
      case 'ping':
        send(socket, { command: 'pong', body });
        break;
      case 'getheaders':
        this.#spoil(socket) || send(socket, { command: 'headers', body: this.#headers(body) });
        break;
      case 'getdata':
        this.#spoil(socket) || this.#items(socket, body);
        break;
      case 'getaddr':
        send(socket, { command: 'addr', body: Uint8Array.of(0) });
        break;
      case 'mempool':
        send(socket, { command: 'inv', body: this.#mempool() });
        break;
      case 'tx':
        void this.#take(socket, body);
    }
  }

  /** Like zebrad it answers nothing, and closes the connection after an invalid transaction. */
  async #take(socket: Socket, transaction: Uint8Array): Promise<void> {
    const fault = this.#faults.take(({ kind }) => kind === 'swallow' || kind === 'reject');
    if (fault?.kind === 'swallow') return;
    if (fault !== undefined) {
      send(socket, { command: 'reject', body: rejection('tx', 'too-many-rejections') });
      return;
    }
    try {
      await this.#view.receive?.(transaction);
    } catch {
      socket.destroy();
    }
  }

  #mempool(): Uint8Array {
    const items = this.#view.mempool.transactions.flatMap(({ bytes }) => {
      const transaction = parseTransaction(bytes);
      const id = txid(transaction);
      return transaction.version < 5
        ? [u32ToLeBytes(TRANSACTION_ITEM), id]
        : [u32ToLeBytes(WITNESSED_ITEM), id, authDigest(transaction)];
    });
    return concatBytes(encodeCompactSize(items.filter((one) => one.length === 4).length), ...items);
  }

  /** Whether it answered with something that is no answer. */
  #spoil(socket: Socket): boolean {
    const fault = this.#faults.take(({ kind }) => SPOILING.includes(kind));
    if (fault === undefined) return false;
    if (fault.kind === 'hang-up') socket.destroy();
    else if (fault.kind === 'drip')
      socket.write(frameOf('headers', new Uint8Array(LONGEST)).subarray(0, LONGEST / 2));
    else if (fault.kind === 'flood') pour(socket, announcements());
    else if (fault.kind === 'deaf') {
      socket.pause();
      pour(socket, frameOf('ping', new Uint8Array(8)));
    } else if (fault.kind === 'huge') send(socket, { command: 'headers', body: new Uint8Array(TOO_LONG) });
    else send(socket, { command: 'headers', body: Uint8Array.of(1, 2, 3) });
    return true;
  }

  /** Its own time and addresses are left out, as nobody looks at them. */
  #version(): Uint8Array {
    const agent = asciiBytes('/Devnet:1.0/');
    return concatBytes(
      u32ToLeBytes(VERSION),
      u64ToLeBytes(1n),
      new Uint8Array(8 + 2 * 26),
      asciiBytes('a devnet'),
      encodeCompactSize(agent.length),
      agent,
      u32ToLeBytes(this.#chain().at(-1)!.height),
      Uint8Array.of(1),
    );
  }

  /** The best chain, as far as it is shown. */
  #chain(): readonly MinedBlock[] {
    const { blocks } = this.#view.blocks;
    const stale = this.#faults.take(({ kind }) => kind === 'stale');
    return stale === undefined ? blocks : blocks.filter(({ height }) => height <= stale.at!);
  }

  #headers(body: Uint8Array): Uint8Array {
    const reader = new ByteReader(body);
    reader.skip(4);
    const locator = Array.from({ length: reader.compactSize() }, () => asBlockHash(reader.take(32)));
    const chain = this.#chain();
    const places = new Map(chain.map(({ hash }, place) => [blockHashToHex(hash), place]));
    const known = locator.map((hash) => places.get(blockHashToHex(hash))).find((one) => one !== undefined);
    const isWithheld = this.#faults.take(({ kind }) => kind === 'withhold') !== undefined;
    const from = isWithheld ? chain.length : (known ?? -1) + 1;
    const forged = this.#faults.take(({ kind }) => kind === 'forged');
    const headers = chain.slice(from, from + MOST_HEADERS).map((block) => {
      const bytes = headerOf(block);
      if (block.height === forged?.at) bytes[4]! ^= 1;
      return concatBytes(bytes, Uint8Array.of(0));
    });
    return concatBytes(encodeCompactSize(headers.length), ...headers);
  }

  #items(socket: Socket, body: Uint8Array): void {
    const reader = new ByteReader(body);
    const isWithheld = this.#faults.take(({ kind }) => kind === 'withhold') !== undefined;
    const missing: Uint8Array[] = [];
    for (let left = reader.compactSize(); left > 0; left--) {
      const kind = reader.u32();
      const id = reader.take(32);
      const item = concatBytes(u32ToLeBytes(kind), id, reader.take(kind === WITNESSED_ITEM ? 32 : 0));
      const isBlock = kind === BLOCK_ITEM;
      const found = isBlock
        ? this.#view.blocks.byHash(blockHashToHex(asBlockHash(id)))
        : this.#view.mempool.byTxid(txIdToHex(asTxId(id)));
      if (isWithheld || found === undefined) missing.push(item);
      else send(socket, { command: isBlock ? 'block' : 'tx', body: found.bytes });
    }
    if (missing.length === 0) return;
    send(socket, { command: 'notfound', body: concatBytes(encodeCompactSize(missing.length), ...missing) });
  }
}

const text = (words: string): Uint8Array => concatBytes(encodeCompactSize(words.length), asciiBytes(words));

const rejection = (command: string, reason: string): Uint8Array =>
  concatBytes(text(command), Uint8Array.of(NON_STANDARD), text(reason), new Uint8Array(32));

function headerOf({ bytes }: MinedBlock): Uint8Array {
  const reader = new ByteReader(bytes.subarray(FIXED_BYTES));
  const solution = reader.compactSize();
  return bytes.slice(0, FIXED_BYTES + reader.offset + solution);
}

function frameOf(command: string, body: Uint8Array): Uint8Array {
  const name = new Uint8Array(12);
  name.set(asciiBytes(command));
  return concatBytes(MAGIC, name, u32ToLeBytes(body.length), doubleSha256(body).subarray(0, 4), body);
}

function send(socket: Socket, { command, body }: Message): void {
  if (!socket.destroyed) socket.write(frameOf(command, body));
}

/** As fast as the other side reads, until it ends the connection. */
function pour(socket: Socket, bytes: Uint8Array): void {
  socket.write(bytes, (error) => {
    // Others are served in between.
    if (error == null) setImmediate(() => pour(socket, bytes));
  });
}

/** The same transaction so often as one message may announce. */
const announcements = (): Uint8Array => {
  const body = new Uint8Array(3 + 36 * MOST_ITEMS);
  body.set(encodeCompactSize(MOST_ITEMS));
  for (let at = 3; at < body.length; at += 36) body[at] = TRANSACTION_ITEM;
  return frameOf('inv', body);
};

/** The first message, and how long it is; undefined until it is whole. */
function messageOf(bytes: Uint8Array): readonly [Message | undefined, number] {
  if (bytes.length < HEAD_BYTES) return [undefined, 0];
  const length = HEAD_BYTES + new DataView(bytes.buffer, bytes.byteOffset).getUint32(16, true);
  if (bytes.length < length) return [undefined, 0];
  const command = String.fromCharCode(...bytes.subarray(4, 16)).replaceAll('\0', '');
  return [{ command, body: bytes.slice(HEAD_BYTES, length) }, length];
}
