// SQLite, from Node itself where it has it, else from the package with the same interface. Only the members that both
// have, in every Node version we support, are named here.

import { createRequire } from 'node:module';

export type SqlValue = null | number | bigint | string | Uint8Array;
export type Row = Readonly<Record<string, SqlValue>>;

export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
  iterate(...values: SqlValue[]): IterableIterator<Row>;
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Engine {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly?: boolean }) => Database;
}

let engine: Engine | undefined;

function loadEngine(): Engine {
  // Some Node versions warn on first use that the module is experimental. That is for us to know, not for the user.
  const emitWarning = process.emitWarning;
  process.emitWarning = (): void => undefined;
  try {
    const builtin = process.getBuiltinModule('node:sqlite') as Engine | undefined;
    return builtin ?? (createRequire(import.meta.url)('@photostructure/sqlite') as Engine);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Milliseconds to wait for another process that has the file (a person looking at the block store with a tool). */
const BUSY_TIMEOUT_MS = 5000;

/** Opens a database file; creates it when it is missing and `readOnly` is not set. */
export function openDatabase(file: string, options: { readonly readOnly?: boolean } = {}): Database {
  engine ??= loadEngine();
  const database = new engine.DatabaseSync(file, options);
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return database;
}

/** All of `work` or nothing of it. */
export function transaction<T>(database: Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
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
    // A full disk or an I/O error has already rolled back; the first error is the one that tells.
  }
}

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** What a thrown error means, from SQLite's primary result code; undefined when it is not SQLite's. */
export function sqliteFault(thrown: unknown): 'busy' | 'damaged' | 'failed' | undefined {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number')
    return undefined;
  const code = thrown.errcode & 0xff;
  if (code === SQLITE_BUSY) return 'busy';
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB ? 'damaged' : 'failed';
}

/** A column that is not of its type means that the file was damaged or made by another program. */
export class ColumnError extends Error {
  override readonly name = 'ColumnError';
}

export function integerColumn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new ColumnError(`${column} is not an integer`);
}

export function bytesColumn(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (value instanceof Uint8Array) return value;
  throw new ColumnError(`${column} is not a blob`);
}
