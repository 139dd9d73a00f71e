// A refund of an invoice, prepared: its address is typed, read by the camera off the customer's screen, or taken from the memo of
// what came. It is looked at, signed and sent on the page Pay.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Objection } from '../../model/problems.ts';
import { addressesOf, addressIn } from '../../model/refund.ts';
import { deviceTexts } from '../../texts/device.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { call, formats } from '../live/app.ts';
import { AmountField, Field, Form, type Typed } from './form.tsx';
import { useAnswer } from './hooks.ts';
import { Actions, Card } from './layout.tsx';
import { Boxed, Hint, Label, Problem } from './text.tsx';

interface RefundProps {
  /** Of the invoice. */
  id: string;
  /** What reads an address by the camera, and gives it to `take`. */
  camera: (take: (address: string) => void) => ComponentChildren;
  prepared: (paymentId: string) => void;
}

export function Refund({ id, camera, prepared }: RefundProps) {
  const texts = deviceTexts();
  const [address, setAddress] = useState('');
  const [{ value: invoice, problem }] = useAnswer(() => call('invoices.get', { invoice_id: id }), [id]);
  const prepare = async (typed: Typed) => {
    const zatoshi = formats.typedAmount(typed('amount'));
    if (zatoshi === undefined && typed('amount').trim() !== '')
      throw new Objection(sharedTexts().notAnAmount(formats.example()), 'amount');
    const { payment_id: paymentId } = await call('payments.refund', {
      invoice_id: id,
      address: addressIn(typed('address')) ?? typed('address'),
      ...(zatoshi === undefined ? {} : { zatoshi }),
      // Whatever the form has, a person typed it, scanned it or agreed to it.
      confirmed: true,
    });
    prepared(paymentId);
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
          {camera(setAddress)}
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
