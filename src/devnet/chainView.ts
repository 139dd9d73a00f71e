// What the servers of a devnet see of it, read-only but for transactions that are sent to them.

import type { TxId } from '../shielded/identifiers.ts';
import type { NetworkParameters } from '../shielded/network.ts';
import type { PerPool } from '../shielded/pools.ts';
import type { BlockTree } from './blockTree.ts';
import type { Mempool } from './mempool.ts';
import type { TreeStates } from './treeStates.ts';

export interface ChainView {
  readonly params: NetworkParameters;
  readonly blocks: BlockTree;
  readonly trees: PerPool<TreeStates>;
  readonly mempool: Mempool;
  /** Takes a transaction from outside into the mempool; `RpcError` says why not. Absent: none are taken. */
  send?(bytes: Uint8Array): TxId;
}
