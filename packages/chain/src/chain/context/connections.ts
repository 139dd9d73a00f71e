// The connections in use, one for each endpoint: kept open between calls, because each holds what is known of the
// server (its network) and warm sockets.

interface Connection {
  close(): void;
}

/** The configured endpoint and a few that single requests named. */
const MAX_CONNECTIONS = 4;

export class Connections<Endpoint, C extends Connection> {
  readonly #connect: (endpoint: Endpoint) => C;
  readonly #isBusy: (connection: C) => boolean;
  /** In order of use, the oldest first. */
  readonly #open = new Map<string, C>();

  constructor(connect: (endpoint: Endpoint) => C, isBusy: (connection: C) => boolean) {
    this.#connect = connect;
    this.#isBusy = isBusy;
  }

  /** `endpoint`: plain data; the same content means the same connection. */
  get(endpoint: Endpoint): C {
    const key = JSON.stringify(endpoint);
    const connection = this.#open.get(key) ?? this.#connect(endpoint);
    this.#open.delete(key);
    this.#open.set(key, connection);
    this.#trim(connection);
    return connection;
  }

  /** Closes those unused for longest, but none that is busy. */
  trim(): void {
    this.#trim(undefined);
  }

  /** Forgets all; busy ones close after their last use. */
  clear(): void {
    for (const connection of this.#open.values()) if (!this.#isBusy(connection)) connection.close();
    this.#open.clear();
  }

  #trim(asked: C | undefined): void {
    for (const [key, connection] of this.#open) {
      if (this.#open.size <= MAX_CONNECTIONS) return;
      if (connection === asked || this.#isBusy(connection)) continue;
      this.#open.delete(key);
      connection.close();
    }
  }
}
