// SQLite opens a file for reading alone where the system refuses to open it for writing, be it for a moment. It says so
// only at the first write, and each of that connection's transactions until then, even an exclusive one, lets others in.

import fs from 'node:fs';
import { type Database, sqliteFault } from './sqlite.ts';

/**
 * Throws SQLite's error where the connection cannot write. Writes nothing. `table`: one of the file's; without it the
 * file must have none.
 */
export const requireWritable = (database: Database, table?: string): void =>
  database.exec(table === undefined ? 'PRAGMA incremental_vacuum(1)' : `DELETE FROM ${table} WHERE FALSE`);

/** The same for a file that this user may write to: one that he may not is read all the same. */
export function requireWritableIfOurs(file: string, database: Database, table: string): void {
  try {
    fs.accessSync(file, fs.constants.W_OK);
  } catch {
    return;
  }
  try {
    requireWritable(database, table);
  } catch (error) {
    // Another process writes at the moment, so this one could.
    if (sqliteFault(error) !== 'busy') throw error;
  }
}
