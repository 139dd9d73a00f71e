// The default address of a companion, for those who listen and those who call.

export const DEFAULT_PORT = 3000;

/**
 * An address rather than a name: `localhost` may resolve to the other loopback address, where another program may have
 * the port.
 */
export const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;
