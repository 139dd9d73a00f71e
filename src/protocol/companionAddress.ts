// Where a companion listens unless it is told otherwise.

export const DEFAULT_PORT = 3000;

/** By address, not by name: `localhost` may lead to another program that took the port of the other address. */
export const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;
