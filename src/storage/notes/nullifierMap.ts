// The chain's nullifiers seen above a gap, in clear: they are everybody's, and may be millions. Each row holds a
// nullifier and a number for the transaction that revealed it.

import type { NullifierSighting } from '../../actors/wallet/ports/storage.ts';
import { asTxId, copyOf } from '../../shielded/identifiers.ts';
import { POOL } from '../../shielded/pools.ts';
import type { Height } from '../../values/height.ts';
import { bytesColumn, type Database, integerColumn, type Statement } from '../sqlite/sqlite.ts';
import { BLOCK_TIMES_SCHEMA, BlockTimes } from './blockTimes.ts';

export const NULLIFIER_MAP_SCHEMA = `
  CREATE TABLE kept_transactions(
    id INTEGER PRIMARY KEY,
    height INTEGER NOT NULL,
    tx_index INTEGER NOT NULL,
    txid BLOB NOT NULL,
    UNIQUE(height, tx_index)
  );
  CREATE TABLE kept_nullifiers(
    nullifier BLOB NOT NULL,
    pool INTEGER NOT NULL,
    seen_in INTEGER NOT NULL,
    PRIMARY KEY(nullifier, pool)
  ) WITHOUT ROWID;
  ${BLOCK_TIMES_SCHEMA};
`;

/** Statements for one side of a height. */
interface Side {
  readonly holds: Statement;
  readonly holdsOthers: Statement;
  readonly deleteNullifiers: Statement;
  readonly deleteTransactions: Statement;
}

function prepareSide(database: Database, condition: string): Side {
  const transactions = `FROM kept_transactions WHERE ${condition}`;
  return {
    holds: database.prepare(`SELECT 1 ${transactions} LIMIT 1`),
    holdsOthers: database.prepare(`SELECT 1 FROM kept_transactions WHERE NOT (${condition}) LIMIT 1`),
    deleteNullifiers: database.prepare(
      `DELETE FROM kept_nullifiers WHERE seen_in IN (SELECT id ${transactions})`,
    ),
    deleteTransactions: database.prepare(`DELETE ${transactions}`),
  };
}

export class NullifierMap {
  readonly #database: Database;
  readonly #putTransaction: Statement;
  readonly #putNullifier: Statement;
  readonly #find: Statement;
  readonly #times: BlockTimes;
  readonly #upTo: Side;
  readonly #above: Side;

  constructor(database: Database) {
    this.#database = database;
    this.#putTransaction = database.prepare(
      `INSERT INTO kept_transactions(height, tx_index, txid) VALUES (?, ?, ?)
       ON CONFLICT(height, tx_index) DO UPDATE SET txid = excluded.txid RETURNING id`,
    );
    this.#putNullifier = database.prepare(
      'INSERT OR REPLACE INTO kept_nullifiers(nullifier, pool, seen_in) VALUES (?, ?, ?)',
    );
    this.#find = database.prepare(
      `SELECT height, tx_index, txid FROM kept_nullifiers JOIN kept_transactions ON id = seen_in
       WHERE nullifier = ? AND pool = ?`,
    );
    this.#times = new BlockTimes(database);
    this.#upTo = prepareSide(database, 'height <= ?');
    this.#above = prepareSide(database, 'height > ?');
  }

  /** To be called before the transaction that writes. */
  prepareToWrite(): void {
    this.#times.create();
  }

  put(seen: readonly NullifierSighting[]): void {
    const transactions = new Map<string, number>();
    for (const { pool, nullifier, height, txIndex, txid, time } of seen) {
      const place = `${height}:${txIndex}`;
      let id = transactions.get(place);
      if (id === undefined) {
        id = integerColumn(this.#putTransaction.get(height, txIndex, txid) ?? {}, 'id');
        transactions.set(place, id);
        this.#times.put(height, time);
      }
      this.#putNullifier.run(nullifier, POOL[pool].storedNumber, id);
    }
  }

  find({ pool, nullifier }: Pick<NullifierSighting, 'pool' | 'nullifier'>): NullifierSighting | undefined {
    const row = this.#find.get(nullifier, POOL[pool].storedNumber);
    if (row === undefined) return undefined;
    const height = integerColumn(row, 'height');
    return {
      pool,
      nullifier: copyOf(nullifier),
      height,
      time: this.#times.find(height),
      txIndex: integerColumn(row, 'tx_index'),
      txid: asTxId(bytesColumn(row, 'txid')),
    };
  }

  deleteUpTo(height: Height): void {
    this.#delete(this.#upTo, height);
    this.#times.deleteUpTo(height);
  }

  deleteAbove(height: Height): void {
    this.#delete(this.#above, height);
    this.#times.deleteAbove(height);
  }

  clear(): void {
    this.#database.exec('DELETE FROM kept_nullifiers; DELETE FROM kept_transactions');
    this.#times.deleteAbove(-1);
  }

  /** Every commit asks; there is something to delete only when a gap closes or a branch is undone. */
  #delete(side: Side, height: Height): void {
    if (side.holds.get(height) === undefined) return;
    if (side.holdsOthers.get(height) === undefined) {
      this.clear();
      return;
    }
    side.deleteNullifiers.run(height);
    side.deleteTransactions.run(height);
  }
}
