// How many connections there may be, and who has to go. Some hundred sockets that were opened and left, that drip their
// request byte by byte, or that do not read their answers must not keep anybody else out: at the limit a newcomer takes the
// place of whoever has kept us waiting longest. A connection whose request is being answered keeps its place.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './body.ts';

/** Requests of one connection that may wait for their answers, which come in order. */
const MOST_UNANSWERED = 32;
/** Of answers that nobody reads, in all connections. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

export class Connections {
  readonly #limit: number;
  /** With the number of requests that are not answered yet; in order of arrival. */
  readonly #open = new Map<Socket, number>();
  /** Those that owe us a request, or the rest of one; whoever has owed it longest comes first. */
  readonly #waiting = new Set<Socket>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  readonly accept = (socket: Socket): void => {
    const longest = this.#open.size < this.#limit ? undefined : this.#longestOwing();
    this.#open.set(socket, 0);
    this.#waiting.add(socket);
    socket.once('close', () => this.#forget(socket));
    // Where every place is taken by somebody who is being answered, the newcomer has to go.
    if (this.#open.size > this.#limit) this.#cut(longest ?? socket);
  };

  /** False where the connection has too many requests under way: this one must be refused, and is the last that is read. */
  readonly admit = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { socket } = request;
    const unanswered = (this.#open.get(socket) ?? 0) + 1;
    this.#open.set(socket, unanswered);
    this.#dropUnread();
    const served = () => this.#waiting.delete(socket);
    if (hasBody(request)) request.once('end', served);
    else served();
    response.once('close', () => {
      const left = this.#open.get(socket);
      if (left === undefined) return;
      this.#open.set(socket, left - 1);
      if (left === 1) this.#waiting.add(socket);
    });
    return unanswered <= MOST_UNANSWERED;
  };

  /** Nothing was received or read for a while: it is cut, unless its request is still being answered. */
  readonly stalled = (socket: Socket): void => {
    if (this.#waiting.has(socket) || socket.writableLength > 0) this.#cut(socket);
  };

  #longestOwing(): Socket | undefined {
    const [longest] = this.#waiting;
    return longest ?? this.#unread().next().value;
  }

  *#unread(): Generator<Socket, undefined> {
    for (const socket of this.#open.keys()) if (socket.writableLength > 0) yield socket;
    return undefined;
  }

  #dropUnread(): void {
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
