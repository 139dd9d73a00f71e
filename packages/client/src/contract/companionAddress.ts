// The default address of a companion, for servers and clients.

export const DEFAULT_PORT = 3000;

/**
 * An address, not a name: `localhost` may resolve to the other loopback address, where another program may have the
 * port.
 */
export const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;

/** The address of a companion, which may have a path; undefined for what no companion can have. */
export function tryCompanionUrl(text: string): URL | undefined {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  return url?.search === '' && url.hash === '' ? url : undefined;
}
