// The connections in use, one for each place: kept open between calls, because each holds what was learnt of the other
// side (its network) and warm sockets.

interface Connection {
  close(): void;
}

/** The configured place and a few that single requests named. */
const MAX_CONNECTIONS = 4;

export class Connections<C extends Connection> {
  /** In order of use, the oldest first. */
  readonly #open = new Map<string, C>();

  get(key: string, open: () => C): C {
    const connection = this.#open.get(key) ?? open();
    this.#open.delete(key);
    this.#open.set(key, connection);
    return connection;
  }

  /** Closes those unused for longest, but none that is busy. */
  trim(isBusy: (connection: C) => boolean): void {
    for (const [key, connection] of this.#open) {
      if (this.#open.size <= MAX_CONNECTIONS) return;
      if (isBusy(connection)) continue;
      this.#open.delete(key);
      connection.close();
    }
  }

  /** Forgets all; those that are busy end with their last use. */
  clear(isBusy: (connection: C) => boolean): void {
    for (const connection of this.#open.values()) if (!isBusy(connection)) connection.close();
    this.#open.clear();
  }
}
