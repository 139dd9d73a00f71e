// What a companion that runs as a service logs at its start, and whether its threads answer.

import type { Dispatcher } from '../protocol/link.ts';
import type { Output } from '../protocol/operations.ts';

interface StartLog {
  info(fields: object, message: string): void;
}

interface Start {
  readonly url: string;
  readonly version: string;
  readonly follow: boolean;
}

/** Logs only the hosts: the path of an address may contain a key to a paid server. */
export function tellStart(
  config: Pick<Output<'config.get'>, 'network' | 'node_url' | 'compact_server_url'>,
  { url, version, follow }: Start,
  log: StartLog,
): void {
  const [node, compactServer] = [config.node_url, config.compact_server_url].map(hostOf);
  log.info({ version, url, network: config.network, node, compactServer, follow }, 'companion started');
}

/** `host:port` without a scheme is already a host. */
function hostOf(url: string): string {
  const address = /^https?:/i.test(url) ? url : `http://${url}`;
  return URL.canParse(address) ? new URL(address).host : '';
}

/** Asks both threads for something that they know themselves: an unreachable node is no reason to restart. */
export async function areThreadsAnswering(link: Dispatcher, requestId: () => string): Promise<boolean> {
  const [wallet, chain] = await Promise.all([
    link.dispatch('system.version', {}, { requestId: requestId() }),
    link.dispatch('system.status', { known: true }, { requestId: requestId() }),
  ]);
  return wallet.ok && chain.ok;
}
