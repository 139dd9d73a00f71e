// The example shop's server, asked without a browser: a wallet that can only look, hooks that come again, and a companion that
// lets nobody wait.

import { inTurn } from '@wallet-companion/base/test/atLength';
import test, { type ExecutionContext } from 'ava';
import { startShop } from './support/shop.ts';

/** A shop, and a customer's order. */
async function bought(t: ExecutionContext, viewing?: 'full' | 'incoming') {
  const shop = await startShop(t, { viewing });
  const bought = await fetch(`${shop.url}/orders`, { method: 'POST', redirect: 'manual' });
  t.is(bought.status, 303);
  const order = bought.headers.get('location') ?? '';
  const shown = async (query = '') => {
    const answer = await fetch(`${shop.url}${order}/invoice${query}`);
    t.is(answer.status, 200);
    return (await answer.json()) as { state: string; sequence: number; qr: string | null };
  };
  const number = order.slice('/orders/'.length);
  return { ...shop, number, shown, reported: (status: string) => shop.says(`order ${number} ${status}`) };
}

for (const viewing of inTurn(['full', 'incoming'] as const, 0))
  test(`a shop with a viewing key alone (${viewing}) sends what is paid, once, also when a hook comes again`, async (t) => {
    const { devnet, asked, pay, scan, invoice, shown, reported, deliver, lines, number } = await bought(
      t,
      viewing,
    );
    const { address } = await invoice();
    const payment = devnet.pay([{ address, pool: 'ironwood', zatoshi: 10_000_000 }]);
    devnet.mempool.put(payment);
    await asked('/api/mempool');
    await reported('seen, partial');
    devnet.mine({ transactions: [payment] });
    await pay(await invoice(), 15_000_000);
    await reported('paid');
    const paid = await invoice();
    devnet.mineEmpty(9);
    await scan();
    await reported('confirmed');
    await reported('is sent');
    t.like(await shown(), { state: 'confirmed', qr: null });
    const confirmed = await invoice();
    const again = { ...confirmed, sequence: confirmed.sequence + 2 };
    const reversed = { ...paid, sequence: confirmed.sequence + 1, state: 'new', exception: 'reversed' };
    // Twice at once, one that is older, and one after the network took the payment back.
    t.deepEqual(await Promise.all([deliver(confirmed), deliver(confirmed)]), [204, 204]);
    for (const data of [paid, reversed, again, again, reversed, confirmed]) t.is(await deliver(data), 204);
    await reported('new, reversed');
    t.is(await deliver({ ...again, exception: 'overpaid' }), 204);
    await reported('confirmed, overpaid');
    t.deepEqual(
      lines.filter((line) => line.startsWith('order ')),
      [
        'seen, partial',
        'paid',
        'confirmed',
        'is sent',
        'new, reversed',
        'confirmed',
        'confirmed, overpaid',
      ].map((status) => `order ${number} ${status}`),
    );
  });

test('where no more callers may wait, the customer is answered at once', async (t) => {
  const { companion, invoice, shown, pay } = await bought(t);
  const { invoice_id, sequence } = await invoice();
  const wait = `?wait_seconds=30&after=${sequence}`;
  const caller = () => fetch(`${companion}/api/invoices/${invoice_id}${wait}`);
  const callers = Array.from({ length: 257 }, caller);
  const refused = (await (await Promise.race(callers)).json()) as { code?: string };
  t.is(refused.code, 'BUSY');
  t.like(await shown(wait), { state: 'new', sequence });
  await pay(await invoice(), 25_000_000);
  const states = await Promise.all(callers.map(async (each) => ((await each).ok ? 'told' : 'refused')));
  t.is(states.filter((state) => state === 'told').length, 256);
  t.like(await shown(wait), { state: 'paid' });
});
