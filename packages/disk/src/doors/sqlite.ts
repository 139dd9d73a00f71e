// Databases of our own: made whole, recognised before SQLite opens them, migrated, read with checked columns.

export {
  createDatabase,
  type DatabaseStamp,
  inspectDatabase,
  putAside,
  replaceDatabase,
  sideFilesOf,
  writeDatabase,
} from '../disk/sqlite/databaseFile.ts';
export { type DatabaseStep, KeptCopies, migrateDatabase } from '../disk/sqlite/migrations.ts';
export { hasOurSchema } from '../disk/sqlite/schemaCheck.ts';
export {
  bytesColumn,
  ColumnError,
  type Database,
  guardDatabase,
  integerColumn,
  MAX_VALUE_BYTES,
  openDatabase,
  type Row,
  type Statement,
  sqliteFault,
  textColumn,
  transaction,
} from '../disk/sqlite/sqlite.ts';
export { requireWritableIfOurs } from '../disk/sqlite/writable.ts';
