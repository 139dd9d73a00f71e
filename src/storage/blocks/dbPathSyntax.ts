// The form of a db_path, checked before the disk is looked at. Only ASCII letters, digits, `.`, `_` and `-`, so that a
// name has one spelling on every file system and no meaning to a shell, a terminal or SQLite.

import type { PlatformPath } from 'node:path';

export interface PathParts {
  readonly folders: readonly string[];
  readonly name: string;
}

const MAX_PATH_LENGTH = 4096;
const STORE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*\.(?:db|sqlite|sqlite3)$/;
/** No dot at the end, because some file systems drop it. */
const FOLDER_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?$/;
/** Device names on Windows, in any folder. Refused everywhere, since data directories get moved between systems. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

const BAD_FORM = 'must be a file path';
const BAD_NAME =
  'must name a file that ends in .db, .sqlite or .sqlite3, has letters, digits, ".", "_" and "-" alone and begins with a letter or digit';
const BAD_FOLDER =
  'must lead through folders with letters, digits, ".", "_" and "-" alone that begin with a letter or digit';
const WAY_OUT = 'must not contain ".."';

/** The parts of a path below the data directory, or a string that says what is wrong. */
export function relativeParts(dbPath: string): PathParts | string {
  const parts = partsOf(dbPath, /\//);
  if (typeof parts === 'string') return parts;
  if (dbPath.startsWith('/')) return BAD_FORM;
  return parts.folders.every((folder) => FOLDER_NAME.test(folder) && !DEVICE_NAME.test(folder))
    ? parts
    : BAD_FOLDER;
}

/** Folders elsewhere may have any name; their metadata decides whether they are allowed. */
export function absoluteParts(dbPath: string, { parse, sep }: PlatformPath): PathParts | string {
  const { root } = parse(dbPath);
  if (sep === '/') return partsOf(dbPath.slice(root.length), /\//);
  // No shares, devices or verbatim paths of Windows: merely looking at one may identify the user to a server.
  if (!/^[A-Za-z]:[\\/]$/.test(root)) return 'must begin with a drive';
  const parts = partsOf(dbPath.slice(root.length), /[\\/]/);
  if (typeof parts === 'string') return parts;
  const ambiguous = (folder: string): boolean => /[:*?"<>|]|[. ]$/.test(folder) || DEVICE_NAME.test(folder);
  return parts.folders.some(ambiguous) ? 'must not lead through an ambiguous name' : parts;
}

function partsOf(dbPath: string, separator: RegExp): PathParts | string {
  if (dbPath === '' || dbPath.length > MAX_PATH_LENGTH || dbPath.includes('\0')) return BAD_FORM;
  if (dbPath.split(/[/\\]/).includes('..')) return WAY_OUT;
  const parts = dbPath.split(separator);
  const name = parts.pop() ?? '';
  if (!STORE_NAME.test(name) || DEVICE_NAME.test(name)) return BAD_NAME;
  return { folders: parts.filter((part) => part !== '' && part !== '.'), name };
}
