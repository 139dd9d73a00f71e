// Payments: prepared here, signed by the wallet with the password or elsewhere, and sent. This page never has a spending key.

import { useEffect, useRef, useState } from 'preact/hooks';
import {
  leftText,
  movedZatoshi,
  type Payment,
  type Prepared,
  paymentWaits,
  STEPS,
  statusText,
  stepOf,
} from '../../model/payments.ts';
import { placeIn } from '../../model/place.ts';
import { payTexts } from '../../texts/pay.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { call, formats, leastConfirmations, store } from '../live/app.ts';
import { Batch } from '../parts/batch.tsx';
import { Contacts } from '../parts/contacts.tsx';
import { useAnswer } from '../parts/hooks.ts';
import { Card, Columns } from '../parts/layout.tsx';
import { PaymentDetail } from '../parts/paymentDetail.tsx';
import { PrepareForm, ShieldForm } from '../parts/prepareForm.tsx';
import { Amount, Hint, Problem } from '../parts/text.tsx';

const waits = (payment: Payment) => paymentWaits(payment, leastConfirmations());

export function Pay() {
  const texts = payTexts();
  const detail = useRef<HTMLDivElement>(null);
  const { item } = placeIn(location.hash);
  const [chosenId, setChosenId] = useState(item);
  /** The payment that was just prepared, until somebody has checked it. */
  const [freshId, setFreshId] = useState<string>();
  const [notice, setNotice] = useState<string>();
  const [warnings, setWarnings] = useState<Prepared['warnings']>([]);
  const [{ value: list, problem }, setList] = useAnswer(
    () => call('payments.list', { limit: 100 }),
    [store.paymentChanges],
  );
  const { payments = [] } = list ?? {};
  const chosen = payments.find(({ payment_id }) => payment_id === chosenId);
  const choose = (payment: Payment, announcement: string) => {
    const at = payments.findIndex(({ payment_id }) => payment_id === payment.payment_id);
    setList({ payments: at < 0 ? [payment, ...payments] : payments.with(at, payment), next_cursor: null });
    setChosenId(payment.payment_id);
    store.announce(announcement);
  };
  const prepared = ({ pczt: _, encoding: __, left, warnings: warned, ...payment }: Prepared) => {
    const more = leftText({ left }, formats);
    setNotice(more);
    setWarnings(warned);
    setFreshId(payment.payment_id);
    choose(payment, more === undefined ? texts.prepared : texts.preparedInPart);
  };
  // A link to another payment while the page is open.
  useEffect(() => {
    if (item !== undefined) setChosenId(item);
  }, [item]);
  useEffect(() => detail.current?.scrollIntoView({ block: 'nearest' }), [chosenId]);
  const isChecked = chosenId !== freshId || chosen === undefined;
  return (
    <>
      <Steps done={stepOf(chosen, isChecked)} />
      <Columns>
        <Card title={texts.prepareTitle}>
          <Hint text={texts.prepareHint} />
          <PrepareForm prepared={prepared} />
          <ShieldForm prepared={prepared} />
          <Hint text={notice} />
          {warnings.map(({ address, text }) => (
            <Problem key={text} text={address === null ? text : `${address} ${text}.`} />
          ))}
        </Card>
        <Card title={texts.payments}>
          <Problem text={problem} />
          {!list && <Hint text={problem ? '' : sharedTexts().reading} />}
          {list?.payments.length === 0 && <Hint text={texts.noPayments} />}
          <ul class="payments">
            {payments.map((payment) => (
              <li key={payment.payment_id}>
                <button
                  type="button"
                  class="choice"
                  aria-pressed={payment === chosen}
                  onClick={() => choose(payment, texts.shown)}
                >
                  <Amount zatoshi={movedZatoshi(payment)} />
                  <span>
                    {[statusText(payment, formats), waits(payment), formats.moment(payment.created_at)]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <Batch payments={payments} />
        </Card>
        <div ref={detail}>
          {chosen && (
            <PaymentDetail
              key={chosen.payment_id}
              payment={chosen}
              changed={choose}
              isChecked={isChecked}
              check={() => {
                setFreshId(undefined);
                detail.current?.querySelector('h2')?.focus();
              }}
            />
          )}
        </div>
        <Contacts />
      </Columns>
    </>
  );
}

const Steps = ({ done }: { done: number | undefined }) =>
  done === undefined ? null : (
    <ol class="steps" aria-label={payTexts().stepsLabel}>
      {STEPS.map((step, index) => (
        <li key={step} class={index < done ? 'done' : ''} aria-current={index === done ? 'step' : undefined}>
          {payTexts().steps[step]}
          {index < done && <span class="unseen">{payTexts().stepDone}</span>}
        </li>
      ))}
    </ol>
  );
