// What the servers of a devnet see of it, read-only.
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
}
