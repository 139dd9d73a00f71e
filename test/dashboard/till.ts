// The till at a counter: a real Chromium, the running companion, and payments on the devnet's chain.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Devnet } from '@wallet-companion/devnet';
import type { ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { startDevnetService } from '../helpers/devnetService.ts';
import type { Page } from '../helpers/page.ts';
import type { Service } from '../helpers/service.ts';
import { suite } from '../helpers/suite.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { looksRight } from './support/browserTest.ts';
import { savedBy } from './support/savedFile.ts';

export const tillSuite = suite<Page>();
const browserTest = tillSuite.add;

const PASSWORD = 'correct horse battery';

interface Counter {
  readonly devnet: Devnet;
  readonly service: Service;
  scan(): Promise<unknown>;
  /** The invoice of the latest code. */
  invoice(): Promise<Output<'invoices.get'>>;
}

async function counter(t: ExecutionContext, config = {}): Promise<Counter> {
  const { devnet, service } = await startDevnetService(t, { seed: 'till', ironwoodFrom: 1, config });
  await service.post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
  devnet.mineEmpty(1);
  const invoice = async () => {
    const { body } = await service.get<Output<'invoices.list'>>('/api/invoices?limit=1');
    return body.invoices[0]!;
  };
  return { devnet, service, invoice, scan: () => service.post('/api/sync', {}) };
}

browserTest(
  'a code is shown, a part of the amount arrives, then the rest, and it turns green',
  async (t, page) => {
    const { devnet, service, invoice, scan } = await counter(t);
    await page.open(`${service.url}/#/till`);
    await page.see('No invoice yet.');
    await page.see('new blocks are not followed');
    await page.click('Follow new blocks');
    await page.until(`!document.body.innerText.includes('new blocks are not followed')`);
    await looksRight(t, page, 'till');

    await page.type('Amount', 'ten');
    await page.type('Order number', 'A-17');
    await page.click('Show the code');
    await page.see('This is not an amount.');
    await page.type('Amount', '0.5');
    await page.click('Show the code');
    await page.see('Scan this with your wallet');
    await page.until(`document.querySelector('.till .qr path')`);
    await page.see('Time left 14:5');
    await looksRight(t, page, 'till with a code');
    const { address, uri } = await invoice();
    t.true(uri.includes('amount=0.5'));
    const whole = await page.evaluate(`document.querySelector('.till .qr path').getAttribute('d')`);

    devnet.payTo(address, { pool: 'ironwood', zatoshi: 20_000_000 });
    await scan();
    await page.see('Part of it has arrived');
    await page.see('Still due: 0.30');
    await page.until(
      `document.querySelector('.till .qr path')?.getAttribute('d') !== ${JSON.stringify(whole)}`,
    );
    await looksRight(t, page, 'till with a part');

    devnet.payTo(address, { pool: 'sapling', zatoshi: 30_000_000 });
    await scan();
    await page.see('Paid');
    await page.until(
      `document.querySelector('.till.good') !== null && document.querySelector('.qr') === null`,
    );
    await page.see('1 / 10');
    await looksRight(t, page, 'till that is paid');
    devnet.mineEmpty(9);
    await scan();
    await page.see('Paid and confirmed');

    await page.click('Next customer');
    await page.until(`document.activeElement.name === 'amount'`);
    await page.see('A-17');
    await page.see('confirmed');
    t.deepEqual(page.complaints, []);
  },
);

browserTest('keys alone take a payment, and a screen reader hears that it came', async (t, page) => {
  const { devnet, service, invoice, scan } = await counter(t);
  await page.open(`${service.url}/#/till`);
  await page.see('No invoice yet.');
  const tabTo = async (isThere: string) => {
    for (let steps = 0; !(await page.evaluate(isThere)); steps++) {
      if (steps === 60) throw new Error(`no key leads to ${isThere}`);
      await page.press('Tab');
    }
  };
  await tabTo(`document.activeElement.name === 'amount'`);
  await page.insert('1');
  await page.press('Enter');
  await page.see('Scan this with your wallet');
  const { address } = await invoice();
  devnet.payTo(address, { pool: 'orchard', zatoshi: 100_000_000 });
  await scan();
  await page.see('Paid');
  const heard = `[...document.querySelectorAll('[aria-live], [role=status]')].some((one) => one.innerText.includes('Paid'))`;
  t.true(await page.evaluate(heard));
  await tabTo(`document.activeElement.innerText === 'Next customer'`);
  await page.press('Enter');
  await page.until(`document.activeElement.name === 'amount'`);
});

browserTest('what the network takes back is shown, and an invoice can be cancelled', async (t, page) => {
  const { devnet, service, invoice, scan } = await counter(t);
  await page.open(`${service.url}/#/till`);
  await page.type('Amount', '1');
  await page.click('Show the code');
  await page.see('Scan this with your wallet');
  devnet.payTo((await invoice()).address, { pool: 'orchard', zatoshi: 100_000_000 });
  await scan();
  await page.see('Paid');
  devnet.reorganise(1);
  devnet.mineEmpty(2);
  await scan();
  await page.see('A payment was taken back by the network.');
  await page.click('Next customer');
  await page.type('Amount', '2');
  await page.click('Show the code');
  await page.see('Scan this with your wallet');
  await page.click('Cancel the invoice');
  await page.see('Cancelled');
  await page.until(`document.querySelector('.till.over') !== null && document.querySelector('.qr') === null`);
  t.like(await invoice(), { state: 'cancelled', exception: null, amount_zatoshi: 200_000_000 });
});

browserTest(
  'an amount in euros is asked for at the price of a file, and at an old one after a tap',
  async (t, page) => {
    const file = path.join(temporaryFolder(t), 'prices.json');
    const prices = (time: number) =>
      writeFileSync(
        file,
        JSON.stringify({
          time: new Date(time).toISOString(),
          source: 'desk',
          prices: { EUR: '50', USD: '54.1' },
        }),
      );
    prices(Date.now() - 11 * 60_000);
    const { devnet, service, invoice, scan } = await counter(t, { price_source: { file } });
    await page.speak('de');
    await page.resize(375, 800);
    await page.open(`${service.url}/#/till`);
    await page.see('Ein ZEC kostet 50,00\u00a0€');
    await looksRight(t, page, 'till with prices');
    await page.resize(375, 800);
    await page.type('Betrag', '1.250');
    await page.click('Code zeigen');
    await page.see('Die Eingabe ist nicht gültig.');
    await page.type('Betrag', '$54,10');
    await page.click('Code zeigen');
    await page.see('Der Kurs ist alt: Ein ZEC kostete 54,10\u00a0$');
    await looksRight(t, page, 'till with an old price');
    await page.resize(375, 800);
    await page.click('Diesen Kurs verwenden');
    await page.see('Mit der Wallet scannen');
    t.like(await invoice(), { amount_zatoshi: 100_000_000, price: { currency: 'USD', value: '54.10' } });
    await page.click('Nächster Kunde');
    prices(Date.now());
    await page.type('Betrag', '12,50 €');
    await page.click('Code zeigen');
    await page.see('12,50\u00a0€ Ein ZEC');
    await looksRight(t, page, 'till with money');
    t.like(await invoice(), {
      amount_zatoshi: 25_000_000,
      price: { currency: 'EUR', value: '12.50', rate: '50', source: 'desk' },
    });
    devnet.payTo((await invoice()).address, { pool: 'ironwood', zatoshi: 25_000_000 });
    await scan();
    await page.see('Bezahlt');
    await page.click('Beleg');
    const { payments } = await invoice();
    await page.see(payments[0]!.txid);
    await page.see('50,00\u00a0€ (');
    t.false(await page.evaluate(`document.body.innerText.includes('nicht bezahlt')`));
    await looksRight(t, page, 'receipt');
    devnet.reorganise(1);
    devnet.mineEmpty(2);
    await scan();
    await page.see('Diese Rechnung ist nicht bezahlt.');
    t.is((await service.get<Output<'invoices.list'>>('/api/invoices')).body.invoices.length, 2);
  },
);

browserTest(
  'a day is opened, takes money with a tone, is closed, and its report prints and is saved',
  async (t, page) => {
    const { devnet, service, invoice, scan } = await counter(t);
    await page.open(`${service.url}/#/till`);
    await page.see('No day is open');
    await page.type('Password', PASSWORD);
    await page.click('Open the day');
    await page.see('Day 1, open since');
    const follow = async () => (await service.get<Output<'follow.get'>>('/api/follow')).body;
    t.like(await follow(), { enabled: true, keep_open: true });
    await page.evaluate(
      `{ window.tones = 0; const { start } = OscillatorNode.prototype; OscillatorNode.prototype.start = function (...at) { window.tones++; return start.apply(this, at); }; }`,
    );
    await page.type('Order number', 'Table 12, window');
    await page.type('Amount', '0.5');
    await page.click('Show the code');
    await page.see('Scan this with your wallet');
    t.is(await page.evaluate('window.tones'), 0);
    devnet.payTo((await invoice()).address, { pool: 'ironwood', zatoshi: 60_000_000 });
    await scan();
    await page.see('Paid');
    await page.until('window.tones === 2');
    await page.click('Next customer');
    await page.click('A tone when money comes');
    await page.type('Amount', '2');
    await page.click('Show the code');
    await page.see('Scan this with your wallet');
    devnet.payTo((await invoice()).address, { pool: 'ironwood', zatoshi: 50_000_000 });
    await scan();
    await page.see('Part of it has arrived');
    await page.click('Next customer');
    await page.see('too much came');
    await page.see('a part came');
    t.is(await page.evaluate('window.tones'), 2, 'turned off');
    await looksRight(t, page, 'till with an open day');
    await page.type('Find an order number', 'TABLE');
    await page.until(`document.querySelectorAll('.sales li').length === 1`);
    // A tap anywhere on the row.
    await page.evaluate(`document.querySelector('.sales button > :last-child').click()`);
    await page.see('More was paid than asked for: 0.10');
    await page.click('Next customer');

    await page.click('Close the day');
    await page.see('never changes');
    await page.click('Close day 1');
    await page.see('Report of day 1');
    await page.see('2 · 1 open · 1 paid');
    await page.see('Table 12, window');
    t.like(await follow(), { enabled: true, keep_open: false });
    await looksRight(t, page, 'report of a day');
    const csv = await savedBy(page, 'Download the list as CSV');
    t.is(csv.split('\r\n').length, 4);
    t.regex(csv, /Table 12, window.*paid,overpaid,0\.5/);
    await page.click('Back to the till');
    await page.see('No day is open');
    t.deepEqual(page.complaints, []);
  },
);

browserTest(
  'the page is left to a cashier: a PIN locks it, the companion refuses it the rest, and the password takes it back',
  async (t, page) => {
    const { devnet, service, invoice } = await counter(t);
    const wanted = { name: 'scanner', scopes: ['sync'], password: PASSWORD };
    const scanner = (await service.post<Output<'grants.create'>>('/api/grants', wanted)).body.token;
    await page.runFirst(
      `{ const { fetch } = window; window.fetch = (url, init) => { window.sent = init?.headers?.authorization; return fetch(url, init); }; }`,
    );
    await page.open(`${service.url}/#/till`);
    await page.click('Leave this page to a cashier');
    await looksRight(t, page, 'till before it is left');
    const form = `[...document.querySelectorAll('form')].find((one) => one.elements.pin)`;
    const fill = (values: Readonly<Record<string, string>>) =>
      page.evaluate(
        `{ const { elements } = ${form}; for (const [name, value] of Object.entries(${JSON.stringify(values)})) elements[name].value = value; ${form}.requestSubmit(); }`,
      );
    await fill({ pin: '123', again: '123', password: PASSWORD });
    await page.see('A PIN has 4 to 8 digits.');
    await fill({ pin: '4711', again: '4712', password: PASSWORD });
    await page.see('The two PINs are not the same.');
    await fill({ pin: '4711', again: '4711', password: PASSWORD });
    await page.see('End the till');
    t.notRegex(await page.text(), /Settings|Close the day|Open the day/);
    await looksRight(t, page, 'till of a cashier');
    // The token that this page has, and none: both as a program could send them.
    const status = async (path: string, token?: string) =>
      (
        await fetch(service.url + path, {
          headers: { connection: 'close', ...(token && { authorization: token }) },
        })
      ).status;
    await page.type('Amount', '0.5');
    await page.click('Show the code');
    await page.see('Scan this with your wallet');
    await page.until(`document.querySelector('.till .qr path')`);
    const token = await page.evaluate<string>('window.sent');
    t.is(await status('/api/invoices', token), 200);
    for (const path of ['/api/balance', '/api/transactions', '/api/days', '/api/config', '/api/grants'])
      t.deepEqual([await status(path, token), await status(path)], [403, 401], path);
    const { invoices } = (await (
      await fetch(`${service.url}/api/invoices`, { headers: { connection: 'close', authorization: token } })
    ).json()) as Output<'invoices.list'>;
    devnet.payTo(invoices[0]!.address, { pool: 'ironwood', zatoshi: 50_000_000 });
    const scan = {
      connection: 'close',
      authorization: `Bearer ${scanner}`,
      'content-type': 'application/json',
    };
    t.is((await fetch(`${service.url}/api/sync`, { method: 'POST', headers: scan, body: '{}' })).status, 200);
    await page.see('Paid');

    await page.click('Lock');
    await page.see('The till is locked');
    await page.until(`document.activeElement.name === 'pin'`);
    await looksRight(t, page, 'till that is locked');
    t.is(await status('/api/invoices', token), 401);
    await page.insert('0000');
    await page.press('Enter');
    await page.see('The PIN is wrong.');
    // What is loaded anew has no token.
    await page.open(`${service.url}/#/`);
    await page.see('The till is locked');
    for (const digit of ['4', '7', '1', '1', '1']) await page.click(digit);
    await page.evaluate(`document.querySelector('.keypad button:last-child').click()`);
    await page.click('Open the till');
    await page.see('0.50');
    await page.click('End the till');
    await page.type('Password', PASSWORD);
    await page.evaluate(`document.querySelector('input[type=password]').form.requestSubmit()`);
    await page.see('Settings');
    t.is(await status('/api/balance'), 200);
    t.is((await invoice()).state, 'paid');
    // Refused calls, and streams that ended with their grant.
    t.deepEqual(
      page.complaints.filter((one) => !one.startsWith('Failed to load resource')),
      [],
    );
  },
);

browserTest(
  'a bare number is in what the page shows, also where prices come while it is typed',
  async (t, page) => {
    const file = path.join(temporaryFolder(t), 'prices.json');
    const { service, invoice } = await counter(t, { price_source: { file } });
    await page.open(`${service.url}/#/till`);
    await page.see('There are no prices');
    await page.type('Amount', '0.5');
    const prices = { time: new Date().toISOString(), source: 'desk', prices: { EUR: '50' } };
    writeFileSync(file, JSON.stringify(prices));
    await page.click('Show the code');
    await page.see('Scan this with your wallet');
    t.like(await invoice(), { amount_zatoshi: 50_000_000, price: null });
  },
);

for (const [tag, button, shown] of [
  ['de-CH', 'Code zeigen', 'Mit der Wallet scannen'],
  ['es', 'Mostrar el código', 'Escanéelo con su monedero'],
  ['fr', 'Show the code', 'Scan this with your wallet'],
] as const)
  browserTest(`a browser that speaks ${tag} reads: ${shown}`, async (t, page) => {
    const { service } = await counter(t);
    await page.speak(tag);
    await page.open(`${service.url}/#/till`);
    await page.until(`document.querySelector('input[name=amount]') !== null`);
    await page.evaluate(`{
      const input = document.querySelector('input[name=amount]');
      input.value = '3';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
    await page.click(button);
    await page.see(shown);
    t.is(await page.evaluate('document.documentElement.lang'), tag === 'fr' ? 'en' : tag.slice(0, 2));
  });
