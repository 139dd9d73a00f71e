import anyTest, { type TestFn } from 'ava';
import { EXTENSION_ORIGIN, type HttpFront, startHttpFront } from '../helpers/httpFront.ts';
import { problemOf } from '../helpers/problems.ts';

const test = anyTest as TestFn<{ front: HttpFront }>;

test.beforeEach(async (t) => {
  t.context.front = await startHttpFront();
});
test.afterEach.always((t) => t.context.front.close());

const request = (host: string, more = ''): string =>
  `GET /api/config HTTP/1.1\r\n${host}${more}Connection: close\r\n\r\n`;
const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.0.0.1:1', '[::1]', '[::1]:65535']) {
  test(`Host ${host} is let in`, async (t) => {
    t.is(statusOf(await t.context.front.raw(request(`Host: ${host}\r\n`))), 200);
  });
}

for (const host of [
  'attacker.example',
  'attacker.example:3000',
  'localhost.attacker.example',
  'localhost@attacker.example',
  '127.0.0.1.nip.io',
  'localhost.',
  'localhost.:3000',
  'a.localhost:3000',
  '127.0.0.1.:3000',
  '127.1:3000',
  '2130706433',
  '[::ffff:127.0.0.1]:3000',
  '[::ffff:7f00:1]',
  '[::1%lo]:3000',
  '[::1%25lo]',
  '[0:0:0:0:0:0:0:1]',
  '127.0.0.2',
  '127.0.0.1:',
  '127.0.0.1:123456',
  '0.0.0.0:3000',
  '192.168.1.2',
  '[::]',
  '::1',
  'localhost:3000:3000',
  'localhost, localhost',
  '',
]) {
  test(`Host "${host}" is refused`, async (t) => {
    const answer = await t.context.front.raw(request(`Host: ${host}\r\n`));
    t.is(statusOf(answer), 403);
    t.true(answer.includes('"HOST_FORBIDDEN"'));
  });
}

test('no Host, or two, is refused', async (t) => {
  t.is(statusOf(await t.context.front.raw(request(''))), 403);
  const two = await t.context.front.raw(request('Host: localhost\r\n', 'Host: attacker.example\r\n'));
  t.true([400, 403].includes(statusOf(two)));
});

