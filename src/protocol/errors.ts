// The taxonomy of failures, which the package of the client has: what installs without the companion throws them too.

import { CompanionError, type ErrorRecord } from '@wallet-companion/client/contract';

export type { ErrorCode, ErrorRecord, FieldError } from '@wallet-companion/client/contract';
export { badField, CompanionError, ERRORS } from '@wallet-companion/client/contract';

/** Maps anything thrown to a record, without the text of an unknown error: it may contain a path or a key. */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  if (thrown instanceof CompanionError) return thrown.toRecord();
  return {
    code: 'INTERNAL',
    detail: 'An unexpected fault was logged; please report it if it happens again.',
  };
}
