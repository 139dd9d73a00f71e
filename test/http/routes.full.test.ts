// Every route of the table: success, each failure it can answer with, and every way of calling it wrongly.

import { AT_LENGTH } from '@wallet-companion/base/test/atLength';
import { filledPath, requestTo } from '@wallet-companion/client/contract';
import anyTest, { type TestFn } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { ERRORS, type ErrorCode } from '../../src/protocol/errors.ts';
import { inputLimit } from '../../src/protocol/inputLimits.ts';
import { COMMON_ERRORS } from '../../src/protocol/operation.ts';
import { type OperationName, operationNames, operations } from '../../src/protocol/operations.ts';
import { type HttpFront, startHttpFront } from '../helpers/httpFront.ts';
import { problemOf } from '../helpers/problems.ts';

const test = anyTest as TestFn<{ front: HttpFront }>;

test.beforeEach(async (t) => {
  t.context.front = await startHttpFront();
});
test.afterEach.always((t) => t.context.front.close());

/** The example of an operation as a request: path, query and body. */
function sampleOf(name: OperationName, more: object = {}) {
  const { method, path: route } = operations[name].http;
  const input = { ...examples[name].input, ...more };
  const { path, rest } = filledPath(route, input);
  return { path, rest, target: requestTo(method, route, input).target };
}

function call(
  front: HttpFront,
  name: OperationName,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { target, rest } = sampleOf(name);
  return operations[name].http.method === 'GET'
    ? front.get(target, headers)
    : front.post(target, rest, headers);
}

for (const [place, name] of operationNames.entries()) {
  const { http, errors } = operations[name];
  const route = `${http.method} ${http.path}`;
  const { path, rest } = sampleOf(name);

  test(`${route} dispatches ${name} and answers with its output`, async (t) => {
    const { front } = t.context;
    const response = await call(front, name);
    t.is(response.status, http.status ?? 200);
    t.is(response.headers.get('content-type'), 'application/json; charset=utf-8');
    t.is(response.headers.get('cache-control'), 'no-store');
    t.is(response.headers.get('x-request-id'), 'request-1');
    t.deepEqual(await response.json(), examples[name].output);
    t.deepEqual(front.link.calls, [
      { name, input: examples[name].input, context: { requestId: 'request-1' } },
    ]);
  });

  // A route knows nothing of codes: each passes some on, and others others.
  const codes = [...new Set<ErrorCode>([...errors, ...COMMON_ERRORS])];
  for (const code of codes.filter((_, i) => AT_LENGTH || (i + place) % 5 === 0)) {
    test(`${route} passes on ${code}`, async (t) => {
      const { front } = t.context;
      front.link.failWith(name, { code, detail: 'What happened, and what to do.' });
      const problem = await problemOf(t, await call(front, name), code);
      t.is(problem.detail, 'What happened, and what to do.');
      t.is(problem.title, ERRORS[code].title);
    });
  }

  test(`${route} refuses the other methods and says which are allowed`, async (t) => {
    const { front } = t.context;
    const methods = operationNames
      .filter((other) => operations[other].http.path === http.path)
      .map((other) => operations[other].http.method);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      if (methods.some((known) => known === method)) continue;
      const response = await fetch(front.url + path, { method });
      for (const known of methods) t.true(response.headers.get('allow')?.includes(known));
      await problemOf(t, response, 'METHOD_NOT_ALLOWED');
    }
    t.is(front.link.calls.length, 0);
  });

  test(`${route} refuses an unknown field`, async (t) => {
    const { front } = t.context;
    const wrong = sampleOf(name, { hight: 5 });
    const response =
      http.method === 'GET' ? await front.get(wrong.target) : await front.post(path, wrong.rest);
    const problem = await problemOf(t, response, 'INVALID_REQUEST');
    t.deepEqual(
      problem.errors?.map((field) => field.path),
      ['hight'],
    );
    t.is(front.link.calls.length, 0);
  });

  test(`${route} refuses another Host and a foreign Origin`, async (t) => {
    const { front } = t.context;
    const bytes = (host: string, more = '') =>
      `${http.method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Content-Length: 0\r\nConnection: close\r\n\r\n`;
    const byName = await front.raw(bytes('attacker.example'));
    t.true(byName.startsWith('HTTP/1.1 403 ') && byName.includes('"HOST_FORBIDDEN"'));
    const byOrigin = await front.raw(bytes('localhost', 'Origin: https://attacker.example\r\n'));
    t.true(byOrigin.startsWith('HTTP/1.1 403 ') && byOrigin.includes('"ORIGIN_FORBIDDEN"'));
    t.is(front.link.calls.length, 0);
  });

  if (http.method === 'GET') {
    test(`${route} answers HEAD without a body`, async (t) => {
      const response = await fetch(t.context.front.url + sampleOf(name).target, {
        method: 'HEAD',
      });
      t.is(response.status, 200);
      t.is(await response.text(), '');
    });

    test(`${route} refuses a body and a repeated parameter`, async (t) => {
      const { front } = t.context;
      const withBody = await front.raw(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
      );
      t.true(withBody.startsWith('HTTP/1.1 400 ') && withBody.includes('"INVALID_REQUEST"'));
      const twice = await front.get(`${path}?account=0&account=0`);
      const problem = await problemOf(t, twice, 'INVALID_REQUEST');
      t.deepEqual(
        problem.errors?.map((field) => field.path),
        ['account'],
      );
    });
  } else {
    test(`${route} refuses every other content type before reading`, async (t) => {
      const { front } = t.context;
      for (const type of [
        'text/plain',
        'text/plain; application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/jsonp',
        'application/vnd.api+json',
        'application/csp-report',
        'application/json; charset=utf-16',
        '',
      ]) {
        const response = await front.post(path, '{}', { 'content-type': type });
        await problemOf(t, response, 'UNSUPPORTED_MEDIA_TYPE');
      }
      const compressed = await front.post(path, '{}', { 'content-encoding': 'gzip' });
      await problemOf(t, compressed, 'UNSUPPORTED_MEDIA_TYPE');
      t.is(front.link.calls.length, 0);
    });

    test(`${route} refuses an oversized body`, async (t) => {
      const { front } = t.context;
      const response = await front.post(path, { x: 'a'.repeat(inputLimit(name)) });
      await problemOf(t, response, 'BODY_TOO_LARGE');
      t.is(front.link.calls.length, 0);
    });

    test(`${route} refuses what is not one JSON object`, async (t) => {
      const { front } = t.context;
      for (const body of [
        '{',
        '[]',
        '5',
        'null',
        '"text"',
        '{} {}',
        '{"password":"hunter2"',
        '{"__proto__":{}}',
      ]) {
        const response = await front.post(path, body);
        const problem = await problemOf(t, response, 'INVALID_REQUEST');
        t.false(JSON.stringify(problem).includes('hunter2'));
      }
      t.is(front.link.calls.length, 0);
    });

    test(`${route} refuses query parameters`, async (t) => {
      const { front } = t.context;
      const response = await front.post(`${path}?start_height=5`, rest);
      await problemOf(t, response, 'INVALID_REQUEST');
      t.is(front.link.calls.length, 0);
    });

    const inPath = Object.entries(examples[name].input).filter(([member]) => !(member in rest));
    const optional = operations[name].input.safeParse(Object.fromEntries(inPath)).success;
    test(`${route} ${optional ? 'takes an empty body as {}' : 'names what is missing from an empty body'}`, async (t) => {
      const { front } = t.context;
      const response = await front.post(path);
      if (optional) t.is(response.status, 200);
      else await problemOf(t, response, 'INVALID_REQUEST');
    });
  }
}

