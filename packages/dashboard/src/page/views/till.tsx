// The till: an amount becomes an invoice with a code for the customer's wallet, which turns green when it is paid.

import type { Input, Output } from '@wallet-companion/client';
import { timeLeft } from '@wallet-companion/client/checkout';
import { useState } from 'preact/hooks';
import { UNIT } from '../../model/amounts.ts';
import { codeOf, Objection } from '../../model/problems.ts';
import { qrOutline } from '../../model/qrCode.ts';
import { type Invoice, refundState, tillLook } from '../../model/till.ts';
import { deviceTexts } from '../../texts/device.ts';
import { type TillTexts, tillTexts } from '../../texts/till.ts';
import { call, deviceHref, formats, isWindow, store, to } from '../live/app.ts';
import { openSound } from '../live/sound.ts';
import { inOwnTab } from '../live/token.ts';
import { EndTill } from '../parts/cashier.tsx';
import { DayCard } from '../parts/day.tsx';
import { ActionButton, AmountField, Field, Form, type Typed } from '../parts/form.tsx';
import { useAnswer, useNow } from '../parts/hooks.ts';
import { Invoices } from '../parts/invoices.tsx';
import { Actions, Card, Columns } from '../parts/layout.tsx';
import { QrCode } from '../parts/qr.tsx';
import { Refund } from '../parts/refund.tsx';
import { Amount, Label, Notice, Problem } from '../parts/text.tsx';

export function Till() {
  const texts = tillTexts();
  const [id, setId] = useState<string>();
  const isCashiers = store.phase === 'till';
  openSound();
  return (
    <>
      {isCashiers && store.status?.unlocked === false && <Notice role="alert" text={texts.walletLocked} />}
      {store.follow?.enabled === false && (
        <>
          <Notice text={texts.notFollowed} />
          <Actions>
            <ActionButton
              text={texts.follow}
              act={async () => store.set({ follow: await call('follow.set', { enabled: true }) })}
            />
          </Actions>
        </>
      )}
      {id === undefined ? (
        <Columns>
          <Ask texts={texts} made={setId} />
          {isCashiers ? <EndTill /> : <DayCard />}
          <Invoices open={setId} />
        </Columns>
      ) : (
        <Shown key={id} id={id} texts={texts} close={() => setId(undefined)} />
      )}
    </>
  );
}

/** The currency of the last invoice, for the next one. */
let lastCurrency: string | undefined;

type Prices = Output<'prices.get'>;

function Ask({ texts, made }: { texts: TillTexts; made: (id: string) => void }) {
  const [{ value: prices }] = useAnswer(() => call('prices.get'), []);
  const [stale, setStale] = useState<{ readonly input: Input<'invoices.create'>; readonly rate: string }>();
  const currencies = currenciesOf(prices);
  const [chosen, choose] = useState(lastCurrency);
  const currency = [...currencies, UNIT].find((code) => code === chosen) ?? currencies[0] ?? UNIT;
  const create = async (input: Input<'invoices.create'>) =>
    made((await call('invoices.create', input)).invoice_id);
  const ask = async (typed: Typed) => {
    setStale(undefined);
    const reference = typed('reference').trim();
    // A currency that is named may be quoted by now. A bare number is in what the page shows beside it, whatever came since.
    const quoted = new Set([...currencies, ...currenciesOf(await call('prices.get'))]);
    const amount = amountTyped(typed('amount'), [...quoted], currency);
    if (amount === undefined) throw new Objection(`${texts.notAnAmount} ${formats.example()}`, 'amount');
    const input = { ...amount, ...(reference === '' ? {} : { reference }) };
    try {
      await create(input);
    } catch (thrown) {
      if (codeOf(thrown) !== 'PRICE_STALE' || !('currency' in amount)) throw thrown;
      const rate = rateText(await call('prices.get'), amount.currency, texts);
      setStale({ input: { ...input, accept_stale_rate: true }, rate: `${texts.stale} ${rate}` });
    }
  };
  return (
    <Card title={texts.title} isFocused>
      <Form submit={texts.show} act={ask}>
        <AmountField label={texts.amount} help={currencies.length === 0 ? texts.amountHelp : undefined} />
        {currencies.length > 0 && (
          <Field
            label={texts.currency}
            options={[...currencies, UNIT].map((code) => [code, code])}
            value={currency}
            onText={(code) => {
              lastCurrency = code;
              choose(code);
            }}
            help={
              prices && currency !== UNIT ? `${texts.rate} ${rateText(prices, currency, texts)}` : undefined
            }
          />
        )}
        <Field kind="label" name="reference" label={texts.order} help={texts.orderHelp} />
      </Form>
      {prices?.is_configured && currencies.length === 0 && (
        <Notice text={`${texts.noPrices} ${prices.problem ?? ''}`} />
      )}
      {stale && (
        <>
          <Notice role="alert" text={stale.rate} />
          <Actions>
            <ActionButton text={texts.useStale} act={() => create(stale.input)} />
          </Actions>
        </>
      )}
    </Card>
  );
}

const currenciesOf = (prices: Prices | undefined): string[] =>
  prices?.prices.map(({ currency }) => currency) ?? [];

