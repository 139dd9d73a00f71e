// How the servers of a devnet see its chain: read-only, except that they pass transactions to it.

import type { TxId } from '@wallet-companion/zcash/identifiers';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { ActionPool, PerPool } from '@wallet-companion/zcash/pools';
import type { TransactionEffects } from '@wallet-companion/zcash/signing';
import type { BlockTree } from './blockTree.ts';
import type { Mempool } from './mempool.ts';
import type { TreeStates } from './treeStates.ts';

/** The pools whose proof, where there is one, is not of these effects; found on another thread, as it may take seconds. */
export type FindWrongProofs = (
  effects: TransactionEffects,
  proofOf: (pool: ActionPool) => Uint8Array | undefined,
) => Promise<readonly ActionPool[]>;

export interface ChainView {
  readonly params: NetworkParameters;
  readonly blocks: BlockTree;
  readonly trees: PerPool<TreeStates>;
  readonly mempool: Mempool;
  /** Accepts a transaction into the mempool; `RpcError` gives the reason for a refusal. Absent: all are refused. */
  receive?(bytes: Uint8Array): Promise<TxId>;
}
