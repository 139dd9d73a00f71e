// What a chain is made of, for chains of other shapes: transactions, blocks and branches, trees and their states.

export { BlockTree, type MinedTransaction } from '../devnet/blockTree.ts';
export type { BuiltTransaction } from '../devnet/builtTransaction.ts';
export type { ChainView } from '../devnet/chainView.ts';
export { Mempool } from '../devnet/mempool.ts';
export { foreignBlock, MinedBlock, type MinedBlockFields } from '../devnet/minedBlock.ts';
export {
  appendLeaf,
  EMPTY_FRONTIER,
  encodeFrontier,
  type Frontier,
  frontierRoot,
} from '../devnet/noteTree.ts';
export { jubjubPoints, type PointSource, pallasPoints } from '../devnet/otherPoints.ts';
export { planPayment } from '../devnet/payment.ts';
export { type Randomness, seededRandomness } from '../devnet/randomness.ts';
export { TransactionBuilder } from '../devnet/transactionBuilder.ts';
export type { PlannedOutput, PlannedSpend } from '../devnet/transactionPlan.ts';
export { TreeStates } from '../devnet/treeStates.ts';
export { upgradesOf } from '../devnet/upgrades.ts';
