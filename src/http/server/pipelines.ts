// Requests that a connection sends without waiting for the answers (pipelining, RFC 9112, section 9.3.2). Their answers are
// sent in order anyway, so they are handled in order too, and few of all connections at once: thousands of them do not
// delay a client that sends one request and waits.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many pipelined requests of all connections are handled at once: what a newcomer may have to wait for. */
const MOST_AT_ONCE = 4;

interface Pending {
  readonly response: ServerResponse;
  /** Resolves when the answer was handed to the response. Never rejects. */
  readonly handle: () => Promise<unknown>;
}

export class Pipelines {
  /** By connection, while a request of it is not answered: those that wait behind that one. */
  readonly #waiting = new WeakMap<Socket, Pending[]>();
  /** Connections that wait for one of the few places, the one that has waited longest first. */
  readonly #turns: Socket[] = [];
  #running = 0;

  add({ socket }: IncomingMessage, response: ServerResponse, handle: Pending['handle']): void {
    const waiting = this.#waiting.get(socket);
    if (waiting !== undefined) {
      waiting.push({ response, handle });
      return;
    }
    this.#waiting.set(socket, [{ response, handle }]);
    // What has arrived together is known after this turn of the event loop.
    setImmediate(() => this.#next(socket));
  }

  #next(socket: Socket): void {
    const waiting = this.#waiting.get(socket) ?? [];
    if (waiting.length > 1 && !socket.destroyed) {
      this.#turns.push(socket);
      this.#fill();
    } else if (waiting.length === 1) void this.#handle(socket);
    else this.#waiting.delete(socket);
  }

  #fill(): void {
    while (this.#running < MOST_AT_ONCE) {
      const socket = this.#turns.shift();
      if (socket === undefined) return;
      this.#running += 1;
      // Not in the same turn: between two of them the event loop reads what other clients have sent.
      void this.#handle(socket).then(() =>
        setImmediate(() => {
          this.#running -= 1;
          this.#fill();
        }),
      );
    }
  }

  async #handle(socket: Socket): Promise<void> {
    const next = this.#waiting.get(socket)?.shift();
    if (next === undefined) return;
    next.response.once('close', () => this.#next(socket));
    await next.handle();
  }
}
