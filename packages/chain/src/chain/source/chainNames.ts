// The chain names that nodes and servers report. They cannot distinguish the test network from a regtest: a node
// reports "test" on both.
import { CompanionError } from '@wallet-companion/client/contract';
import type { Network } from '@wallet-companion/zcash/network';

const CHAIN_NAMES: Readonly<Record<Network, readonly string[]>> = {
  main: ['main'],
  test: ['test'],
  regtest: ['test', 'regtest'],
};

/** `who` is the server, for the message. Throws `NETWORK_MISMATCH`. */
export function checkChainName(who: string, chain: string, network: Network): void {
  if (CHAIN_NAMES[network].includes(chain)) return;
  const known = Object.values(CHAIN_NAMES).some((names) => names.includes(chain));
  throw networkMismatch(who, network, known ? `its chain is "${chain}"` : 'its chain has another name');
}

export const networkMismatch = (who: string, network: Network, why: string): CompanionError =>
  new CompanionError('NETWORK_MISMATCH', `${who} is not on this companion's network, ${network}: ${why}.`);
