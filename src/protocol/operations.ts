// The operation table: the one definition that HTTP, command line, IPC and C surfaces are generated from, and that
// types the actors' handlers. docs/api.md shows the bodies.

import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import type * as z from 'zod';
import { badField, CompanionError, type ErrorCode, type FieldError } from './errors.ts';
import * as field from './fields.ts';
import { FIELD_ERROR_CODES } from './fields.ts';
import type { Asked, CallingGrant } from './grants.ts';
import { issueMessage } from './issueMessage.ts';
import { type Actor, NEEDS_PASSWORD, type Operation } from './operation.ts';
import { balanceOperations } from './operations/balance.ts';
import { bookOperations } from './operations/books.ts';
import { changesOperations } from './operations/changes.ts';
import { configOperations } from './operations/config.ts';
import { contactsOperations } from './operations/contacts.ts';
import { coverageOperations } from './operations/coverage.ts';
import { daysOperations } from './operations/days.ts';
import { followOperations } from './operations/follow.ts';
import { grantsOperations } from './operations/grants.ts';
import { hooksOperations } from './operations/hooks.ts';
import { invoicesOperations } from './operations/invoices.ts';
import { keyOperations } from './operations/keys.ts';
import { labelsOperations } from './operations/labels.ts';
import { lwdOperations } from './operations/lwd.ts';
import { mempoolOperations } from './operations/mempool.ts';
import { noteOperations } from './operations/notes.ts';
import { pairingOperations } from './operations/pairing.ts';
import { paymentOperations } from './operations/payments.ts';
import { paymentUriOperations } from './operations/paymentUri.ts';
import { preparedPaymentOperations } from './operations/preparedPayments.ts';
import { receiptOperations } from './operations/receipts.ts';
import { statementOperations } from './operations/statement.ts';
import { statusOperations } from './operations/status.ts';
import { syncOperations } from './operations/sync.ts';
import { doctorOperations, systemOperations } from './operations/system.ts';
import { tillOperations } from './operations/till.ts';
import { walletOperations } from './operations/wallet.ts';
import { walletsOperations } from './operations/wallets.ts';
import { witnessOperations } from './operations/witnesses.ts';
import { takePasswords, type WithPasswords, wipePasswords, withPasswordBytes } from './passwords.ts';

// Makes the password a known field of every POST operation, so that clients may send it without knowing which
// operations need it. Where it is not needed, the wallet actor still checks it and does not pass it on.
const NOT_NEEDED = 'Not needed; when given it is checked first, and opens the session';

/**
 * The fields of an operation, plus the password if it is a POST that lacks one. (Without any fields, every key has type
 * never.)
 */
type WithCheckedPassword<O extends Operation, Fields> = 'password' extends keyof O['input']['shape']
  ? Fields
  : O['http']['method'] extends 'POST'
    ? (string extends keyof Fields ? unknown : Fields) & { readonly password?: string | undefined }
    : Fields;

/** The operation, with an optional password if it is a POST that lacks one. */
function withCheckedPassword(operation: Operation): Operation {
  const { http, input, errors, needsPasswordBy: setting } = operation;
  if (http.method === 'GET' || Object.hasOwn(input.shape, 'password')) return operation;
  const text = setting === undefined ? NOT_NEEDED : `Needed where ${setting} is set`;
  return {
    ...operation,
    input: input.extend({ password: field.password.describe(text).optional() }),
    errors: [...new Set([...errors, ...NEEDS_PASSWORD])],
    checksPassword: true,
  };
}

/** Each feature has a page in docs/api, and a folder of its name in the actor that answers. */
const features = {
  wallet: { ...walletOperations, ...walletsOperations },
  config: configOperations,
  keys: keyOperations,
  balance: balanceOperations,
  notes: noteOperations,
  changes: changesOperations,
  witnesses: witnessOperations,
  labels: labelsOperations,
  contacts: contactsOperations,
  books: { ...bookOperations, ...statementOperations },
  paymentUri: paymentUriOperations,
  invoices: { ...invoicesOperations, ...daysOperations },
  payments: { ...paymentOperations, ...preparedPaymentOperations, ...receiptOperations },
  sync: syncOperations,
  coverage: coverageOperations,
  mempool: mempoolOperations,
  follow: followOperations,
  lwd: lwdOperations,
  pairing: pairingOperations,
  grants: { ...grantsOperations, ...tillOperations },
  hooks: hooksOperations,
  system: { ...systemOperations, ...statusOperations, ...doctorOperations },
};

