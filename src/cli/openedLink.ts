// The companion that a command line names: the one at a URL, or the one of its folders, on the network and with the
// wallet that it names.

import { CompanionError } from '../protocol/errors.ts';
import type { Dispatcher } from '../protocol/link.ts';
import type { Network } from '../protocol/network.ts';
import { failure, type Result, unwrap } from '../protocol/result.ts';
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

// The link with calls for one wallet. A name without a wallet is answered with the names that there are for this caller.

/** Undefined: the default wallet. */
export const ofWallet = (link: Dispatcher, wallet: string | undefined): Dispatcher =>
  wallet === undefined
    ? link
    : {
        dispatch: async (name, input, context) => {
          const result = await link.dispatch(name, input, { ...context, wallet });
          if (result.ok || result.error.code !== 'NO_WALLET') return result;
          const listed = await link.dispatch('wallets.list', {}, { requestId: context.requestId });
          const names = listed.ok ? listed.value.wallets.filter(({ exists }) => exists) : [];
          if (names.some((one) => one.name === wallet)) return result;
          return noSuchWallet(
            wallet,
            names.map((one) => one.name),
          );
        },
      };

function noSuchWallet(wallet: string, names: readonly string[]): Result<never> {
  const others = names.length === 0 ? 'There is none yet' : `There is ${names.join(', ')}`;
  return failure(
    new CompanionError(
      'NO_WALLET',
      `There is no wallet named ${wallet}. ${others}; "--wallet ${wallet} wallet create" makes this one.`,
    ),
  );
}
