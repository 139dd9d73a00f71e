// How the servers of a devnet see its chain: read-only, except that they pass transactions to it.

import type { TxId } from '@wallet-companion/zcash/identifiers';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { PerPool } from '@wallet-companion/zcash/pools';
import type { BlockTree } from './blockTree.ts';
import type { Mempool } from './mempool.ts';
import type { TreeStates } from './treeStates.ts';

export interface ChainView {
  readonly params: NetworkParameters;
  readonly blocks: BlockTree;
  readonly trees: PerPool<TreeStates>;
  readonly mempool: Mempool;
  /** Accepts a transaction into the mempool; `RpcError` gives the reason for a refusal. Absent: all are refused. */
  send?(bytes: Uint8Array): TxId;
}
