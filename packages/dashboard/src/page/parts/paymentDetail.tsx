// One payment: what is signed, by the wallet itself or elsewhere, and the next step.

import { CompanionError } from '@wallet-companion/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pcztMessage, type Ur } from '../../model/movingCode.ts';
import * as model from '../../model/payments.ts';
import { problemText } from '../../model/problems.ts';
import { payTexts } from '../../texts/pay.ts';
import { call, deviceHref, formats, isWindow, leastConfirmations, store } from '../live/app.ts';
import { inOwnTab } from '../live/token.ts';
import { ActionButton, Form, PasswordField, type Typed } from './form.tsx';
import { useAttempt, useNow } from './hooks.ts';
import { Actions, Card, type Fact, Facts, List } from './layout.tsx';
import { TakeAway, TakeBack } from './pcztExchange.tsx';
import { MovingCode } from './qr.tsx';
import { Amount, type HasMemo, Hint, Label, Memo, Problem } from './text.tsx';
import { ReceiptLink } from './transactions.tsx';

interface PaymentProps {
  payment: model.Payment;
  /** Receives the payment from each answer, and what to say about it. */
  changed: Changed;
}
type Changed = (payment: model.Payment, announcement: string) => void;

interface DetailProps extends PaymentProps {
  isChecked: boolean;
  check: () => void;
}

/** While signatures are to come, what is shown to the signer stays as it is. */
const signaturesIn = ({ missing }: model.Payment) => missing.map(({ signatures }) => signatures).join();

export function PaymentDetail({ payment, changed: report, isChecked, check }: DetailProps) {
  const { payment_id } = payment;
  const texts = payTexts();
  const [stop, setStop] = useState<string>();
  const changed: Changed = (...now) => {
    setStop(undefined);
    report(...now);
  };
  const id = { payment_id };
  const can = isChecked ? model.possible(payment) : model.NOTHING_BUT_DISCARDING;
  const takeBack = async (pczt: string) => {
    const answer = await call('payments.combine', { ...id, pczt });
    changed(answer, model.takenText(answer, formats));
  };
  const proofs = useProofs(payment);
  const { own_signer: isOwn = false, program_signer: isProgram = false } = store.status ?? {};
  const giveUp = async () => changed(await call('payments.discard', id), texts.givenUp);
  return (
    <Card title={texts.payment} aside={<Label text={model.statusText(payment, formats)} />}>
      <Facts rows={factsOf(payment)} />
      {can.signing && isProgram && (
        <ProgramSigner payment={payment} changed={changed} begins={proofs.begin} />
      )}
      {can.signing && isOwn && (
        <OwnSigner payment={payment} changed={changed} begins={proofs.begin} stopped={setStop} />
      )}
      {(can.signing || can.proving) && (
        <Elsewhere isAside={(isOwn || isProgram) && store.status?.device === null}>
          {can.signing && <Signer key={signaturesIn(payment)} id={payment_id} begins={proofs.begin} />}
          <h3>{texts.bringBack}</h3>
          {can.signing && !isWindow && (
            <p>
              <a href={deviceHref({ page: 'pay', item: payment_id })} {...inOwnTab()}>
                {texts.scanAnswer}
              </a>
            </p>
          )}
          <TakeBack take={takeBack} />
        </Elsewhere>
      )}
      {can.proving && proofs.since && <Proofs since={proofs.since} />}
      {can.proving && <Problem text={proofs.problem} />}
      <Problem text={stop} />
      {can.sending && <Send payment={payment} changed={changed} />}
      {model.hasReceipt(payment) && <ReceiptLink txid={payment.txid} />}
      <Actions>
        {isChecked || <button type="button" onClick={check} children={texts.right} />}
        {can.proving && !proofs.since && <ActionButton text={texts.prove} class="quiet" act={proofs.begin} />}
        {can.discarding && <ActionButton text={texts.giveUp} class="danger" act={giveUp} />}
      </Actions>
    </Card>
  );
}

