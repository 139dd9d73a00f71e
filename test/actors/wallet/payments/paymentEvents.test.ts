// What is told of payments: each change once, and nothing of what a session begins with.
import test from 'ava';
import type { Session } from '../../../../src/actors/wallet/session/session.ts';
import { paymentBed } from '../../../helpers/keptPaymentBed.ts';
import { madeUpPayment } from '../../../helpers/madeUpPayment.ts';

function newsBed() {
  const bed = paymentBed();
  const { events, faults } = bed;
  const news = bed.payments.events;
  const reported = () =>
    events
      .splice(0)
      .map(({ event, data }) => (event === 'payment.changed' ? [data.status, data.mined_height] : [event]));
  return { bed, news, reported, events, faults };
}

test('each change is reported once, back and forth, with the height while there is one', (t) => {
  const { bed, news, reported, events } = newsBed();
  news.opened(bed.session);
  news.report(bed.session);
  t.deepEqual(reported(), [], 'what it begins with is no news');
  const sent = { kind: 'sent', at: 1, source: 'node', transaction: '00' } as const;
  bed.keep(bed.complete);
  news.report(bed.session);
  bed.keep(bed.complete, { ...sent, outcome: 'unanswered' });
  news.report(bed.session);
  bed.keep(bed.complete, { ...sent, outcome: 'accepted' });
  news.report(bed.session);
  bed.fate.inMempool = true;
  news.report(bed.session);
  news.report(bed.session);
  Object.assign(bed.fate, { mined: 120, top: 120 });
  news.report(bed.session);
  t.deepEqual(events[events.length - 1]?.data, {
    payment_id: bed.id,
    account: 0,
    txid: bed.stored.txid,
    status: 'mined',
    mined_height: 120,
    grant_id: null,
  });
  bed.fate.top = 121;
  news.report(bed.session);
  bed.fate.top = 122;
  news.report(bed.session);
  Object.assign(bed.fate, { mined: undefined, top: 119 });
  news.report(bed.session);
  Object.assign(bed.fate, { mined: 121, top: 121 });
  news.report(bed.session);
  Object.assign(bed.fate, { mined: 120 });
  news.report(bed.session);
  t.deepEqual(reported(), [
    ['complete', null],
    ['sent', null],
    ['in_mempool', null],
    ['mined', 120],
    ['confirmed', 120],
    ['in_mempool', null],
    ['mined', 121],
    ['mined', 120],
  ]);
});

test('a new payment is news, one of a session that is over is not', (t) => {
  const { bed, news, reported } = newsBed();
  news.opened(bed.session);
  bed.session.payments.put({ ...bed.stored, id: 'ab'.repeat(16), notes: madeUpPayment(2).notes });
  news.report(bed.session);
  t.deepEqual(reported(), [['prepared', null]]);
  bed.fate.conflict = true;
  news.report({} as Session);
  news.forget();
  news.report(bed.session);
  t.deepEqual(reported(), []);
});

test('what brought it about has happened: a disk that fails is logged, and the event comes later', (t) => {
  const { bed, news, reported, faults } = newsBed();
  news.opened(bed.session);
  bed.keep(bed.complete);
  const { payments } = bed.disk;
  bed.session.payments.forget();
  bed.disk.payments = () => {
    throw new Error('the disk is away');
  };
  news.report(bed.session);
  t.deepEqual(faults, ['wallet.payment_news']);
  bed.disk.payments = payments;
  news.report(bed.session);
  t.deepEqual(reported(), [['complete', null]]);
});
