// What the window's page can ask for, without a window.

import { cpSync } from 'node:fs';
import test from 'ava';
import { pageAnswerer } from '../../../src/ipc/desktop/pageRequests.ts';
import { examples } from '../../../src/protocol/examples.ts';
import type { Output } from '../../../src/protocol/operations.ts';
import { FakeLink } from '../../helpers/fakeLink.ts';

const answerer = (link: FakeLink) => pageAnswerer(link, () => 'page-request');
const NOTHING_SCANNED = { as_of_height: null, as_of_hash: null, complete: false } as const;
const request = (method: string, path: string, body = '') => ({ method, path, body: Buffer.from(body) });

test.before(() => {
  // As the build does, for when only the compiler ran. What is there stays: the window's test reads it at the same
  // time.
  const page = new URL('../../../src/ipc/desktop/page', import.meta.url);
  cpSync('src/ipc/desktop/page', page, { recursive: true, force: false });
});

test('the page and its files are served with their types', async (t) => {
  const answer = answerer(new FakeLink());
  for (const [path, type] of [
    ['/', 'text/html'],
    ['/page.js', 'text/javascript'],
    ['/balance.js', 'text/javascript'],
    ['/style.css', 'text/css'],
  ] as const) {
    const { status, type: given, body } = await answer(request('GET', path));
    t.is(status, 200);
    t.is(given, `${type}; charset=utf-8`);
    t.true(body.length > 100);
  }
});

test('the window says of a balance what it is as of, and of one that nobody looked for that it is unknown', async (t) => {
  const page = new URL('../../../src/ipc/desktop/page/balance.js', import.meta.url);
  const { balanceText } = (await import(page.href)) as {
    balanceText: (balance: Output<'balance.get'>) => {
      readonly total: string;
      readonly note: string;
      readonly rows: readonly (readonly string[])[];
    };
  };
  const known = { ...examples['balance.get'].output, total_zatoshi: 123_456_700_000_015 };
  t.deepEqual(balanceText(known), {
    total: '1,234,567.00000015 ZEC',
    note: 'As of block 1000049. 0.00000003 ZEC pending. Blocks are missing: sync to see everything.',
    rows: ['sapling', 'orchard', 'ironwood'].map((pool) => [pool, '0.00000004 ZEC', '0.00000005 ZEC', '1']),
  });
  const whole = { ...known, pending_zatoshi: 0, complete: true, missing_ranges: [] };
  t.is(balanceText(whole).note, 'As of block 1000049.');
  const unknown = balanceText({ ...known, ...NOTHING_SCANNED });
  t.is(unknown.total, 'unknown');
  t.regex(unknown.note, /sync/);
  t.notRegex(JSON.stringify(unknown), /\d/);
});

test('nothing else is served', async (t) => {
  const answer = answerer(new FakeLink());
  for (const [method, path] of [
    ['GET', '/../window.js'],
    ['GET', '/page/index.html'],
    ['POST', '/'],
    ['GET', '/invoke/wallet_exists'],
    ['DELETE', '/invoke/wallet_exists'],
  ] as const) {
    t.is((await answer(request(method, path))).status, 404, `${method} ${path}`);
  }
});

test('commands are answered with tagged results', async (t) => {
  const link = new FakeLink();
  link.failWith('wallet.unlock', { code: 'WRONG_PASSWORD', detail: 'The password is wrong.' });
  const answer = answerer(link);
  const invoke = async (path: string, body: string): Promise<unknown> => {
    const { status, type, body: json } = await answer(request('POST', path, body));
    t.is(status, 200);
    t.is(type, 'application/json');
    return JSON.parse(json.toString('utf8'));
  };
  t.deepEqual(await invoke('/invoke/lwd_info', ''), { ok: true, value: examples['lwd.info'].output });
  t.like(await invoke('/invoke/wallet_unlock', '{"password":"x"}'), {
    ok: false,
    error: { code: 'WRONG_PASSWORD', request_id: 'page-request' },
  });
  for (const [path, body, code] of [
    ['/invoke/nope', '{}', 'NOT_FOUND'],
    ['/invoke/', '{}', 'NOT_FOUND'],
    ['/invoke/sync', '{', 'INVALID_REQUEST'],
    ['/invoke/sync', '[]', 'INVALID_REQUEST'],
    ['/invoke/sync', `"${'a'.repeat(65_536)}"`, 'BODY_TOO_LARGE'],
  ] as const) {
    t.like(await invoke(path, body), { ok: false, error: { code } }, path);
  }
});
