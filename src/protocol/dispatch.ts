// What every actor does with a message of a front: find the operation, check the input again (the sender is another
// thread), run the handler, and turn what it throws into a value.

import { CompanionError, ERRORS } from './errors.ts';
import type { Actor } from './operation.ts';
import { type CallContext, type Handlers, isOperationName, operations, parseInput } from './operations.ts';
import { failure, ok, type Result } from './result.ts';

/** Faults of ours go to the log with their cause; what a caller or the other side did wrong is only answered. */
const isOurs = (error: unknown): boolean =>
  !(error instanceof CompanionError) || ERRORS[error.code].status === 500;

/** One message: `{name, input, requestId, byOwner}`. Never throws. */
export async function dispatchMessage<A extends Actor>(
  actor: A,
  handlers: Handlers<A>,
  message: unknown,
  logFault: (where: string, fault: unknown) => void,
): Promise<Result<unknown>> {
  try {
    const { name, input, requestId, byOwner } = (message ?? {}) as Record<string, unknown>;
    if (!isOperationName(name) || operations[name].actor !== actor || typeof requestId !== 'string') {
      throw new CompanionError('NOT_FOUND', 'There is no such operation.');
    }
    const handler = handlers[name as keyof Handlers<A>] as (input: unknown, context: CallContext) => unknown;
    return ok(await handler(parseInput(name, input), { requestId, byOwner: byOwner === true }));
  } catch (error) {
    if (isOurs(error)) logFault(`${actor}.dispatch`, error);
    return failure(error);
  }
}
