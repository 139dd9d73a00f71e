// How many connections there may be, and who has to go. Some hundred sockets that were opened and left, or that drip
// their request byte by byte, must not keep anybody else out: at the limit a newcomer takes the place of whoever has
// kept us waiting longest. A connection whose request is being answered keeps its place.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './body.ts';

export class Connections {
  readonly #limit: number;
  readonly #open = new Set<Socket>();
  /** Those that owe us a request, or the rest of one; whoever has owed it longest comes first. */
  readonly #waiting = new Set<Socket>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  readonly accept = (socket: Socket): void => {
    this.#open.add(socket);
    this.#waiting.add(socket);
    socket.once('close', () => this.#forget(socket));
    if (this.#open.size <= this.#limit) return;
    // The newcomer waits too, so there is always one.
    const [longest] = this.#waiting;
    if (longest === undefined) return;
    this.#forget(longest);
    longest.destroy();
  };

  readonly serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const served = () => this.#waiting.delete(socket);
    if (hasBody(request)) request.once('end', served);
    else served();
    response.once('close', () => {
      if (this.#open.has(socket)) this.#waiting.add(socket);
    });
  };

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#waiting.delete(socket);
  }
}
