// The example shop: a customer in a real Chromium, a real companion, payments on the devnet's chain, and what the shop booked by
// its hook.

import type { ExecutionContext } from 'ava';
import { looksRight } from '../dashboard/support/browserTest.ts';
import type { Page } from '../helpers/page.ts';
import { suite } from '../helpers/suite.ts';
import { startShop } from './support/shop.ts';

export const shopSuite = suite<Page>();
const browserTest = shopSuite.add;

const CARD = `document.querySelector('companion-checkout').shadowRoot`;
const CODE = `${CARD}.querySelector('svg path')?.getAttribute('d')`;
const LINK = `${CARD}.querySelector('a').href`;

/** A shop, and a customer who has bought. */
async function bought(t: ExecutionContext, page: Page) {
  const shop = await startShop(t);
  await page.open(shop.url);
  await page.click('Buy');
  await page.see('Scan the code with your wallet');
  await page.until(CODE);
  const invoice = await shop.invoice();
  const order = invoice.reference ?? t.fail();
  return { ...shop, invoice, reported: (status: string) => shop.says(`order ${order} ${status}`) };
}

browserTest('an order is seen, paid and confirmed, and sent', async (t, page) => {
  const { devnet, asked, scan, invoice, reported } = await bought(t, page);
  await page.see('Time left: 14:5');
  t.is(await page.evaluate(LINK), invoice.uri);
  await looksRight(t, page, 'checkout');
  const payment = devnet.pay([
    { address: invoice.address, pool: 'ironwood', zatoshi: 25_000_000n, memo: '' },
  ]);
  devnet.mempool.put(payment);
  await asked('/api/mempool');
  await page.see('Payment seen');
  await page.see('We wait for the block.');
  await reported('seen');
  t.is(await page.evaluate(CODE), undefined);
  devnet.mine({ transactions: [payment] });
  await scan();
  await page.see('1 of 10 confirmations');
  await page.see('Thank you!');
  await reported('paid');
  await looksRight(t, page, 'checkout that is paid');
  devnet.mineEmpty(9);
  await scan();
  await page.see('Paid and confirmed');
  await page.see('Your poem is on its way.');
  await reported('confirmed');
  await reported('is sent');
  await page.evaluate('location.reload()');
  await page.see(`Order ${invoice.reference}: confirmed`);
  t.deepEqual(page.complaints, []);
});

browserTest('who pays too little is asked for the rest', async (t, page) => {
  const { pay, invoice, reported } = await bought(t, page);
  const whole = await page.evaluate<string>(CODE);
  await pay(invoice, 10_000_000);
  await page.see('0.10\u00a0ZEC of 0.25\u00a0ZEC received, 0.15\u00a0ZEC left');
  await page.until(`${LINK}.includes('amount=0.15&')`);
  t.not(await page.evaluate<string>(CODE), whole);
  await reported('new, partial');
  await pay(invoice, 15_000_000);
  await page.see('Paid');
  await reported('paid');
  t.deepEqual(page.complaints, []);
});

browserTest('an order that is not paid in time expires', async (t, page) => {
  const { scan, devnet, pay, timePasses, invoice, reported } = await bought(t, page);
  await pay(invoice, 10_000_000);
  await reported('new, partial');
  timePasses(901_000);
  devnet.mineEmpty(1);
  await scan();
  await page.see('The time is over');
  await page.see('Do not pay to this address any more.');
  await reported('expired, partial');
  t.false((await page.text()).includes(invoice.address));
  t.deepEqual(page.complaints, []);
});

browserTest('what the network takes back is not sent', async (t, page) => {
  const { devnet, scan, invoice, reported } = await bought(t, page);
  const transactions = [
    devnet.pay([{ address: invoice.address, pool: 'ironwood', zatoshi: 25_000_000n, memo: '' }]),
  ];
  devnet.mine({ transactions });
  await scan();
  await page.see('Thank you!');
  devnet.reorganise(1);
  await scan();
  await page.see('The network took a payment back.');
  await reported('new, reversed');
  await page.until(`!document.body.innerText.includes('Thank you!')`);
  t.false((await page.text()).includes(invoice.address));
  devnet.mine({ transactions });
  await scan();
  await page.see('Paid');
  await page.see('Thank you!');
  devnet.mineEmpty(9);
  await scan();
  await reported('is sent');
  t.deepEqual(page.complaints, []);
});

browserTest(
  'while nothing can be asked of the wallet the shop says so, and goes on afterwards',
  async (t, page) => {
    const { url, stop, start, unlock, asked, invoice, pay } = await startShop(t);
    await page.open(url);
    await stop();
    await page.click('Buy');
    await page.see('We cannot answer now. Please try again in a moment.');
    await looksRight(t, page, 'order that cannot be taken');
    await start();
    await page.click('Buy');
    await page.see('We cannot answer now. Please try again in a moment.');
    await unlock();
    await page.click('Buy');
    await page.see('Scan the code with your wallet');
    await asked('/api/wallet/lock');
    await page.see('No connection to the shop. It is tried again.');
    await unlock();
    await page.until(`!document.body.innerText.includes('No connection')`);
    await pay(await invoice(), 25_000_000);
    await page.see('Thank you!');
  },
);

browserTest(
  'a shop believes its key alone, and shows an order only to a customer with its number',
  async (t, page) => {
    const { url, invoice, reported, deliver } = await bought(t, page);
    const { reference } = invoice;
    const data = { reference, sequence: 1000, state: 'confirmed', exception: null };
    const now = Math.floor(Date.now() / 1000);
    t.is(await deliver(data, { key: 'another key of sixteen characters' }), 401);
    t.is(await deliver(data, { at: now - 3600 }), 401);
    t.true((await (await fetch(`${url}/orders/${reference}`)).text()).includes('<b>new</b>'));
    t.is(await deliver(data), 204);
    await reported('is sent');
    const answer = await (await fetch(`${url}/orders/${reference}/invoice`)).text();
    for (const secret of [invoice.invoice_id, 'metadata', 'txid', 'diversifier'])
      t.false(answer.includes(secret));
    for (const other of ['/orders/', `/orders/${'0'.repeat(36)}/invoice`, '/client/../package.json'])
      t.is((await fetch(url + other)).status, 404);
  },
);
