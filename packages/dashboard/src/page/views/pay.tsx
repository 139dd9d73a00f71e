// Payments that another device signs: prepared here, signed there, and sent. This page never has a spending key.

import { useEffect, useRef, useState } from 'preact/hooks';
import { leftText, type Payment, type Prepared, paidZatoshi, STATUS_TEXT } from '../../model/payments.ts';
import { useApp } from '../parts/app.ts';
import { useAnswer } from '../parts/calls.ts';
import { Card } from '../parts/layout.tsx';
import { PaymentDetail } from '../parts/paymentDetail.tsx';
import { PrepareForm } from '../parts/prepareForm.tsx';
import { Amount, Hint, Problem } from '../parts/text.tsx';

const MOST = 100;

export function Pay() {
  const { call, formats, store } = useApp();
  const detail = useRef<HTMLDivElement>(null);
  const [chosenId, setChosenId] = useState<string>();
  const [notice, setNotice] = useState<string>();
  const [{ value: payments, problem }, setPayments] = useAnswer(
    async () => (await call('payments.list', { limit: MOST })).payments,
    [store.paymentChanges],
  );
  const chosen = payments?.find(({ payment_id }) => payment_id === chosenId);
  const choose = (payment: Payment, said: string) => {
    const others = payments ?? [];
    const isKnown = others.some(({ payment_id }) => payment_id === payment.payment_id);
    setPayments(
      isKnown
        ? others.map((one) => (one.payment_id === payment.payment_id ? payment : one))
        : [payment, ...others],
    );
    setChosenId(payment.payment_id);
    store.say(said);
  };
  const prepared = ({ pczt: _, encoding: __, left, ...payment }: Prepared) => {
    const more = leftText({ left }, formats);
    setNotice(more);
    choose(payment, `The payment is prepared.${more === undefined ? '' : ' Not everything fitted into it.'}`);
  };
  useEffect(() => detail.current?.scrollIntoView({ block: 'nearest' }), [chosenId]);
  return (
    <div class="columns">
      <div>
        <Card title="Prepare a payment">
          <Hint text="It is signed elsewhere, by a hardware wallet or another program. Until it is sent, nothing has been paid." />
          <PrepareForm prepared={prepared} />
          <Hint text={notice} />
        </Card>
        <Card title="Payments">
          <Problem text={problem} />
          {!payments && problem === undefined && <Hint text="Reading…" />}
          {payments?.length === 0 && <Hint text="No payment has been prepared yet." />}
          <ul class="payments">
            {payments?.map((payment) => (
              <li key={payment.payment_id}>
                <button
                  type="button"
                  class="choice"
                  aria-pressed={payment === chosen}
                  onClick={() => choose(payment, 'The payment is shown.')}
                >
                  <Amount zatoshi={paidZatoshi(payment)} />
                  <span>{`${STATUS_TEXT[payment.status]} · ${formats.moment(payment.created_at)}`}</span>
                </button>
              </li>
            ))}
          </ul>
        </Card>
      </div>
      <div ref={detail}>
        {chosen && <PaymentDetail key={chosen.payment_id} payment={chosen} changed={choose} />}
      </div>
    </div>
  );
}
