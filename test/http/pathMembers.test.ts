// Routes with a member of the input in their path, of the default wallet and of others.

import anyTest, { type TestFn } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { type HttpFront, startHttpFront } from '../helpers/httpFront.ts';
import { problemOf } from '../helpers/problems.ts';

const test = anyTest as TestFn<{ front: HttpFront }>;

test.beforeEach(async (t) => {
  t.context.front = await startHttpFront();
});
test.afterEach.always((t) => t.context.front.close());

const { payment_id: ID } = examples['payments.get'].input;
const PCZT = examples['payments.combine'].input.pczt;

test('the path, the query and the body make one input', async (t) => {
  const { front } = t.context;
  t.is((await front.get(`/api/payments/${ID}/pczt?reader=prover`)).status, 200);
  t.is((await front.post(`/api/wallets/savings/payments/${ID}/combine`, { pczt: PCZT })).status, 200);
  t.deepEqual(front.link.calls, [
    {
      name: 'payments.pczt',
      input: { payment_id: ID, reader: 'prover' },
      context: { requestId: 'request-1' },
    },
    {
      name: 'payments.combine',
      input: { payment_id: ID, pczt: PCZT },
      context: { requestId: 'request-2', wallet: 'savings' },
    },
  ]);
});

test('a bad id is a bad field, however it is spelt', async (t) => {
  const { front } = t.context;
  const bad = [
    'x',
    `${ID}0`,
    `${ID}%00`,
    `%35${ID.slice(1)}`,
    'a%2Fb',
    '%2e%2e%2fconfig',
    '%zz',
    '{payment_id}',
    ':payment_id',
    '__proto__',
  ];
  for (const id of bad) {
    for (const inWallet of ['', 'wallets/savings/']) {
      for (const response of [
        await front.get(`/api/${inWallet}payments/${id}`),
        await front.get(`/api/${inWallet}payments/${id}/pczt`),
        await front.post(`/api/${inWallet}payments/${id}/discard`),
      ]) {
        const problem = await problemOf(t, response, 'INVALID_REQUEST');
        t.deepEqual(
          problem.errors?.map(({ path }) => path),
          ['payment_id'],
          id,
        );
      }
    }
  }
  t.is(front.link.calls.length, 0);
});

test('an id that is in the path is refused in query and body', async (t) => {
  const { front } = t.context;
  for (const response of [
    await front.get(`/api/payments/${ID}?payment_id=${ID}`),
    await front.post(`/api/payments/${ID}/discard`, { payment_id: ID }),
    await front.post(`/api/payments/${ID}/discard?payment_id=${ID}`),
  ]) {
    const problem = await problemOf(t, response, 'INVALID_REQUEST');
    t.deepEqual(
      problem.errors?.map(({ path }) => path),
      ['payment_id'],
    );
  }
  t.is(front.link.calls.length, 0);
  t.is((await front.post(`/api/payments/${ID}/discard`, { payment_id: null })).status, 200);
  t.is((await front.get(`/api/payments/${ID}?payment_id=`)).status, 200);
});

test('a path that is spelt out is itself, not an id', async (t) => {
  const { front } = t.context;
  for (const inWallet of ['', 'wallets/savings/']) {
    const wrong = await front.get(`/api/${inWallet}payments/prepare`);
    t.is(wrong.headers.get('allow'), 'POST, OPTIONS');
    await problemOf(t, wrong, 'METHOD_NOT_ALLOWED');
  }
  const { everything, ...input } = examples['payments.prepare'].input;
  t.is((await front.post('/api/payments/prepare', input)).status, 200);
  t.is(front.link.calls.at(-1)?.name, 'payments.prepare');
});

test('what is no path of such a route is nothing', async (t) => {
  const { front } = t.context;
  for (const path of [
    '/api/payments/',
    `/api/payments/${ID}/`,
    `/api/payments//pczt`,
    `/api/payments/${ID}/pczt/`,
    `/api/payments/${ID}/Pczt`,
    `/api/payments/a/b/pczt`,
    `/api/wallets/savings/payments/`,
    `/api/wallets//payments/${ID}`,
  ]) {
    const response = await front.get(path);
    t.true([404, 400].includes(response.status), path);
    t.is(front.link.calls.length, 0, path);
  }
  await problemOf(t, await front.get(`/api/payments/${ID}/nothing`), 'NOT_FOUND');
});

test('wrong methods and OPTIONS hear what the route takes', async (t) => {
  const { front } = t.context;
  const options = await fetch(`${front.url}/api/payments/${ID}/combine`, { method: 'OPTIONS' });
  t.is(options.status, 204);
  t.is(options.headers.get('allow'), 'POST, OPTIONS');
  const wrong = await fetch(`${front.url}/api/wallets/savings/payments/${ID}`, { method: 'DELETE' });
  t.is(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS');
  await problemOf(t, wrong, 'METHOD_NOT_ALLOWED');
});

test('counters and the log have the route, never the id', async (t) => {
  const { front } = t.context;
  await front.get(`/api/payments/${ID}`);
  await front.post(`/api/wallets/savings/payments/${ID}/discard`);
  await fetch(`${front.url}/api/payments/${ID}`, { method: 'DELETE' });
  await front.get('/api/payments/not-an-id');
  const metrics = await (await front.get('/metrics')).text();
  t.true(metrics.includes('route="/api/payments/{payment_id}"'));
  t.true(metrics.includes('route="/api/wallets/{wallet}/payments/{payment_id}/discard"'));
  for (const text of [metrics, JSON.stringify(front.logged)]) t.notRegex(text, new RegExp(`${ID}|not-an-id`));
});
