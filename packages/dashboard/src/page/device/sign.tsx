// Signatures for a prepared payment: read by the camera from the device's answer, or given by a Ledger. Both go the way of a file
// that comes back.

import type { SigningProgress } from '@wallet-companion/devices/ledger';
import { batchResultOf, pcztOf } from '@wallet-companion/devices/ur';
import { useState } from 'preact/hooks';
import { base64Of } from '../../model/base64.ts';
import { CodeScan } from '../../model/codeScan.ts';
import { namesAccount, paymentIn, progressText, withSignatures } from '../../model/ledgerPayment.ts';
import { takenText } from '../../model/payments.ts';
import { deviceTexts } from '../../texts/device.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { call, dashboardHref, formats, store } from '../live/app.ts';
import { leaveTo } from '../live/token.ts';
import { Form, type Typed } from '../parts/form.tsx';
import { useAnswer } from '../parts/hooks.ts';
import { Card, type Fact, Facts } from '../parts/layout.tsx';
import { Amount, Hint, Problem } from '../parts/text.tsx';
import { AccountField, typedAccount, withLedger } from './ledger.tsx';
import { Scan } from './scan.tsx';

export function Sign({ id }: { id: string }) {
  const [{ value: payment, problem }] = useAnswer(() => call('payments.get', { payment_id: id }), [id]);
  if (payment === undefined)
    return problem ? <Problem text={problem} /> : <Hint text={sharedTexts().reading} />;
  const texts = deviceTexts();
  const combine = async (pczt: string) => {
    store.announce(takenText(await call('payments.combine', { payment_id: id, pczt }), formats));
    leaveTo(dashboardHref({ page: 'pay', item: id }));
  };
  const rows = payment.payments.map(
    ({ address, amount_zatoshi: zatoshi, contact }): Fact => [
      texts.pays,
      <>
        <Amount zatoshi={zatoshi} />
        {` ${texts.to} `}
        {contact ?? <code>{address}</code>}
      </>,
    ],
  );
  return (
    <>
      <Card title={texts.answer} isFocused>
        <Facts rows={rows} />
        <Hint text={texts.answerText} />
        <Scan
          reader={() => new CodeScan('zcash-pczt')}
          begin={texts.scanAnswer}
          take={(message) => combine(base64Of(pcztOf(message)))}
        />
      </Card>
      <WithLedger id={id} combine={combine} />
    </>
  );
}

interface WithLedgerProps {
  id: string;
  combine: (pczt: string) => Promise<unknown>;
}

function WithLedger({ id, combine }: WithLedgerProps) {
  const texts = deviceTexts();
  const [step, setStep] = useState('');
  // Read before the click: the browser lists devices only right after one.
  const [{ value, problem }] = useAnswer(
    () => call('payments.pczt', { payment_id: id, reader: 'anyone' }),
    [id],
  );
  const sign = async (typed: Typed) => {
    const { pczt } = value!;
    const payment = paymentIn(pczt);
    const account = namesAccount(payment) ? undefined : typedAccount(typed('account'));
    try {
      const progress = (now: SigningProgress) => setStep(progressText(now));
      const signatures = await withLedger((ledger) => ledger.sign(payment, { account, progress }));
      await combine(withSignatures(pczt, signatures));
    } finally {
      setStep('');
    }
  };
  return (
    <Card title={texts.ledger}>
      <p>{texts.ledgerText}</p>
      <Problem text={problem} />
      {value && (
        <Form submit={texts.signWithLedger} act={sign}>
          <AccountField hidden={namesAccount(paymentIn(value.pczt))} />
        </Form>
      )}
      <Hint role="status" text={step} />
    </Card>
  );
}

// The signatures of several payments, read by the camera from the answer of a device.

/** `ids`: in the order in which the device was shown the payments. */
export function SignBatch({ ids }: { ids: readonly string[] }) {
  const texts = deviceTexts();
  const combine = async (answer: string) => {
    const { payments } = await call('payments.combine_batch', { payment_ids: [...ids], answer });
    const announcement = payments.map((payment) => takenText(payment, formats));
    store.announce(announcement[0]!);
    leaveTo(dashboardHref({ page: 'pay', item: ids[0]! }));
  };
  return (
    <Card title={texts.signatures} isFocused>
      <Hint text={texts.signaturesOf(formats.counted(ids.length, 'payment')) + texts.answerText} />
      <Scan
        reader={() => new CodeScan('zcash-batch-sig-result')}
        begin={texts.scanSignatures}
        take={(message) => combine(base64Of(batchResultOf(message).data))}
      />
    </Card>
  );
}
