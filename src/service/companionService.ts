// What a companion that runs as a service says of itself: with what it has started, and whether its threads answer.

import type { Link } from '../protocol/link.ts';

interface StartLog {
  info(fields: object, message: string): void;
}

interface Start {
  readonly url: string;
  readonly version: string;
  readonly follow: boolean;
}

/** Hosts alone: the path of an address may be somebody's key to a paid server. */
export async function tellStart(
  link: Pick<Link, 'dispatch'>,
  { url, version, follow }: Start,
  log: StartLog,
): Promise<void> {
  const config = await link.dispatch('config.get', {}, { requestId: 'start' });
  const known = config.ok
    ? {
        network: config.value.network,
        node: hostOf(config.value.node_url),
        compactServer: hostOf(config.value.compact_server_url),
      }
    : {};
  log.info({ version, url, ...known, follow }, 'companion started');
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
