// The error for a server that the request names. A caller who learned how a connection failed could use the companion
// to scan ports and what answers on them.

import { CompanionError, type ErrorCode } from '../../protocol/errors.ts';
import type { ServerName } from '../../protocol/operations/status.ts';

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
