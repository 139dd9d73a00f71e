// <companion-checkout> in a real Chromium, under a policy as strict as a page can have: every way an invoice stands, languages,
// keyboard, and a shop's server that fails.

import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CheckoutInvoice } from '@wallet-companion/client/checkout';
import { shownInvoice } from '@wallet-companion/client/test/shownInvoice';
import type { ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { looksRight } from '../dashboard/support/browserTest.ts';
import type { Page } from '../helpers/page.ts';
import { suite } from '../helpers/suite.ts';

export const checkoutSuite = suite<Page>();
const browserTest = checkoutSuite.add;

/** What a shop passes on is what the companion has. */
export const passedOn = (invoice: Output<'invoices.get'>): CheckoutInvoice => invoice;

const POLICY = `default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; require-trusted-types-for 'script'`;
const DOORS = new URL('..', import.meta.resolve('@wallet-companion/client/checkout'));
const CARD = `document.querySelector('companion-checkout').shadowRoot`;
const IN_AN_HOUR = (): string => new Date(Date.now() + 3_600_000).toISOString();
const invoice = (members: Partial<CheckoutInvoice> = {}): CheckoutInvoice =>
  shownInvoice({ expires_at: IN_AN_HOUR(), ...members });

interface Site {
  readonly url: string;
  /** Answers the questions about the invoice; before that they wait. */
  answers(status: number, body?: CheckoutInvoice): void;
  asked(): readonly string[];
}

async function site(t: ExecutionContext, tag: string): Promise<Site> {
  const waiting: ServerResponse[] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    const send = (type: string, body: string | Uint8Array) =>
      response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(body);
    if (url === '/')
      return send(
        'text/html',
        `<!doctype html><html lang="en"><title>A shop</title><meta name="color-scheme" content="light dark"><main><h1>A shop</h1>${tag}</main><script type="module" src="/page.js"></script>`,
      );
    if (url === '/page.js')
      return send(
        'text/javascript',
        `import { defineCheckout } from '/client/doors/checkout.js';
         window.changes = [];
         addEventListener('change', ({ detail }) => changes.push(detail.state));
         defineCheckout(); defineCheckout();
         // Its own heading is judged too: by colours that are named.
         const sheet = new CSSStyleSheet();
         sheet.replaceSync('html { background: Canvas; color: CanvasText }');
         document.adoptedStyleSheets = [sheet];`,
      );
    const module = /^\/client\/(\w+\/\w+\.js)$/.exec(url)?.[1];
    if (module !== undefined) return send('text/javascript', readFileSync(new URL(module, DOORS)));
    if (!url.startsWith('/invoice')) return response.writeHead(404).end();
    asked.push(url);
    waiting.push(response);
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    answers: (status, body) => {
      for (const response of waiting.splice(0))
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    },
    asked: () => asked,
  };
}

const give = (page: Page, members: Partial<CheckoutInvoice>): Promise<unknown> =>
  page.evaluate(`document.querySelector('companion-checkout').invoice = ${JSON.stringify(invoice(members))}`);

const TAG = (given: CheckoutInvoice): string =>
  `<companion-checkout invoice="${JSON.stringify(given).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></companion-checkout>`;

browserTest('each way an invoice can stand is readable by everyone', async (t, page) => {
  const { url } = await site(t, TAG(invoice()));
  await page.open(url);
  await page.see('Scan the code with your wallet');
  await looksRight(t, page, 'open');
  const all = { received_zatoshi: 25_000_000, confirmations: 2 };
  const part = {
    exception: 'partial',
    received_zatoshi: 10_000_000,
    uri: 'zcash:u1example?amount=0.15',
  } as const;
  const ways: readonly (readonly [string, Partial<CheckoutInvoice>])[] = [
    ['0.15\u00a0ZEC left', part],
    ['Payment seen', { state: 'seen', unmined_zatoshi: 25_000_000 }],
    ['2 of 3 confirmations', { state: 'paid', ...all }],
    ['Paid and confirmed', { state: 'confirmed', ...all }],
    ['The time is over', { state: 'expired' }],
    ['A payment came too late: 0.25\u00a0ZEC.', { state: 'expired', exception: 'late', ...all }],
    ['Cancelled', { state: 'cancelled' }],
    ['The network took a payment back.', { exception: 'reversed' }],
  ];
  for (const [text, members] of ways) {
    await give(page, members);
    await page.see(text);
    await looksRight(t, page, text);
  }
  t.deepEqual(page.complaints, []);
});

