// Prepared payments: a sealed row each. Nothing on the chain gives one back, so they are vouched for: a row of its own states
// what all of them add up to, and which write was the last. It is not part of the state: payments are written between the
// commits that seal the state. Rows have few sizes, which reveal only roughly how many actions there are.
//
// The keys of calls that pay have a table beside them, of small rows that are read one at a time: they stay when their payment goes.

import { bytesToHex, hexToBytes, wipe } from '@wallet-companion/base/bytes';
import {
  EMPTY_ROW_SUM,
  type RowSumValue,
  SealedTable,
  type SealedTableKeys,
} from '@wallet-companion/disk/rows';
import type { RandomBytes } from '@wallet-companion/disk/sealing';
import { ColumnError, type Database, transaction } from '@wallet-companion/disk/sqlite';
import type { KeyChange, KeyedPayment, StoredPayment } from '../../actors/wallet/ports/payment.ts';
import { decodeRecord, encodeRecord } from './noteRecords.ts';

const PAYMENTS_TABLE = 'payments';
const HEAD_TABLE = 'payments_head';
const HEAD_KEY = 'head';
const KEYS_TABLE = 'idempotency_keys';
export const PAYMENT_TABLES = [PAYMENTS_TABLE, HEAD_TABLE, KEYS_TABLE] as const;

/** A row is this long, or twice, four times, ... */
const LEAST_ROW = 16 * 1024;
const LENGTH_SIZE = 4;
/** PCZT and transaction have up to 2 MB each, and what is read at once has to stay below `MAX_VALUE_BYTES`. */
const ROWS_AT_ONCE = 4;
/** Of one size, so that none says how its payment ended. */
const KEY_ROW = 640;
/** Resealing a row takes some 50 microseconds. */
const KEYS_IN_A_SLICE = 100;

interface SumJson {
  readonly count: number;
  readonly sum: string;
}

interface HeadJson extends SumJson {
  readonly writes: number;
  readonly keys: SumJson;
}

interface Head {
  readonly rowSum: RowSumValue;
  readonly keys: RowSumValue;
  readonly writes: number;
}

interface PaymentTableKeys extends Omit<SealedTableKeys, 'rowSum'> {
  readonly rowSum: (table: string) => SealedTableKeys['rowSum'];
}

export class Payments {
  readonly #database: Database;
  readonly #rows: SealedTable;
  readonly #head: SealedTable;
  readonly #keys: SealedTable;
  /** All rows of keys were there when this store first needed one. */
  #hasEveryKey = false;

  constructor(database: Database, keys: PaymentTableKeys, randomBytes: RandomBytes) {
    this.#database = database;
    const ofPayments = { ...keys, rowSum: keys.rowSum(PAYMENTS_TABLE) };
    this.#rows = new SealedTable(database, PAYMENTS_TABLE, ofPayments, randomBytes, ROWS_AT_ONCE);
    this.#head = new SealedTable(database, HEAD_TABLE, ofPayments, randomBytes);
    this.#keys = new SealedTable(
      database,
      KEYS_TABLE,
      { ...keys, rowSum: keys.rowSum(KEYS_TABLE) },
      randomBytes,
    );
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
  put(payment: StoredPayment, writes: number, key?: KeyChange): void {
    this.#change(writes, key, () => this.#putRow(payment));
  }

  delete(id: string, writes: number, key?: KeyChange): void {
    this.#change(writes, key, () => this.#rows.delete(id));
  }

  /** Undefined where no payment has the key. Throws ColumnError where any key has gone: what it named could be paid again. */
  keyed(key: string): KeyedPayment | undefined {
    this.#requireKeys(this.#readHead());
    const plain = this.#keys.requireSound(key);
    return plain === undefined ? undefined : decodeKey(plain).keyed;
  }

  /** Copies the payments into a new store, one at a time. */
  *copyTo(other: Payments): IterableIterator<void> {
    for (const payment of this.#each()) {
      other.#putRow(payment);
      wipe(payment.pczt);
      yield;
    }
    this.#keys.rowSum.reset(this.#readHead().keys);
    let count = 0;
    for (const plain of this.#keys.contents()) {
      const { key, keyed } = decodeKey(plain);
      other.#putKey({ key, row: keyed });
      count += 1;
      if (count % KEYS_IN_A_SLICE === 0) yield;
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

  #change(writes: number, key: KeyChange | undefined, work: () => void): void {
    this.#database.useWriteAheadLog();
    transaction(this.#database, () => {
      const head = this.#readHead();
      this.#rows.rowSum.reset(head.rowSum);
      this.#keys.rowSum.reset(head.keys);
      work();
      if (key !== undefined) {
        this.#requireKeys(head);
        this.#putKey(key);
      }
      this.#seal(writes);
    });
  }

  /** Names and tags of 100,000 rows are read in a tenth of a second, once. */
  #requireKeys({ keys }: Head): void {
    if (this.#hasEveryKey) return;
    const found = this.#keys.emptyRowSum();
    for (const { rows } of this.#keys.tallied()) found.addAll(rows);
    if (!found.equals(keys)) throw new ColumnError('the idempotency keys are not those that were written');
    this.#hasEveryKey = true;
  }

  #putKey({ key, row }: KeyChange): void {
    if (row === null) this.#keys.delete(key);
    else this.#keys.put(key, encodeKey({ key, keyed: row }));
  }

  #putRow(payment: StoredPayment): void {
    const plain = encodePayment(payment);
    this.#rows.put(payment.id, plain);
    wipe(plain);
  }

  #seal(writes: number): void {
    const [rows, keys] = [this.#rows, this.#keys].map(({ rowSum }) => sumJson(rowSum.value()));
    const head: HeadJson = { ...rows!, writes, keys: keys! };
    this.#head.put(HEAD_KEY, encodeRecord(head));
  }

  /** Without a head there may be no rows. */
  #readHead(): Head {
    const [row] = this.#head.rowsFrom(0);
    if (row === undefined) return { rowSum: EMPTY_ROW_SUM, keys: EMPTY_ROW_SUM, writes: 0 };
    const plain = this.#head.open(row);
    if (plain === undefined) throw new ColumnError('what payments add up to does not open');
    const { keys, writes, ...rows } = decodeRecord<HeadJson>(plain);
    return { rowSum: sumOf(rows), keys: sumOf(keys), writes };
  }
}

const sumJson = ({ count, sum }: RowSumValue): SumJson => ({ count, sum: bytesToHex(sum) });
const sumOf = ({ count, sum }: SumJson): RowSumValue => ({ count, sum: hexToBytes(sum) });

interface KeyJson {
  readonly key: string;
  readonly keyed: KeyedPayment;
}

/** JSON takes no notice of the spaces behind it. */
const encodeKey = (row: KeyJson): Uint8Array => new TextEncoder().encode(JSON.stringify(row).padEnd(KEY_ROW));
const decodeKey = (plain: Uint8Array): KeyJson => decodeRecord<KeyJson>(plain);

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
