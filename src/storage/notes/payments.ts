// Prepared payments: a sealed row each. Nothing on the chain gives one back, so they are vouched for: a row of its own states
// what all of them add up to, and which write was the last. It is not part of the state: payments are written between the
// commits that seal the state. Rows have few sizes, which reveal only roughly how many actions there are.

import { bytesToHex, hexToBytes, wipe } from '@wallet-companion/base/bytes';
import {
  EMPTY_ROW_SUM,
  type RowSumValue,
  SealedTable,
  type SealedTableKeys,
} from '@wallet-companion/disk/rows';
import type { RandomBytes } from '@wallet-companion/disk/sealing';
import { ColumnError, type Database, transaction } from '@wallet-companion/disk/sqlite';
import type { StoredPayment } from '../../actors/wallet/ports/payment.ts';
import { decodeRecord, encodeRecord } from './noteRecords.ts';

const PAYMENTS_TABLE = 'payments';
const HEAD_TABLE = 'payments_head';
const HEAD_KEY = 'head';
export const PAYMENT_TABLES = [PAYMENTS_TABLE, HEAD_TABLE] as const;

/** A row is this long, or twice, four times, ... */
const LEAST_ROW = 16 * 1024;
const LENGTH_SIZE = 4;
/** PCZT and transaction have up to 2 MB each, and what is read at once has to stay below `MAX_VALUE_BYTES`. */
const ROWS_AT_ONCE = 4;

interface HeadJson {
  readonly count: number;
  readonly sum: string;
  readonly writes: number;
}

interface Head {
  readonly rowSum: RowSumValue;
  readonly writes: number;
}

export class Payments {
  readonly #database: Database;
  readonly #rows: SealedTable;
  readonly #head: SealedTable;

  constructor(database: Database, keys: SealedTableKeys, randomBytes: RandomBytes) {
    this.#database = database;
    this.#rows = new SealedTable(database, PAYMENTS_TABLE, keys, randomBytes, ROWS_AT_ONCE);
    this.#head = new SealedTable(database, HEAD_TABLE, keys, randomBytes);
  }

  /** Throws ColumnError unless these are the rows that were written. */
  all(): StoredPayment[] {
    return [...this.#each()];
  }

  /** The number of the last write; 0 before the first. */
  get writes(): number {
    return this.#readHead().writes;
  }

  /** Runs in a transaction of its own; so does `delete`. */
  put(payment: StoredPayment, writes: number): void {
    this.#change(writes, () => this.#putRow(payment));
  }

  delete(id: string, writes: number): void {
    this.#change(writes, () => this.#rows.delete(id));
  }

  /** Copies the payments into a new store, one at a time. */
  *copyTo(other: Payments): IterableIterator<void> {
    for (const payment of this.#each()) {
      other.#putRow(payment);
      wipe(payment.pczt);
      yield;
    }
    other.#seal(this.writes);
  }

  *#each(): IterableIterator<StoredPayment> {
    this.#rows.rowSum.reset(this.#readHead().rowSum);
    for (const plain of this.#rows.contents()) {
      const payment = decodePayment(plain);
      wipe(plain);
      yield payment;
    }
  }

  #change(writes: number, work: () => void): void {
    this.#database.useWriteAheadLog();
    transaction(this.#database, () => {
      this.#rows.rowSum.reset(this.#readHead().rowSum);
      work();
      this.#seal(writes);
    });
  }

  #putRow(payment: StoredPayment): void {
    const plain = encodePayment(payment);
    this.#rows.put(payment.id, plain);
    wipe(plain);
  }

  #seal(writes: number): void {
    const { count, sum } = this.#rows.rowSum.value();
    const head: HeadJson = { count, sum: bytesToHex(sum), writes };
    this.#head.put(HEAD_KEY, encodeRecord(head));
  }

  /** Without a head there may be no rows. */
  #readHead(): Head {
    const [row] = this.#head.rowsFrom(0);
    if (row === undefined) return { rowSum: EMPTY_ROW_SUM, writes: 0 };
    const plain = this.#head.open(row);
    if (plain === undefined) throw new ColumnError('what payments add up to does not open');
    const { count, sum, writes } = decodeRecord<HeadJson>(plain);
    return { rowSum: { count, sum: hexToBytes(sum) }, writes };
  }
}

/** length of JSON 4 | JSON without the PCZT | PCZT | zeros. The PCZT's length is in the JSON. */
function encodePayment({ pczt, ...rest }: StoredPayment): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify({ ...rest, pcztLength: pczt.length }));
  const size = LENGTH_SIZE + json.length + pczt.length;
  let row = LEAST_ROW;
  while (row < size) row *= 2;
  const plain = new Uint8Array(row);
  new DataView(plain.buffer).setUint32(0, json.length);
  plain.set(json, LENGTH_SIZE);
  plain.set(pczt, LENGTH_SIZE + json.length);
  wipe(json);
  return plain;
}

function decodePayment(plain: Uint8Array): StoredPayment {
  const view = new DataView(plain.buffer, plain.byteOffset, plain.byteLength);
  const start = LENGTH_SIZE + view.getUint32(0);
  const { pcztLength, ...rest } = decodeRecord<Omit<StoredPayment, 'pczt'> & { pcztLength: number }>(
    plain.subarray(LENGTH_SIZE, start),
  );
  return { ...rest, pczt: plain.slice(start, start + pcztLength) };
}
