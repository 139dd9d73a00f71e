// Whether a database with our stamp has our tables, before anything in it is queried. Any program can stamp a file. A view in
// the place of a table may never end, a trigger acts when we write, an index or a default may call functions: so an entry
// with one of our names must be word for word what we make, and views, triggers and virtual tables are refused.
// Plain tables of other names stay unread: a later program may have added one that this one can do without.

import { type Database, type Row, textColumn } from './sqlite.ts';

const MOST_ENTRIES = 256;

/** `scripts`: what every version makes, separated by semicolons. Reads a bounded part of the schema table only. */
export function hasOurSchema(database: Database, scripts: readonly string[]): boolean {
  const ours = statementsByName(scripts);
  const entries = database
    .prepare(
      `SELECT type, lower(name) AS name, lower(tbl_name) AS tbl_name, substr(sql, 1, 4000) AS sql
       FROM sqlite_master LIMIT ${MOST_ENTRIES + 1}`,
    )
    .all();
  return entries.length <= MOST_ENTRIES && entries.every((entry) => isAcceptable(entry, ours));
}

function isAcceptable(entry: Row, ours: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const [type, name, table] = ['type', 'name', 'tbl_name'].map((column) => textColumn(entry, column));
  const { sql } = entry;
  // An index that SQLite makes for a key has no text; its table has.
  if (sql === null) return type === 'index';
  const statement = normalised(String(sql));
  const known = ours.get(name!);
  if (known !== undefined) return known.has(statement);
  if (type === 'index') return !ours.has(table!);
  return type === 'table' && statement.startsWith('create table');
}

function statementsByName(scripts: readonly string[]): Map<string, Set<string>> {
  const byName = new Map<string, Set<string>>();
  for (const statement of scripts.join(';').split(';').map(normalised)) {
    const name = /^create (?:table|index) (\w+)/.exec(statement)?.[1];
    if (name === undefined) continue;
    byName.set(name, (byName.get(name) ?? new Set()).add(statement));
  }
  return byName;
}

const normalised = (sql: string): string =>
  sql
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')
    .trim();
