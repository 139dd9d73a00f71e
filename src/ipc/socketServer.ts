// The private socket: the companion for other processes of the same user (command line, C library, desktop shells)
// without a port and without passwords over HTTP.

import { createServer, type Socket } from 'node:net';
import { type After, systemAfter } from '@wallet-companion/base/async';
import { overwriteReadBuffer } from '@wallet-companion/base/memory';
import { DEFAULT_INPUT_BYTES } from '@wallet-companion/client/contract';
import type { CompanionError } from '../protocol/errors.ts';
import { EventLogs } from '../protocol/eventLogs.ts';
import type { AccessControl } from '../protocol/grants.ts';
import { commandInputLimit, type LongInput, LongInputs } from '../protocol/inputLimits.ts';
import { encodeJson } from '../protocol/jsonCalls.ts';
import type { JsonLink, Link } from '../protocol/link.ts';
import { type Envelope, type Head, readEnvelope, readHead } from './envelope.ts';
import {
  encodeLine,
  encodeLineWithTexts,
  encodeResultLine,
  LINE_BREAK,
  LineReader,
  type LongLine,
  tooLong,
} from './lines.ts';
import { bind, listenOnSocket } from './listenOnSocket.ts';
import { idOf, type Message, type MessageId } from './messages.ts';
import { type EventMessage, Peer, type PeerOptions } from './peer.ts';
import { type Placed, Places } from './places.ts';

/** Some beyond those that have places, which are told that they have none. */
const MAX_SOCKETS = 128;
/**
 * Above this much unread output a peer's next requests wait, and progress events, which the next one supersedes, are
 * dropped.
 */
const BACKLOG_BYTES = 1024 * 1024;
/** How long a peer may leave a line half-sent or its answers unread. */
const STALL_MS = 30_000;

export interface SocketOptions {
  readonly link: Link & Partial<JsonLink>;
  /** Of the link; default: logs of its own. */
  readonly events?: EventLogs;
  /** From `socketPath`. */
  readonly path: string;
  readonly requestId: () => string;
  /** For peers that present a grant; all others are the owner. */
  readonly access?: AccessControl;
  readonly stallMs?: number;
  /** Default: system timers. */
  readonly after?: After;
}

/** By all connections. */
interface Shared {
  readonly ofPeers: Pick<PeerOptions, 'link' | 'events' | 'requestId' | 'access'>;
  readonly longInputs: LongInputs;
  readonly places: Places;
}

export interface SocketServing {
  readonly path: string;
  /** Stops accepting and cuts the open connections. */
  close(): Promise<void>;
}

/**
 * Listens on the socket, mode 0600. The caller must hold the directory's lock: an existing socket is then a leftover of
 * a dead process. Throws `STORAGE_FAILED` when the directory is open to others or the socket cannot be created.
 */
