// What the servers of a devnet see of it, read-only but for transactions that are sent to them.

import type { TxId } from '@wallet-companion/shielded/identifiers';
import type { NetworkParameters } from '@wallet-companion/shielded/network';
import type { PerPool } from '@wallet-companion/shielded/pools';
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
