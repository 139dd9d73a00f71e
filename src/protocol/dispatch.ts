// What every actor does with a message: find the operation, validate the input again (another thread is not trusted),
// have a password in the input checked and the caller judged, run the handler, and turn an exception into a failure value.

import { badField, CompanionError, ERRORS, noWallet } from './errors.ts';
import { type CallingGrant, type Owned, requireInput } from './grants.ts';
import type { Actor, Operation } from './operation.ts';
import {
  type Caller,
  type HandledInput,
  type HandlerContext,
  type Handlers,
  isOfWallet,
  isOperationName,
  type OperationName,
  operations,
  parseInput,
  splitCheckedPassword,
} from './operations.ts';
import { wipePasswords, withPasswordText } from './passwords.ts';
import { failure, ok, type Result } from './result.ts';

/**
 * The message that asks the wallet actor whether the password in an input for another actor (`of`) is right, and for the
 * rest of that input. It is not an operation, so fronts cannot send it.
 */
const PASSWORD_CHECK = 'password.check';

export interface Dispatching {
  readonly logFault: (where: string, fault: unknown) => void;
  /**
   * Opens the session, or throws `CompanionError`. False where there is no wallet, and so nothing to check it against. Absent
   * in an actor that must never receive a password.
   */
  readonly checkPassword?: (password: Uint8Array, caller: Caller) => Promise<boolean>;
  /** What the rows ask of the actor that keeps payments and invoices. */
  readonly keeper?: Keeper;
}

/** The companion's own faults are logged with their cause; mistakes of callers and servers are only answered. */
const isOurs = (error: unknown): boolean =>
  !(error instanceof CompanionError) || ERRORS[error.code].status === 500;

/** The input without the password, which was right where there was one. */
export interface PastPassword<N extends OperationName = OperationName> {
  readonly handled: HandledInput<N>;
  readonly hasPassword: boolean;
}

/** Handles one message: `{name, input, requestId}`, and what is known of its caller. Never throws. */
export async function dispatchMessage<A extends Actor>(
  actor: A,
  handlers: Handlers<A>,
  message: unknown,
  { logFault, checkPassword = keepsNoWallet, keeper = KEEPS_NOTHING }: Dispatching,
): Promise<Result<unknown>> {
  const sent = (message ?? {}) as Message;
  let split: ReturnType<typeof admitted> | undefined;
  try {
    const { name, input, requestId, byService, of, hasPassword: wasChecked } = sent;
    const caller = callerOf(sent);
    if (name === PASSWORD_CHECK && isOperationName(of)) {
      split = admitted(of, input, caller);
      const { password, handled } = split;
      const hasPassword = password !== undefined && (await isRight(of, password, caller, checkPassword));
      return ok({ handled: withPasswordText(handled), hasPassword });
    }
    if (!isOperationName(name) || operations[name].actor !== actor || typeof requestId !== 'string') {
      throw new CompanionError('NOT_FOUND', 'There is no such operation.');
    }
    const handler = handlers[name as keyof Handlers<A>] as (
      input: unknown,
      context: HandlerContext,
    ) => unknown;
    if (handler === undefined) throw new CompanionError('NOT_FOUND', 'There is no such operation here.');
    split = admitted(name, input, caller);
    const { password, handled } = split;
    // Without a password nothing is awaited: calls begin in the order in which they came.
    const isChecked = password !== undefined && (await isRight(name, password, caller, checkPassword));
    const context = { requestId, hasPassword: isChecked || wasChecked === true, ...caller };
    requireCaller(name, handled, context, keeper);
    const answer = await handler(handled, byService === true ? { ...context, byService } : context);
    return ok(answerTo(caller.grant, name, answer));
  } catch (error) {
    if (isOurs(error)) logFault(`${actor}.dispatch`, error);
    return failure(error);
  } finally {
    for (const passwords of [sent['input'], split, split?.handled]) wipePasswords(passwords);
  }
}

/** The validated input, with a password that is only checked apart. Throws `GRANT_SCOPE` for what the grant may not send. */
function admitted<N extends OperationName>(name: N, input: unknown, { grant }: Caller) {
  const split = splitCheckedPassword(name, parseInput(name, input));
  const { reach, access } = operations[name];
  // The password is the leave itself, whatever the caller's grant.
  const isLeave = reach === 'anyone' && access === 'owner_or_password';
  requireInput(grant, isLeave ? { ...split, password: undefined } : split, isOfWallet(name));
  return split;
}

