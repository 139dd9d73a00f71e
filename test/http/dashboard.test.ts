// The dashboard's files over HTTP: types, policy, caching, and who may have them.

import { readDashboard } from '@wallet-companion/dashboard';
import anyTest, { type TestFn } from 'ava';
import { type HttpFront, startHttpFront } from '../helpers/httpFront.ts';
import { problemOf } from '../helpers/problems.ts';

const test = anyTest as TestFn<{ front: HttpFront }>;
const files = readDashboard();

test.beforeEach(async (t) => {
  t.context.front = await startHttpFront({ dashboard: files });
});
test.afterEach.always((t) => t.context.front.close());

test('every file comes whole, with its type, its policy and nothing to guess', async (t) => {
  const { front } = t.context;
  t.is(files.size, 9);
  for (const [path, { type, body, etag, policy, permissions }] of files) {
    const response = await front.get(path);
    t.is(response.status, 200, path);
    const headers = Object.fromEntries(response.headers);
    t.like(headers, {
      'content-type': type,
      'content-security-policy': policy,
      'permissions-policy': permissions,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
      etag,
    });
    t.deepEqual(Buffer.from(await response.arrayBuffer()), body);
  }
  t.is(front.link.calls.length, 0);
});

test('the page names a manifest, and all that the manifest names is served: a browser can install it', (t) => {
  const linked = /rel="manifest" href="(.+?)"/.exec(String(files.get('/')?.body))?.[1];
  const { icons, start_url, display } = JSON.parse(String(files.get(`/${linked}`)?.body));
  t.is(display, 'standalone');
  for (const served of [start_url, ...icons.map(({ src }: { src: string }) => src)])
    t.true(files.has(served), served);
});

test('a browser that has the file already gets 304', async (t) => {
  const { front } = t.context;
  const { etag } = files.get('/')!;
  const ask = (tag: string): Promise<string> =>
    front.raw(`GET / HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: ${tag}\r\nConnection: close\r\n\r\n`);
  const again = await ask(etag);
  t.is(again.split(' ')[1], '304');
  t.false(again.includes('<html'));
  t.is((await ask('"another"')).split(' ')[1], '200');
});

test('HEAD is answered without the file, other methods and bodies are refused', async (t) => {
  const { front } = t.context;
  const head = await fetch(front.url, { method: 'HEAD' });
  t.is(head.status, 200);
  t.is(head.headers.get('content-length'), String(files.get('/')!.body.length));
  const post = await front.post('/', {});
  t.is(post.headers.get('allow'), 'GET, HEAD');
  await problemOf(t, post, 'METHOD_NOT_ALLOWED');
});

test('nothing else lies beside them', async (t) => {
  const { front } = t.context;
  const odd = [
    '/index.html',
    '/dashboard/',
    '/dashboard/index.html',
    '/dashboard/main.tsx',
    '//',
    '/%2e%2e/main.js',
  ];
  for (const path of odd) await problemOf(t, await front.get(path), 'NOT_FOUND');
  const raw = await front.raw(
    'GET /dashboard/../../main.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  t.is(raw.split(' ')[1], '404');
});

test('the page calls as itself by each of its names, and no page of another port or name does', async (t) => {
  const { front } = t.context;
  const { port } = front.listening;
  const call = async (host: string, origin: string): Promise<number> => {
    const answer = await front.raw(
      `POST /api/wallet/lock HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    return Number(answer.split(' ')[1]);
  };
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  for (const name of names) t.is(await call(`${name}:${port}`, `http://${name}:${port}`), 200, name);
  for (const name of names) {
    for (const other of [`http://${name}:${port + 1}`, `https://${name}:${port}`, `http://${name}`]) {
      t.is(await call(`${name}:${port}`, other), 403, other);
    }
    for (const another of names.filter((one) => one !== name)) {
      t.is(await call(`${name}:${port}`, `http://${another}:${port}`), 403);
    }
  }
});

test('a page elsewhere can neither show nor load it', async (t) => {
  const { front } = t.context;
  for (const path of ['/', '/dashboard/main.js']) {
    await problemOf(t, await front.get(path, { origin: 'https://attacker.example' }), 'ORIGIN_FORBIDDEN');
    const framed = await front.raw(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: iframe\r\nConnection: close\r\n\r\n`,
    );
    t.is(framed.split(' ')[1], '403');
  }
});
