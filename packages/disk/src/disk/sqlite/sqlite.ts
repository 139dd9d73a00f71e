// SQLite, from Node itself where it is built in, otherwise from the package with the same interface. Only members that
// both have, in every supported Node version, are declared here.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { CompanionError } from '@wallet-companion/client/contract';
import { storageFailed } from '../files/failures.ts';

export type SqlValue = null | number | bigint | string | Uint8Array;
export type Row = Readonly<Record<string, SqlValue>>;

export interface Statement {
  run(...values: SqlValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

interface EngineDatabase {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
  /** Not in every version, like the next one. */
  enableDefensive?(active: boolean): void;
  readonly limits?: { length: number };
}

export interface Database extends Omit<EngineDatabase, 'enableDefensive' | 'limits'> {
  /** To be called before the first write. */
  useWriteAheadLog(): void;
}

interface Engine {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly?: boolean }) => EngineDatabase;
}

let engine: Engine | undefined;

function loadEngine(): Engine {
  // Some Node versions warn on first use that the module is experimental, which is of no use to the user.
  const emitWarning = process.emitWarning;
  process.emitWarning = (): void => undefined;
  try {
    const builtin = process.getBuiltinModule('node:sqlite') as Engine | undefined;
    return builtin ?? (createRequire(import.meta.url)('@photostructure/sqlite') as Engine);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * Milliseconds to wait for another process that has locked the file (a user may inspect the block store with a tool).
 */
const BUSY_TIMEOUT_MS = 5000;

/**
 * The largest value that is read or written, or put together from many by a query: a file with a larger one is damaged.
 * The largest of ours are payments, of which few are read at a time.
 */
export const MAX_VALUE_BYTES = 32 * 2 ** 20;

/** Opens a database file; creates it when it is missing and `readOnly` is not set. */
export function openDatabase(file: string, options: { readonly readOnly?: boolean } = {}): Database {
  engine ??= loadEngine();
  const opened = new engine.DatabaseSync(file, options);
  opened.enableDefensive?.(true);
  if (opened.limits !== undefined) opened.limits.length = MAX_VALUE_BYTES;
  const database = new OpenDatabase(file, opened);
  // The schema of a file cannot call functions that could do harm, and cells are checked before they are followed.
  database.exec(
    `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON`,
  );
  return database;
}

/**
 * A connection that has a write-ahead log only once it writes: reading alone makes no side files, and a closed database
 * is a single file. Relying on SQLite's close is not enough, because the package finalizes statements only when they
 * are garbage-collected, and until then SQLite keeps file and log open.
 */
class OpenDatabase implements Database {
  readonly #file: string;
  readonly #database: EngineDatabase;
  #usesLog = false;

  constructor(file: string, database: EngineDatabase) {
    this.#file = file;
    this.#database = database;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  prepare(sql: string): Statement {
    return this.#database.prepare(sql);
  }

  useWriteAheadLog(): void {
    if (this.#usesLog) return;
    this.#database.exec('PRAGMA journal_mode = WAL');
    this.#usesLog = true;
  }

  close(): void {
    try {
      // The page cache, too, would stay in memory until then.
      this.#database.exec('PRAGMA shrink_memory');
      // A killed process may have left a log or a journal, and this process may only have read.
      if (this.#usesLog || fs.existsSync(`${this.#file}-wal`))
        this.#database.exec('PRAGMA journal_mode = DELETE');
      else if (fs.existsSync(`${this.#file}-journal`))
        this.#database.exec('PRAGMA journal_mode = TRUNCATE; PRAGMA journal_mode = DELETE');
    } catch {
      // Another process is reading the file: the log stays, and the next process that opens the file uses it.
    } finally {
      this.#database.close();
    }
  }
}

/** Runs `work` entirely or not at all. `reportCommit` gets the milliseconds that the commit took. */
export function transaction<T>(
  database: Database,
  work: () => T,
  reportCommit: (ms: number) => void = () => undefined,
): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    const began = performance.now();
    database.exec('COMMIT');
    reportCommit(performance.now() - began);
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // A full disk or an I/O error has already rolled back; the first error is the one to report.
  }
}

/** A statement that does not match the schema: one of our tables or columns is missing. */
const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_TOOBIG = 18;
const SQLITE_NOTADB = 26;

/** The package omits the code from errors that occur while rows are read; SQLite's texts are fixed. */
const CODE_OF_TEXT: Readonly<Record<string, number>> = {
  'database is locked': SQLITE_BUSY,
  'database disk image is malformed': SQLITE_CORRUPT,
  'string or blob too big': SQLITE_TOOBIG,
  'file is not a database': SQLITE_NOTADB,
};

const TOO_LARGE = 'Value is too large to be represented as a JavaScript number';

/** What a thrown error means, from SQLite's primary result code; undefined when it is not SQLite's. */
export function sqliteFault(thrown: unknown): 'busy' | 'damaged' | 'failed' | undefined {
  if (!(thrown instanceof Error && 'code' in thrown)) return undefined;
  // An integer beyond 2^53, which we never write: Node reports it by a code, the package by a text.
  if (thrown.code === 'ERR_OUT_OF_RANGE' || thrown.message.startsWith(TOO_LARGE)) return 'damaged';
  if (thrown.code !== 'ERR_SQLITE_ERROR') return undefined;
  const known = 'errcode' in thrown && typeof thrown.errcode === 'number' ? thrown.errcode : undefined;
  const code = (known ?? CODE_OF_TEXT[thrown.message] ?? 0) & 0xff;
  if (code === SQLITE_BUSY) return 'busy';
  return [SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_TOOBIG, SQLITE_NOTADB].includes(code) ? 'damaged' : 'failed';
}

/** A column has the wrong type: the file was damaged or made by another program. */
export class ColumnError extends Error {
  override readonly name = 'ColumnError';
}

export function integerColumn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new ColumnError(`${column} is not an integer`);
}

export function textColumn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new ColumnError(`${column} is not text`);
}

export function bytesColumn(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (value instanceof Uint8Array) return value;
  throw new ColumnError(`${column} is not a blob`);
}

// Turns SQLite's errors into the companion's.

/** Runs a SQLite operation: damage becomes `whenDamaged`, anything else STORAGE_FAILED. */
export function guardDatabase<T>(file: string, whenDamaged: () => CompanionError, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CompanionError) throw error;
    if (sqliteFault(error) === 'damaged') throw whenDamaged();
    throw storageFailed('written', file, error);
  }
}
