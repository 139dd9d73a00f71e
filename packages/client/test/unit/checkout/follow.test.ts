// How the checkout asks a shop's server: waiting there, slower where it fails or does not wait, and not for ever.

import test from 'ava';
import type { CheckoutInvoice } from '../../../src/checkout/checkoutStatus.ts';
import { follow } from '../../../src/checkout/follow.ts';
import { shownInvoice } from '../../helpers/shownInvoice.ts';

const START = Date.parse('2026-01-02T12:00:00Z');
const SRC = 'https://shop.example/orders/7/invoice?key=x';

interface Reply {
  readonly body?: CheckoutInvoice | string;
  readonly status?: number;
  /** How long the server waited. */
  readonly seconds?: number;
  /** By the server's clock. */
  readonly date?: string;
}

/** Runs until the question for which there is no reply; that one ends it. */
async function run(replies: (question: number) => Reply | 'refused' | undefined) {
  const stop = new AbortController();
  const asked: string[] = [];
  const pauses: number[] = [];
  const changed: [CheckoutInvoice, number][] = [];
  const lost: number[] = [];
  let clock = START;
  await follow(SRC, stop.signal, {
    ask: async (url) => {
      const reply = replies(asked.length);
      asked.push(url.slice('https://shop.example/orders/7/invoice'.length));
      if (reply === undefined) stop.abort();
      if (reply === undefined || reply === 'refused') throw new TypeError('refused');
      const { body = shownInvoice(), status = 200, seconds = 0, date } = reply;
      clock += seconds * 1000;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return new Response(text, { status, headers: date === undefined ? {} : { date } });
    },
    pause: async (ms) => {
      clock += ms;
      pauses.push(ms / 1000);
    },
    now: () => clock,
    random: () => 0,
    changed: (invoice, aheadMs) => changed.push([invoice, aheadMs]),
    lost: (failures) => lost.push(failures),
  });
  return { asked, pauses, changed, lost };
}

test('the first question is answered at once, the others wait for a change after what is known', async (t) => {
  const seen = shownInvoice({ state: 'seen', sequence: 5 });
  const { asked, pauses, changed } = await run((n) => [{}, { seconds: 25 }, { seconds: 3, body: seen }][n]);
  t.deepEqual(asked, ['?key=x', ...[1, 1, 5].map((after) => `?key=x&wait_seconds=25&after=${after}`)]);
  t.deepEqual(pauses, [1]);
  t.deepEqual(
    changed.map(([{ state }]) => state),
    ['new', 'new', 'seen'],
  );
});

test('a server without numbers is asked without them', async (t) => {
  const { sequence: _, ...body } = shownInvoice();
  t.deepEqual((await run((n) => (n === 0 ? { body } : undefined))).asked, [
    '?key=x',
    '?key=x&wait_seconds=25',
  ]);
});

test('failures are counted, and pauses grow up to half a minute, until an answer comes', async (t) => {
  const bad: (Reply | 'refused')[] = [
    'refused',
    { status: 503 },
    { body: '{"state":"new"}' },
    { body: 'null' },
  ];
  const { lost, pauses, changed } = await run((n) =>
    n < 7 ? bad[n % 4] : n === 7 ? { seconds: 2 } : n === 8 ? 'refused' : undefined,
  );
  t.deepEqual(lost, [1, 2, 3, 4, 5, 6, 7, 1]);
  t.deepEqual(pauses, [1, 2, 4, 8, 16, 30, 30, 1]);
  t.is(changed.length, 1);
});

test('a server that does not wait is asked ever more rarely while it says the same', async (t) => {
  const changed = shownInvoice({ confirmations: 1 });
  const { pauses, lost } = await run((n) => (n < 5 ? {} : n < 7 ? { body: changed } : undefined));
  t.deepEqual(pauses, [1, 1, 2, 4, 8, 1, 1]);
  t.deepEqual(lost, []);
});

test('it ends with the confirmation, hours after the time, and after a hundred failures', async (t) => {
  const confirmed = shownInvoice({ state: 'confirmed' });
  t.is((await run((n) => ({ body: n < 2 ? shownInvoice() : confirmed, seconds: 2 }))).asked.length, 3);
  const expired = shownInvoice({ state: 'expired' });
  const { asked } = await run(() => ({ body: expired, seconds: 25 }));
  t.is(asked.length, Math.floor((4.25 * 3600) / 25) + 1);
  t.is((await run(() => 'refused')).lost.at(-1), 100);
});

test("the server's clock counts", async (t) => {
  const { changed } = await run((n) => (n === 0 ? { date: 'Fri, 02 Jan 2026 12:03:00 GMT' } : undefined));
  t.is(changed[0]?.[1], 180_000);
  const odd = await run((n) => [{ date: 'soon' }, { seconds: 1 }][n]);
  t.deepEqual(
    odd.changed.map(([, ahead]) => ahead),
    [0, 0],
  );
});
