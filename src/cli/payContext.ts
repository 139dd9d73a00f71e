// What the steps of `pay` share.

import { ERRORS, type ErrorRecord } from '../protocol/errors.ts';
import type { OperationName, Output } from '../protocol/operations.ts';
import { type Result, unwrap } from '../protocol/result.ts';
import { Interrupted } from '../terminal/prompt.ts';
import type { Questions } from '../terminal/questions.ts';
import type { CliEnvironment } from './cliEnvironment.ts';
import type { CliSession, Given } from './cliSession.ts';
import type { PayCall } from './payCommand.ts';
import type { ShowCommand } from './shownCommand.ts';

export type Payment = Output<'payments.get'>;

/** As for a payment that is past what was asked of it. */
export const EXIT_OVER = ERRORS.PAYMENT_STATE.exit;

/** It never reaches whom it pays. */
export const hasEnded = ({ status }: Pick<Payment, 'status'>): boolean =>
  status === 'expired' || status === 'conflicted' || status === 'lost_note' || status === 'discarded';

export interface PayContext {
  readonly call: PayCall;
  readonly environment: CliEnvironment;
  readonly session: CliSession;
  /** Undefined: there is no terminal. */
  readonly ask: Questions | undefined;
  readonly stopped: AbortSignal;
  readonly show: ShowCommand;
  /** A sentence or block of text for the person; programs that read JSON get none. */
  readonly print: (text: string) => void;
}

/** The person did not agree. */
export class Declined extends Error {
  override readonly name = 'Declined';
}

/** Ctrl-C ends the wait, not the work: what the companion has begun it may finish. */
export function untilStopped<T>({ stopped }: PayContext, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Interrupted());
    if (stopped.aborted) stop();
    stopped.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => stopped.removeEventListener('abort', stop));
  });
}

export const callOperation = <N extends OperationName>(
  pay: PayContext,
  name: N,
  input: Given,
): Promise<Result<Output<N>>> => untilStopped(pay, pay.session.call(name, input));

/** The answer; a failure is thrown. */
export async function requireAnswer<N extends OperationName>(
  pay: PayContext,
  name: N,
  input: Given,
): Promise<Output<N>> {
  return unwrap(await callOperation(pay, name, input));
}

export const failureText = ({ detail, code }: ErrorRecord): string => `${detail} (${code})`;

/** Says what is done, and how long it took. */
export async function timeWork<T>(
  { environment, print }: PayContext,
  work: () => Promise<T>,
  done: (value: T) => string,
): Promise<T> {
  const began = environment.now().getTime();
  const value = await work();
  print(`${done(value)} (${Math.round((environment.now().getTime() - began) / 1000)} s).`);
  return value;
}

/** Without a terminal `--yes` was given. */
export async function requireConsent({ ask, call }: PayContext, question: string): Promise<void> {
  if (call.yes) return;
  if ((await ask?.agrees(question, { orElse: false })) !== true) throw new Declined();
}

/** Where blocks are read from, and the payment is sent to. */
export const sourceOf = ({ call }: PayContext): Given =>
  Object.fromEntries(call.text.filter(([field]) => field === 'source'));
