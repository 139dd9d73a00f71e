// The outcome of a dispatched operation as a value, because failures have to cross threads.

import { CompanionError, type ErrorRecord, toErrorRecord } from './errors.ts';

/** Errors lose their class and fields across threads, so results travel as tagged values. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorRecord };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });

export const failure = (thrown: unknown): Result<never> => ({ ok: false, error: toErrorRecord(thrown) });

export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw CompanionError.fromRecord(result.error);
}
