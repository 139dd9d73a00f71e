// The routes of wallets beside the default one: a narrow name and nothing else, the same front door, and events that no
// listener of another wallet gets.

import anyTest, { type TestFn } from 'ava';
import { isOfWallet, operationNames, operations } from '../../src/protocol/operations.ts';
import { EventReader } from '../helpers/eventStream.ts';
import { type HttpFront, startHttpFront } from '../helpers/httpFront.ts';
import { problemOf } from '../helpers/problems.ts';

const test = anyTest as TestFn<{ front: HttpFront }>;

test.beforeEach(async (t) => {
  t.context.front = await startHttpFront();
});
test.afterEach.always((t) => t.context.front.close());

const raw = (front: HttpFront, path: string): Promise<string> =>
  front.raw(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

/** What stands between the slashes, as it is sent. */
const HOSTILE = [
  '.',
  '..',
  '...',
  '%2e%2e',
  '%2f',
  '..%2f..',
  '%00',
  'a%00',
  'a%2fb',
  'a\\b',
  '%zz',
  '%',
  'Savings',
  'SAVINGS',
  '-a',
  'a_b',
  'a.b',
  'a b'.replace(' ', '%20'),
  '%C3%A4',
  'con',
  'nul',
  'com1',
  'x'.repeat(33),
  'x'.repeat(2_000),
  '__proto__',
];

for (const name of HOSTILE) {
  test(`"${name.slice(0, 40)}" is no name of a wallet`, async (t) => {
    const { front } = t.context;
    for (const path of ['balance', 'wallet/exists', 'events']) {
      const answer = await raw(front, `/api/wallets/${name}/${path}`);
      t.is(statusOf(answer), 400, path);
      t.regex(answer, /"code":"INVALID_REQUEST".*"path":"wallet"/);
    }
    t.is(front.link.calls.length, 0);
    t.is(front.link.subscriptions, 0);
  });
}

test('a path below a wallet is one of its operations or nothing', async (t) => {
  const { front } = t.context;
  for (const path of [
    '',
    'wallets',
    'a/balance',
    'lwd/info',
    'config/theme',
    'pair',
    'version',
    'status',
    'hooks',
    'openapi.json',
    'balance/',
  ])
    t.is(statusOf(await raw(front, `/api/wallets/savings/${path}`)), 404, path);
  t.is(statusOf(await raw(front, '/api/wallets/savings')), 404);
  t.is(statusOf(await raw(front, '/api/wallets/')), 404);
  t.is(statusOf(await raw(front, '/wallets/savings/balance')), 404);
  t.is(front.link.calls.length, 0);
});

test('a name of 32 letters, digits and dashes reaches its wallet, and "default" the default one', async (t) => {
  const { front } = t.context;
  const longest = `0${'a-9'.repeat(10)}z`;
  t.is(longest.length, 32);
  for (const name of ['a', '7', longest, 'default'])
    t.is((await front.get(`/api/wallets/${name}/balance`)).status, 200);
  t.deepEqual(
    front.link.calls.map(({ context }) => context.wallet),
    ['a', '7', longest, undefined],
  );
});

test('methods, bodies and queries are held to the same rules', async (t) => {
  const { front } = t.context;
  const wrong = await fetch(`${front.url}/api/wallets/savings/balance`, { method: 'POST' });
  t.is(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS');
  await problemOf(t, wrong, 'METHOD_NOT_ALLOWED');
  await problemOf(
    t,
    await fetch(`${front.url}/api/wallets/Savings/balance`, { method: 'POST' }),
    'INVALID_REQUEST',
  );
  await problemOf(t, await front.get('/api/wallets/savings/balance?acount=0'), 'INVALID_REQUEST');
  await problemOf(
    t,
    await front.post('/api/wallets/savings/wallet/unlock', { pasword: 'a' }),
    'INVALID_REQUEST',
  );
  await problemOf(
    t,
    await front.post('/api/wallets/savings/sync', 'a=b', { 'content-type': 'text/plain' }),
    'UNSUPPORTED_MEDIA_TYPE',
  );
  const options = await fetch(`${front.url}/api/wallets/savings/sync`, { method: 'OPTIONS' });
  t.is(options.status, 204);
  t.is(options.headers.get('allow'), 'POST, OPTIONS');
});

test('web pages are kept out of every route of every wallet', async (t) => {
  const { front } = t.context;
  for (const name of operationNames.filter(isOfWallet)) {
    const { method, path } = operations[name].http;
    const route = path.replace('/api/', '/api/wallets/savings/');
    const ask = (headers: Record<string, string>) =>
      method === 'GET' ? front.get(route, headers) : front.post(route, {}, headers);
    await problemOf(t, await ask({ origin: 'https://attacker.example' }), 'ORIGIN_FORBIDDEN');
    await problemOf(t, await ask({ 'sec-fetch-site': 'cross-site' }), 'ORIGIN_FORBIDDEN');
  }
  // An extension that asks to be let in asks at one path alone.
  const stranger = { origin: 'chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba' };
  await problemOf(t, await front.post('/api/wallets/savings/pair', {}, stranger), 'ORIGIN_FORBIDDEN');
  t.is(front.link.calls.length, 0);
});

test('each stream has the events of its own wallet, and ids that no other stream takes for its own', async (t) => {
  const { front } = t.context;
  const streams = {
    default: await EventReader.open(`${front.url}/api/events`),
    named: await EventReader.open(`${front.url}/api/wallets/default/events`),
    savings: await EventReader.open(`${front.url}/api/wallets/savings/events`),
  };
  const unlocked = { event: 'wallet.unlocked', data: { expires_at: null } } as const;
  const locked = { event: 'wallet.locked', data: { reason: 'asked' } } as const;
  front.link.emit(unlocked, 'savings');
  front.link.emit(locked);
  const first = await streams.savings.next();
  t.is(first?.event, 'wallet.unlocked');
  for (const stream of [streams.default, streams.named]) t.is((await stream.next())?.event, 'wallet.locked');

  // Resumed where it was; an id of one wallet says nothing of another's events.
  front.link.emit(locked, 'savings');
  const id = { 'last-event-id': first?.id ?? '' };
  const resumed = await EventReader.open(`${front.url}/api/wallets/savings/events`, id);
  t.is((await resumed.next())?.event, 'wallet.locked');
  for (const other of ['/api/events', '/api/wallets/other/events'])
    t.is((await (await EventReader.open(front.url + other, id)).next())?.event, 'events.missed');
});

test('readyz and metrics can be asked about another wallet', async (t) => {
  const { front } = t.context;
  t.is((await front.get('/readyz?mode=unlocked&wallet=savings')).status, 200);
  t.deepEqual(
    front.link.calls.map(({ name, context }) => [name, context.wallet]),
    [
      ['wallet.status', 'savings'],
      ['sync.status', 'savings'],
      ['system.status', undefined],
    ],
  );
  await problemOf(t, await front.get('/readyz?wallet=Savings'), 'INVALID_REQUEST');
  const metrics = await (await front.get('/metrics')).text();
  t.true(metrics.includes('wallet_companion_other_wallet_unlocked{wallet="savings"} 0\n'));
  t.true(metrics.includes('wallet_companion_other_wallet_last_scan_height{wallet="savings"} 3428000\n'));
  t.notRegex(metrics, /other_wallet_\w+\{wallet="default"/);
  await front.get('/api/wallets/savings/balance');
  await raw(front, '/api/wallets/..%2f/balance');
  const counted = await (await front.get('/metrics')).text();
  t.true(counted.includes('route="/api/wallets/{wallet}/balance",status="200"} 1'));
  t.true(counted.includes('route="/api/wallets/{wallet}/balance",status="400"} 1'));
});
