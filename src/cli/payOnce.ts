// `pay` in one call, with an idempotency key: for one payment, or for each line of a file of payouts. Whatever ends the command, the same
// command goes on, and nothing is paid twice.

import { CompanionError, ERRORS, type ErrorCode, type ErrorRecord } from '../protocol/errors.ts';
import type { OperationName, Output } from '../protocol/operations.ts';
import type { Result } from '../protocol/result.ts';
import { inputFromText } from '../protocol/textInput.ts';
import type { Given } from './cliSession.ts';
import { jsonText } from './jsonText.ts';
import {
  callOperation,
  EXIT_OVER,
  failureText,
  hasEnded,
  type PayContext,
  requireAnswer,
} from './payContext.ts';
import { synced } from './payPrepare.ts';
import { awaitBlock } from './paySend.ts';
import { type Payout, payoutsIn, refused, withRecipients } from './recipientsFile.ts';

type Paid = Output<'payments.pay'>;

const EXIT_OK = 0;
/** What is wrong with one payment, and not with the next. */
const OF_ITS_LINE: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'NOT_FOUND',
  'CONSENT_NEEDED',
  'DEVICE_LIMIT',
  'IDEMPOTENCY_KEY_IN_USE',
  'TRANSACTION_REFUSED',
];

/** Resolves with the exit code. */
export async function payOnce(
  pay: PayContext,
  key: string,
  show: (name: OperationName, answer: unknown) => void,
): Promise<number> {
  const { input, inLines } = await withRecipients(pay.call, inputFromText('payments.pay', pay.call.text));
  const result = await paid(pay, { ...input, idempotency_key: key });
  if (!result.ok) throw CompanionError.fromRecord(inLines(result.error));
  const end = await waited(pay, result.value);
  show('payments.pay', end);
  return hasEnded(end) ? EXIT_OVER : EXIT_OK;
}

/** New blocks are read where the wallet lacks them. */
async function paid(pay: PayContext, input: Given): Promise<Result<Paid>> {
  const { signer } = pay.call;
  for (let isSynced = false; ; ) {
    const result = await callOperation(pay, 'payments.pay', { ...input, ...(signer && { signer }) });
    if (result.ok || result.error.code !== 'INVALID_RANGE' || isSynced) return result;
    await synced(pay, result.error);
    isSynced = true;
  }
}

async function waited(pay: PayContext, begun: Paid, until = pay.call.wait): Promise<Paid> {
  if (until === undefined || !begun.kept) return begun;
  // Blocks may have come since it was sent.
  const now = await requireAnswer(pay, 'payments.get', { payment_id: begun.payment_id });
  const { status, mined_height, confirmations } = await awaitBlock(pay, now, until);
  return { ...begun, status, mined_height, confirmations };
}

interface Outcome {
  readonly line: number;
  readonly key: string;
  readonly result: Result<Paid>;
}

/** Prints a line for each payout, then their numbers. Resolves with the exit code. */
export async function payPayouts(pay: PayContext, path: string): Promise<number> {
  const { stdout } = pay.environment;
  const payouts = await payoutsIn(path);
  await requireRight(pay, path, payouts);
  const outcomes: Outcome[] = [];
  for (const payout of payouts) {
    const outcome = { line: payout.line, key: payout.key, result: await paidOut(pay, payout, outcomes) };
    outcomes.push(outcome);
    if (!pay.call.json) stdout.write(`${lineOf(outcome)}\n`);
    if (!outcome.result.ok && !OF_ITS_LINE.includes(outcome.result.error.code)) break;
  }
  const ends: Outcome[] = [];
  for (const outcome of outcomes) ends.push(await ended(pay, outcome));
  const count = (is: (one: Outcome) => boolean): number => ends.filter(is).length;
  const isPaid = ({ result }: Outcome): boolean => result.ok && !hasEnded(result.value);
  const sum = {
    paid: count((one) => isPaid(one) && one.result.ok && !one.result.value.repeated),
    paid_before: count((one) => isPaid(one) && one.result.ok && one.result.value.repeated),
    failed: count((one) => !isPaid(one)),
    left: payouts.length - ends.length,
  };
  if (pay.call.json) stdout.write(jsonText({ payouts: ends.map(jsonOf), ...sum }));
  else
    stdout.write(
      `${sum.paid} paid, ${sum.paid_before} paid before, ${sum.failed} failed, ${sum.left} left.\n`,
    );
  const failure = ends.find(({ result }) => !result.ok)?.result;
  if (failure?.ok === false) return ERRORS[failure.error.code].exit;
  return sum.failed > 0 ? EXIT_OVER : EXIT_OK;
}

/** Where the funds are in change of an earlier line, its confirmation is waited for. */
async function paidOut(
  pay: PayContext,
  { key, recipient }: Payout,
  before: readonly Outcome[],
): Promise<Result<Paid>> {
  const input = { ...inputFromText('payments.pay', pay.call.text), ...recipient, idempotency_key: key };
  const result = await paid(pay, input);
  const last = before.findLast((one) => one.result.ok)?.result;
  const mayWait = pay.call.wait !== undefined && last?.ok === true && last.value.status !== 'confirmed';
  if (result.ok || result.error.code !== 'INSUFFICIENT_FUNDS' || !mayWait) return result;
  await waited(pay, last.value, 'confirmed');
  return paid(pay, input);
}

async function ended(pay: PayContext, outcome: Outcome): Promise<Outcome> {
  const { result } = outcome;
  return result.ok ? { ...outcome, result: { ok: true, value: await waited(pay, result.value) } } : outcome;
}

/** Nothing is paid until all addresses and amounts are right. The name of a contact is looked up when its line comes. */
async function requireRight(pay: PayContext, path: string, payouts: readonly Payout[]): Promise<void> {
  const faults = [];
  for (const { line, recipient } of payouts) {
    const { address, amount = '' } = recipient;
    if (address === undefined) continue;
    const uri = `zcash:${encodeURIComponent(address)}?amount=${encodeURIComponent(amount)}`;
    const parsed = await callOperation(pay, 'payment_uri.parse', { uri });
    if (parsed.ok) continue;
    if (parsed.error.code !== 'INVALID_REQUEST') throw CompanionError.fromRecord(parsed.error);
    faults.push({ path: `line ${line}`, message: parsed.error.detail });
  }
  if (faults.length > 0) throw CompanionError.fromRecord(refused(path, faults));
}

const lineOf = ({ line, result }: Outcome): string =>
  result.ok
    ? `line ${line}: ${result.value.repeated ? 'paid before, ' : ''}${result.value.status}, ${result.value.txid}`
    : `line ${line}: ${failureText(result.error)}`;

const jsonOf = ({ line, key, result }: Outcome): object =>
  result.ok
    ? { line, idempotency_key: key, ...result.value }
    : { line, idempotency_key: key, ...failed(result.error) };

const failed = ({ code, detail, stoppedAt }: ErrorRecord): object => ({
  error: { code, detail, ...(stoppedAt && { stopped_at: stoppedAt }) },
});
