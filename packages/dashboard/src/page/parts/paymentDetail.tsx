// One payment: what the signing device will show, and the next step.

import { CompanionError } from '@wallet-companion/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import * as payments from '../../model/payments.ts';
import { type App, useApp } from './app.ts';
import { ActionButton, Form, PasswordField, type Typed } from './form.tsx';
import { Actions, Card, type Fact, Facts, List } from './layout.tsx';
import { TakeAway, TakeBack } from './pcztExchange.tsx';
import { Amount, Hint, Memo } from './text.tsx';

interface PaymentProps {
  payment: payments.Payment;
  /** Receives the payment from each answer, and what to say about it. */
  changed: (payment: payments.Payment, said: string) => void;
}

export function PaymentDetail({ payment, changed }: PaymentProps) {
  const { call, formats } = useApp();
  const { payment_id, status } = payment;
  const can = payments.possible(payment);
  const takeBack = async (pczt: string) => {
    const answer = await call('payments.combine', { payment_id, pczt });
    const signatures = formats.counted(answer.signatures_added, 'signature');
    changed(answer, `${signatures} and ${formats.counted(answer.proofs_added, 'proof')} were taken.`);
  };
  const prove = async () => changed(await call('payments.prove', { payment_id }), 'The proofs are made.');
  const giveUp = async () =>
    changed(await call('payments.discard', { payment_id }), 'The payment is given up.');
  const aside = (
    <span class="tag" data-status={status}>
      {payments.STATUS_TEXT[status]}
    </span>
  );
  return (
    <Card title="Payment" aside={aside}>
      <Facts rows={factsOf(payment, formats)} />
      {can.signing && <Signer key={JSON.stringify(payment)} id={payment_id} />}
      {(can.signing || can.proving) && (
        <>
          <h3>Bring it back</h3>
          <TakeBack take={takeBack} />
        </>
      )}
      {can.proving && (
        <Actions>
          <ActionButton text="Make the proofs here" class="quiet" act={prove} />
        </Actions>
      )}
      {can.sending && <Send payment={payment} changed={changed} />}
      {can.discarding && (
        <Actions>
          <ActionButton text="Give it up" class="danger" act={giveUp} />
        </Actions>
      )}
    </Card>
  );
}

function factsOf(payment: payments.Payment, formats: App['formats']): readonly (Fact | false)[] {
  const { change, mined_height: mined, confirmations, expires_at: until, last_height: last } = payment;
  const sent = payments.sentText(payment);
  const missing = payments.missingText(payment, formats);
  const seen = payment.becomes_public.map((one) => payments.shownText(one, formats));
  return [
    ...payment.payments.map(({ pool, address, amount_zatoshi, memo }): Fact => {
      const name = pool === 'transparent' ? 'Pays in the open' : `Pays in ${pool}`;
      return [name, <Paid key={address} zatoshi={amount_zatoshi} to={address} memo={memo} />];
    }),
    ['Change', change === null ? 'None' : <Back key="change" {...change} />],
    ['Fee', <Amount key="fee" zatoshi={payment.fee_zatoshi} />],
    [
      'Becomes public',
      seen.length === 0 ? 'Nothing but that there was a transaction' : <List key="public" items={seen} />,
    ],
    mined !== null && [
      'Mined',
      `Block ${formats.count(mined)}, ${formats.counted(confirmations, 'confirmation')}`,
    ],
    mined === null &&
      until !== null && [
        'Can be mined until',
        `Block ${formats.count(last)}, about ${formats.moment(until)}`,
      ],
    sent !== undefined && ['Sent', sent],
    payments.possible(payment).discarding &&
      missing.length > 0 && ['Missing', <List key="missing" items={missing} />],
    ['Transaction', <code key="txid">{payment.txid}</code>],
  ];
}

interface PaidProps {
  zatoshi: number | null;
  to: string;
  memo: payments.Payment['payments'][number]['memo'];
  children?: ComponentChildren;
}

function Paid({ zatoshi, to, memo, children }: PaidProps) {
  return (
    <>
      {zatoshi === null ? 'An unknown amount' : <Amount zatoshi={zatoshi} />}
      <code>{to}</code>
      <Memo memo={memo} />
      {children}
    </>
  );
}

function Back({ amount_zatoshi: zatoshi, pool }: { amount_zatoshi: number | null; pool: string }) {
  return (
    <>
      {zatoshi === null ? 'An unknown amount' : <Amount zatoshi={zatoshi} />}
      {` in ${pool}`}
    </>
  );
}

function Signer({ id }: { id: string }) {
  const { call } = useApp();
  const [seen, setSeen] = useState<payments.Inspected>();
  const read = async () => (await call('payments.pczt', { payment_id: id })).pczt;
  const inspect = async () => setSeen(await call('pczt.inspect', { pczt: await read() }));
  return (
    <>
      <h3>Take it to the signer</h3>
      <Hint text="Compare what the device shows with this page, word for word, before you agree there." />
      <Actions>
        <TakeAway id={id} read={read} />
        <ActionButton text="What the device will show" class="quiet" act={inspect} />
      </Actions>
      {seen && <Device {...seen} />}
    </>
  );
}

/** The same as on a device: recipients, amounts, the fee, and warnings. */
function Device({ outputs, fee_zatoshi, becomes_public, warnings }: payments.Inspected) {
  const paid = outputs.filter(({ role }) => role === 'payment');
  const back = outputs.filter(({ role }) => role === 'change');
  const payee = ({ typed_address, address }: (typeof outputs)[number]): string =>
    typed_address ?? address ?? 'somebody who is not told';
  return (
    <div class="device">
      <Facts
        rows={[
          ...paid.map((one): Fact => {
            const isUnsure = !one.verified && (
              <p class="problem">Not verified: this may not be what is signed.</p>
            );
            return [
              'Pays',
              <Paid key={one.address} zatoshi={one.amount_zatoshi} to={payee(one)} memo={one.memo}>
                {isUnsure}
              </Paid>,
            ];
          }),
          ...back.map((one): Fact => ['Comes back', <Back key={one.address} {...one} />]),
          ['Fee', <Amount key="fee" zatoshi={fee_zatoshi} />],
          ['Everybody sees', <List key="public" items={becomes_public.statements} />],
        ]}
      />
      {warnings.length > 0 && (
        <List
          class="problem"
          items={warnings.map(({ field, text }) => (field === '' ? text : `${field}: ${text}`))}
        />
      )}
    </div>
  );
}

function Send({ payment: { payment_id, status }, changed }: PaymentProps) {
  const { call } = useApp();
  const [isAsked, setAsked] = useState(false);
  const send = async (typed: Typed) => {
    const password = typed('password') === '' ? {} : { password: typed('password') };
    try {
      changed(await call('payments.broadcast', { payment_id, ...password }), 'The payment is sent.');
    } catch (thrown) {
      const fields = thrown instanceof CompanionError ? (thrown.errors ?? []) : [];
      // Settings may require the password for each payment.
      if (fields.some(({ path }) => path === 'password')) setAsked(true);
      throw thrown;
    }
  };
  return (
    <Form submit={status === 'sent' ? 'Send it once more' : 'Send'} act={send}>
      <PasswordField hidden={!isAsked} />
    </Form>
  );
}
