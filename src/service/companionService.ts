// What a companion that runs as a service says of itself: with what it has started, and whether its threads answer.

import type { Link } from '../protocol/link.ts';
import type { Output } from '../protocol/operations.ts';

interface StartLog {
  info(fields: object, message: string): void;
}

interface Start {
  readonly url: string;
  readonly version: string;
  readonly follow: boolean;
}

/** Hosts alone: the path of an address may be somebody's key to a paid server. */
export function tellStart(
  config: Pick<Output<'config.get'>, 'network' | 'node_url' | 'compact_server_url'>,
  { url, version, follow }: Start,
  log: StartLog,
): void {
  const [node, compactServer] = [config.node_url, config.compact_server_url].map(hostOf);
  log.info({ version, url, network: config.network, node, compactServer, follow }, 'companion started');
}

/** `host:port` without a scheme is one already. */
function hostOf(url: string): string {
  const address = /^https?:/i.test(url) ? url : `http://${url}`;
  return URL.canParse(address) ? new URL(address).host : '';
}

/** Both threads, each asked for what it answers by itself: a node that is down is no reason to start anew. */
export async function areThreadsAnswering(
  link: Pick<Link, 'dispatch'>,
  requestId: () => string,
): Promise<boolean> {
  const [wallet, chain] = await Promise.all([
    link.dispatch('system.version', {}, { requestId: requestId() }),
    link.dispatch('system.status', { known: true }, { requestId: requestId() }),
  ]);
  return wallet.ok && chain.ok;
}
