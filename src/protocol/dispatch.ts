// What every actor does with a message: find the operation, validate the input again (another thread is not trusted),
// have a password in the input checked, run the handler, and turn an exception into a failure value.

import { CompanionError, ERRORS } from './errors.ts';
import type { Actor } from './operation.ts';
import {
  type Caller,
  type HandledInput,
  type HandlerContext,
  type Handlers,
  isOperationName,
  type OperationName,
  operations,
  parseInput,
  splitCheckedPassword,
} from './operations.ts';
import { failure, ok, type Result } from './result.ts';

/**
 * The message that asks the wallet actor whether a password is right. It is not an operation, so fronts cannot send it.
 */
const PASSWORD_CHECK = 'password.check';

export interface Dispatching {
  readonly logFault: (where: string, fault: unknown) => void;
  /** Opens the session, or throws `CompanionError`. Absent in an actor that must never receive a password. */
  readonly checkPassword?: (password: string, caller: Caller) => Promise<unknown>;
}

/** The companion's own faults are logged with their cause; mistakes of callers and servers are only answered. */
const isOurs = (error: unknown): boolean =>
  !(error instanceof CompanionError) || ERRORS[error.code].status === 500;

/** Handles one message: `{name, input, requestId, byOwner, byService, origin}`. Never throws. */
export async function dispatchMessage<A extends Actor>(
  actor: A,
  handlers: Handlers<A>,
  message: unknown,
  { logFault, checkPassword = refusePassword }: Dispatching,
): Promise<Result<unknown>> {
  try {
    const { name, input, requestId, byOwner, byService, origin } = (message ?? {}) as Record<string, unknown>;
    const caller = { byOwner: byOwner === true, ...(typeof origin === 'string' ? { origin } : {}) };
    if (name === PASSWORD_CHECK) {
      await checkPassword(parseInput('wallet.unlock', input).password, caller);
      return ok(null);
    }
    if (!isOperationName(name) || operations[name].actor !== actor || typeof requestId !== 'string') {
      throw new CompanionError('NOT_FOUND', 'There is no such operation.');
    }
    const handler = handlers[name as keyof Handlers<A>] as (
      input: unknown,
      context: HandlerContext,
    ) => unknown;
    const { password, handled } = splitCheckedPassword(name, parseInput(name, input));
    if (password !== undefined) await checkPassword(password, caller);
    const context = { requestId, hasPassword: password !== undefined, ...caller };
    return ok(await handler(handled, byService === true ? { ...context, byService } : context));
  } catch (error) {
    if (isOurs(error)) logFault(`${actor}.dispatch`, error);
    return failure(error);
  }
}

async function refusePassword(): Promise<never> {
  throw new Error('a password came to an actor that must never see one');
}

/**
 * The input for an actor that must not see passwords: the wallet actor checks the password, and it is left out of the
 * input. The input is validated before the password is checked. Never rejects.
 */
export async function inputPastPassword<N extends OperationName>(
  name: N,
  input: unknown,
  { byOwner, origin }: Caller,
  askWallet: (message: object) => Promise<Result<unknown>>,
): Promise<Result<HandledInput<N>>> {
  try {
    const { password, handled } = splitCheckedPassword(name, parseInput(name, input));
    if (password === undefined) return ok(handled);
    const checked = await askWallet({ name: PASSWORD_CHECK, input: { password }, byOwner, origin });
    return checked.ok ? ok(handled) : checked;
  } catch (thrown) {
    return failure(thrown);
  }
}
