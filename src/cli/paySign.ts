// The steps of `pay` that complete a payment: the prover works while a program or a person signs, since signatures do not
// cover proofs.

import { pcztUr } from '@wallet-companion/devices/ur';
import { CompanionError, type ErrorCode } from '../protocol/errors.ts';
import { unwrap } from '../protocol/result.ts';
import { Prompt } from '../terminal/prompt.ts';
import type { CliEnvironment } from './cliEnvironment.ts';
import { readInputFile } from './inputFile.ts';
import { type Ending, showMovingCode } from './movingCode.ts';
import { writeOutputFile } from './outputFile.ts';
import {
  callOperation,
  failureText,
  type PayContext,
  type Payment,
  requireAnswer,
  timeWork,
  untilStopped,
} from './payContext.ts';
import { bytesOf } from './paymentFile.ts';
import { addsNothing } from './paymentText.ts';
import { isSecretGiven } from './secrets.ts';

/** Failures that another answer mends. */
const MENDED: readonly ErrorCode[] = ['INVALID_REQUEST', 'INVALID_PCZT', 'PCZT_CHANGED', 'STORAGE_FAILED'];
/** A person types the password again. */
const MISTYPED: readonly ErrorCode[] = ['WRONG_PASSWORD', 'INVALID_PASSWORD_FORMAT', 'TOO_MANY_ATTEMPTS'];
const isTyped = ({ ask, call }: PayContext): boolean => ask !== undefined && !isSecretGiven(call.password);

const SHOW_AGAIN = 'show it again';

const needsSigner = ({ missing }: Payment): boolean =>
  missing.some(({ signatures, signer_keys: keys }) => signatures > 0 || keys);

const needsProofs = ({ missing }: Payment): boolean => missing.some(({ proofs }) => proofs);

/** Sapling's proofs need a key that the signer adds. */
const canProve = (payment: Payment): boolean =>
  needsProofs(payment) && !payment.missing.some(({ signer_keys: keys }) => keys);

/** Resolves with the complete payment. */
export async function signAndProve(pay: PayContext, begun: Payment): Promise<Payment> {
  const id = { payment_id: begun.payment_id };
  const prove = () => pay.session.dispatch('payments.prove', id);
  const meanwhile = canProve(begun) ? prove() : undefined;
  let payment = begun;
  if (needsSigner(payment)) {
    pay.print(`It is to be signed.${meanwhile === undefined ? '' : ' The proofs are being made meanwhile.'}`);
    payment = await timeWork(
      pay,
      () => signed(pay, payment),
      ({ waits_for: waits }) => (waits === null ? 'It is signed' : 'The signer has it'),
    );
    if (payment.waits_for !== null) return payment;
  }
  if (!needsProofs(payment)) {
    if (meanwhile !== undefined) pay.print('The proofs are made as well.');
    return payment;
  }
  pay.print('Waiting for the proofs ...');
  return timeWork(
    pay,
    async () => {
      const early = meanwhile && (await untilStopped(pay, meanwhile));
      // Without an answer yet, or one that the session did not outlast.
      const isDone = early !== undefined && (early.ok || early.error.code !== 'WALLET_LOCKED');
      return unwrap(isDone ? early : await callOperation(pay, 'payments.prove', id));
    },
    () => 'The proofs are made',
  );
}

/** By the program of config.json, by the person's device, or by the wallet itself with the password. */
async function signed(pay: PayContext, payment: Payment): Promise<Payment> {
  const { payment_id, txid } = payment;
  const request = { payment_id, txid, ...(pay.call.signer !== undefined && { signer: pay.call.signer }) };
  let result = await callOperation(pay, 'payments.sign', request);
  while (!result.ok && MISTYPED.includes(result.error.code) && isTyped(pay)) {
    pay.print(failureText(result.error));
    result = await callOperation(pay, 'payments.sign', request);
  }
  if (result.ok || result.error.code !== 'NO_SIGNER' || pay.ask === undefined) return unwrap(result);
  let now = payment;
  while (needsSigner(now)) {
    await mended(pay, () => shown(pay, now));
    now = (await returned(pay, now)) ?? now;
  }
  return now;
}

/** Says what went wrong where the person can answer otherwise. */
async function mended<T>({ print }: PayContext, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof CompanionError) || !MENDED.includes(thrown.code)) throw thrown;
    print(failureText(thrown.toRecord()));
    return undefined;
  }
}

async function shown(pay: PayContext, { payment_id }: Payment): Promise<void> {
  const { ask, environment, print } = pay;
  const { pczt } = await requireAnswer(pay, 'payments.pczt', { payment_id });
  const way = await ask!.choose('How does it get to your signer?', [
    { value: 'codes', label: 'As moving QR codes', hint: 'for the camera of a device' },
    { value: 'file', label: 'In a file', hint: 'for another program' },
  ]);
  if (way === 'codes')
    return showMovingCode(
      pcztUr(Buffer.from(pczt, 'base64')),
      { ...environment, stdout: environment.stderr },
      byEnter(environment),
    );
  const path = await ask!.line('Name of the file');
  await writeOutputFile({ path, force: false }, bytesOf(pczt));
  print(`${path} is written.`);
}

/** Undefined where the payment is to be shown again. */
async function returned(pay: PayContext, { payment_id }: Payment): Promise<Payment | undefined> {
  for (;;) {
    const path = await pay.ask!.line(
      'The file with its answer, a PCZT or the text of its codes (Enter alone shows the payment again)',
      { orElse: SHOW_AGAIN, check: (text) => (text === '-' ? 'Type the name of a file.' : undefined) },
    );
    if (path === SHOW_AGAIN) return undefined;
    const answer = await mended(pay, async () => {
      const pczt = await readInputFile(path, 'pczt', pay.environment.stdin);
      return requireAnswer(pay, 'payments.combine', { payment_id, pczt });
    });
    if (answer === undefined) continue;
    if (!addsNothing(answer)) return answer;
    pay.print('This is the payment as it went to the signer, without a signature.');
  }
}

const byEnter = (environment: CliEnvironment): Ending => ({
  words: 'Enter goes on',
  reached: async () => void (await new Prompt(environment).hidden('', '')),
});
