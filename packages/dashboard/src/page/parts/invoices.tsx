// The till's invoices as a list: each row is one button, so that a tap anywhere opens it; an order's number finds its invoice.

import { useState } from 'preact/hooks';
import { type Invoice, matching } from '../../model/till.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { tillTexts } from '../../texts/till.ts';
import { call, formats, store } from '../live/app.ts';
import { hasSound, knowInvoices, setSound } from '../live/sound.ts';
import { Check, Field } from './form.tsx';
import { useAnswer } from './hooks.ts';
import { Card } from './layout.tsx';
import { Hint, Problem } from './text.tsx';

const LATEST = 10;
/** Among so many a part of an order's number is looked for; the whole number finds an older one as well. */
const SEARCHED = 500;

/** Those that match, or the latest without a search. */
async function readInvoices(wanted: string): Promise<readonly Invoice[]> {
  if (wanted === '') {
    const { invoices } = await call('invoices.list', { limit: LATEST });
    knowInvoices(invoices);
    return invoices;
  }
  const [{ invoices }, exact] = await Promise.all([
    call('invoices.list', { limit: SEARCHED }),
    call('invoices.list', { reference: wanted }),
  ]);
  return matching([...exact.invoices, ...invoices], wanted);
}

export function Invoices({ open }: { open: (id: string) => void }) {
  const texts = tillTexts();
  const [wanted, setWanted] = useState('');
  const [isLoud, setLoud] = useState(hasSound);
  const searched = wanted.trim();
  const [{ value: invoices, problem }] = useAnswer(
    () => readInvoices(searched),
    [searched, store.invoiceChanges],
  );
  const loud = (isOn: boolean) => {
    setSound(isOn);
    setLoud(isOn);
  };
  return (
    <Card title={texts.latest}>
      <Field kind="search" label={texts.search} value={wanted} onText={setWanted} />
      <Check text={texts.sound} isOn={isLoud} check={loud} />
      <Problem text={problem} />
      {invoices?.length === 0 && <Hint text={searched === '' ? texts.none : texts.noneFound} />}
      <ul class="sales">
        {invoices?.map((invoice) => (
          <li key={invoice.invoice_id}>
            <button type="button" class="choice" onClick={() => open(invoice.invoice_id)}>
              <Row invoice={invoice} />
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Row({ invoice }: { invoice: Invoice }) {
  const texts = tillTexts();
  const { state, exception, reference, price, created_at: made, amount_zatoshi: amount } = invoice;
  const time = formats.moment(made);
  const zatoshi = amount === null ? sharedTexts().unknownAmount : formats.amountText(amount);
  const words = [
    texts.states[state],
    exception && texts.exceptions[exception],
    invoice.refunded_zatoshi > 0 && texts.refund,
  ];
  return (
    <>
      <b dir="auto" children={reference ?? time} />
      <b children={price ? formats.money(price.value, price.currency) : zatoshi} />
      <span class={exception ? 'problem' : ''} children={words.filter(Boolean).join(', ')} />
      {price && <span children={zatoshi} />}
      {reference !== null && <span class="when" children={time} />}
    </>
  );
}
