// What a caller is told of a server that the request names. How a connection failed, told to whoever may call, would
// make the companion a scanner of ports and of what answers on them.

import { CompanionError, type ErrorCode } from '../../protocol/errors.ts';
import type { ServerName } from '../../protocol/operations/status.ts';

/** What a server that answers as it should has failed at, as being of another network, is told as ever. */
const TELLS_OF_THE_CONNECTION: ReadonlySet<ErrorCode> = new Set([
  'NODE_UNREACHABLE',
  'NODE_UNAUTHORIZED',
  'NODE_BAD_RESPONSE',
  'COMPACT_SERVER_UNREACHABLE',
  'COMPACT_SERVER_BAD_RESPONSE',
  'UPSTREAM_TIMEOUT',
]);

/** The same whatever went wrong; any other failure as it is. */
export function ofNamedServer(server: ServerName, thrown: unknown): unknown {
  if (!(thrown instanceof CompanionError) || !TELLS_OF_THE_CONNECTION.has(thrown.code)) return thrown;
  const [code, what] =
    server === 'node'
      ? (['NODE_UNREACHABLE', 'chain node'] as const)
      : (['COMPACT_SERVER_UNREACHABLE', 'compact server'] as const);
  return new CompanionError(
    code,
    `The ${what} that the request names cannot be reached, or gives no usable answer; check its address. Of a configured one it is said why.`,
  );
}
