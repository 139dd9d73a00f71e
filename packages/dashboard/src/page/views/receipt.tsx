// The receipt of an invoice, to print for the customer: what was asked for at which rate, and the transactions that paid it.

import { placeIn } from '../../model/place.ts';
import { type Invoice, refundState } from '../../model/till.ts';
import { activityTexts } from '../../texts/activity.ts';
import { statementTexts } from '../../texts/statement.ts';
import { tillTexts } from '../../texts/till.ts';
import { call, formats, isWindow, store, to } from '../live/app.ts';
import { useAnswer } from '../parts/hooks.ts';
import { Actions, Card, type Fact, Facts } from '../parts/layout.tsx';
import { Amount, Hint, Notice, Problem } from '../parts/text.tsx';

export function Receipt() {
  const { item = '' } = placeIn(location.hash);
  const [{ value: invoice, problem }] = useAnswer(
    () => call('invoices.get', { invoice_id: item }),
    [item, store.invoiceChanges],
  );
  return (
    <>
      <Problem text={problem} />
      {invoice && <Sheet key={invoice.invoice_id} invoice={invoice} />}
    </>
  );
}

function Sheet({ invoice }: { invoice: Invoice }) {
  const texts = tillTexts();
  const { payments, refunds, exception, state } = invoice;
  // What no block has may still vanish: nobody takes that home as paid.
  const mined = payments.filter(({ height }) => height !== null);
  const isPaid = state === 'paid' || state === 'confirmed';
  return (
    <div class="sheet">
      <Card title={texts.receipt} isFocused>
        <Notice text={isPaid && exception !== 'reversed' ? '' : texts.notPaid} />
        <Notice text={invoice.warning} />
        <Facts rows={facts(invoice)} />
        {mined.map((payment) => (
          <div class="part" key={`${payment.txid} ${payment.pool} ${payment.output_index}`}>
            <Facts
              rows={[
                [texts.received, <Amount key="amount" zatoshi={payment.amount_zatoshi} />],
                payment.time !== null && [texts.paidAt, formats.moment(payment.time)],
                payment.height !== null && [activityTexts().block, formats.count(payment.height)],
                [activityTexts().transaction, <code key="txid" children={payment.txid} />],
              ]}
            />
          </div>
        ))}
        {refunds.map((refund) => (
          <Hint
            key={refund.payment_id}
            text={`${texts.refund}, ${texts.refundStates[refundState(refund)]}: ${formats.amountText(refund.amount_zatoshi)}`}
          />
        ))}
        <div class="no-print">
          <Actions>
            <a href={to('till')} children={texts.toTill} />
            {!isWindow && <button type="button" onClick={() => print()} children={statementTexts().print} />}
          </Actions>
        </div>
      </Card>
    </div>
  );
}

function facts(invoice: Invoice): readonly (Fact | false)[] {
  const texts = tillTexts();
  const { reference, label, price, amount_zatoshi: amount, state, exception } = invoice;
  return [
    label !== null && [texts.seller, label],
    reference !== null && [texts.order, reference],
    [texts.invoiceNumber, invoice.invoice_id],
    [texts.madeAt, formats.moment(invoice.created_at)],
    price !== null && [texts.money, formats.money(price.value, price.currency)],
    amount !== null && [texts.asked, <Amount key="asked" zatoshi={amount} />],
    price !== null && [
      texts.rate,
      `${formats.money(price.rate, price.currency)} (${formats.moment(price.rate_time)}, ${price.source})`,
    ],
    [texts.state, [texts.states[state], exception && texts.exceptions[exception]].filter(Boolean).join(', ')],
  ];
}
