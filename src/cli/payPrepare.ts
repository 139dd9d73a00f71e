// The first step of `pay`: the payment is prepared. What refuses it and can be mended is: new blocks are read, and what would
// become public is asked for.

import { CompanionError, type ErrorRecord } from '../protocol/errors.ts';
import { unwrap } from '../protocol/result.ts';
import { inputFromText } from '../protocol/textInput.ts';
import type { Given } from './cliSession.ts';
import {
  callOperation,
  failureText,
  type PayContext,
  type Payment,
  requireAnswer,
  requireConsent,
  sourceOf,
  timeWork,
} from './payContext.ts';
import { withRecipients } from './recipientsFile.ts';
import { runSync, syncCalls } from './syncRun.ts';

export async function preparePayment(pay: PayContext): Promise<Payment> {
  const { call, print } = pay;
  const operation = operationOf(call);
  const given = await withRecipients(call, inputFromText(operation, call.text));
  let input = await withMemoAddress(pay, given.input);
  for (let isSynced = false; ; ) {
    print('Preparing the payment ...');
    const result = await timeWork(
      pay,
      () => callOperation(pay, operation, input),
      ({ ok }) => (ok ? 'It is prepared' : 'It cannot be prepared yet'),
    );
    if (result.ok) return result.value;
    const { error } = result;
    const { consents = [], errors = [] } = error;
    const mayAsk = pay.ask !== undefined && !call.yes;
    if (error.code === 'INVALID_RANGE' && !isSynced) {
      await synced(pay, error);
      isSynced = true;
    } else if (errors.some(({ path }) => path === 'confirmed') && mayAsk) {
      print(failureText(error));
      await requireConsent(pay, 'Have you compared the address, and shall it get the refund?');
      input = { ...input, confirmed: true };
    } else if (consents.length > 0 && mayAsk) {
      print(failureText(error));
      await requireConsent(pay, 'May that become public?');
      input = {
        ...input,
        privacy: [...((input['privacy'] as string[] | undefined) ?? []), ...consents],
      };
    } else throw CompanionError.fromRecord(given.inLines(error));
  }
}

const operationOf = ({ shield, refund }: PayContext['call']) =>
  shield ? 'payments.shield' : refund === undefined ? 'payments.prepare' : 'payments.refund';

/** A refund to nobody in particular goes where a memo of what came says, once the person has agreed. */
async function withMemoAddress(pay: PayContext, input: Given): Promise<Given> {
  const { refund } = pay.call;
  const isNamed = [input['address'], input['contact']].some((named) => named !== undefined);
  if (refund === undefined || isNamed || pay.ask === undefined) return input;
  const { payments } = await requireAnswer(pay, 'invoices.get', { invoice_id: refund });
  const [only, ...others] = new Set(payments.flatMap(({ refund_addresses: named = [] }) => named));
  return only === undefined || others.length > 0 ? input : { ...input, address: only };
}

/** Up to the newest block: what the wallet would spend may be spent by now. */
export async function synced(pay: PayContext, why: ErrorRecord): Promise<void> {
  const { call, session, environment } = pay;
  pay.print(failureText(why));
  const options = { toTip: true, quiet: call.json };
  unwrap(await runSync(syncCalls(session), sourceOf(pay), options, environment, () => undefined));
}
