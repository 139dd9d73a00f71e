// The names that this package itself gives to files: those beside another one, and those of a folder's lock.

/** Where a migration keeps a file of an earlier version. */
export const keptCopyFile = (file: string, version: number): string => `${file}.v${version}`;

/** Whether a name is that of such a copy. */
export const isKeptCopy = (name: string, ofFile: string): boolean =>
  name.startsWith(ofFile) && /^\.v\d+$/.test(name.slice(ofFile.length));

/** The endings of the files that SQLite puts beside a database. */
export const SQLITE_SIDE_FILES = ['-journal', '-wal', '-shm'] as const;

export const LOCK_FILE = 'lock.db';
export const LOCK_HOLDER_FILE = 'lock.json';
