// What the machine answers where it refuses something, in words: one table for files, addresses and parts of the program.

export interface SystemReason {
  readonly code: 'STORAGE_FAILED' | 'INVALID_REQUEST';
  /** Follows a colon. */
  readonly what: string;
  readonly todo: string;
}

const reason = (what: string, todo: string, code: SystemReason['code'] = 'STORAGE_FAILED'): SystemReason => ({
  code,
  what,
  todo,
});

const NOT_ALLOWED = reason(
  'this user may not do that there, or the file system cannot',
  'Check who owns it and the folders above it, or use a folder of your own.',
);
const FULL = reason('the disk is full', 'Make room.');
const NO_ADDRESS = reason(
  'this machine has no such address',
  'Bring up its loopback interface, 127.0.0.1 ("ip link set lo up").',
  // As for a port that is taken.
  'INVALID_REQUEST',
);
const NOT_LOADED = reason(
  'a part of the program is missing, or was installed for another system',
  'Install it again on this machine: "npm ci --include=optional" in a checkout, else "npm install --include=optional" as before.',
);

const REASONS: Readonly<Record<string, SystemReason>> = {
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: reason(
    'the file system is read-only',
    'Make it writable, or use a folder elsewhere (for the data: --data-dir).',
  ),
  ENOENT: reason('it, or a folder on the way, is not there', 'Make it, or correct the path.'),
  ENOTDIR: reason('a part of the path is no folder', 'Correct the path.'),
  EEXIST: reason(
    'a file, or a link that leads nowhere, has that name',
    'Correct it, or choose another name.',
  ),
  ELOOP: reason('links lead in a circle', 'Correct them.'),
  ENOSPC: FULL,
  EDQUOT: FULL,
  EIO: reason('the disk fails', 'Check it.'),
  EMFILE: reason(
    'this process may have no more files open',
    'Raise its limit ("ulimit -n 1024", LimitNOFILE= of a service).',
  ),
  ENFILE: reason('the machine has too many files open', 'End programs that hold many.'),
  ENOMEM: reason('the machine has no memory left', 'End other programs.'),
  EADDRNOTAVAIL: NO_ADDRESS,
  EAFNOSUPPORT: NO_ADDRESS,
  ERR_ACCESS_DENIED: reason(
    "Node's permission model forbids it",
    'Start with the flags of docs/operations/service.md, and the folders in --allow-fs-read and --allow-fs-write.',
  ),
  ERR_DLOPEN_FAILED: NOT_LOADED,
  MODULE_NOT_FOUND: NOT_LOADED,
  ERR_MODULE_NOT_FOUND: NOT_LOADED,
};

/** A package that looks for its library itself. */
const NO_BINDING = /native binding/i;

export const errnoOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

/** SQLite's SQLITE_FULL: its errors have one code, and the number apart. */
const isDatabaseFull = (thrown: unknown): boolean =>
  errnoOf(thrown) === 'ERR_SQLITE_ERROR' &&
  ((thrown as { errcode?: unknown }).errcode === 13 ||
    (thrown as Error).message === 'database or disk is full');

/** Undefined where the fault is not the machine's, or not known. */
export function systemReason(thrown: unknown): SystemReason | undefined {
  const code = errnoOf(thrown);
  if (isDatabaseFull(thrown)) return FULL;
  if (code !== undefined && Object.hasOwn(REASONS, code)) return REASONS[code];
  return thrown instanceof Error && NO_BINDING.test(thrown.message) ? NOT_LOADED : undefined;
}

/** What follows "could not be written", up to the end of the text. */
export function systemWords(thrown: unknown, otherwise = ''): string {
  const known = systemReason(thrown);
  const code = errnoOf(thrown);
  const shown = code !== undefined && (known !== undefined || /^E[A-Z]+$/.test(code)) ? ` (${code})` : '';
  if (known !== undefined) return `${shown}: ${known.what}. ${known.todo}`;
  return `${shown}.${otherwise === '' ? '' : ` ${otherwise}`}`;
}
