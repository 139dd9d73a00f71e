// The compact form of a full block, as compact servers make it: only transactions with shielded parts, and of those
// only what trial decryption and spend detection need.
import type { Height } from '@wallet-companion/base/values';
import { perActionPool, type TreeSizes } from '../pools.ts';
import type { Block } from './block.ts';
import {
  COMPACT_CIPHERTEXT_SIZE,
  type CompactAction,
  type CompactBlock,
  type CompactTransaction,
} from './compactBlock.ts';
import { type OrchardBundle, orchardAction } from './orchardBundle.ts';
import { saplingOutput, saplingSpend } from './saplingBundle.ts';
import { hasShieldedParts, type Transaction } from './transaction.ts';
import { txid } from './txid.ts';

/**
 * The compact form of a block (ZIP 307), as an honest server makes it. `treeSizes`: leaves of each tree after the
 * block.
 */
export function compactFromBlock(
  block: Block,
  height: Height,
  treeSizes: TreeSizes | undefined,
): CompactBlock {
  const { hash, prevHash, time } = block.header;
  const transactions = block.transactions
    .map((transaction, index) => compactFromTransaction(transaction, index))
    .filter((compact) => compact !== undefined);
  return { height, hash, prevHash, time, transactions, treeSizes };
}

/**
 * The compact form of a transaction (ZIP 307); undefined when it has no shielded part. `index`: its place in the block,
 * from 0.
 */
export function compactFromTransaction(
  transaction: Transaction,
  index: number,
): CompactTransaction | undefined {
  if (!hasShieldedParts(transaction)) return undefined;
  const { sapling } = transaction;
  return {
    index,
    txid: txid(transaction),
    spends: Array.from({ length: sapling.spends.count }, (_, i) => saplingSpend(sapling, i).nullifier),
    outputs: Array.from({ length: sapling.outputs.count }, (_, i) => {
      const { cmu, ephemeralKey, encCiphertext } = saplingOutput(sapling, i);
      return { cmu, ephemeralKey, ciphertext: encCiphertext.subarray(0, COMPACT_CIPHERTEXT_SIZE) };
    }),
    actions: perActionPool((pool) => compactActions(transaction[pool])),
  };
}

function compactActions(bundle: OrchardBundle): CompactAction[] {
  return Array.from({ length: bundle.actions.count }, (_, i) => {
    const { nullifier, cmx, ephemeralKey, encCiphertext } = orchardAction(bundle, i);
    return { nullifier, cmx, ephemeralKey, ciphertext: encCiphertext.subarray(0, COMPACT_CIPHERTEXT_SIZE) };
  });
}