/** No signature covers proofs, so they are made while the person signs, who may look at another payment by then. */
function useProofs({ payment_id, missing, proving_since: since }: model.Payment) {
  const [mine, setMine] = useState<string>();
  const { problem, attempt } = useAttempt();
  const lack = missing.some(({ proofs, signer_keys: keys }) => proofs && !keys);
  const begin = () =>
    attempt(async () => {
      if (!lack) return;
      setMine(new Date().toISOString());
      await call('payments.prove', { payment_id }).finally(() => setMine(undefined));
      store.announce(payTexts().proved);
      // Not every proof is an event.
      store.set({ paymentChanges: store.paymentChanges + 1 });
    });
  // This page was loaded anew, or another one began: the companion answers both.
  useEffect(() => void (since && begin()), [since]);
  return { since: since ?? mine, problem, begin };
}

function Proofs({ since }: { since: string }) {
  return <Hint text={model.provingText(since, useNow(), formats)} />;
}

function factsOf(payment: model.Payment): readonly (Fact | false)[] {
  const { change } = payment;
  const texts = payTexts();
  const left = model.leftAfter(payment, store.funds?.balance.total_zatoshi);
  const missing = model.missingText(payment, formats);
  const seen = payment.becomes_public.map((one) => model.shownText(one, formats));
  return [
    payment.refund_of !== null && [texts.refunds, <code key="refunds">{payment.refund_of}</code>],
    ...payment.payments.map((one): Fact => {
      const name = one.pool === 'transparent' ? texts.paysOpen : texts.paysIn(one.pool);
      return [
        name,
        <Sum
          key={one.address}
          zatoshi={one.amount_zatoshi}
          who={one.contact}
          to={one.address}
          memo={one.memo}
        />,
      ];
    }),
    model.isShielding(payment) && [
      texts.shields,
      <List key="shields" items={model.shieldedTexts(payment, formats)} />,
    ],
    [
      model.isShielding(payment) ? texts.becomesYours : texts.change,
      change === null ? (
        texts.none
      ) : (
        <Sum key="change" zatoshi={change.amount_zatoshi} pool={change.pool} notes={change.notes} />
      ),
    ],
    [texts.fee, <Amount key="fee" zatoshi={payment.fee_zatoshi} />],
    left !== undefined && [texts.leftAfter, <Amount key="left" zatoshi={left} />],
    [texts.public, seen.length === 0 ? texts.nothingPublic : <List key="public" items={seen} />],
    ...model.stateRows(payment, leastConfirmations(), formats),
    missing.length > 0 && [texts.missing, <List key="missing" items={missing} />],
    [texts.transaction, <code key="txid">{payment.txid}</code>],
  ];
}

type SumProps = {
  pool?: string;
  notes?: number;
  who?: string | null;
  to?: string;
  memo?: HasMemo['memo'];
  doubt?: string | null;
};

const Sum = ({
  zatoshi,
  pool,
  notes = 1,
  who,
  to,
  memo = null,
  doubt,
}: SumProps & { zatoshi: number | null }) => (
  <>
    <Amount zatoshi={zatoshi} />
    {pool && payTexts().inPool(pool)}
    {notes > 1 && payTexts().notes(notes)}
    {who && payTexts().toWhom(who)}
    {to && <code>{to}</code>}
    <Memo memo={memo} />
    <Problem text={doubt} />
  </>
);

/** What most people with a phrase never need. */
function Elsewhere({ isAside, children }: { isAside: boolean; children: ComponentChildren }) {
  if (!isAside) return <>{children}</>;
  return (
    <details>
      <summary>{payTexts().elsewhere}</summary>
      {children}
    </details>
  );
}

interface SignerProps extends PaymentProps {
  begins: () => Promise<void>;
}

/** The program or allowance signer of config.json, which may want to wait. */
function ProgramSigner({ payment: { payment_id }, changed, begins }: SignerProps) {
  const texts = payTexts();
  const sign = async () => {
    void begins();
    const now = await call('payments.sign', { payment_id, signer: 'program' });
    changed(now, now.waits_for === null ? texts.isSigned : texts.signerWaits);
  };
  return (
    <>
      <h3>{texts.signByProgram}</h3>
      <Hint text={texts.programHint} />
      <Actions>
        <ActionButton text={texts.askSigner} act={sign} />
      </Actions>
    </>
  );
}

interface OwnSignerProps extends SignerProps {
  /** Receives why a signed payment went no further: it has no form here any more, and so no place to show it. */
  stopped: (problem: string) => void;
}

