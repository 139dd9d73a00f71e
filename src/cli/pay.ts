// `pay`: a payment from its recipient to the block that has it. Each step is an operation with a command of its own, and what comes
// next follows from the payment's state alone: a payment that was interrupted goes on where it was.

import { CompanionError, type ErrorCode } from '../protocol/errors.ts';
import type { OperationName } from '../protocol/operations.ts';
import { Interrupted, Prompt } from '../terminal/prompt.ts';
import { terminalQuestions } from '../terminal/questions.ts';
import { widthOf, wrapText } from '../terminal/terminalText.ts';
import type { CliEnvironment } from './cliEnvironment.ts';
import { CliSession, wantsPassword } from './cliSession.ts';
import { inspectionLines } from './inspectionText.ts';
import { missingLines } from './missingLines.ts';
import { ofWallet, openLink, requireNetwork } from './openedLink.ts';
import type { PayCall } from './payCommand.ts';
import {
  Declined,
  EXIT_OVER,
  hasEnded,
  type PayContext,
  type Payment,
  requireAnswer,
  requireConsent,
} from './payContext.ts';
import { isOpen } from './paymentText.ts';
import { payOnce, payPayouts } from './payOnce.ts';
import { preparePayment } from './payPrepare.ts';
import { awaitBlock, sendPayment } from './paySend.ts';
import { signAndProve } from './paySign.ts';
import { showCommand } from './shownCommand.ts';

const EXIT_OK = 0;
const EXIT_CANCELLED = 130;

/** `show` prints an answer as the operation's command does. Resolves with the exit code. */
export async function runPay(
  call: PayCall,
  show: (name: OperationName, answer: unknown) => void,
  environment: CliEnvironment,
): Promise<number> {
  const hasTerminal = environment.stdin.isTTY === true && !call.json;
  if (!hasTerminal && !call.yes)
    throw new CompanionError(
      'INVALID_REQUEST',
      'There is no terminal to ask on: give --yes, and --password-file or a program that signs as "signer" in config.json. Or use the single steps, from "wallet-companion pay prepare" on.',
    );
  const opened = await openLink(call, environment);
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const deafen = environment.onInterrupt(abort);
  environment.stdin.once('end', abort);
  const where = { url: call.url, wallet: call.wallet, ...call.local };
  try {
    await requireNetwork(opened.link, call.local.network, environment);
    const pay: PayContext = {
      call,
      environment,
      session: new CliSession(
        ofWallet(opened.link, call.wallet),
        call,
        new Prompt(environment),
        environment.requestId,
      ),
      ask: hasTerminal ? await terminalQuestions(environment, stop) : undefined,
      stopped: stop.signal,
      show: showCommand(where),
      print: (text) => {
        const width = widthOf(environment.stderr) ?? Number.POSITIVE_INFINITY;
        if (!call.json) environment.stderr.write(`${wrapText(text, width).join('\n')}\n`);
      },
    };
    if (call.payoutsFile !== undefined) return await payPayouts(pay, call.payoutsFile);
    if (call.idempotencyKey !== undefined) return await payOnce(pay, call.idempotencyKey, show);
    return await walked(pay, show);
  } finally {
    deafen();
    environment.stdin.off('end', abort);
    await opened.close();
  }
}

async function walked(
  pay: PayContext,
  show: (name: OperationName, answer: unknown) => void,
): Promise<number> {
  let payment: Payment | undefined;
  try {
    payment = await begun(pay);
    const end = await throughSteps(pay, payment);
    show('payments.get', end);
    return hasEnded(end) ? EXIT_OVER : EXIT_OK;
  } catch (thrown) {
    if (payment === undefined) {
      if (thrown instanceof Declined) pay.print('Nothing was prepared.');
    } else if (!isUnsignable(pay, thrown) || !(await givenUp(pay, payment))) printNextSteps(pay, payment);
    if (thrown instanceof Declined || thrown instanceof Interrupted) return EXIT_CANCELLED;
    throw thrown;
  }
}

const begun = (pay: PayContext): Promise<Payment> =>
  pay.call.resume === undefined
    ? preparePayment(pay)
    : requireAnswer(pay, 'payments.get', { payment_id: pay.call.resume });

async function throughSteps(pay: PayContext, begun: Payment): Promise<Payment> {
  let payment = begun;
  if (isOpen(payment)) {
    await explain(pay, payment);
    await requireConsent(pay, questionOf(payment));
    payment = await signAndProve(pay, payment);
    if (payment.waits_for !== null) {
      pay.print(waitingText(payment.waits_for));
      printNextSteps(pay, payment);
      return payment;
    }
    if (payment.status === 'prepared') throw incomplete(payment);
    pay.print('Signatures and sums fit: it can be sent.');
  }
  payment = await sendPayment(pay, payment);
  return pay.call.wait === undefined ? payment : awaitBlock(pay, payment, pay.call.wait);
}

function questionOf({ inputs, refund_of: invoice }: Payment): string {
  if (invoice !== null) return 'Refund this?';
  return inputs.length > 0 ? 'Shield this?' : 'Pay this?';
}

const waitingText = ({ kind, until }: NonNullable<Payment['waits_for']>): string =>
  kind === 'delay'
    ? `The signer waits until ${until} before it signs, as its policy wants.`
    : 'The signer waits for a person to type yes at its terminal.';

/** A signer may have only some of the keys. */
const incomplete = ({ missing }: Payment): CompanionError =>
  new CompanionError(
    'PAYMENT_INCOMPLETE',
    `The payment cannot be sent yet, and lacks ${missingLines(missing, () => []).join('; ')}.`,
  );

/** What the PCZT itself says it does, and not what was asked for. */
async function explain(pay: PayContext, { payment_id }: Payment): Promise<void> {
  const { pczt } = await requireAnswer(pay, 'payments.pczt', { payment_id, reader: 'anyone' });
  const seen = await requireAnswer(pay, 'pczt.inspect', { pczt });
  const width = widthOf(pay.environment.stderr) ?? Number.POSITIVE_INFINITY;
  if (!pay.call.json) pay.environment.stderr.write(`\n${inspectionLines(seen, width).join('\n')}\n\n`);
}

/** What a script is refused with until somebody gives it another password, or another signer. */
const UNSIGNABLE: readonly ErrorCode[] = [
  'NO_SIGNER',
  'WRONG_PASSWORD',
  'INVALID_PASSWORD_FORMAT',
  'TOO_MANY_ATTEMPTS',
  'GRANT_SCOPE',
];

/** A script that is run again would reserve more notes each time. */
const isUnsignable = ({ call, ask }: PayContext, thrown: unknown): boolean =>
  call.resume === undefined &&
  ask === undefined &&
  thrown instanceof CompanionError &&
  (UNSIGNABLE.includes(thrown.code) || wantsPassword(thrown.toRecord()));

/** False where it stays: it may have been sent, or the wallet is locked, and its password is not tried again. */
async function givenUp({ session, print }: PayContext, { payment_id }: Payment): Promise<boolean> {
  const { ok } = await session.dispatch('payments.discard', { payment_id });
  if (ok) print('Without a terminal nobody can sign otherwise: the payment was given up.');
  return ok;
}

function printNextSteps({ print, show }: PayContext, { payment_id: id }: Payment): void {
  print(`The payment ${id} stays as it is. Go on: ${show(`pay --resume ${id}`)}`);
  print(`Or see how it stands, or give it up: ${show(`pay show ${id}`)}`);
}
