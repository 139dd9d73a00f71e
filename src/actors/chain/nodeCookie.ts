// Who may see the node's cookie: it opens the node to whoever has it.

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Only an address that config.json or the command line names, never one that a caller set or named in a request, and
 * never in clear over a network. `URL` has one way of writing for each address, so that `127.1` is 127.0.0.1.
 */
export function mayHaveCookie(url: string, namedNodes: readonly string[]): boolean {
  const node = tryUrl(url);
  if (node === undefined) return false;
  const isPrivate =
    node.protocol === 'https:' || (node.protocol === 'http:' && LOOPBACK_HOST.test(node.hostname));
  return isPrivate && namedNodes.some((named) => tryUrl(named)?.href === node.href);
}

const tryUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);
