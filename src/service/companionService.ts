// What a companion that runs as a service logs at its start, and whether its threads answer.

import type { Dispatcher } from '../protocol/link.ts';
import type { Output } from '../protocol/operations.ts';

interface StartLog {
  info(fields: object, message: string): void;
}

interface Start {
  readonly url: string;
  readonly version: string;
}

/** Logs only the hosts: the path of an address may contain a key to a paid server. */
export function logStart(
  config: Pick<Output<'config.get'>, 'network' | 'node_url' | 'compact_server_url'>,
  { url, version }: Start,
  log: StartLog,
): void {
  const [node, compactServer] = [config.node_url, config.compact_server_url].map(hostOf);
  log.info({ version, url, network: config.network, node, compactServer }, 'companion started');
}

/** `host:port` without a scheme is already a host. */
function hostOf(url: string): string {
  const address = /^https?:/i.test(url) ? url : `http://${url}`;
  return URL.canParse(address) ? new URL(address).host : '';
}

/** At a first start that names no server, and where none answers at the usual places: what to do about it. */
export async function logMissingServers(
  link: Dispatcher,
  requestId: () => string,
  log: { warn(fields: object, message: string): void },
): Promise<void> {
  const wallets = await link.dispatch('wallets.list', {}, { requestId: requestId() });
  if (!wallets.ok || wallets.value.wallets.some(({ exists }) => exists)) return;
  const status = await link.dispatch('system.status', {}, { requestId: requestId() });
  if (!status.ok || [status.value.node, status.value.compact_server].some(({ state }) => state === 'up'))
    return;
  log.warn(
    {},
    'no node and no compact-block server answers: "wallet-companion setup" asks for one, or name a compact-block server with "wallet-companion config compact-server-url https://host:443"; peers of the network need neither: "wallet-companion config block-source peers"',
  );
}

/** Asks both threads for something that they know themselves: an unreachable node is no reason to restart. */
export async function areThreadsAnswering(link: Dispatcher, requestId: () => string): Promise<boolean> {
  const [wallet, chain] = await Promise.all([
    link.dispatch('system.version', {}, { requestId: requestId() }),
    link.dispatch('system.status', { known: true }, { requestId: requestId() }),
  ]);
  return wallet.ok && chain.ok;
}
