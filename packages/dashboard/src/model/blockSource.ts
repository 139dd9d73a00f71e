// Where blocks come from: the choices, what is chosen, and the servers that the header shows a light for.

import type { Output } from '@wallet-companion/client';
import { sharedTexts } from '../texts/shared.ts';
import type { Server, Servers } from './serverText.ts';

export type BlockSource = Output<'config.get'>['block_source'];

/** With the first, the next use chooses. */
export const SOURCES = ['auto', 'compact', 'node', 'peers'] as const satisfies readonly BlockSource[];

const PEERS_LIGHT: Readonly<Record<Servers['peers']['state'], Server['state']>> = {
  off: 'lost',
  connecting: 'lost',
  catching_up: 'behind',
  current: 'up',
  stale: 'behind',
  slow: 'behind',
};

/** Only of the source that is used; both while none is chosen. */
export function lightsOf(
  servers: Servers,
  source: BlockSource | undefined,
): readonly (readonly [name: string, state: Server['state']])[] {
  const texts = sharedTexts();
  const node = [texts.node, servers.node.state] as const;
  const compact = [texts.compactServer, servers.compact_server.state] as const;
  if (source === 'peers') return [[texts.peers, PEERS_LIGHT[servers.peers.state]]];
  return source === 'node' ? [node] : source === 'compact' ? [compact] : [node, compact];
}
