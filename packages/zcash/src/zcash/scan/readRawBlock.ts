// Reads shielded parts from full blocks and transactions, as a node serves them.

import type { Height } from '@wallet-companion/base/values';
import { walkBlock } from '../encoding/block.ts';
import { checkMerkleRoot } from '../encoding/merkleRoot.ts';
import { ORCHARD_ACTION } from '../encoding/orchardBundle.ts';
import type { OutputLayout } from '../encoding/outputLayout.ts';
import type { Records } from '../encoding/records.ts';
import { SAPLING_OUTPUT, saplingNullifierOffset } from '../encoding/saplingBundle.ts';
import { hasShieldedParts, type Transaction } from '../encoding/transaction.ts';
import { txid } from '../encoding/txid.ts';
import type { Blake2b256 } from '../hashes/blake2.ts';
import type { TxId } from '../identifiers.ts';
import { isActionPool, POOLS, type Pool } from '../pools.ts';
import type { ShieldedParts } from './shieldedParts.ts';

const SAPLING_LAYOUT: OutputLayout = {
  ephemeralKey: SAPLING_OUTPUT.ephemeralKey,
  ciphertext: SAPLING_OUTPUT.encCiphertext,
  commitment: SAPLING_OUTPUT.cmu,
  rho: 0,
};
const ACTION_LAYOUT: OutputLayout = {
  ephemeralKey: ORCHARD_ACTION.ephemeralKey,
  ciphertext: ORCHARD_ACTION.encCiphertext,
  commitment: ORCHARD_ACTION.cmx,
  rho: ORCHARD_ACTION.nullifier,
};

/**
 * Returns the block's time, in seconds since 1970. FormatError when anything in it is malformed, or its transactions
 * are not those of its header: `parts` are then unusable.
 */
export function readRawBlock(
  bytes: Uint8Array,
  height: Height,
  parts: ShieldedParts,
  hash: Blake2b256,
): number {
  const txids: TxId[] = [];
  const { merkleRoot, time } = walkBlock(bytes, (transaction, index) => {
    const id = txid(transaction, hash);
    txids.push(id);
    addRawTransaction(parts, transaction, index, id);
  });
  checkMerkleRoot(txids, merkleRoot, height);
  return time;
}

/** Adds nothing when the transaction has no shielded parts. */
export function addRawTransaction(
  parts: ShieldedParts,
  transaction: Transaction,
  txIndex: number,
  id: TxId,
): void {
  if (!hasShieldedParts(transaction)) return;
  const { sapling } = transaction;
  const before = parts.counts();
  const { spends } = sapling;
  for (let i = 0; i < spends.count; i++)
    parts.addSaplingSpend(spends.bytes, i * spends.size + saplingNullifierOffset(sapling));
  for (const pool of POOLS) {
    const { records, layout } = outputsOf(transaction, pool);
    for (let i = 0; i < records.count; i++) parts.addOutput(pool, records.bytes, i * records.size, layout);
  }
  parts.addTransaction(before, { txIndex, txid: id, full: transaction });
}

/** The outputs or actions of a pool, and the offsets of their fields. */
export const outputsOf = (
  transaction: Transaction,
  pool: Pool,
): { records: Records; layout: OutputLayout } =>
  isActionPool(pool)
    ? { records: transaction[pool].actions, layout: ACTION_LAYOUT }
    : { records: transaction[pool].outputs, layout: SAPLING_LAYOUT };