/** What the typed text asks for: in the currency that it names, else in the chosen one. */
function amountTyped(text: string, currencies: readonly string[], chosen: string) {
  const money = formats.typedMoney(
    text,
    currencies,
    currencies.find((code) => code === chosen),
  );
  if (money !== undefined) return money;
  const zatoshi = chosen === UNIT ? formats.typedAmount(text) : undefined;
  return zatoshi === undefined ? undefined : { amount_zatoshi: zatoshi };
}

function rateText({ prices, time }: Prices, currency: string, texts: TillTexts): string {
  const price = prices.find((one) => one.currency === currency)?.price;
  return price === undefined || time === null
    ? currency
    : `${formats.money(price, currency)} ${texts.at} ${formats.time(time)}`;
}

/** One invoice, large enough to be read and scanned over a counter. */
function Shown({ id, texts, close }: { id: string; texts: TillTexts; close: () => void }) {
  const read = () => call('invoices.get', { invoice_id: id });
  const [{ value: invoice, problem }, setInvoice] = useAnswer(read, [store.invoiceChanges]);
  const [isRefunding, setRefunding] = useState(false);
  if (invoice === undefined) return <Problem text={problem} />;
  // Both need more of the wallet than a cashier's page reaches.
  const isOwners = store.phase !== 'till';
  const { tone, headline, lines, due } = tillLook(invoice, texts);
  const cancel = async () => setInvoice(await call('invoices.cancel', { invoice_id: id }));
  const shown = (
    <section class={`card till ${tone}`}>
      <h2>
        <span role="status" children={headline} />
      </h2>
      {invoice.amount_zatoshi !== null && (
        <p class="total">
          <Amount zatoshi={invoice.amount_zatoshi} />
        </p>
      )}
      {invoice.price && <Priced price={invoice.price} texts={texts} />}
      <Label text={invoice.reference} />
      {/* The rest is asked for by a request of its own, which takes a grant that reads. */}
      {due !== null && (isOwners || due === undefined || due === invoice.amount_zatoshi) && (
        <Code invoice={invoice} due={due} label={texts.code} />
      )}
      {lines.map(([text, given]) => (
        <p key={text}>
          {text} {typeof given === 'object' ? <Amount zatoshi={given.zatoshi} /> : given}
        </p>
      ))}
      {tone !== 'good' && tone !== 'over' && <Clock invoice={invoice} text={texts.left} />}
      <Problem text={problem} />
      <Actions>
        <button type="button" onClick={close} children={texts.next} />
        {isOwners && invoice.received_zatoshi > 0 && (
          <a href={to(`receipt/${id}`)} children={texts.receipt} />
        )}
        {tone === 'open' && <ActionButton text={texts.cancel} class="quiet" act={cancel} />}
        {isOwners && invoice.refundable_zatoshi > 0 && !isRefunding && (
          <button type="button" class="quiet" onClick={() => setRefunding(true)} children={texts.refund} />
        )}
      </Actions>
      <ul class="labels">
        {invoice.refunds.map((refund) => (
          <li key={refund.payment_id}>
            {isOwners ? <a href={to(`pay/${refund.payment_id}`)}>{texts.refund}</a> : texts.refund}
            <span>{texts.refundStates[refundState(refund)]}</span>
            <Amount zatoshi={refund.amount_zatoshi} />
          </li>
        ))}
      </ul>
    </section>
  );
  if (!isRefunding) return shown;
  return (
    <>
      {shown}
      <Refund id={id} camera={() => <CameraLink id={id} />} prepared={openPayment} />
    </>
  );
}

const openPayment = (id: string): void => {
  location.hash = to(`pay/${id}`);
};

/** The camera is on a page of its own, which the window has not. */
const CameraLink = ({ id }: { id: string }) =>
  isWindow ? null : (
    <a href={deviceHref({ page: 'refund', item: id })} {...inOwnTab()} children={deviceTexts().scanAddress} />
  );

const Priced = ({ price, texts }: { price: NonNullable<Invoice['price']>; texts: TillTexts }) => (
  <p>
    <strong children={formats.money(price.value, price.currency)} />{' '}
    <span class="hint">
      {texts.rate} {formats.money(price.rate, price.currency)} {texts.at} {formats.time(price.rate_time)}
    </span>
  </p>
);

/** After a part of the amount has arrived it asks for the rest alone. */
function Code({ invoice, due, label }: { invoice: Invoice; due: number | undefined; label: string }) {
  const { invoice_id, account, diversifier_index, amount_zatoshi: amount } = invoice;
  const [{ value, problem }] = useAnswer(
    () =>
      due === undefined || due === amount
        ? call('invoices.qr', { invoice_id, format: 'text' })
        : call('payment_uri.qr', { account, diversifier_index, zatoshi: due, format: 'text' }),
    [invoice_id, due],
  );
  return (
    <>
      <Problem text={problem} />
      {value && <QrCode outline={qrOutline(value.image)} label={label} />}
    </>
  );
}

function Clock({ invoice, text }: { invoice: Invoice; text: string }) {
  const now = useNow();
  return (
    <p class="hint" role="timer">
      {text} {timeLeft(invoice.expires_at, now)}
    </p>
  );
}
