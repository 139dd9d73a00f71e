// Is the node on our network? The chain name cannot tell the test network from a regtest (a node says "test" on both),
// so the genesis hash decides where the node still has it.
import { CompanionError } from '../protocol/errors.ts';
import type { Network } from '../protocol/network.ts';
import { toDisplayHex } from '../shielded/bytes.ts';
import { MAIN, type NetworkParameters, regtestParameters, TEST } from '../shielded/network.ts';
import type { NodeChainInfo, NodeRpc } from './nodeRpc.ts';

const CHAIN_NAMES: Readonly<Record<Network, readonly string[]>> = {
  main: ['main'],
  test: ['test'],
  regtest: ['test', 'regtest'],
};

export function checkChainName(chain: string, network: Network): void {
  if (CHAIN_NAMES[network].includes(chain)) return;
  const known = Object.values(CHAIN_NAMES).some((names) => names.includes(chain));
  throw mismatch(network, known ? `its chain is "${chain}"` : 'its chain has another name');
}

/** Throws `NETWORK_MISMATCH`. A regtest may start from a genesis of its own; the public networks may not. */
export async function checkNodeNetwork(
  rpc: NodeRpc,
  info: NodeChainInfo,
  parameters: NetworkParameters,
): Promise<void> {
  const { network } = parameters;
  checkChainName(info.chain, network);
  const hash = await rpc.blockHash(0);
  // A node that refuses to tell (some keep no block 0) leaves the name to decide.
  if (hash === null) return;
  const genesis = toDisplayHex(hash);
  if (genesis === parameters.genesisHash) return;
  const other = [MAIN, TEST, regtestParameters()].find(({ genesisHash }) => genesisHash === genesis);
  if (other !== undefined) throw mismatch(network, `its genesis block is that of ${other.network}`);
  if (network !== 'regtest') throw mismatch(network, 'its genesis block is another one');
}

const mismatch = (network: Network, why: string): CompanionError =>
  new CompanionError(
    'NETWORK_MISMATCH',
    `The chain node is not on the ${network} network of this companion: ${why}.`,
  );
