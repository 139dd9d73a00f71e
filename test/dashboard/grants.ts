// The dashboard of a companion that shows nothing without its owner's leave, and the grants that the owner makes there: a real
// Chromium and the running companion.

import type { ExecutionContext } from 'ava';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import type { Input, OperationName, Output } from '../../src/protocol/operations.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { startDevnetService } from '../helpers/devnetService.ts';
import type { Page } from '../helpers/page.ts';
import { suite } from '../helpers/suite.ts';
import { looksRight } from './support/browserTest.ts';

export const grantsSuite = suite<Page>();
const browserTest = grantsSuite.add;

const PASSWORD = 'correct horse battery';
const EXTENSION = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
const CLOSED = "This companion shows nothing without its owner's leave.";

/** `ask`: as the owner, by the private socket. */
async function world(t: ExecutionContext, config: object = {}) {
  const given = { seed: 'grants', config: { anonymous_access: 'none', ...config } };
  const { devnet, service } = await startDevnetService(t, given);
  const link = createSocketLink(socketPath(service.dataDir));
  t.teardown(() => link.close());
  const ask = async <N extends OperationName>(name: N, input: Input<N>): Promise<Output<N>> =>
    unwrap(await link.dispatch(name, input, { requestId: 'owner' }));
  const code = async () => (await ask('grants.page_code', {})).code;
  const openWith = async (page: Page) => page.open(`${service.url}/#code=${await code()}`);
  return { devnet, url: service.url, ask, code, openWith };
}

const create = { password: PASSWORD, birthday_height: 1 };

interface Call {
  readonly token?: string;
  readonly body?: object;
  readonly origin?: string;
}

