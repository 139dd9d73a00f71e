// The contents of a table of sealed rows, except memos, in pieces of a thousand rows: opening one row takes about 10
// microseconds, however small it is, and opening a piece hardly more.
//
// A piece names each row by its tag, which is as good as the row itself: any row with that tag was sealed by us and
// has the contents that the piece has. So a summary is never wrong, only incomplete: newer rows are opened one by one, rows
// that are gone are skipped, and a piece that is damaged, missing or old only costs time. Pieces are written while a store
// is being read; a failure to write them is ignored.

import { concatBytes } from '@wallet-companion/base/bytes';
import { type RandomBytes, seal, unseal } from '../sealing/sealing.ts';
import { TAG_SIZE } from '../sealing/xchacha.ts';
import { bytesColumn, type Database, integerColumn, transaction } from '../sqlite/sqlite.ts';
import { NAME_SIZE, type WrittenRow } from './sealedTable.ts';

const PADDING_BLOCK = 4_096;
const COUNT_SIZE = 4;
const ROWID_SIZE = 8;
const ENTRY_SIZE = ROWID_SIZE + TAG_SIZE + NAME_SIZE;

export const SUMMARIES_SCHEMA =
  'CREATE TABLE summaries(id INTEGER PRIMARY KEY, summarised TEXT NOT NULL, sealed BLOB NOT NULL)';

/** The contents of one row. */
export interface Summarised<T> extends WrittenRow {
  /** The row's number at the time; by now the row may have another number, and the number another row. */
  readonly rowid: number;
  readonly record: T;
}

export class Summaries {
  readonly #database: Database;
  readonly #key: Uint8Array;
  readonly #randomBytes: RandomBytes;

  constructor(database: Database, key: Uint8Array, randomBytes: RandomBytes) {
    this.#database = database;
    this.#key = key;
    this.#randomBytes = randomBytes;
  }

  /** The summaries of one table. */
  *of<T>(table: string): IterableIterator<Summary<T>> {
    const ids = this.#database
      .prepare('SELECT id FROM summaries WHERE summarised = ? ORDER BY id')
      .all(table)
      .map((row) => integerColumn(row, 'id'));
    const find = this.#database.prepare('SELECT sealed FROM summaries WHERE id = ?');
    for (const id of ids) {
      const row = find.get(id);
      if (row === undefined) continue;
      const plain = unseal(this.#key, bytesColumn(row, 'sealed'), contextOf(table));
      yield new Summary<T>(id, plain);
    }
  }

  /** `rows` hold records as JSON; the summaries they make superfluous are removed. */
  write(table: string, rows: readonly Summarised<string>[], superfluous: readonly number[]): void {
    const sealed = seal(this.#key, encode(rows), contextOf(table), this.#randomBytes);
    this.#database.useWriteAheadLog();
    transaction(this.#database, () => {
      const drop = this.#database.prepare('DELETE FROM summaries WHERE id = ?');
      for (const id of superfluous) drop.run(id);
      if (rows.length > 0) {
        this.#database.prepare('INSERT INTO summaries(summarised, sealed) VALUES (?, ?)').run(table, sealed);
      }
    });
  }

  clear(): void {
    this.#database.exec('DELETE FROM summaries');
  }
}

/** Includes the format version. No row has this context, because theirs end with a name of 16 bytes. */
const contextOf = (table: string): Uint8Array => new TextEncoder().encode(`${table}:summary/1`);

/** count 4 | number 8, tag and name of each row | JSON of their contents | spaces */
function encode(rows: readonly Summarised<string>[]): Uint8Array {
  const json = Buffer.from(`[${rows.map(({ record }) => record).join()}]`);
  const head = Buffer.alloc(COUNT_SIZE + rows.length * ENTRY_SIZE);
  head.writeUInt32LE(rows.length);
  rows.forEach(({ rowid, tag, name }, i) => {
    const at = COUNT_SIZE + i * ENTRY_SIZE;
    head.writeDoubleLE(rowid, at);
    head.set(tag, at + ROWID_SIZE);
    head.set(name, at + ROWID_SIZE + TAG_SIZE);
  });
  const length = head.length + json.length;
  const padding = new Uint8Array((PADDING_BLOCK - (length % PADDING_BLOCK)) % PADDING_BLOCK).fill(0x20);
  return concatBytes(head, json, padding);
}

/**
 * An opened piece; one that does not open has no rows. Does not create an array for each of its thousand tags and
 * names.
 */
export class Summary<T> {
  readonly id: number;
  readonly #bytes: Buffer;
  readonly #records: readonly T[];

  /** `plain` must be what `encode` wrote and a seal protected. */
  constructor(id: number, plain: Uint8Array | undefined) {
    this.id = id;
    this.#bytes =
      plain === undefined ? Buffer.alloc(0) : Buffer.from(plain.buffer, plain.byteOffset, plain.length);
    this.#records =
      plain === undefined
        ? []
        : JSON.parse(this.#bytes.toString('utf8', COUNT_SIZE + this.#bytes.readUInt32LE(0) * ENTRY_SIZE));
  }

  get length(): number {
    return this.#records.length;
  }

  rowid(i: number): number {
    return this.#bytes.readDoubleLE(COUNT_SIZE + i * ENTRY_SIZE);
  }

  hasTag(i: number, tags: Uint8Array, offset: number): boolean {
    const at = COUNT_SIZE + i * ENTRY_SIZE + ROWID_SIZE;
    for (let k = 0; k < TAG_SIZE; k++) if (this.#bytes[at + k] !== tags[offset + k]) return false;
    return true;
  }

  row(i: number): Summarised<T> {
    const tagAt = COUNT_SIZE + i * ENTRY_SIZE + ROWID_SIZE;
    const nameAt = tagAt + TAG_SIZE;
    return {
      rowid: this.rowid(i),
      tag: this.#bytes.subarray(tagAt, nameAt),
      name: this.#bytes.subarray(nameAt, nameAt + NAME_SIZE),
      record: this.#records[i]!,
    };
  }

  restored(i: number): Restored<T> {
    const nameAt = COUNT_SIZE + i * ENTRY_SIZE + ROWID_SIZE + TAG_SIZE;
    return { name: this.#bytes.toString('latin1', nameAt, nameAt + NAME_SIZE), record: this.#records[i]! };
  }
}

/** A row as it is passed on: its name, one character per byte, and its record. */
export interface Restored<T> {
  readonly name: string;
  readonly record: T;
}
