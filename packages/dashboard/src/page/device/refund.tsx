// A refund of an invoice, prepared: its address is typed, read by the camera off the customer's screen, or taken from the memo of
// what came. It is looked at, signed and sent on the page Pay.

import { useState } from 'preact/hooks';
import { scanAddress } from '../../model/codeScan.ts';
import { Objection } from '../../model/problems.ts';
import { addressesOf, addressIn } from '../../model/refund.ts';
import { call, dashboardHref, formats } from '../live/app.ts';
import { leaveTo } from '../live/token.ts';
import { AmountField, Field, Form, type Typed } from '../parts/form.tsx';
import { useAnswer } from '../parts/hooks.ts';
import { Actions, Card } from '../parts/layout.tsx';
import { Boxed, Hint, Label, Problem } from '../parts/text.tsx';
import { Scan } from './scan.tsx';

const WRITTEN =
  'The payment came with an address. Anybody who pays can write one: compare it with the customer.';

export function Refund({ id }: { id: string }) {
  const [address, setAddress] = useState('');
  const [{ value: invoice, problem }] = useAnswer(() => call('invoices.get', { invoice_id: id }), [id]);
  const prepare = async (typed: Typed) => {
    const zatoshi = formats.typedAmount(typed('amount'));
    if (zatoshi === undefined && typed('amount').trim() !== '')
      throw new Objection(`This is not an amount. Write it like ${formats.example()}.`, 'amount');
    const { payment_id: item } = await call('payments.refund', {
      invoice_id: id,
      address: addressIn(typed('address')) ?? typed('address'),
      ...(zatoshi === undefined ? {} : { zatoshi }),
      // Whatever the form has, a person typed it, scanned it or agreed to it.
      confirmed: true,
    });
    leaveTo(dashboardHref({ page: 'pay', item }));
  };
  return (
    <Card title="Refund" aside={<Label text={invoice?.reference} />}>
      <Problem text={problem} />
      {invoice && (
        <>
          {addressesOf(invoice).map((written) => (
            <div key={written}>
              <Hint text={WRITTEN} />
              <Boxed text={written} />
              <Actions>
                <button
                  type="button"
                  class="quiet"
                  onClick={() => setAddress(written)}
                  children="Use this address"
                />
              </Actions>
            </div>
          ))}
          <Scan reader={scanAddress} begin="Scan it with the camera" take={setAddress} />
          <Form submit="Prepare the refund" act={prepare}>
            <Field
              kind="recipient"
              name="address"
              label="Address of the customer"
              help="Type it, or read its code with a hand scanner or the camera."
              value={address}
              onText={setAddress}
            />
            <AmountField help={`Empty: all of it, ${formats.amountText(invoice.refundable_zatoshi)}`} />
            <Hint text="You look at it and sign it next. The fee is added." />
          </Form>
        </>
      )}
    </Card>
  );
}
