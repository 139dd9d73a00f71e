// The failures of servers as callers get them: of one that the request names, and of a configured one.

import { CompanionError, type ErrorCode, type EventBody } from '@wallet-companion/client/contract';
import type { Source } from '../ports/types.ts';

export type ServerName = EventBody<'server.changed'>['server'];

// The error for a server that the request names. A caller who learned how a connection failed could use the companion
// to scan ports and what answers on them.

/** Hidden failures. Those of a server that answered properly, such as another network, are reported. */
export const TELLS_OF_THE_CONNECTION: ReadonlySet<ErrorCode> = new Set([
  'NODE_UNREACHABLE',
  'NODE_UNAUTHORIZED',
  'NODE_BAD_RESPONSE',
  'COMPACT_SERVER_UNREACHABLE',
  'COMPACT_SERVER_BAD_RESPONSE',
  'BUSY',
  'UPSTREAM_TIMEOUT',
]);

/** One fixed error for failures of the connection; any other failure as it is. */
export function ofNamedServer(server: ServerName, thrown: unknown): unknown {
  if (!(thrown instanceof CompanionError) || !TELLS_OF_THE_CONNECTION.has(thrown.code)) return thrown;
  const [code, what] =
    server === 'node'
      ? (['NODE_UNREACHABLE', 'chain node'] as const)
      : (['COMPACT_SERVER_UNREACHABLE', 'compact server'] as const);
  return new CompanionError(
    code,
    `The ${what} that the request names cannot be reached, or gives no usable answer; check its address. For a configured server the answer would say why.`,
  );
}

// The failure of a configured server, with the other source of blocks that is set. Only a person changes to it.
const OTHER = {
  node: { source: 'compact', name: 'A compact server' },
  compact_server: { source: 'node', name: 'A node' },
} as const satisfies Record<ServerName, { readonly source: Source; readonly name: string }>;

const NOTHING_SET =
  'Neither a node nor a server is set: "setup" asks where blocks come from, and "config block-source peers" takes them from peers of the network, without either.';

/** `others`: the sources that are set, or peers where none is; undefined where that is not known. */
export function withOtherSource(
  failed: ServerName,
  thrown: unknown,
  others: readonly Source[] | undefined,
): unknown {
  if (!(thrown instanceof CompanionError) || !TELLS_OF_THE_CONNECTION.has(thrown.code)) return thrown;
  const { source, name } = OTHER[failed];
  const { code, detail, ...more } = thrown.toRecord();
  const sentence = others?.includes(source)
    ? `${name} is set as well: "config block-source ${source}" reads blocks from it.`
    : others?.includes('peers')
      ? NOTHING_SET
      : undefined;
  if (sentence === undefined) return thrown;
  return new CompanionError(code, `${detail} ${sentence}`, { ...more, cause: thrown.cause });
}
