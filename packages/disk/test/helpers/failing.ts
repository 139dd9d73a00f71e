import { CompanionError, type ErrorCode } from '@wallet-companion/client/contract';
import type { ExecutionContext } from 'ava';

/** The CompanionError that `work` ends with; its text must not name a folder. */
export async function failureOf(
  t: ExecutionContext,
  code: ErrorCode,
  work: () => unknown,
): Promise<CompanionError> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CompanionError)) throw error;
    t.is(error.code, code, error.message);
    t.notRegex(error.message, /[/\\]tmp[/\\]|wallet-companion-test-/, 'a detail names no folder');
    return error;
  }
  return t.fail(`expected ${code}, but it succeeded`) as never;
}