/** The proofs are made while the person types. */
function OwnSigner({ payment, changed, begins, stopped }: OwnSignerProps) {
  const { payment_id, txid } = payment;
  const texts = payTexts();
  useEffect(() => void begins(), [payment_id]);
  const signAndSend = async (typed: Typed) => {
    const secret = { payment_id, password: typed('password') };
    let now: model.Payment = await call('payments.sign', { ...secret, txid, signer: 'own' });
    try {
      if (model.possible(now).proving) now = await call('payments.prove', { payment_id });
      now = await call('payments.broadcast', secret);
      changed(now, texts.isSent);
    } catch (thrown) {
      changed(now, texts.isSigned);
      stopped(problemText(thrown));
    }
  };
  return (
    <>
      <h3>{texts.signHere}</h3>
      <Hint text={texts.signHint} />
      <Form submit={texts.signAndSend} act={signAndSend}>
        <PasswordField />
      </Form>
    </>
  );
}

/** `begins`: the payment leaves for the signer. */
function Signer({ id, begins }: { id: string; begins: () => Promise<void> }) {
  const texts = payTexts();
  const [seen, setSeen] = useState<model.Inspected>();
  const [coded, setCoded] = useState<Ur>();
  const read = async () => (await call('payments.pczt', { payment_id: id })).pczt;
  const leave = () => {
    void begins();
    return read();
  };
  const inspect = async () => setSeen(await call('pczt.inspect', { pczt: await read() }));
  return (
    <>
      <h3>{texts.takeToSigner}</h3>
      <Hint text={texts.compare} />
      <Actions>
        <TakeAway id={id} read={leave} />
        <ActionButton
          text={coded ? texts.hideCodes : texts.showCodes}
          class="quiet"
          act={async () => setCoded(coded ? undefined : pcztMessage(await leave()))}
        />
        <ActionButton text={texts.deviceShows} class="quiet" act={inspect} />
      </Actions>
      {coded && <MovingCode message={coded} />}
      {seen && <Device {...seen} />}
    </>
  );
}

/** The same as on a device: recipients, amounts, the fee, and warnings. */
function Device({ outputs, fee_zatoshi, becomes_public, warnings }: model.Inspected) {
  const texts = payTexts();
  const paid = outputs.filter(({ role }) => role === 'payment');
  const back = outputs.filter(({ role }) => role === 'change');
  const rows: readonly Fact[] = [
    ...paid.map((one): Fact => {
      const to = one.typed_address ?? one.address ?? texts.unnamed;
      const doubt = one.verified ? null : texts.notVerified;
      return [
        texts.pays,
        <Sum key={to} zatoshi={one.amount_zatoshi} who={one.contact} to={to} memo={one.memo} doubt={doubt} />,
      ];
    }),
    ...back.map(
      (one): Fact => [texts.comesBack, <Sum key={one.pool} zatoshi={one.amount_zatoshi} pool={one.pool} />],
    ),
    [texts.fee, <Amount key="fee" zatoshi={fee_zatoshi} />],
    [texts.everybodySees, <List key="public" items={becomes_public.statements} />],
  ];
  const warned = warnings.map(({ field, text }) => (field === '' ? text : `${field}: ${text}`));
  return (
    <div class="device">
      <Facts rows={rows} />
      {warned.length > 0 && <List class="problem" items={warned} />}
    </div>
  );
}

function Send({ payment: { payment_id, status }, changed }: PaymentProps) {
  const [isAsked, setAsked] = useState(false);
  const send = async (typed: Typed) => {
    const password = typed('password') === '' ? {} : { password: typed('password') };
    try {
      changed(await call('payments.broadcast', { payment_id, ...password }), payTexts().isSent);
    } catch (thrown) {
      const fields = thrown instanceof CompanionError ? (thrown.errors ?? []) : [];
      // Settings may require the password for each payment.
      if (fields.some(({ path }) => path === 'password')) setAsked(true);
      throw thrown;
    }
  };
  return (
    <Form submit={status === 'sent' ? payTexts().sendAgain : payTexts().send} act={send}>
      <PasswordField hidden={!isAsked} required={false} />
    </Form>
  );
}
