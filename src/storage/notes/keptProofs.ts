// The proofs of the rows of the nullifier map: for a nullifier the row sum of its part, for a transaction a proof in its row.
// No number of a transaction is used twice in a store, and each store has a salt, so only one row proves under a number;
// the nullifiers include the number and so vouch for the row.

import type { Height } from '@wallet-companion/base/values';
import { numbersIn } from '@wallet-companion/disk/rows';
import { deriveSubkey, PRF_BLOCK, RowPrf } from '@wallet-companion/disk/sealing';
import { bytesColumn, ColumnError, integerColumn, type Row } from '@wallet-companion/disk/sqlite';
import { asNullifier, asTxId, type Nullifier, type TxId } from '@wallet-companion/zcash/identifiers';

export interface KeptTransaction {
  readonly id: number;
  readonly height: Height;
  readonly txIndex: number;
  readonly txid: TxId;
  readonly time: number;
}

export const HASH_SIZE = 32;
export const SALT_SIZE = 16;
/** salt 16 | height 8 | index 8 | txid 32 | time 8 | number 8 */
const TRANSACTION_SIZE = 80;
/** nullifier 32 | the transaction's number 8 | pool 8 */
const NULLIFIER_SIZE = 48;

export class KeptProofs {
  readonly #transactions: RowPrf;
  readonly #nullifiers: RowPrf;

  constructor(masterKey: Uint8Array) {
    this.#transactions = new RowPrf(deriveSubkey(masterKey, 'ledger/kept-transactions/1'), TRANSACTION_SIZE);
    this.#nullifiers = new RowPrf(deriveSubkey(masterKey, 'ledger/kept-nullifiers/1'), NULLIFIER_SIZE);
  }

  ofTransactions(salt: Uint8Array, transactions: readonly KeptTransaction[]): Uint8Array[] {
    const rows = new Uint8Array(transactions.length * TRANSACTION_SIZE);
    const view = new DataView(rows.buffer);
    transactions.forEach(({ id, height, txIndex, txid, time }, i) => {
      const start = i * TRANSACTION_SIZE;
      rows.set(salt, start);
      view.setFloat64(start + 16, height);
      view.setFloat64(start + 24, txIndex);
      rows.set(hashOf(txid), start + 32);
      view.setFloat64(start + 64, time);
      view.setFloat64(start + 72, id);
    });
    const proofs = this.#transactions.of(rows);
    return transactions.map((_, i) => proofs.subarray(i * PRF_BLOCK, (i + 1) * PRF_BLOCK));
  }

  /** 16 bytes for each, one after the other. */
  ofNullifiers(count: number, at: (i: number) => KeptNullifier): Uint8Array {
    const rows = new Uint8Array(count * NULLIFIER_SIZE);
    const view = new DataView(rows.buffer);
    for (let i = 0; i < count; i++) {
      const { nullifier, seenIn, pool } = at(i);
      rows.set(hashOf(nullifier), i * NULLIFIER_SIZE);
      view.setFloat64(i * NULLIFIER_SIZE + HASH_SIZE, seenIn);
      view.setFloat64(i * NULLIFIER_SIZE + HASH_SIZE + 8, pool);
    }
    return this.#nullifiers.of(rows);
  }

  wipe(): void {
    this.#transactions.wipe();
    this.#nullifiers.wipe();
  }
}

export interface KeptNullifier {
  readonly nullifier: Nullifier;
  /** As it is stored. */
  readonly pool: number;
  /** Number of the transaction. */
  readonly seenIn: number;
}

function hashOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== HASH_SIZE) throw new ColumnError('a hash is not of its size');
  return bytes;
}

export const transactionIn = (row: Row): KeptTransaction => ({
  id: integerColumn(row, 'id'),
  height: integerColumn(row, 'height'),
  txIndex: integerColumn(row, 'tx_index'),
  txid: asTxId(bytesColumn(row, 'txid')),
  time: integerColumn(row, 'time'),
});

export const nullifierIn = (row: Row): KeptNullifier => ({
  nullifier: asNullifier(bytesColumn(row, 'nullifier')),
  pool: integerColumn(row, 'pool'),
  seenIn: integerColumn(row, 'seen_in'),
});

/** The nullifiers of a whole part, from a query that returns them in few values. */
export function nullifiersIn(answer: Row): KeptNullifier[] {
  const count = integerColumn(answer, 'count');
  if (count === 0) return [];
  const nullifiers = bytesColumn(answer, 'nullifiers');
  const pools = numbersIn(answer, 'pools');
  const seenIn = numbersIn(answer, 'seen_in');
  const fits = answer['sized'] === 1 && pools.length === count && seenIn.length === count;
  if (!fits || nullifiers.length !== count * HASH_SIZE)
    throw new ColumnError('a nullifier is not of its size');
  return pools.map((pool, i) => ({
    nullifier: asNullifier(nullifiers.subarray(i * HASH_SIZE, (i + 1) * HASH_SIZE)),
    seenIn: seenIn[i]!,
    pool,
  }));
}