const table = {
  ...features.wallet,
  ...features.config,
  ...features.keys,
  ...features.balance,
  ...features.notes,
  ...features.changes,
  ...features.witnesses,
  ...features.labels,
  ...features.contacts,
  ...features.books,
  ...features.paymentUri,
  ...features.invoices,
  ...features.payments,
  ...features.sync,
  ...features.coverage,
  ...features.mempool,
  ...features.follow,
  ...features.lwd,
  ...features.pairing,
  ...features.grants,
  ...features.hooks,
  ...features.system,
};

type Table = typeof table;
export type OperationName = keyof Table;

export const operationNames = Object.keys(table) as readonly OperationName[];

export type Feature = keyof typeof features;

export const featureNames = Object.keys(features) as readonly Feature[];

export const operationsOfFeature = (feature: Feature): readonly OperationName[] =>
  Object.keys(features[feature]) as OperationName[];

/** The whole table, with rows widened for loops; `Input` and `Output` keep the exact types. */
export const operations = Object.fromEntries(
  Object.entries<Operation>(table).map(([name, operation]) => [name, withCheckedPassword(operation)]),
) as Readonly<Record<OperationName, Operation>>;

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

type ParsedInput<N extends OperationName> = DeepReadonly<z.output<Table[N]['input']>>;
/** The input that reaches the handler: a password that is only checked does not, and the others are wiped after the call. */
export type HandledInput<N extends OperationName> = WithPasswords<ParsedInput<N>, Uint8Array>;
export type Input<N extends OperationName> = WithCheckedPassword<Table[N], ParsedInput<N>>;
export type Output<N extends OperationName> = DeepReadonly<z.output<Table[N]['output']>>;

export type OperationsOf<A extends Actor> = {
  [N in OperationName]: Table[N]['actor'] extends A ? N : never;
}[OperationName];

/** Whether the operation takes the name of a wallet; the others belong to the whole companion. */
export const isOfWallet = (name: OperationName): boolean =>
  operations[name].actor === 'wallet' && operations[name].ofCompanion !== true;

/** What is asked for with a call, for the check of grants. `wallet`: undefined for the default one. */
export const accessRequest = (name: OperationName, wallet: string | undefined): Asked => ({
  name,
  reach: operations[name].reach,
  wallet: isOfWallet(name) ? (wallet ?? DEFAULT_WALLET) : null,
});

/** Whether the caller waits while a server does not answer. */
export const waitsForServer = (name: OperationName): boolean =>
  (operations[name].errors as readonly ErrorCode[]).includes('UPSTREAM_TIMEOUT');

/** Command names of the in-process, desktop, socket and C surfaces. */
export type Command = Table[OperationName]['ipc'];
export type OperationOf<C extends Command> = {
  [N in OperationName]: Table[N]['ipc'] extends C ? N : never;
}[OperationName];

/** The arguments of a typed call after the operation: the input may be left out if all its fields are optional. */
export type Arguments<N extends OperationName> =
  Record<string, never> extends Input<N> ? [input?: Input<N>] : [input: Input<N>];

export interface CallContext {
  readonly requestId: string;
  /** The caller owns the files: it is in this process, or came through the private socket. */
  readonly byOwner?: boolean;
  /** The origin that a browser sends; programs send none. */
  readonly origin?: string;
  /** Absent for the owner, and for those whom nothing limits. */
  readonly grant?: CallingGrant;
  /** The companion itself calls, not a user: the call counts as no activity. */
  readonly byService?: boolean;
  /** The name of the wallet; the default wallet where it is left out. */
  readonly wallet?: string;
  /** Members of the input from the path, for a front that forwards the body as bytes without parsing it. */
  readonly inPath?: Readonly<Record<string, unknown>>;
}

/** As far as guessed passwords are counted. */
export type Caller = Pick<CallContext, 'byOwner' | 'grant' | 'origin'>;

/** The call's context, with what the actor itself has found out. */
export interface HandlerContext extends CallContext {
  /** The caller has given the wallet's password with this call. */
  readonly hasPassword: boolean;
}

/** One handler for each operation of an actor; a missing one does not compile. Handlers throw `CompanionError`. */
export type Handlers<A extends Actor> = {
  readonly [N in OperationsOf<A>]: (
    input: HandledInput<N>,
    context: HandlerContext,
  ) => Output<N> | Promise<Output<N>>;
};

/** The part of an actor's handlers that one feature has. */
export type FeatureHandlers<F extends Feature, A extends Actor = 'wallet'> = Pick<
  Handlers<A>,
  Extract<keyof (typeof features)[F], keyof Handlers<A>>
>;

export const isOperationName = (name: unknown): name is OperationName =>
  typeof name === 'string' && Object.hasOwn(table, name);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null counts as absent, but an unknown field is refused whatever its value is. */
const withoutNulls = (record: Readonly<Record<string, unknown>>, known: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([key, value]) => value !== undefined && (value !== null || !Object.hasOwn(known, key)),
    ),
  );

