// A refund of an invoice, prepared: its address is typed, read by the camera off the customer's screen, or taken from the memo of
// what came. It is looked at, signed and sent on the page Pay.

import { useState } from 'preact/hooks';
import { scanAddress } from '../../model/codeScan.ts';
import { Objection } from '../../model/problems.ts';
import { addressesOf, addressIn } from '../../model/refund.ts';
import { deviceTexts } from '../../texts/device.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { call, dashboardHref, formats } from '../live/app.ts';
import { leaveTo } from '../live/token.ts';
import { AmountField, Field, Form, type Typed } from '../parts/form.tsx';
import { useAnswer } from '../parts/hooks.ts';
import { Actions, Card } from '../parts/layout.tsx';
import { Boxed, Hint, Label, Problem } from '../parts/text.tsx';
import { Scan } from './scan.tsx';

export function Refund({ id }: { id: string }) {
  const texts = deviceTexts();
  const [address, setAddress] = useState('');
  const [{ value: invoice, problem }] = useAnswer(() => call('invoices.get', { invoice_id: id }), [id]);
  const prepare = async (typed: Typed) => {
    const zatoshi = formats.typedAmount(typed('amount'));
    if (zatoshi === undefined && typed('amount').trim() !== '')
      throw new Objection(sharedTexts().notAnAmount(formats.example()), 'amount');
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
    <Card title={texts.refund} aside={<Label text={invoice?.reference} />}>
      <Problem text={problem} />
      {invoice && (
        <>
          {addressesOf(invoice).map((written) => (
            <div key={written}>
              <Hint text={texts.writtenAddress} />
              <Boxed text={written} />
              <Actions>
                <button
                  type="button"
                  class="quiet"
                  onClick={() => setAddress(written)}
                  children={texts.useAddress}
                />
              </Actions>
            </div>
          ))}
          <Scan reader={scanAddress} begin={texts.scanAddress} take={setAddress} />
          <Form submit={texts.prepareRefund} act={prepare}>
            <Field
              kind="recipient"
              name="address"
              label={texts.customerAddress}
              help={texts.customerAddressHelp}
              value={address}
              onText={setAddress}
            />
            <AmountField help={texts.allOfIt(formats.amountText(invoice.refundable_zatoshi))} />
            <Hint text={texts.refundHint} />
          </Form>
        </>
      )}
    </Card>
  );
}
