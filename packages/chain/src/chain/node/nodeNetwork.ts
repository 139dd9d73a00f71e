// Is the node on the configured network? Where the chain name leaves it open, the genesis hash decides.
import { blockHashToHex } from '@wallet-companion/zcash/identifiers';
import { MAIN, type NetworkParameters, regtestParameters, TEST } from '@wallet-companion/zcash/network';
import { checkChainName, networkMismatch } from '../source/chainNames.ts';
import type { NodeChainInfo, NodeRpc } from './nodeRpc.ts';

/** Throws `NETWORK_MISMATCH`. A regtest may start from another genesis; the public networks may not. */
export async function checkNodeNetwork(
  rpc: NodeRpc,
  info: NodeChainInfo,
  parameters: NetworkParameters,
): Promise<void> {
  const { network } = parameters;
  const who = nodeName(rpc);
  checkChainName(who, info.chain, network);
  const hash = await rpc.blockHash(0);
  // A node without an answer (some keep no block 0) leaves the name to decide.
  if (hash === null) return;
  const genesis = blockHashToHex(hash);
  if (genesis === parameters.genesisHash) return;
  const other = [MAIN, TEST, regtestParameters()].find(({ genesisHash }) => genesisHash === genesis);
  if (other !== undefined)
    throw networkMismatch(who, network, `its genesis block is that of ${other.network}`);
  if (network !== 'regtest') throw networkMismatch(who, network, 'its genesis block is another one');
}

export const nodeName = (rpc: NodeRpc): string => `The chain node at ${rpc.host}`;
