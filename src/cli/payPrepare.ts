// The first step of `pay`: the payment is prepared. What refuses it and can be mended is: new blocks are read, and what would
// become public is asked for.

import { CompanionError, type ErrorRecord } from '../protocol/errors.ts';
import { unwrap } from '../protocol/result.ts';
import { inputFromText } from '../protocol/textInput.ts';
import {
  callOperation,
  failureText,
  type PayContext,
  type Payment,
  requireConsent,
  sourceOf,
  timeWork,
} from './payContext.ts';
import { withRecipients } from './recipientsFile.ts';
import { runSync, syncCalls } from './syncRun.ts';

export async function preparePayment(pay: PayContext): Promise<Payment> {
  const { call, print } = pay;
  const operation = call.shield ? 'payments.shield' : 'payments.prepare';
  const given = await withRecipients(call, inputFromText(operation, call.text));
  let { input } = given;
  for (let isSynced = false; ; ) {
    print('Preparing the payment ...');
    const result = await timeWork(
      pay,
      () => callOperation(pay, operation, input),
      ({ ok }) => (ok ? 'It is prepared' : 'It cannot be prepared yet'),
    );
    if (result.ok) return result.value;
    const { error } = result;
    const { consents = [] } = error;
    if (error.code === 'INVALID_RANGE' && !isSynced) {
      await synced(pay, error);
      isSynced = true;
    } else if (consents.length > 0 && pay.ask !== undefined && !call.yes) {
      print(failureText(error));
      await requireConsent(pay, 'May that become public?');
      input = {
        ...input,
        privacy: [...((input['privacy'] as string[] | undefined) ?? []), ...consents],
      };
    } else throw CompanionError.fromRecord(given.inLines(error));
  }
}

/** Up to the newest block: what the wallet would spend may be spent by now. */
async function synced(pay: PayContext, why: ErrorRecord): Promise<void> {
  const { call, session, environment } = pay;
  pay.print(failureText(why));
  const options = { toTip: true, quiet: call.json };
  unwrap(await runSync(syncCalls(session), sourceOf(pay), options, environment, () => undefined));
}