/** Throws `NO_WALLET` where there is no wallet whose password the operation needs. */
async function isRight(
  name: OperationName,
  password: Uint8Array,
  caller: Caller,
  checkPassword: (password: Uint8Array, caller: Caller) => Promise<boolean>,
): Promise<boolean> {
  if (await checkPassword(password, caller)) return true;
  const { access } = operations[name];
  if (access === 'session_or_password' || (access === 'owner_or_password' && caller.byOwner !== true))
    throw noWallet();
  return false;
}

/** The default of what an actor without a wallet is never asked. */
function keepsNoWallet(): never {
  throw new Error('a password, a payment or an invoice was named to an actor without a wallet');
}
const KEEPS_NOTHING: Keeper = { isSet: keepsNoWallet, requireOwn: keepsNoWallet };

type Message = Readonly<Record<string, unknown>>;

/** Only fronts of this process send messages. */
const callerOf = ({ byOwner, origin, grant }: Message): Caller => ({
  byOwner: byOwner === true,
  ...(typeof origin === 'string' ? { origin } : {}),
  ...(grant === undefined ? {} : { grant: grant as CallingGrant }),
});

/**
 * The message with which the wallet actor takes the password out of an input for another actor, and checks it. `input`:
 * as a value, or as the bytes of a JSON text (`json`).
 */
export const passwordCheck = (
  of: OperationName,
  input: { readonly input: unknown } | { readonly json: Uint8Array; readonly inPath?: unknown },
  { byOwner, origin, grant }: Caller,
) => ({ name: PASSWORD_CHECK, of, ...input, byOwner, origin, grant });

/**
 * The input for an actor that must not see passwords: the wallet actor is asked where there is one. The input is validated
 * before the password is checked. Never rejects.
 */
export async function inputPastPassword<N extends OperationName>(
  name: N,
  input: unknown,
  caller: Caller,
  askWallet: (message: object) => Promise<Result<unknown>>,
): Promise<Result<PastPassword<N>>> {
  try {
    const { password, handled } = admitted(name, input, caller);
    if (password === undefined) return ok({ handled, hasPassword: false });
    return (await askWallet(passwordCheck(name, { input }, caller))) as Result<PastPassword<N>>;
  } catch (thrown) {
    return failure(thrown);
  }
}

// Who may make a call, as its row says: judged by the actor, once the input is read and a password has opened the session. What
// needs no input (scopes, wallets, calls in a minute) the front has judged before (src/grants/access.ts).

/** What the rows ask of the actor that keeps payments and invoices. */
interface Keeper {
  readonly isSet: (setting: NonNullable<Operation['needsPasswordBy']>) => boolean;
  /** Throws what a grant is told that has nothing to do with this one. */
  readonly requireOwn: (owned: Owned, id: string, grant: CallingGrant) => void;
}

/** Throws `INVALID_REQUEST` where the password is missing, and what the keeper throws. */
function requireCaller(
  name: OperationName,
  input: object,
  { byOwner, hasPassword, grant }: HandlerContext,
  keeper: Keeper,
): void {
  const { access, needsPasswordBy, owns } = operations[name];
  // The owner could edit the files as well; everyone else has to know the password.
  if (access === 'owner_or_password' && byOwner !== true && !hasPassword)
    throw badField('password', 'is required', "The default wallet's password is needed for this.");
  if (needsPasswordBy !== undefined && !hasPassword && keeper.isSet(needsPasswordBy))
    throw badField('password', `is needed for this: ${needsPasswordBy} is set in config.json`);
  if (owns === undefined || grant === undefined) return;
  const named = input as Readonly<Record<string, string | readonly string[] | undefined>>;
  for (const id of NAMES.flatMap((member) => named[member] ?? [])) keeper.requireOwn(owns, id, grant);
}

const NAMES = ['payment_id', 'payment_ids', 'invoice_id'];

/** The answer as the caller gets it. */
export const answerTo = (grant: CallingGrant | undefined, name: OperationName, answer: unknown): unknown =>
  grant === undefined ? answer : (operations[name].answerFor?.(grant, answer as never) ?? answer);