interface JudgedField extends FieldError {
  /** The code of the failure where all fields have it. */
  readonly failure: ErrorCode;
}

const memberOf = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;

/** A message must not repeat a secret that was sent in the place of a name. */
const looksLikeField = (name: string): boolean => /^[a-z_]{1,40}$/.test(name);

function judge(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): readonly JudgedField[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...issue.path, looksLikeField(key) ? key : ''].map(String).join('.'),
      message: looksLikeField(key) ? 'is not a known field' : 'a name is no known field',
      code: 'unknown_field',
      failure: 'INVALID_REQUEST',
    }));
  }
  const path = issue.path.map(String).join('.');
  const value = issue.path.reduce(memberOf, given);
  if (value === undefined)
    return [{ path, message: 'is required', code: 'required', failure: 'INVALID_REQUEST' }];
  const wrongType =
    issue.code === 'invalid_type' || (issue.code === 'invalid_value' && typeof value !== 'string');
  const message = issueMessage(issue);
  if (wrongType) return [{ path, message, code: 'wrong_type', failure: 'INVALID_REQUEST' }];
  const failure = FIELD_ERROR_CODES[path] ?? 'INVALID_REQUEST';
  return [{ path, message, code: failure, failure }];
}

/** A number out of all bounds violates the general bound too; the last violation is that of the field's own bound. */
const onePerField = (judged: readonly JudgedField[]): readonly JudgedField[] => [
  ...new Map(judged.map((field) => [field.path, field])).values(),
];

/**
 * The validated input of an operation. Null counts as absent, unknown fields are refused. Passwords may be bytes, and stay so: for a
 * dispatcher, whose handlers get bytes.
 * Throws `CompanionError` that names every bad field, with the field's own code when all are of one kind, else
 * `INVALID_REQUEST`. A field that is missing or has the wrong JSON type is always `INVALID_REQUEST`.
 */
export function parseInput<N extends OperationName>(name: N, given: unknown): Input<N> {
  const raw = given ?? {};
  if (!isRecord(raw)) throw new CompanionError('INVALID_REQUEST', 'The input must be a JSON object.');
  const { input } = operations[name];
  const fields = withoutNulls(raw, input.shape);
  const passwords = takePasswords(fields);
  const parsed = input.safeParse(fields);
  if (!parsed.success) {
    wipePasswords(passwords);
    const judged = onePerField(parsed.error.issues.flatMap((issue) => judge(issue, fields)));
    const codes = new Set(judged.map((field) => field.failure));
    const [only] = codes;
    const code = codes.size === 1 && only !== undefined ? only : 'INVALID_REQUEST';
    const detail = `${judged.map((field) => `${field.path} ${field.message}`).join('; ')}.`;
    throw new CompanionError(code, detail, {
      errors: judged.map(({ path, message, code }) => ({ path, message, ...(code && { code }) })),
    });
  }
  refuseReversedRange(parsed.data);
  refuseLost(fields);
  return Object.assign(parsed.data, passwords) as Input<N>;
}

/** What is kept and given back must be the same afterwards; the names in a path are those of fields, or of members that are kept. */
function refuseLost(fields: Readonly<Record<string, unknown>>): void {
  const places: [string, unknown][] = Object.entries(fields);
  for (const [path, value] of places) {
    const isRounded = typeof value === 'number' && !Number.isFinite(value);
    if (isRounded || path.endsWith('.__proto__')) {
      const message = isRounded
        ? 'is a number that a JSON reader would change: write it as text'
        : 'is a name that JSON readers drop: take another one';
      throw badField(path, message);
    }
    if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) places.push([`${path}.${name}`, member]);
  }
}

/** Splits the password that is checked first from the rest of the input, where its handler does not use it as well. */
export function splitCheckedPassword<N extends OperationName>(
  name: N,
  input: Input<N>,
): { readonly password: Uint8Array | undefined; readonly handled: HandledInput<N> } {
  const { checksPassword, alsoUsesPassword } = operations[name];
  const given = withPasswordBytes<object>(input);
  const { password, ...others } = given as { readonly password?: Uint8Array };
  if (alsoUsesPassword === true) return { password, handled: given as HandledInput<N> };
  if (checksPassword !== true) return { password: undefined, handled: given as HandledInput<N> };
  return { password, handled: others as HandledInput<N> };
}

function refuseReversedRange(input: Readonly<Record<string, unknown>>): void {
  const { start_height: start, end_height: end } = input;
  if (typeof start !== 'number' || typeof end !== 'number' || start <= end) return;
  throw badField('start_height', 'must not be above end_height', undefined, 'INVALID_RANGE');
}