browserTest(
  'it speaks the language of the browser, of the page, and the words of the shop',
  async (t, page) => {
    const { url } = await site(t, TAG(invoice()));
    await page.speak('de-CH');
    await page.open(url);
    await page.see('Den Code mit der Wallet scannen');
    await page.see('0,25\u00a0ZEC');
    await page.evaluate(`document.querySelector('companion-checkout').lang = 'es'`);
    await page.see('Escanee el código con su monedero');
    t.is(await page.evaluate(`${CARD}.querySelector('section').lang`), 'es');
    await page.evaluate(
      `document.querySelector('companion-checkout').texts = { open: 'Ánimo', unit: 'TAZ' }`,
    );
    await page.see('Ánimo');
    await page.see('0,25\u00a0TAZ');
    await page.see('Copiar la dirección');
  },
);

browserTest(
  'the keyboard reaches the link and the copy, which keeps the focus while the clock runs',
  async (t, page) => {
    const { url } = await site(t, TAG(invoice()));
    await page.open(url);
    await page.see('Copy the address');
    const focused = `${CARD}.activeElement?.localName`;
    await page.press('Tab');
    t.is(await page.evaluate(focused), 'a');
    await page.press('Tab');
    t.is(await page.evaluate(focused), 'button');
    // Without leave to write to the clipboard the address is marked, for the keys that copy.
    const clipboard = (value: string) =>
      page.evaluate(
        `void Object.defineProperty(navigator, 'clipboard', { configurable: true, value: ${value} })`,
      );
    await clipboard('undefined');
    await page.press('Enter');
    await page.until(`getSelection().type === 'Range'`);
    t.false((await page.text()).includes('is copied'));
    await clipboard('{ writeText: async (text) => { window.copied = text; } }');
    await page.press('Enter');
    await page.see('The address is copied');
    t.is(await page.evaluate('copied'), 'u1example');
    t.is(await page.evaluate(focused), 'button');
  },
);

browserTest('a change is shown once, an outage is shown, and what was known stays', async (t, page) => {
  const shop = await site(t, '<companion-checkout src="/invoice?key=7"></companion-checkout>');
  await page.open(shop.url);
  await page.until(`document.querySelector('companion-checkout').shadowRoot !== null`);
  const answered = async (status: number, body?: CheckoutInvoice) => {
    const before = shop.asked().length;
    while (shop.asked().length === before) {
      shop.answers(status, body);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await answered(200, invoice());
  await page.see('Scan the code with your wallet');
  await answered(200, invoice({ confirmations: 1 }));
  await answered(503);
  await answered(503);
  await page.see('No connection to the shop.');
  await page.see('Scan the code with your wallet');
  shop.answers(200, invoice({ state: 'confirmed', received_zatoshi: 25_000_000, sequence: 2 }));
  await page.see('Paid and confirmed');
  t.false((await page.text()).includes('No connection'));
  t.deepEqual(await page.evaluate('changes'), ['new', 'confirmed']);
  t.deepEqual(shop.asked().slice(0, 2), ['/invoice?key=7', '/invoice?key=7&wait_seconds=25&after=1']);
  t.is(shop.asked().length, 5);
});

browserTest(
  'what was set before the element is known counts; it asks while it is in the page, and at once when that is looked at again',
  async (t, page) => {
    const shop = await site(t, '');
    await page.open(shop.url);
    await page.until('window.changes');
    await page.evaluate(`{
    const early = document.createElement('later-checkout');
    early.invoice = ${JSON.stringify(invoice())};
    early.src = '/invoice';
    document.querySelector('main').append(early);
  }`);
    await page.evaluate(`import('/client/doors/checkout.js').then(({ CompanionCheckout }) =>
    customElements.define('later-checkout', class extends CompanionCheckout {}))`);
    await page.see('Scan the code with your wallet');
    const asked = async (times: number) => {
      while (shop.asked().length < times) await new Promise((resolve) => setImmediate(resolve));
    };
    await asked(1);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await asked(2);
    await page.evaluate(`window.early = document.querySelector('later-checkout'); early.remove()`);
    shop.answers(200, invoice({ state: 'paid' }));
    await page.evaluate(`fetch('/page.js').then((answer) => answer.text())`);
    t.is(await page.evaluate('early.invoice.state'), 'new');
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.evaluate(`fetch('/page.js').then((answer) => answer.text())`);
    t.is(shop.asked().length, 2);
    await page.evaluate(`document.querySelector('main').append(early)`);
    await asked(3);
    shop.answers(200, invoice({ state: 'cancelled' }));
    await page.see('Cancelled');
    t.deepEqual(await page.evaluate('changes'), ['cancelled']);
  },
);
