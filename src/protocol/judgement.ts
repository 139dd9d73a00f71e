// Who may make a call, as its row says: judged by the actor, once the input is read and a password has opened the session. What
// needs no input (scopes, wallets, calls in a minute) the front has judged before (src/grants/access.ts).

import { badField } from './errors.ts';
import type { CallingGrant, Owned } from './grants.ts';
import type { Operation } from './operation.ts';
import { type HandlerContext, type OperationName, operations } from './operations.ts';

/** What the rows ask of the actor that keeps payments and invoices. */
export interface Keeper {
  readonly isSet: (setting: NonNullable<Operation['needsPasswordBy']>) => boolean;
  /** Throws what a grant is told that has nothing to do with this one. */
  readonly requireOwn: (owned: Owned, id: string, grant: CallingGrant) => void;
}

/** Throws `INVALID_REQUEST` where the password is missing, and what the keeper throws. */
export function requireCaller(
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
