// Limits the number of connections. Some hundred sockets that stay idle, send their request byte by byte, or do not read
// their answers must not block other clients: at the limit a new connection replaces the one that has delayed the server
// longest. A connection whose request is being answered stays.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './body.ts';

/** How many requests of one connection may wait for their answers, which are sent in order. */
const MOST_UNANSWERED = 32;
/** The limit of unread answer bytes in all connections. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

export class Connections {
  readonly #limit: number;
  /** The number of unanswered requests by connection, in order of arrival. */
  readonly #open = new Map<Socket, number>();
  /** Connections that have not sent their request, or the rest of it; the one that is late for longest is first. */
  readonly #waiting = new Set<Socket>();
  #isClosing = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  readonly accept = (socket: Socket): void => {
    const longest = this.#open.size < this.#limit ? undefined : this.#longestOwing();
    this.#open.set(socket, 0);
    this.#waiting.add(socket);
    socket.once('close', () => this.#forget(socket));
    // When all connections are being answered, the new one is cut.
    if (this.#open.size > this.#limit) this.#cut(longest ?? socket);
  };

  /** False where the connection has too many requests in progress: this one must be refused, and is the last one read. */
  readonly admit = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { socket } = request;
    const unanswered = (this.#open.get(socket) ?? 0) + 1;
    this.#open.set(socket, unanswered);
    const served = () => this.#waiting.delete(socket);
    if (hasBody(request)) request.once('end', served);
    else served();
    response.once('close', () => {
      const left = this.#open.get(socket);
      if (left === undefined) return;
      this.#open.set(socket, left - 1);
      if (left !== 1) return;
      this.#waiting.add(socket);
      if (this.#isClosing) socket.destroySoon();
    });
    return unanswered <= MOST_UNANSWERED;
  };

  /** Nothing was received or read for a while: the connection is cut, unless its request is still being answered. */
  readonly stalled = (socket: Socket): void => {
    if (this.#waiting.has(socket) || socket.writableLength > 0) this.#cut(socket);
  };

  /**
   * Ends the connections that wait for a request, or for the rest of one, and each other one once it is answered. Also
   * those that Node's server knows no more, as after CONNECT.
   */
  readonly end = (): void => {
    this.#isClosing = true;
    for (const socket of this.#waiting) socket.destroySoon();
  };

  readonly cutAll = (): void => {
    for (const socket of [...this.#open.keys()]) this.#cut(socket);
  };

  #longestOwing(): Socket | undefined {
    const [longest] = this.#waiting;
    return longest ?? this.#unread().next().value;
  }

  *#unread(): Generator<Socket, undefined> {
    for (const socket of this.#open.keys()) if (socket.writableLength > 0) yield socket;
    return undefined;
  }

  /** Before an answer is made: while too much is unread, the connections that have read nothing for longest are cut. */
  dropUnread(): void {
    const unread = [...this.#unread()];
    let bytes = unread.reduce((sum, { writableLength }) => sum + writableLength, 0);
    for (const socket of unread) {
      if (bytes <= MOST_UNREAD_BYTES) return;
      bytes -= socket.writableLength;
      this.#cut(socket);
    }
  }

  #cut(socket: Socket): void {
    this.#forget(socket);
    socket.destroy();
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#waiting.delete(socket);
  }
}