test('a chunked body is held to type and size too', async (t) => {
  const { front } = t.context;
  const head =
    'POST /api/wallet/unlock HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n';
  const untyped = await front.raw(`${head}\r\n2\r\n{}\r\n0\r\n\r\n`);
  t.true(untyped.startsWith('HTTP/1.1 415 '));
  const long = `{"x":"${'a'.repeat(70_000)}"}`;
  const oversized = await front.raw(
    `${head}Content-Type: application/json\r\n\r\n${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`,
  );
  t.true(oversized.startsWith('HTTP/1.1 413 '));
});

test('unknown paths are 404 problems, whatever the method', async (t) => {
  const { front } = t.context;
  for (const path of [
    '/',
    '/api',
    '/api/nope',
    '/api/config/',
    '/API/config',
    '//api/config',
    '/api/config%2f',
  ]) {
    await problemOf(t, await front.get(path), 'NOT_FOUND');
    await problemOf(t, await front.post(path, {}), 'NOT_FOUND');
  }
});

test('a failed sync says how far it came, and a 429 when to come back', async (t) => {
  const { front } = t.context;
  front.link.failWith('sync.run', { code: 'NODE_UNREACHABLE', detail: 'Gone.', lastScanHeight: 640 });
  const failed = await problemOf(t, await front.post('/api/sync'), 'NODE_UNREACHABLE');
  t.is(failed.last_scan_height, 640);
  front.link.failWith('wallet.unlock', {
    code: 'TOO_MANY_ATTEMPTS',
    detail: 'Wait.',
    retryAfterSeconds: 1.2,
  });
  const response = await front.post('/api/wallet/unlock', { password: 'x' });
  t.is(response.headers.get('retry-after'), '2');
  await problemOf(t, response, 'TOO_MANY_ATTEMPTS');
});

test('an unexpected error is INTERNAL: described in the log, not to the caller', async (t) => {
  const { front } = t.context;
  front.link.dispatch = async () => {
    throw new Error('ENOENT /home/someone/wallet.bin');
  };
  const problem = await problemOf(t, await front.get('/api/config'), 'INTERNAL');
  t.false(JSON.stringify(problem).includes('/home'));
  const reported = front.logged.filter(({ level }) => level === 'error');
  t.is(reported.length, 1);
  t.true('stack' in reported[0]!.fields);
  // The message of a fault may quote input, so not even the log has it.
  t.false(JSON.stringify(reported).includes('/home/someone'));
});

test('the log has the route and no field of the request', async (t) => {
  const { front } = t.context;
  await front.post('/api/wallet/unlock', { password: 'hunter2' });
  await front.get('/api/lwd/info?db_path=secret.db');
  const log = JSON.stringify(front.logged);
  t.true(log.includes('/api/wallet/unlock') && log.includes('/api/lwd/info'));
  t.false(log.includes('hunter2') || log.includes('secret.db'));
});

test('a caller that hangs up does not cancel the operation', async (t) => {
  const { front } = t.context;
  let finish: () => void = () => {};
  const started = new Promise<void>((resolve) => {
    front.link.answerWith('sync.run', async () => {
      resolve();
      await new Promise<void>((done) => {
        finish = done;
      });
      return { ok: true, value: examples['sync.run'].output };
    });
  });
  const abort = new AbortController();
  const call = fetch(`${front.url}/api/sync`, { method: 'POST', signal: abort.signal });
  await started;
  abort.abort();
  await t.throwsAsync(call, { any: true });
  finish();
  t.is((await front.get('/api/config')).status, 200);
});
