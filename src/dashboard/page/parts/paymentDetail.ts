// One payment: what the signing device will show, and the next step.

import { CompanionError } from '@wallet-companion/client';
import {
  type Inspected,
  missingText,
  type Payment,
  possible,
  STATUS_TEXT,
  sentText,
  shownText,
} from '../../model/payments.ts';
import { amount } from './amount.ts';
import { announce } from './announce.ts';
import type { App } from './app.ts';
import { cardWith, facts } from './card.ts';
import { type Child, h, replace, setText, show } from './dom.ts';
import { actionButton, form, passwordField, take } from './form.ts';
import { memoElement } from './memo.ts';
import { takeAway, takeBack } from './pcztExchange.ts';

export interface PaymentDetail {
  readonly element: HTMLElement;
  show(payment: Payment): void;
  leave(): void;
}

/** `changed` receives the payment from each answer. */
export function paymentDetail(app: App, changed: (payment: Payment) => void): PaymentDetail {
  const { formats } = app;
  const place = h('div');
  let isGone = false;
  let shown: Payment | undefined;

  const done = (payment: Payment, said: string): void => {
    if (isGone) return;
    changed(payment);
    announce(said);
  };

  const draw = (payment: Payment): void => {
    shown = payment;
    const can = possible(payment);
    const id = { payment_id: payment.payment_id };
    replace(
      place,
      cardWith(
        'Payment',
        { aside: h('span', { class: 'tag', 'data-status': payment.status }, STATUS_TEXT[payment.status]) },
        facts([
          ...payment.payments.map(({ pool, address, amount_zatoshi: zatoshi, memo }): [string, Child] => [
            pool === 'transparent' ? 'Pays in the open' : `Pays in ${pool}`,
            [amount(formats, zatoshi), h('code', {}, address), memoElement(memo)],
          ]),
          [
            'Change',
            payment.change === null
              ? 'None'
              : [amount(formats, payment.change.amount_zatoshi), ` in ${payment.change.pool}`],
          ],
          ['Fee', amount(formats, payment.fee_zatoshi)],
          [
            'Becomes public',
            payment.becomes_public.length === 0
              ? 'Nothing but that there was a transaction'
              : h(
                  'ul',
                  {},
                  payment.becomes_public.map((one) => h('li', {}, shownText(one, formats))),
                ),
          ],
          ...state(payment),
          ['Transaction', h('code', {}, payment.txid)],
        ]),
        can.signing && signerPart(payment),
        (can.signing || can.proving) && [
          h('h3', {}, 'Bring it back'),
          takeBack(async (pczt) => {
            const answer = await app.call('payments.combine', { ...id, pczt });
            const { signatures_added: signatures, proofs_added: proofs } = answer;
            done(
              answer,
              `${formats.counted(signatures, 'signature')} and ${formats.counted(proofs, 'proof')} were taken.`,
            );
          }),
        ],
        can.proving &&
          h(
            'div',
            { class: 'actions' },
            actionButton('Make the proofs here', 'quiet', async () => {
              done(await app.call('payments.prove', id), 'The proofs are made.');
            }),
          ),
        can.sending && sendPart(payment),
        can.discarding &&
          h(
            'div',
            { class: 'actions' },
            actionButton('Give it up', 'danger', async () => {
              done(await app.call('payments.discard', id), 'The payment is given up.');
            }),
          ),
      ),
    );
  };

  const state = (payment: Payment): [string, Child][] => {
    const { mined_height: height, confirmations, expires_at: until, last_height: last } = payment;
    const sent = sentText(payment);
    const missing = missingText(payment, formats);
    return [
      ...(height === null
        ? []
        : ([
            ['Mined', `Block ${formats.count(height)}, ${formats.counted(confirmations, 'confirmation')}`],
          ] as const)),
      ...(height !== null || until === null
        ? []
        : ([
            ['Can be mined until', `Block ${formats.count(last)}, about ${formats.moment(until)}`],
          ] as const)),
      ...(sent === undefined ? [] : ([['Sent', sent]] as const)),
      ...(possible(payment).discarding && missing.length > 0
        ? ([
            [
              'Missing',
              h(
                'ul',
                {},
                missing.map((one) => h('li', {}, one)),
              ),
            ],
          ] as const)
        : []),
    ].map(([name, value]) => [name, value]);
  };

  const signerPart = ({ payment_id }: Payment): Child => {
    const seen = h('div', { class: 'device' });
    const read = async (): Promise<string> => (await app.call('payments.pczt', { payment_id })).pczt;
    return [
      h('h3', {}, 'Take it to the signer'),
      h(
        'p',
        { class: 'hint' },
        'Compare what the device shows with this page, word for word, before you agree there.',
      ),
      h(
        'div',
        { class: 'actions' },
        takeAway(app, payment_id, read),
        actionButton('What the device will show', 'quiet', async () => {
          const inspected = await app.call('pczt.inspect', { pczt: await read() });
          if (!isGone) replace(seen, inspectedPart(app, inspected));
        }),
      ),
      seen,
    ];
  };

  const sendPart = ({ payment_id, status }: Payment): Child => {
    const password = passwordField('Password');
    password.input.removeAttribute('required');
    show(password.element, false);
    return form({
      fields: [password.element],
      submit: status === 'sent' ? 'Send it once more' : 'Send',
      act: async () => {
        const given = take(password);
        try {
          const answer = await app.call('payments.broadcast', {
            payment_id,
            ...(given === '' ? {} : { password: given }),
          });
          done(answer, 'The payment is sent.');
        } catch (thrown) {
          // Settings may require the password for each payment.
          if (
            thrown instanceof CompanionError &&
            (thrown.errors ?? []).some(({ path }) => path === 'password')
          )
            show(password.element, true);
          throw thrown;
        }
      },
    });
  };

  return {
    element: place,
    show: (payment) => {
      // Text that the user reads or types stays until the payment changes.
      if (JSON.stringify(payment) !== JSON.stringify(shown)) draw(payment);
    },
    leave: () => {
      isGone = true;
      for (const input of place.querySelectorAll('input')) input.value = '';
      for (const code of place.querySelectorAll('code')) setText(code, '');
      replace(place);
    },
  };
}

/** The same as on a device: recipients, amounts, the fee, and warnings. */
function inspectedPart({ formats }: App, seen: Inspected): Child {
  const paid = seen.outputs.filter(({ role }) => role === 'payment');
  const back = seen.outputs.filter(({ role }) => role === 'change');
  const value = (zatoshi: number | null): Child =>
    zatoshi === null ? 'An unknown amount' : amount(formats, zatoshi);
  return [
    facts([
      ...paid.map((one): [string, Child] => [
        'Pays',
        [
          value(one.amount_zatoshi),
          h('code', {}, one.typed_address ?? one.address ?? 'somebody who is not told'),
          memoElement(one.memo),
          !one.verified && h('p', { class: 'problem' }, 'Not verified: this may not be what is signed.'),
        ],
      ]),
      ...back.map((one): [string, Child] => ['Comes back', [value(one.amount_zatoshi), ` in ${one.pool}`]]),
      ['Fee', amount(formats, seen.fee_zatoshi)],
      [
        'Everybody sees',
        h(
          'ul',
          {},
          seen.becomes_public.statements.map((text) => h('li', {}, text)),
        ),
      ],
    ]),
    seen.warnings.length > 0 &&
      h(
        'ul',
        { class: 'problem' },
        seen.warnings.map(({ field, text }) => h('li', {}, field === '' ? text : `${field}: ${text}`)),
      ),
  ];
}
