// The failure of a configured server, with the other source of blocks that is set. Only a person changes to it.

import type { Source } from '@wallet-companion/chain/ports';
import { CompanionError } from '../../protocol/errors.ts';
import type { ServerName } from '../../protocol/operations/status.ts';
import { TELLS_OF_THE_CONNECTION } from './namedServer.ts';

const OTHER = {
  node: { source: 'compact', name: 'A compact server' },
  compact_server: { source: 'node', name: 'A node' },
} as const satisfies Record<ServerName, { readonly source: Source; readonly name: string }>;

/** `named`: the sources that are set; undefined where that is not known. */
export function withOtherSource(
  failed: ServerName,
  thrown: unknown,
  named: readonly Source[] | undefined,
): unknown {
  if (!(thrown instanceof CompanionError) || !TELLS_OF_THE_CONNECTION.has(thrown.code)) return thrown;
  const { source, name } = OTHER[failed];
  if (named?.includes(source) !== true) return thrown;
  const { code, detail, ...more } = thrown.toRecord();
  const sentence = `${name} is set as well: "config block-source ${source}" reads blocks from it.`;
  return new CompanionError(code, `${detail} ${sentence}`, { ...more, cause: thrown.cause });
}