/** As a program, or as an extension. */
async function call(url: string, { token, body, origin }: Call = {}) {
  const response = await fetch(url, {
    headers: {
      connection: 'close',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(origin === undefined ? {} : { origin }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { readonly code?: string };
  return { status: response.status, code: answer.code };
}

/** All that may hold a secret longer than the page does. What was typed into the address bar, the browser knows on its own account. */
async function kept(page: Page): Promise<string> {
  const here = await page.evaluate<string>(
    `[document.documentElement.outerHTML, location.href, name, JSON.stringify(history.state), JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie].join('\\n')`,
  );
  return [here, ...(await page.history())].join('\n');
}

const ofApi = (page: Page): number => page.requested.filter((url) => url.includes('/api/')).length;

browserTest('without a code the pages show one sentence, and ask no more', async (t, page) => {
  const { url, ask } = await world(t);
  await ask('wallet.create', create);
  for (const path of ['/', '/#/activity', '/device', '/#code=nothing', '/#savings/']) {
    const before = ofApi(page);
    await page.open('about:blank');
    await page.open(url + path);
    await page.see(CLOSED);
    t.true((await page.text()).includes('wallet-companion dashboard'));
    t.false((await page.text()).includes('regtest'));
    t.is(await page.evaluate('location.hash'), path.includes('code') ? '' : path.replace(/^[^#]*/, ''));
    t.true(ofApi(page) - before <= 4, path);
  }
  await looksRight(t, page, 'not open');
  const before = ofApi(page);
  await new Promise((resolve) => setTimeout(resolve, 4_500));
  t.is(ofApi(page), before);
  t.like(await call(`${url}/api/grants/page-code`, { body: { password: PASSWORD } }), {
    status: 401,
    code: 'GRANT_REQUIRED',
  });
});

browserTest(
  "with the owner's code the page is as ever, and nothing but its memory has the token",
  async (t, page) => {
    const { url, ask, code, devnet, openWith } = await world(t);
    await ask('wallet.create', create);
    const source = `{ const { fetch } = window; window.fetch = (url, init) => { window.sent = init?.headers?.authorization ?? window.sent; return fetch(url, init); }; }`;
    await page.runFirst(source);
    const used = await code();
    await page.open(`${url}/#code=${used}`);
    await page.see('Nothing has been scanned yet.');
    t.is(await page.evaluate('location.href'), `${url}/`);
    const token = /^Bearer ([\w-]{43})$/.exec(await page.evaluate<string>('window.sent'))?.[1] ?? '';
    t.not(token, '');
    for (const secret of [used, token]) t.false((await kept(page)).includes(secret));
    t.like(await call(`${url}/api/grants/open-page`, { body: { code: used } }), { code: 'GRANT_REQUIRED' });
    t.is((await call(`${url}/api/balance`, { token })).status, 200);

    // What happens elsewhere is still shown.
    const { unified_address: address } = await ask('address.get', {});
    devnet.payTo(address, { pool: 'sapling', zatoshi: 300_000_000, memo: 'for the bread' });
    await ask('sync.run', {});
    await page.see('3.00');
    await page.click('Activity');
    await page.evaluate(
      `{ const made = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return made(blob); }; }`,
    );
    await page.click('Download as CSV');
    await page.until('window.saved');
    t.regex(await page.evaluate('window.saved'), /for the bread/);
    t.deepEqual(page.complaints, []);

    // Another code in the same tab begins another page; one that is loaded anew has neither.
    await openWith(page);
    await page.until(`location.hash === ''`);
    await page.see('3.00');
    await page.reload();
    await page.see(CLOSED);
  },
);

browserTest('a page that the page opens asks it for the token, and goes back to it', async (t, page) => {
  const { openWith } = await world(t);
  await openWith(page);
  await page.see('There is no wallet here yet');
  const link = `(({ target, rel }) => [target, rel])(document.querySelector('a[href^="/device"]'))`;
  t.deepEqual(await page.evaluate(link), ['_blank', 'opener']);
  const openBeside = async (href: string, seen: string) => {
    const expression = `void (window.beside = open(${JSON.stringify(href)}, '_blank'))`;
    await page.evaluate(expression, { asPerson: true });
    await page.until(`beside.document.body?.innerText.includes(${JSON.stringify(seen)})`);
  };
  await openBeside('/#savings/', 'There is no wallet named savings yet');
  await openBeside('/device#/pair', 'By cable');
  await page.evaluate(`void [...beside.document.links].find((one) => one.text.startsWith('Back')).click()`);
  await page.until('beside.closed');
  await page.see('There is no wallet here yet');
});

const shownToken = (page: Page): Promise<string> =>
  page.evaluate(`document.querySelector('.request .address code').textContent`);

browserTest('a program gets a grant, a new token, and loses both', async (t, page) => {
  const { url, ask, openWith } = await world(t);
  await ask('wallet.create', create);
  await openWith(page);
  await page.click('Settings');
  await page.see('Without a grant, programs on this machine may do nothing.');
  await page.click('Make a grant for a program');
  await page.type('For which program', 'shop');
  await page.type('Password', PASSWORD);
  await page.click('Make the grant');
  await page.see('Tick at least one of these: what it may do.');
  await page.click('read: balance, addresses, transactions, memos, payments, invoices and settings');
  await page.choose('How long', '30');
  await looksRight(t, page, 'new grant');
  await page.type('Password', 'wrong');
  await page.click('Make the grant');
  await page.see('The password is wrong.');
  await page.type('Password', PASSWORD);
  await page.click('Make the grant');
  await page.see('shown this once');
  await looksRight(t, page, 'token');
  const token = await shownToken(page);
  t.is((await call(`${url}/api/balance`, { token })).status, 200);
  t.like(await call(`${url}/api/address`, { token, body: {} }), { status: 403, code: 'GRANT_SCOPE' });
  await page.click('Hide');
  t.false((await kept(page)).includes(token));
  await page.see('the default wallet');
  const [made] = (await ask('grants.list', {})).grants;
  t.like(made, { name: 'shop', scopes: ['read'], wallets: ['default'], origin: null });
  t.is(Math.round((Date.parse(made!.expires_at!) - Date.now()) / 86_400_000), 30);

  await page.click('Give it a new token');
  await page.type('Password', PASSWORD);
  await page.click('The one before ends: go on');
  await page.see('shown this once');
  const second = await shownToken(page);
  t.like(await call(`${url}/api/balance`, { token }), { status: 401, code: 'GRANT_REQUIRED' });
  t.is((await call(`${url}/api/balance`, { token: second })).status, 200);
  await page.click('Give it a new token');
  await page.click('Revoke');
  await page.type('Password', PASSWORD);
  await page.click('End it now');
  await page.until(`document.querySelector('.origins li') === null`);
  t.false((await kept(page)).includes(second));
  t.is((await call(`${url}/api/balance`, { token: second })).status, 401);
  await page.click('What was done with grants');
  await page.see('GRANT_SCOPE');
  await looksRight(t, page, 'log of grants');
  t.regex(await page.text(), /shop: balance\.get\s+ok, /);
});

browserTest('an extension gets less than it asks for, and one without a grant is named', async (t, page) => {
  const bare = `${EXTENSION.slice(0, -1)}o`;
  const { url, ask, openWith } = await world(t, { allowed_origins: [bare] });
  await ask('wallet.create', create);
  await openWith(page);
  await page.click('Settings');
  await page.see(
    'It may do everything but recovery phrase, viewing keys, password and grants, on every wallet',
  );
  const scopes = ['read', 'prepare', 'send'];
  const body = { origin: EXTENSION, name: 'Shop helper', scopes, wallets: ['*'], days: 365 };
  t.is((await call(`${url}/api/pair`, { origin: EXTENSION, body })).status, 202);
  await page.see('“Shop helper”');
  await page.see('It has no token of its own.');
  await page.see('the full viewing key of its account: every note, past and future');
  await looksRight(t, page, 'what an extension asks for');
  const offered = `[...document.querySelectorAll('.request option')].map(({ value }) => value)`;
  t.deepEqual(await page.evaluate(offered), ['365', '30', '1']);
  await page.click('send payments, also have them signed by the program that config.json names');
  await page.click('all wallets, also later ones');
  await page.click('the default wallet');
  await page.choose('How long', '30');
  await page.type('Password', PASSWORD);
  await page.click('The code is the same: allow');
  await page.see('read, prepare payments');
  const [given] = (await ask('grants.list', {})).grants;
  t.like(given, {
    name: 'Shop helper',
    origin: EXTENSION,
    scopes: ['read', 'prepare'],
    wallets: ['default'],
  });
  t.is(Math.round((Date.parse(given!.expires_at!) - Date.now()) / 86_400_000), 30);
  t.is((await call(`${url}/api/balance`, { origin: EXTENSION })).status, 200);

  for (const left of [1, 0]) {
    await page.click('Let in no longer');
    await page.type('Password', PASSWORD);
    await page.click('Shut it out');
    await page.until(`document.querySelectorAll('.origins li').length === ${left}`);
  }
  t.is((await call(`${url}/api/balance`, { origin: EXTENSION })).status, 403);
});