test('an absolute request target is refused, whatever Host says', async (t) => {
  const answer = await t.context.front.raw(
    'GET http://attacker.example/api/config HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  t.is(statusOf(answer), 400);
  t.is(t.context.front.link.calls.length, 0);
});

for (const origin of [
  'https://attacker.example',
  'http://localhost:1',
  'https://localhost',
  'HTTP://LOCALHOST',
  'http://localhost.',
  'http://localhost:80',
  'http://localhost/',
  'http://localhost, http://localhost',
  'ws://localhost',
  'file://',
  'null',
  '*',
  '',
  EXTENSION_ORIGIN.toUpperCase(),
  `${EXTENSION_ORIGIN}/`,
  `${EXTENSION_ORIGIN}.attacker.example`,
  'chrome-extension://',
]) {
  test(`Origin "${origin}" is refused before any handler, on GET too`, async (t) => {
    const { front } = t.context;
    for (const line of ['GET /api/config', 'GET /healthz', 'POST /api/wallet/lock', 'GET /nowhere']) {
      const answer = await front.raw(
        `${line} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      t.is(statusOf(answer), 403);
      t.false(answer.toLowerCase().includes('access-control-'));
    }
    t.is(front.link.calls.length, 0);
  });
}

test('the allowed extension may call and read, errors included', async (t) => {
  const { front } = t.context;
  for (const path of ['/api/config', '/nowhere']) {
    const response = await front.get(path, { origin: EXTENSION_ORIGIN });
    t.is(response.headers.get('access-control-allow-origin'), EXTENSION_ORIGIN);
    t.is(response.headers.get('vary'), 'Origin');
    t.true(response.headers.get('access-control-expose-headers')?.includes('retry-after'));
  }
});

test('a page of the very host and port is our own, a page of another port is not', async (t) => {
  const { front } = t.context;
  t.is((await front.get('/api/config', { origin: front.url })).status, 200);
  const other = front.url.replace('127.0.0.1', 'localhost');
  await problemOf(t, await front.get('/api/config', { origin: other }), 'ORIGIN_FORBIDDEN');
});

for (const site of ['cross-site', 'same-site', 'anything']) {
  test(`Sec-Fetch-Site ${site} without Origin is refused`, async (t) => {
    const answer = await t.context.front.raw(request('Host: localhost\r\n', `Sec-Fetch-Site: ${site}\r\n`));
    t.is(statusOf(answer), 403);
    t.is(t.context.front.link.calls.length, 0);
  });
}

for (const [site, mode, more] of [
  ['same-origin', 'cors', 'Referer: http://localhost/\r\n'],
  ['same-origin', 'navigate', ''],
  ['none', 'navigate', ''],
] as const) {
  test(`Sec-Fetch-Site ${site} of a ${mode} request is let in`, async (t) => {
    const headers = `Sec-Fetch-Site: ${site}\r\nSec-Fetch-Mode: ${mode}\r\n${more}`;
    t.is(statusOf(await t.context.front.raw(request('Host: localhost\r\n', headers))), 200);
  });
}

// As Firefox has it of an extension with host permissions, whichever it is.
for (const [mode, more] of [
  ['cors', ''],
  ['no-cors', ''],
  ['cors', 'Referer: http://localhost.example/\r\n'],
  ['navigate', 'Sec-Fetch-Dest: iframe\r\n'],
] as const) {
  test(`Sec-Fetch-Site same-origin of a ${mode} request is refused with "${more.trim()}"`, async (t) => {
    const headers = `Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: ${mode}\r\n${more}`;
    const answer = await t.context.front.raw(request('Host: localhost\r\n', headers));
    t.is(statusOf(answer), 403);
    t.true(answer.includes('host_permissions'));
    t.is(t.context.front.link.calls.length, 0);
  });
}

test('Sec-Fetch-Site none without a mode, as no browser sends it, is let in', async (t) => {
  const answer = await t.context.front.raw(request('Host: localhost\r\n', 'Sec-Fetch-Site: none\r\n'));
  t.is(statusOf(answer), 200);
});

// As Chromium has it of what a page wants to have at hand.
for (const purpose of ['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip']) {
  test(`Sec-Fetch-Site none for the purpose ${purpose}, without a typed address, is refused`, async (t) => {
    const headers = `Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\nSec-Purpose: ${purpose}\r\n`;
    t.is(statusOf(await t.context.front.raw(request('Host: localhost\r\n', headers))), 403);
    t.is(t.context.front.link.calls.length, 0);
  });
}

// As Chromium has it of an extension with host permissions, whichever it is.
for (const mode of ['cors', 'no-cors', 'same-origin', 'websocket', '']) {
  test(`Sec-Fetch-Site none of a ${mode} request, without a typed address, is refused`, async (t) => {
    const headers = `Sec-Fetch-Site: none\r\nSec-Fetch-Mode: ${mode}\r\n`;
    const answer = await t.context.front.raw(request('Host: localhost\r\n', headers));
    t.is(statusOf(answer), 403);
    t.true(answer.includes('host_permissions'));
    t.is(t.context.front.link.calls.length, 0);
  });
}

const preflight = (origin: string, path = '/api/sync'): string =>
  `OPTIONS ${path} HTTP/1.1\r\nHost: localhost:3000\r\nOrigin: ${origin}\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\nAccess-Control-Request-Private-Network: true\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n`;

test('a preflight of the allowed extension is answered, private network included', async (t) => {
  const answer = (await t.context.front.raw(preflight(EXTENSION_ORIGIN))).toLowerCase();
  t.is(statusOf(answer), 204);
  t.true(answer.includes(`access-control-allow-origin: ${EXTENSION_ORIGIN}\r\n`));
  t.true(answer.includes('access-control-allow-private-network: true\r\n'));
  t.regex(answer, /access-control-allow-methods: [^\r]*post/);
  for (const header of ['content-type', 'last-event-id', 'x-request-id']) {
    t.regex(answer, new RegExp(`access-control-allow-headers: [^\\r]*${header}`));
  }
  t.true(answer.includes('vary: origin\r\n'));
});

test('a preflight of anyone else is refused and allows nothing', async (t) => {
  const answer = (await t.context.front.raw(preflight('https://attacker.example'))).toLowerCase();
  t.is(statusOf(answer), 403);
  t.false(answer.includes('access-control-'));
});

test('private network access is only granted when asked for', async (t) => {
  const asked = preflight(EXTENSION_ORIGIN).replace('Access-Control-Request-Private-Network: true\r\n', '');
  t.false((await t.context.front.raw(asked)).toLowerCase().includes('private-network'));
});

for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE', 'PATCH', 'BREW']) {
  test(`${method} of a page is refused like any other request`, async (t) => {
    const { front } = t.context;
    for (const from of [
      'Origin: http://localhost:1',
      'Sec-Fetch-Site: same-site',
      'Sec-Fetch-Site: cross-site',
    ]) {
      const asked = `${method} /api/config HTTP/1.1\r\nHost: localhost\r\n${from}\r\nConnection: close\r\n\r\n`;
      const answer = await front.raw(asked);
      t.true([400, 403].includes(statusOf(answer)), answer);
      t.false(answer.toLowerCase().includes('access-control-'));
    }
    t.is(front.link.calls.length, 0);
  });
}

test('OPTIONS without Origin names the methods', async (t) => {
  const response = await fetch(`${t.context.front.url}/api/address`, { method: 'OPTIONS' });
  t.is(response.status, 204);
  t.is(response.headers.get('allow'), 'GET, POST, HEAD, OPTIONS');
});

test('every response says that it is data, not a page', async (t) => {
  const { front } = t.context;
  for (const path of ['/api/config', '/nowhere', '/healthz']) {
    const response = await front.get(path);
    t.is(response.headers.get('x-content-type-options'), 'nosniff');
    t.is(response.headers.get('x-frame-options'), 'DENY');
    t.is(response.headers.get('cross-origin-resource-policy'), 'same-origin');
    t.is(response.headers.get('cross-origin-opener-policy'), 'same-origin');
    t.is(response.headers.get('origin-agent-cluster'), '?1');
    t.true(response.headers.get('content-security-policy')?.startsWith("default-src 'none'"));
    t.is(response.headers.get('x-powered-by'), null);
  }
});

const STRANGER = 'moz-extension://1b4e28ba-2fa1-11d2-883f-0016d3cca427';

test('an extension that is not let in can ask to be, and nothing else', async (t) => {
  const { front } = t.context;
  const asking = (await front.raw(preflight(STRANGER, '/api/pair'))).toLowerCase();
  t.is(statusOf(asking), 204);
  t.true(asking.includes(`access-control-allow-origin: ${STRANGER}\r\n`));
  const asked = await front.post('/api/pair', { origin: STRANGER }, { origin: STRANGER });
  t.is(asked.status, 202);
  t.is(asked.headers.get('access-control-allow-origin'), STRANGER);
  t.deepEqual(front.link.calls.at(-1)?.context.origin, STRANGER);
  const calls = front.link.calls.length;
  for (const path of ['/api/pair', '/api/config', '/healthz', '/api/pair/allow']) {
    await problemOf(t, await front.get(path, { origin: STRANGER }), 'ORIGIN_FORBIDDEN');
  }
  for (const path of ['/api/pair/allow', '/api/pair/refuse', '/api/pair/revoke', '/api/pair/', '/api/sync']) {
    await problemOf(t, await front.post(path, {}, { origin: STRANGER }), 'ORIGIN_FORBIDDEN');
    t.is(statusOf(await front.raw(preflight(STRANGER, path))), 403);
  }
  t.is(front.link.calls.length, calls);
});

test('a web page cannot even ask', async (t) => {
  const { front } = t.context;
  for (const origin of ['https://attacker.example', 'http://localhost:1', 'null', `${STRANGER}.example`]) {
    await problemOf(t, await front.post('/api/pair', { origin: STRANGER }, { origin }), 'ORIGIN_FORBIDDEN');
    t.is(statusOf(await front.raw(preflight(origin, '/api/pair'))), 403);
  }
  t.is(front.link.calls.length, 0);
});

test('extensions that are not let in use up no requests of those that are', async (t) => {
  const { front } = t.context;
  const statuses = [];
  for (let i = 0; i < 12; i++)
    statuses.push((await front.post('/api/pair', { origin: STRANGER }, { origin: STRANGER })).status);
  t.deepEqual([...new Set(statuses)], [202, 429]);
  t.is((await front.get('/api/config', { origin: EXTENSION_ORIGIN })).status, 200);
  front.advance(1_000);
  t.is((await front.post('/api/pair', { origin: STRANGER }, { origin: STRANGER })).status, 202);
});

test('an Origin is seen behind however many headers fit', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const many = 'a:\r\n'.repeat(3000);
  const answer = await front.raw(
    `GET /api/config HTTP/1.1\r\nHost: localhost\r\n${many}Origin: https://example.org\r\nConnection: close\r\n\r\n`,
  );
  t.regex(answer, /^HTTP\/1\.1 403 /);
});