export async function serveSocket(options: SocketOptions): Promise<SocketServing> {
  const isPipe = options.path.startsWith('\\\\');
  const open = new Set<Socket>();
  const { link, requestId, access, events = new EventLogs(link) } = options;
  const ofPeers = { link, events, requestId, ...(access === undefined ? {} : { access }) };
  const shared = { ofPeers, longInputs: new LongInputs(), places: new Places() };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    serveConnection(socket, options, shared);
  });
  server.maxConnections = MAX_SOCKETS;
  await (isPipe ? bind(server, options.path) : listenOnSocket(server, options.path));
  return {
    path: options.path,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function serveConnection(
  socket: Socket,
  { stallMs = STALL_MS, after = systemAfter }: SocketOptions,
  { ofPeers, longInputs, places }: Shared,
): void {
  const lines = new LineReader(DEFAULT_INPUT_BYTES, (beginning) => judge(readHead(beginning)));
  /** The long line that is being read. */
  let longLine: LongInput | undefined;
  const stalledLine = new StallTimer(socket, stallMs, after);
  const unread = new StallTimer(socket, stallMs, after);
  const running = new Set<Promise<void>>();

  const peer = new Peer({
    ...ofPeers,
    whyNotListen: () => places.whyNotListen(),
    ...writerTo(socket, unread),
  });
  /** The last answer; nothing that comes after it is read. */
  const endWith = (reason: CompanionError, id: MessageId | null = null): void => {
    peer.refuse(reason, id);
    socket.removeAllListeners('data');
    socket.end(() => socket.destroy());
  };
  const connection: Placed = {
    isIdle: () => running.size === 0 && !lines.isAmidLine && socket.writableLength === 0 && !peer.isListening,
    isListening: () => peer.isListening,
    end: endWith,
  };
  const noPlace = places.take(connection);
  // Answered once it has asked: an answer before that could be lost with what it writes.
  if (noPlace !== undefined) stalledLine.start();
  const judge = (head: Head): LongLine => {
    const maxBytes = commandInputLimit(head.command);
    if (maxBytes === DEFAULT_INPUT_BYTES) return { maxBytes, isRefused: false };
    try {
      longLine = longInputs.begin();
      return { maxBytes, isRefused: false };
    } catch (busy) {
      peer.refuse(busy as CompanionError, idOf(head));
      return { maxBytes, isRefused: true };
    }
  };
  const takeLongLine = (): LongInput | undefined => {
    const taken = longLine;
    longLine = undefined;
    return taken;
  };
  const answer = (line: Buffer): void => {
    const long = takeLongLine();
    let envelope: Envelope;
    try {
      envelope = readLine(line);
    } catch (thrown) {
      long?.done();
      peer.refuse(thrown as CompanionError);
      return;
    }
    if (noPlace !== undefined) {
      envelope.args?.fill(0);
      endWith(noPlace, idOf(envelope.message));
      return;
    }
    const call = peer.receive(envelope.message, envelope.args ?? encodeJson({})).finally(() => {
      long?.done();
      running.delete(call);
      places.used(connection);
    });
    running.add(call);
  };

  socket.on('data', (chunk: Buffer) => {
    // Before anything else takes memory from that block.
    overwriteReadBuffer();
    const endsLine = chunk.includes(LINE_BREAK);
    try {
      for (const line of lines.push(chunk)) answer(line);
    } catch (thrown) {
      // The start of the next line is unknown, so this is the last answer.
      endWith(thrown as CompanionError);
      return;
    }
    // The time is one line's: a busy peer may never be between two lines when it is looked at.
    if (endsLine) stalledLine.stop();
    if (lines.isAmidLine) stalledLine.start();
  });
  socket.on('drain', () => {
    unread.stop();
    socket.resume();
  });
  // A peer may close its sending side and wait for its answers.
  socket.on('end', () => void Promise.allSettled(running).then(() => socket.end()));
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    stalledLine.stop();
    unread.stop();
    lines.clear();
    takeLongLine()?.done();
    places.leave(connection);
    peer.close();
  });
}

/** While much is unread, the peer's next requests wait. */
function writerTo(socket: Socket, unread: StallTimer) {
  const holdBack = (): void => {
    if (socket.writableLength <= BACKLOG_BYTES) return;
    socket.pause();
    unread.start();
  };
  const send = (message: Message): void => {
    if (!socket.writable) return;
    socket.write(encodeLine(message));
    holdBack();
  };
  const sendWiped = (line: Uint8Array): void => {
    if (!socket.writable) {
      line.fill(0);
      return;
    }
    socket.write(line, () => line.fill(0));
    holdBack();
  };
  const sendJson = (id: MessageId, result: Uint8Array): void => sendWiped(encodeResultLine(id, result));
  const sendEvent = (event: EventMessage, texts?: Uint8Array): void => {
    if (socket.writableLength <= BACKLOG_BYTES) {
      if (texts === undefined) send(event);
      else sendWiped(encodeLineWithTexts(event, texts));
    }
    // Other events must not be lost silently, so the peer is disconnected and will read the state again.
    else if (event.event !== 'sync.progress') socket.destroy();
  };
  return { send, sendJson, sendEvent };
}

/** Throws `CompanionError` for an invalid message, or one above its command's limit, whatever its member order is. */
function readLine(line: Buffer): Envelope {
  const { length } = line;
  const envelope = readEnvelope(line);
  const { command } = (envelope.message ?? {}) as Head;
  if (length <= commandInputLimit(command)) return envelope;
  envelope.args?.fill(0);
  throw tooLong(commandInputLimit(command));
}

/** Cuts the connection unless it is stopped in time. */
class StallTimer {
  readonly #socket: Socket;
  readonly #ms: number;
  readonly #after: After;
  #cancel: (() => void) | undefined;

  constructor(socket: Socket, ms: number, after: After) {
    this.#socket = socket;
    this.#ms = ms;
    this.#after = after;
  }

  /** Counts from the first start; further calls do not extend it. */
  start(): void {
    this.#cancel ??= this.#after(this.#ms, () => this.#socket.destroy());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
