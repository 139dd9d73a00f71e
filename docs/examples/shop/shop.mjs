// A shop: makes an invoice for each order, shows it to the customer with <companion-checkout>, and learns by a signed hook what
// was paid. docs/shop.md tells how to run it. It needs Node and @wallet-companion/client.
//
//     node shop.mjs PORT COMPANION_URL KEY_FILE

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { CompanionError, createClient } from '@wallet-companion/client';

const [port, baseUrl, keyFile] = process.argv.slice(2);
const companion = createClient({ baseUrl });
const hookKey = readFileSync(keyFile, 'utf8').trimEnd();

const GOODS = { name: 'A poem', zatoshi: 25_000_000 };
/** By number: a real shop keeps them in its database, with what it booked. */
const orders = new Map();

const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'",
  "frame-ancestors 'none'; require-trusted-types-for 'script'",
].join('; ');

const page = (body) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Shop</title><link rel="stylesheet" href="/shop.css">
<main><h1>Shop</h1>${body}</main></html>`;

const shopPage = (sorry = '') =>
  page(`${sorry}<form method="post" action="/orders"><p>${GOODS.name}</p><button>Buy</button></form>`);

const SORRY = '<p role="alert">We cannot answer now. Please try again in a moment.</p>';

/** The number of an order is all that it takes to see it, so it cannot be guessed. Its text is ours: nothing to escape. */
const orderPage = ({ number, status }) =>
  page(`<p>${GOODS.name}. Order ${number}: <b>${status}</b></p>
<companion-checkout src="/orders/${number}/invoice"></companion-checkout>
<p id="next"></p><script type="module" src="/page.js"></script>`);

const PAGE_SCRIPT = `import { defineCheckout } from '/client/doors/checkout.js';
const next = { seen: 'We wait for the block.', paid: 'Thank you!', confirmed: 'Your poem is on its way.' };
document.querySelector('companion-checkout').addEventListener('change', ({ detail }) => {
  document.querySelector('#next').textContent = detail.exception === 'reversed' ? '' : (next[detail.state] ?? '');
});
defineCheckout();
`;

async function buy() {
  const number = randomUUID();
  const { invoice_id, sequence } = await companion.invoices.create({
    amount_zatoshi: GOODS.zatoshi,
    reference: number,
    label: 'Shop',
    memo: `order ${number.slice(0, 8)}`,
  });
  orders.set(number, { number, invoice_id, sequence, status: 'new', isSent: false });
  return number;
}

/** What the customer may see, and the code for what is still due. */
async function shown(order, query) {
  const wait = Math.min(30, Math.max(0, Math.floor(Number(query.get('wait_seconds')) || 0)));
  const after = Number(query.get('after') ?? Number.NaN);
  const known = Number.isSafeInteger(after) && after >= 0 ? { after } : {};
  const { invoice_id } = order;
  const invoice = await companion.invoices.get({ invoice_id, wait_seconds: wait, ...known }).catch((error) => {
    // Hundreds of customers wait already: this one is answered at once, and asks again.
    if (error.code !== 'BUSY') throw error;
    return companion.invoices.get({ invoice_id });
  });
  const { state, exception, amount_zatoshi, received_zatoshi, unmined_zatoshi, address } = invoice;
  const { confirmations, required_confirmations, expires_at, sequence, label, memo } = invoice;
  const due = amount_zatoshi - received_zatoshi - (unmined_zatoshi ?? 0);
  const isOpen = (state === 'new' || state === 'seen') && due > 0;
  const request = isOpen
    ? await companion.payment_uri.qr({ address, zatoshi: due, label, memo, format: 'svg' })
    : { uri: invoice.uri, image: null };
  const amounts = { amount_zatoshi, received_zatoshi, unmined_zatoshi };
  const { require_verified, verified_with } = invoice;
  const depth = { confirmations, required_confirmations, require_verified, verified_with };
  const { uri, image: qr } = request;
  return { state, exception, ...amounts, ...depth, address, expires_at, sequence, uri, qr };
}

/** A change of an invoice, told at least once and in order. */
function book({ reference, sequence, state, exception }) {
  const order = orders.get(reference);
  if (order === undefined || sequence < order.sequence) return;
  order.sequence = sequence;
  const status = exception === null ? state : `${state}, ${exception}`;
  if (status !== order.status) console.log(`order ${reference} ${status}`);
  order.status = status;
  // `paid` may be taken back; `late`, `overpaid` and a part that expired are for a person to settle.
  if (state !== 'confirmed' || order.isSent) return;
  order.isSent = true;
  console.log(`order ${reference} is sent`);
}

/** Whether it comes from the companion, in the last five minutes. */
function isSigned({ headers }, body) {
  const time = String(headers['wallet-companion-timestamp']);
  const given = Buffer.from(String(headers['wallet-companion-signature']));
  const right = Buffer.from(`v1=${createHmac('sha256', hookKey).update(`${time}.`).update(body).digest('hex')}`);
  const isOurs = given.length === right.length && timingSafeEqual(given, right);
  return isOurs && Math.abs(Date.now() / 1000 - Number(time)) <= 300;
}

const STYLE = 'body { margin: 1rem; font-family: system-ui, sans-serif; } main { max-width: 40rem; margin: auto; }';
const doors = new URL('..', import.meta.resolve('@wallet-companion/client/checkout'));
const MODULE = /^\/client\/((?:doors|checkout)\/\w+\.js)$/;
const ORDER = /^\/orders\/([\w-]{36})(\/invoice)?$/;

const body = async (request) => Buffer.concat(await request.toArray());

async function answer(request, send) {
  const { pathname, searchParams } = new URL(request.url, 'http://shop');
  const route = `${request.method} ${pathname}`;
  if (route === 'GET /') return send(200, 'text/html', shopPage());
  if (route === 'GET /shop.css') return send(200, 'text/css', STYLE);
  if (route === 'GET /page.js') return send(200, 'text/javascript', PAGE_SCRIPT);
  if (route === 'POST /orders') return send(303, 'text/plain', '', { location: `/orders/${await buy()}` });
  if (route === 'POST /hook') {
    const told = await body(request);
    if (!isSigned(request, told)) return send(401, 'text/plain', 'The signature is not right.');
    const { event, wallet, data } = JSON.parse(told);
    // Another wallet is not the shop's, whatever its invoices refer to.
    if (event === 'invoice.changed' && wallet === undefined) book(data);
    return send(204, 'text/plain', '');
  }
  const module = MODULE.exec(pathname)?.[1];
  if (request.method === 'GET' && module !== undefined)
    return send(200, 'text/javascript', readFileSync(new URL(module, doors)));
  const [, number, isInvoice] = ORDER.exec(pathname) ?? [];
  const order = orders.get(number);
  if (request.method !== 'GET' || order === undefined) return send(404, 'text/plain', 'Nothing here.');
  if (isInvoice === undefined) return send(200, 'text/html', orderPage(order));
  return send(200, 'application/json', JSON.stringify(await shown(order, searchParams)));
}

const server = createServer((request, response) => {
  const send = (status, type, text, more = {}) => {
    const safe = { 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' };
    response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...safe, ...more });
    response.end(text);
  };
  answer(request, send).catch((error) => {
    // The companion is away, busy, or its wallet locked: the customer clicks again, and the element asks again by itself.
    console.error(error instanceof CompanionError ? error.code : error);
    if (!response.headersSent) send(503, 'text/html', shopPage(SORRY), { 'retry-after': '10' });
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
