// What the window's page can ask for, without a window.

import { cpSync } from 'node:fs';
import test from 'ava';
import { pageAnswerer } from '../../../src/ipc/desktop/pageRequests.ts';
import { examples } from '../../../src/protocol/examples.ts';
import { FakeLink } from '../../helpers/fakeLink.ts';

const answerer = (link: FakeLink) => pageAnswerer(link, () => 'page-request');
const request = (method: string, path: string, body = '') => ({ method, path, body: Buffer.from(body) });

test.before(() => {
  // As the build does, for when only the compiler ran. What is there stays: the window's test reads it at the same time.
  const page = new URL('../../../src/ipc/desktop/page', import.meta.url);
  cpSync('src/ipc/desktop/page', page, { recursive: true, force: false });
});

test('the page and its files are served with their types', async (t) => {
  const answer = answerer(new FakeLink());
  for (const [path, type] of [
    ['/', 'text/html'],
    ['/page.js', 'text/javascript'],
    ['/style.css', 'text/css'],
  ] as const) {
    const { status, type: given, body } = await answer(request('GET', path));
    t.is(status, 200);
    t.is(given, `${type}; charset=utf-8`);
    t.true(body.length > 100);
  }
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
