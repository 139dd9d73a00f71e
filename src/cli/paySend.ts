// The last steps of `pay`: the payment is sent, and waited for until a block has it.

import type { Until } from './payCommand.ts';
import {
  callOperation,
  failureText,
  type PayContext,
  type Payment,
  requireAnswer,
  requireConsent,
  sourceOf,
  timeWork,
  untilStopped,
} from './payContext.ts';

/** A block comes every 25 seconds or more. */
const LOOK_MS = 5_000;

/** What is waited in. */
const UNDECIDED: Readonly<Record<Until, readonly Payment['status'][]>> = {
  mined: ['sent', 'in_mempool'],
  confirmed: ['sent', 'in_mempool', 'mined'],
};

/** A repeated attempt asks first and never pays twice, so one without an answer is simply made again. */
export async function sendPayment(pay: PayContext, payment: Payment): Promise<Payment> {
  const { status, last_sent: last } = payment;
  const isToBeSent = status === 'complete' || (status === 'sent' && last?.outcome !== 'accepted');
  if (!isToBeSent) return payment;
  await requireConsent(pay, 'Send it now?');
  return timeWork(
    pay,
    () => requireAnswer(pay, 'payments.broadcast', { payment_id: payment.payment_id, ...sourceOf(pay) }),
    () => 'It is sent',
  );
}

export async function awaitBlock(pay: PayContext, payment: Payment, until: Until): Promise<Payment> {
  if (!UNDECIDED[until].includes(payment.status)) return payment;
  const what = until === 'mined' ? 'a block that has it' : 'the blocks that confirm it';
  pay.print(`Waiting for ${what}. Ctrl-C ends the wait, and the payment stays sent.`);
  return timeWork(
    pay,
    () => decided(pay, payment, until),
    ({ status, mined_height: height }) =>
      height === null ? `It is ${status}` : `It is mined at height ${height}`,
  );
}

async function decided(pay: PayContext, begun: Payment, until: Until): Promise<Payment> {
  let printed: string | undefined;
  for (let payment = begun; ; ) {
    if (!UNDECIDED[until].includes(payment.status)) return payment;
    await pause(pay);
    const scan = await callOperation(pay, 'sync.run', sourceOf(pay));
    // A scan that runs reads the same blocks, and a server that does not answer may do so again.
    if (!scan.ok && scan.error.code !== 'SYNC_IN_PROGRESS' && scan.error.code !== printed) {
      printed = scan.error.code;
      pay.print(failureText(scan.error));
    }
    payment = await requireAnswer(pay, 'payments.get', { payment_id: payment.payment_id });
  }
}

async function pause(pay: PayContext): Promise<void> {
  let stop = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    stop = pay.environment.every(LOOK_MS, resolve);
  });
  await untilStopped(pay, passed).finally(() => stop());
}
