import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import test from 'ava';
import { openApiDocument } from '../../scripts/generate/openapi.ts';
import { listen } from '../../src/http/server/listen.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import { startHttpFront } from '../helpers/httpFront.ts';

const app = { callback: () => () => {} };
const requestId = () => 'id';
/** Longer than a run of the tests may stand still. */
const FOR_EVER_MS = 20 * 3_600_000;

for (const host of ['0.0.0.0', '::', '192.168.1.2', 'example.com', '127.0.0.2', '']) {
  test(`binding "${host}" is refused at start`, async (t) => {
    const error = await t.throwsAsync(listen({ app, host, port: 0, requestId }), {
      instanceOf: CompanionError,
    });
    t.true(error.message.includes('127.0.0.1'));
  });
}

test('port 0 picks a free port and says which', async (t) => {
  const listening = await listen({ app, port: 0, requestId });
  t.teardown(() => listening.close());
  t.true(listening.port > 0);
  t.is(listening.url, `http://127.0.0.1:${listening.port}`);
  t.true(listening.addresses.includes('127.0.0.1'));
});

test('a port that is taken is a clear error', async (t) => {
  const first = await listen({ app, host: '127.0.0.1', port: 0, requestId });
  t.teardown(() => first.close());
  const second = listen({ app, host: '127.0.0.1', port: first.port, requestId });
  const error = await t.throwsAsync(second, { instanceOf: CompanionError });
  t.true(error.message.includes(String(first.port)) && error.message.includes('--port'));
});

for (const [title, bytes, detail] of [
  ['bytes that are not HTTP', 'hello\r\n\r\n', 'not a valid HTTP request'],
  ['an endless header', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 'too long'],
  ['an endless URL', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 'too long'],
  [
    'two lengths (request smuggling)',
    'POST /api/wallet/lock HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'not a valid HTTP request',
  ],
] as const) {
  test(`${title}: a 400 problem, and the server lives on`, async (t) => {
    const front = await startHttpFront();
    t.teardown(() => front.close());
    const answer = await front.raw(bytes);
    t.true(answer.startsWith('HTTP/1.1 400 '));
    t.true(answer.includes('application/problem+json') && answer.includes(detail));
    t.is((await front.get('/api/config')).status, 200);
  });
}

test('CONNECT is refused with a problem, not by hanging up', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const answer = await front.raw('CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  t.true(answer.startsWith('HTTP/1.1 405 '));
  t.true(answer.includes('application/problem+json') && answer.includes('METHOD_NOT_ALLOWED'));
  t.regex(answer, /\r\nallow: GET, HEAD, POST, OPTIONS\r\n/);
  t.regex(answer, /\r\nx-request-id: /);
});

test('an unknown expectation is ignored', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const answer = await front.raw(
    'GET /api/config HTTP/1.1\r\nHost: localhost\r\nExpect: something\r\nConnection: close\r\n\r\n',
  );
  t.true(answer.startsWith('HTTP/1.1 200 '));
  t.regex(answer, /x-request-id: /);
});

test('closing waits for the answer that is under way, and not for its connection', async (t) => {
  let onRequest: (response: ServerResponse) => void = () => undefined;
  const asked = new Promise<ServerResponse>((resolve) => {
    onRequest = resolve;
  });
  const waiting = {
    callback: () => (_request: IncomingMessage, response: ServerResponse) => onRequest(response),
  };
  const listening = await listen({
    app: waiting,
    port: 0,
    host: '127.0.0.1',
    requestId,
    keepAliveMs: FOR_EVER_MS,
  });
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const status = new Promise<number | undefined>((resolve, reject) => {
    get(listening.url, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    }).on('error', reject);
  });
  const response = await asked;
  const closed = listening.close(FOR_EVER_MS);
  response.end();
  t.is(await status, 200);
  await closed;
  t.pass();
});

const BEGUN: Readonly<Record<string, string>> = {
  'no request': '',
  'half a request line': 'GET /api/con',
  'half a body':
    'POST /api/sync HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{',
  'a request that was answered': 'GET /api/config HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'bytes that are no request': 'no request\r\n\r\n',
  'CONNECT, which takes its connection from the server':
    'CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: localhost\r\n\r\n',
};

for (const [what, bytes] of Object.entries(BEGUN)) {
  test(`closing does not wait for a caller that holds a connection: ${what}`, async (t) => {
    const front = await startHttpFront();
    // Its end is no end of ours: the server alone ends the connection.
    const socket = connect({ port: front.listening.port, host: '127.0.0.1', allowHalfOpen: true });
    t.teardown(() => socket.destroy());
    await once(socket, 'connect');
    socket.on('error', () => undefined).write(bytes);
    const isAnswered = /answered|no request\b|CONNECT/.test(what) && bytes !== '';
    if (isAnswered) await once(socket, 'data');
    else await front.get('/api/config', { connection: 'close' });
    await front.listening.close(FOR_EVER_MS);
    t.pass();
  });
}

test('healthz reports the threads', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  t.deepEqual(await (await front.get('/healthz')).json(), {
    status: 'ok',
    wallet: 'up',
    chain: 'up',
    kernel: null,
    restarts: { wallet: 0, chain: 0 },
  });
  front.link.healthReport = {
    wallet: 'up',
    chain: 'down',
    kernel: { variant: 'portable', reason: 'no SIMD' },
    restarts: { wallet: 0, chain: 3 },
  };
  t.deepEqual(await (await front.get('/healthz')).json(), {
    status: 'degraded',
    wallet: 'up',
    chain: 'down',
    kernel: { variant: 'portable', reason: 'no SIMD' },
    restarts: { wallet: 0, chain: 3 },
  });
});

test('the OpenAPI document is served', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const response = await front.get('/api/openapi.json');
  t.is(response.status, 200);
  t.deepEqual(await response.json(), JSON.parse(JSON.stringify(openApiDocument())));
});
