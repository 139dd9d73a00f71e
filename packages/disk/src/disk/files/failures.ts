// Turns errors of the file system into those of the companion. The detail contains only the file's base name; the
// cause, with the full path, is for the log.

import path from 'node:path';
import { CompanionError } from '@wallet-companion/client/contract';

export const errnoOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

export function storageFailed(action: 'read' | 'written', file: string, cause: unknown): CompanionError {
  if (cause instanceof CompanionError) return cause;
  const reason = errnoOf(cause);
  const shown = reason !== undefined && /^E[A-Z]+$/.test(reason) ? ` (${reason})` : '';
  return new CompanionError(
    'STORAGE_FAILED',
    `${path.basename(file)} could not be ${action}${shown}. Check that the disk has room and that the file is yours.`,
    { cause: new FileFault(file, cause) },
  );
}

/** The full path and the system's message, for the log. */
class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly path: string;
  readonly code: string | undefined;

  constructor(file: string, cause: unknown) {
    super('a file could not be used', { cause });
    this.path = file;
    this.code = errnoOf(cause);
  }
}
