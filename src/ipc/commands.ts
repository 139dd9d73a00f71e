// The table by command name, and calls with plain data as input and output: shared by all surfaces of this folder.

import { type Problem, toProblem, tryProblem, walletField } from '@wallet-companion/client/contract';
import { CompanionError, type ErrorRecord } from '../protocol/errors.ts';
import type { CallingGrant } from '../protocol/grants.ts';
import type { Dispatcher } from '../protocol/link.ts';
import {
  type CallContext,
  type Command,
  type OperationName,
  type OperationOf,
  type Output,
  operationNames,
  operations,
  parseInput,
} from '../protocol/operations.ts';
import { failure, type Result } from '../protocol/result.ts';

/**
 * A call's outcome in transit: errors would lose their class and fields, so a failure is the problem record that HTTP
 * has as body, plus `retry_after_seconds`, which replaces the Retry-After header.
 */
export type CommandResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Problem; readonly retry_after_seconds?: number };

export type CommandOutput<C extends Command> = Output<OperationOf<C>>;

const byCommand: ReadonlyMap<string, OperationName> = new Map(
  operationNames.map((name) => [operations[name].ipc, name]),
);

export const commands: readonly Command[] = operationNames.map((name) => operations[name].ipc as Command);

/** The operation behind a command; unknown ones are `NOT_FOUND`, as an unknown path is over HTTP. */
export function operationOf(command: string): OperationName {
  const name = byCommand.get(command);
  if (name === undefined) throw new CompanionError('NOT_FOUND', 'There is no such command.');
  return name;
}

export const contextOf = (
  requestId: string,
  wallet: string | undefined,
  grant?: CallingGrant,
): CallContext => ({
  requestId,
  ...walletField(wallet),
  ...(grant === undefined ? {} : { grant }),
});

/** Validates the input, as HTTP does, so that nothing malformed reaches an actor. Never rejects. */
export async function dispatchCommand(
  link: Dispatcher,
  command: string,
  args: unknown,
  requestId: string,
  wallet?: string,
  grant?: CallingGrant,
): Promise<Result<unknown>> {
  try {
    const name = operationOf(command);
    return await link.dispatch(name, parseInput(name, args), contextOf(requestId, wallet, grant));
  } catch (thrown) {
    return failure(thrown);
  }
}

export function toCommandResult<T>(result: Result<T>, requestId: string): CommandResult<T> {
  return result.ok ? result : { ok: false, ...toCommandFailure(result.error, requestId) };
}

export function toCommandFailure(
  record: ErrorRecord,
  requestId: string,
): { readonly error: Problem; readonly retry_after_seconds?: number } {
  const { retryAfterSeconds } = record;
  return {
    error: toProblem(record, requestId),
    ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
  };
}

/** Turns the failure of a `CommandResult` from another process into an error. */
export function fromCommandFailure(error: unknown, retryAfterSeconds: unknown): CompanionError {
  const seconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined;
  return (
    tryProblem(error, seconds) ??
    new CompanionError('COMPANION_UNREACHABLE', 'What answers is not a companion of this version.')
  );
}
