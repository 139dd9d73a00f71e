// The companion that a command line names: the one at a URL, or the one of its folders, on the network that it names.

import { CompanionError } from '../protocol/errors.ts';
import type { Dispatcher } from '../protocol/link.ts';
import type { Network } from '../protocol/network.ts';
import { unwrap } from '../protocol/result.ts';
import type { CliEnvironment, LocalOptions, OpenedLink } from './cliEnvironment.ts';

export interface Target {
  /** The URL of a running companion that receives the calls. */
  readonly url: string | undefined;
  readonly local: LocalOptions;
}

export const openLink = ({ url, local }: Target, environment: CliEnvironment): Promise<OpenedLink> =>
  url === undefined ? environment.openLocal(local) : throughUrl(url, environment);

/** Loaded on demand: most commands need no URL, and the HTTP modules take a while to load. */
const throughUrl = async (url: string, { grantToken }: CliEnvironment): Promise<OpenedLink> => {
  const { httpLink } = await import('./httpLink.ts');
  return { link: httpLink(url, await grantToken?.()), url, close: async () => {} };
};

/** A running companion already has a network, so a flag that names another one must not be silently ignored. */
export async function requireNetwork(
  link: Dispatcher,
  wanted: Network | undefined,
  { requestId }: CliEnvironment,
): Promise<void> {
  if (wanted === undefined) return;
  const { network } = unwrap(await link.dispatch('system.version', {}, { requestId: requestId() }));
  if (network === wanted) return;
  throw new CompanionError(
    'NETWORK_MISMATCH',
    `The companion that answers runs on "${network}". Leave --network out, or stop it and start one on "${wanted}".`,
  );
}
