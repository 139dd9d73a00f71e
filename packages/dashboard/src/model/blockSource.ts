// Where blocks come from: the choices, what is chosen, and the servers that the header shows a light for.

import type { Output } from '@wallet-companion/client';
import type { Server, Servers } from './serverText.ts';

export type BlockSource = Output<'config.get'>['block_source'];

/** With the first, the next use chooses. */
export const SOURCE_CHOICES = [
  { value: 'auto', name: 'What the first use finds' },
  { value: 'compact', name: 'Compact server' },
  { value: 'node', name: 'Chain node' },
] as const;

export const SOURCE_HELP =
  'A compact server needs nothing installed, sees your address, and is believed about blocks.';

/** Only of the source that is used; both while none is chosen. */
export function lightsOf(
  servers: Servers,
  source: BlockSource | undefined,
): readonly (readonly [name: string, state: Server['state']])[] {
  const node = ['Node', servers.node.state] as const;
  const compact = ['Compact server', servers.compact_server.state] as const;
  return source === 'node' ? [node] : source === 'compact' ? [compact] : [node, compact];
}
