// Which connections of the private socket may stay. One that neither works nor listens gives its place to the next, so
// that programs with many handles keep nobody out, and listeners never take the last places.

import { CompanionError } from '../protocol/errors.ts';

/** The C library opens one connection for each concurrent call. */
const MAX_CONNECTIONS = 64;
const MAX_LISTENING = 56;

export interface Placed {
  /** No call runs, no line has begun, no answer is unread, and no event is wanted. */
  isIdle(): boolean;
  isListening(): boolean;
  end(reason: CompanionError): void;
}

export class Places {
  /** The least recently used first. */
  readonly #taken = new Set<Placed>();

  /** Undefined: the connection has a place. Otherwise why not. */
  take(connection: Placed): CompanionError | undefined {
    if (this.#taken.size >= MAX_CONNECTIONS) {
      const idle = [...this.#taken].find((placed) => placed.isIdle());
      if (idle === undefined)
        return new CompanionError(
          'BUSY',
          `The companion works or listens for ${MAX_CONNECTIONS} connections of its private socket; close one, or try again.`,
        );
      this.leave(idle);
      idle.end(
        new CompanionError('BUSY', 'The connection was idle and gave its place to another; call again.'),
      );
    }
    this.#taken.add(connection);
    return undefined;
  }

  used(connection: Placed): void {
    if (this.#taken.delete(connection)) this.#taken.add(connection);
  }

  leave(connection: Placed): void {
    this.#taken.delete(connection);
  }

  /** Undefined: one more connection may listen to events. Otherwise why not. */
  whyNotListen(): CompanionError | undefined {
    const listening = [...this.#taken].filter((placed) => placed.isListening()).length;
    if (listening < MAX_LISTENING) return undefined;
    return new CompanionError(
      'BUSY',
      `${MAX_LISTENING} connections of the private socket listen to events already; close one that is not needed.`,
    );
  }
}
