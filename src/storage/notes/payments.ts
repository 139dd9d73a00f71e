// Prepared payments: a sealed row each, in tables that are made with the first of them. Nothing on the chain gives one back,
// so they are vouched for: a row of its own says what all of them add up to, and which write was the last. It is not said by
// the state, which a program that knows no payments writes without it. Rows are of few sizes: what they tell is about how many actions there are.

import { bytesToHex, hexToBytes, wipe } from '@wallet-companion/shielded/bytes';
import type { StoredPayment } from '../../actors/wallet/ports/payment.ts';
import type { RandomBytes } from '../sealing/sealing.ts';
import { ColumnError, type Database, transaction } from '../sqlite/sqlite.ts';
import { decodeRecord, encodeRecord } from './noteRecords.ts';
import { SealedTable, type SealedTableKeys, sealedTableSchema } from './sealedTable.ts';
import { EMPTY_TALLY, type TallyValue } from './tally.ts';

const PAYMENTS_TABLE = 'payments';
const HEAD_TABLE = 'payments_head';
const HEAD_KEY = 'head';

export const PAYMENTS_SCHEMA = [PAYMENTS_TABLE, HEAD_TABLE]
  .map((table) => sealedTableSchema(table).replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'))
  .join(';\n');

/** A row is this long, or twice, four times, ... */
const LEAST_ROW = 16 * 1024;
const LENGTH_SIZE = 4;
/** PCZT and transaction have up to 2 MB each, and what is read at once has to stay below `MAX_VALUE_BYTES`. */
const ROWS_AT_ONCE = 4;

interface HeadJson {
  readonly count: number;
  readonly sum: string;
  /** Absent in stores that did not count. */
  readonly writes?: number;
}

interface Head {
  readonly tally: TallyValue;
  readonly writes: number;
}

interface Tables {
  readonly rows: SealedTable;
  readonly head: SealedTable;
}

export class Payments {
  readonly #database: Database;
  readonly #keys: SealedTableKeys;
  readonly #randomBytes: RandomBytes;
  #tables: Tables | undefined;

  constructor(database: Database, keys: SealedTableKeys, randomBytes: RandomBytes) {
    this.#database = database;
    this.#keys = keys;
    this.#randomBytes = randomBytes;
  }

  /** A store has no such tables before there is something to keep. One without the other is damage. */
  get exist(): boolean {
    const names = `'${PAYMENTS_TABLE}', '${HEAD_TABLE}'`;
    return this.#database.prepare(`SELECT 1 FROM sqlite_master WHERE name IN (${names})`).get() !== undefined;
  }

  /** Throws ColumnError unless they are those that were written. */
  all(): StoredPayment[] {
    return [...this.#each()];
  }

  /** What the last write said. */
  get writes(): number {
    return this.exist ? readHead(this.#open().head).writes : 0;
  }

  /** In a transaction of its own; so is `delete`. */
  put(payment: StoredPayment, writes: number): void {
    this.#change(writes, (tables) => putRow(tables, payment));
  }

  delete(id: string, writes: number): void {
    if (this.exist) this.#change(writes, ({ rows }) => rows.delete(id));
  }

  /** Into a store that is being made; a payment at a time. */
  *copyTo(other: Payments): IterableIterator<void> {
    if (!this.exist) return;
    other.#create();
    const tables = other.#open();
    for (const payment of this.#each()) {
      putRow(tables, payment);
      wipe(payment.pczt);
      yield;
    }
    seal(tables, this.writes);
  }

  *#each(): IterableIterator<StoredPayment> {
    if (!this.exist) return;
    const { rows, head } = this.#open();
    rows.tally.reset(readHead(head).tally);
    for (const plain of rows.contents()) {
      const payment = decodePayment(plain);
      wipe(plain);
      yield payment;
    }
  }

  #change(writes: number, work: (tables: Tables) => void): void {
    this.#database.useWriteAheadLog();
    try {
      transaction(this.#database, () => {
        if (!this.exist) this.#create();
        const tables = this.#open();
        tables.rows.tally.reset(readHead(tables.head).tally);
        work(tables);
        seal(tables, writes);
      });
    } catch (error) {
      // Tables that were made in it are gone.
      this.#tables = undefined;
      throw error;
    }
  }

  #create(): void {
    this.#database.exec(PAYMENTS_SCHEMA);
  }

  #open(): Tables {
    const table = (name: string): SealedTable =>
      new SealedTable(this.#database, name, this.#keys, this.#randomBytes, ROWS_AT_ONCE);
    this.#tables ??= { rows: table(PAYMENTS_TABLE), head: table(HEAD_TABLE) };
    return this.#tables;
  }
}

function putRow({ rows }: Tables, payment: StoredPayment): void {
  const plain = encodePayment(payment);
  rows.put(payment.id, plain);
  wipe(plain);
}

function seal({ rows, head }: Tables, writes: number): void {
  const { count, sum } = rows.tally.value();
  const said: HeadJson = { count, sum: bytesToHex(sum), writes };
  head.put(HEAD_KEY, encodeRecord(said));
}

/** Where there is none, there may be no rows. */
function readHead(head: SealedTable): Head {
  const [row] = head.rowsFrom(0);
  if (row === undefined) return { tally: EMPTY_TALLY, writes: 0 };
  const plain = head.open(row);
  if (plain === undefined) throw new ColumnError('what payments add up to does not open');
  const { count, sum, writes = 0 } = decodeRecord<HeadJson>(plain);
  return { tally: { count, sum: hexToBytes(sum) }, writes };
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
