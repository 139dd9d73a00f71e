// Payments that another device signs: prepared here, signed there, and sent. This page never has a spending key.

import { leftText, type Payment, paidZatoshi, STATUS_TEXT } from '../../model/payments.ts';
import { amount } from '../parts/amount.ts';
import { announce } from '../parts/announce.ts';
import type { App, View } from '../parts/app.ts';
import { card } from '../parts/card.ts';
import { h, replace, setText } from '../parts/dom.ts';
import { problemText } from '../parts/form.ts';
import { paymentDetail } from '../parts/paymentDetail.ts';
import { prepareForm } from '../parts/prepareForm.ts';

const MOST = 100;

export function payView(app: App): View {
  const list = h('div', {}, h('p', { class: 'hint' }, 'Reading…'));
  const notice = h('p', { class: 'hint' });
  let payments: readonly Payment[] = [];
  let chosen: string | undefined;
  let isGone = false;
  /** The number of the change that the list includes. */
  let readAt: number | undefined;

  const detail = paymentDetail(app, (payment) => choose(payment));

  const choose = (payment: Payment): void => {
    chosen = payment.payment_id;
    const isKnown = payments.some(({ payment_id: id }) => id === chosen);
    payments = isKnown
      ? payments.map((one) => (one.payment_id === chosen ? payment : one))
      : [payment, ...payments];
    draw();
  };

  const draw = (): void => {
    if (isGone) return;
    const payment = payments.find(({ payment_id: id }) => id === chosen);
    if (payment !== undefined) detail.show(payment);
    replace(
      list,
      payments.length === 0
        ? h('p', { class: 'hint' }, 'No payment has been prepared yet.')
        : h('ul', { class: 'payments' }, payments.map(line)),
    );
  };

  const line = (payment: Payment): HTMLElement =>
    h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'choice',
          'aria-pressed': String(payment.payment_id === chosen),
          onclick: () => {
            choose(payment);
            detail.element.scrollIntoView({ block: 'nearest' });
            // The list was redrawn: the keyboard focus stays where it was.
            list.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
            announce('The payment is shown.');
          },
        },
        amount(app.formats, paidZatoshi(payment)),
        h('span', {}, `${STATUS_TEXT[payment.status]} · ${app.formats.moment(payment.created_at)}`),
      ),
    );

  const read = async (): Promise<void> => {
    readAt = app.store.paymentChanges;
    try {
      const answer = await app.call('payments.list', { limit: MOST });
      if (isGone) return;
      payments = answer.payments;
      draw();
    } catch (thrown) {
      if (!isGone) replace(list, h('p', { class: 'problem', role: 'alert' }, problemText(thrown)));
    }
  };

  return {
    title: 'Pay',
    element: h(
      'div',
      { class: 'columns' },
      h(
        'div',
        {},
        card(
          'Prepare a payment',
          h(
            'p',
            { class: 'hint' },
            'It is signed elsewhere, by a hardware wallet or another program. Until it is sent, nothing has been paid.',
          ),
          prepareForm(app, (payment) => {
            const { pczt: _, left, encoding: __, ...rest } = payment;
            choose(rest);
            const more = leftText({ left }, app.formats);
            setText(notice, more ?? '');
            announce(
              `The payment is prepared.${more === undefined ? '' : ' Not everything fitted into it.'}`,
            );
          }),
          notice,
        ),
        card('Payments', list),
      ),
      detail.element,
    ),
    update: () => {
      if (readAt !== app.store.paymentChanges) void read();
    },
    leave: () => {
      isGone = true;
      detail.leave();
      replace(list);
      payments = [];
    },
  };
}
