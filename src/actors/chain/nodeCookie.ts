// Which address gets the node's cookie: with the cookie, anyone can control the node.

import { isServerOnThisMachine } from '@wallet-companion/client/contract';

/**
 * Only an address that config.json or the command line names, never one that a caller set or named in a request, and
 * never in clear over a network.
 */
export function mayHaveCookie(url: string, namedNodes: readonly string[]): boolean {
  const node = tryUrl(url);
  if (node === undefined) return false;
  const isPrivate =
    node.protocol === 'https:' || (node.protocol === 'http:' && isServerOnThisMachine(node.hostname));
  return isPrivate && namedNodes.some((named) => tryUrl(named)?.href === node.href);
}

const tryUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);
