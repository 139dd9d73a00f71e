// The default address of a companion, for servers and clients.

export const DEFAULT_PORT = 3000;

/**
 * An address, not a name: `localhost` may resolve to the other loopback address, where another program may have the
 * port.
 */
export const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;
