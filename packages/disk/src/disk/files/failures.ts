// Turns errors of the file system into those of the companion. The detail contains only the file's base name; the
// cause, with the full path, is for the log.

import path from 'node:path';
import { CompanionError, errnoOf, systemWords } from '@wallet-companion/client/contract';

export { errnoOf };

type Action = 'read' | 'written' | 'made, or closed to others';

export function storageFailed(action: Action, file: string, cause: unknown): CompanionError {
  if (cause instanceof CompanionError) return cause;
  const why = systemWords(cause, 'Check that the disk has room and that the file is yours.');
  return new CompanionError('STORAGE_FAILED', `${path.basename(file)} could not be ${action}${why}`, {
    cause: new FileFault(file, cause),
  });
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
