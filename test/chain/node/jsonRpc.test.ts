import { writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Waits } from '@wallet-companion/base/test/waits';
import { readRawBlocks } from '@wallet-companion/zcash/test/fixtures';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import test, { type ExecutionContext } from 'ava';
import { JSON_RPC_LIMITS, JsonRpcClient, type JsonRpcLimits, JsonRpcRefusal } from '#chain/node/jsonRpc';
import type { CompanionError, ErrorCode } from '../../../src/protocol/errors.ts';
import { FixtureNode, Refusal } from '../../helpers/fixtureNode.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { until } from '../../helpers/until.ts';
import { PATIENT_RPC } from '../../helpers/waits.ts';

async function startNode(t: ExecutionContext): Promise<FixtureNode> {
  const node = await FixtureNode.start({
    chain: 'test',
    firstHeight: 1,
    blocks: readRawBlocks('known-seed', 'zebra-recorded', 'raw-blocks.hex').slice(0, 2),
    treesBefore: EMPTY_TREES,
  });
  t.teardown(() => node.stop());
  return node;
}

function connect(
  t: ExecutionContext,
  url: string,
  limits: Partial<JsonRpcLimits> = {},
  cookieFile: string | null = null,
): JsonRpcClient {
  const client = new JsonRpcClient({ url, cookieFile }, { ...PATIENT_RPC, ...limits });
  t.teardown(() => client.close());
  return client;
}

async function failsWith(t: ExecutionContext, call: Promise<unknown>, code: ErrorCode): Promise<string> {
  const error = await t.throwsAsync<CompanionError>(call);
  t.is(error?.code, code, error?.message);
  return error?.message ?? '';
}

test('a call gives the result member', async (t) => {
  const node = await startNode(t);
  t.like(await connect(t, node.url).call('getblockchaininfo', []), { chain: 'test', blocks: 2 });
});

test('a JSON-RPC error is a refusal with its code, whatever the HTTP status', async (t) => {
  const node = await startNode(t);
  const client = connect(t, node.url);
  node.answer = () => new Refusal(-8);
  t.is((await t.throwsAsync<JsonRpcRefusal>(client.call('getblock', ['9', 0])))?.code, -8);
  node.exchange = (_request, response) => {
    response.statusCode = 500;
    response.end('{"result":null,"error":{"code":-5,"message":"no"},"id":2}');
    return true;
  };
  const error = await t.throwsAsync(client.call('getblock', ['9', 0]), { instanceOf: JsonRpcRefusal });
  t.is((error as JsonRpcRefusal).code, -5);
});

test('a dead node is NODE_UNREACHABLE and named by host and port', async (t) => {
  const node = await startNode(t);
  const url = node.url;
  await node.stop();
  t.regex(
    await failsWith(t, connect(t, url).call('getblockcount', []), 'NODE_UNREACHABLE'),
    /127\.0\.0\.1:\d+/,
  );
});

test('a node that never answers is cut off by the idle deadline', async (t) => {
  const node = await startNode(t);
  node.exchange = () => true;
  await failsWith(t, connect(t, node.url, { idleMs: 30 }).call('getblockcount', []), 'UPSTREAM_TIMEOUT');
});

test('who waits for a node does so by the clock of the limits, and no longer than for the answer', async (t) => {
  const node = await startNode(t);
  const waits = new Waits();
  const asked: number[] = [];
  const client = connect(t, node.url, {
    ...JSON_RPC_LIMITS,
    after: (ms, strike) => {
      asked.push(ms);
      return waits.after(ms, strike);
    },
  });
  await client.call('getblockchaininfo', []);
  t.deepEqual(new Set(asked), new Set([15_000, 120_000]));
  t.true(asked.filter((ms) => ms === 15_000).length > 1, 'anew with each piece of the answer');
  t.is(waits.open, 0);
  node.exchange = () => {
    waits.end();
    return true;
  };
  await failsWith(t, client.call('getblockcount', []), 'UPSTREAM_TIMEOUT');
  t.is(waits.open, 0);
});

test('a body that drips for ever is cut off by the whole deadline', async (t) => {
  const node = await startNode(t);
  node.exchange = (_request, response) => {
    const drip = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(drip));
    return true;
  };
  const client = connect(t, node.url, { idleMs: 5000, totalMs: 60 });
  await failsWith(t, client.call('getblockcount', []), 'UPSTREAM_TIMEOUT');
});

test('an endless body is cut off at the size cap', async (t) => {
  const node = await startNode(t);
  let closed = false;
  node.exchange = (_request, response) => {
    const flood = (): void => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', flood);
    response.on('close', () => {
      closed = true;
    });
    flood();
    return true;
  };
  const client = connect(t, node.url, { maxResponseBytes: 100_000 });
  await failsWith(t, client.call('getblockcount', []), 'NODE_BAD_RESPONSE');
  await until(() => closed);
  t.pass('and the connection is closed');
});

for (const [what, body] of [
  ['text that is not JSON', '<html>hello</html>'],
  ['JSON that is no object', '[1,2]'],
  ['an object without a result', '{"id":1}'],
  ['an empty body', ''],
] as const) {
  test(`${what} is NODE_BAD_RESPONSE`, async (t) => {
    const node = await startNode(t);
    node.exchange = (_request, response) => {
      response.end(body);
      return true;
    };
    await failsWith(t, connect(t, node.url).call('getblockcount', []), 'NODE_BAD_RESPONSE');
  });
}

for (const [what, reply, passes] of [
  ['its own id', { id: 1, result: 'x' }, true],
  ['no id', { result: 'x' }, true],
  ['null for an id', { id: null, result: 'x' }, true],
  ['the id of another call', { id: 2, result: 'x' }, false],
  ['its id as text', { id: '1', result: 'x' }, false],
  ['an error for another call', { id: 2, error: { code: -8 } }, false],
] as const) {
  test(`an answer with ${what} is ${passes ? 'taken' : 'NODE_BAD_RESPONSE'}`, async (t) => {
    const node = await startNode(t);
    node.exchange = (_request, response) => {
      response.end(JSON.stringify(reply));
      return true;
    };
    const call = connect(t, node.url).call('getbestblockhash', []);
    if (passes) t.is(await call, 'x');
    else await failsWith(t, call, 'NODE_BAD_RESPONSE');
  });
}

test('an answer that comes compressed all the same is NODE_BAD_RESPONSE and names the coding', async (t) => {
  const node = await startNode(t);
  let asked: unknown;
  node.exchange = (request, response) => {
    asked = request.headers['accept-encoding'];
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync('{"id":1,"result":"x"}'));
    return true;
  };
  const call = connect(t, node.url).call('getbestblockhash', []);
  t.regex(await failsWith(t, call, 'NODE_BAD_RESPONSE'), /content coding "gzip"/);
  t.is(asked, 'identity');
});

test('an answer with a byte order mark is taken', async (t) => {
  const node = await startNode(t);
  node.exchange = (_request, response) => {
    response.end('\ufeff{"id":1,"result":"00"}');
    return true;
  };
  t.is(await connect(t, node.url).callForHex('getblock', ['1', 0]), '00');
});

test('a limit of this program is called that, in bytes, values and headers', async (t) => {
  const node = await startNode(t);
  for (const [answer, headers] of [
    [' '.repeat(70_000), {}],
    [`[${'0,'.repeat(100_001)}0]`, {}],
    ['{}', { x: 'x'.repeat(20_000) }],
  ] as const) {
    node.exchange = (_request, response) => {
      response.writeHead(200, headers).end(answer);
      return true;
    };
    const method = answer.startsWith('[') ? 'getblock' : 'getblockcount';
    const detail = await failsWith(t, connect(t, node.url).call(method, []), 'NODE_BAD_RESPONSE');
    t.regex(detail, / has a longer answer to .* than this program reads/);
  }
});

for (const [status, headers, code, seconds] of [
  [429, { 'retry-after': '30' }, 'BUSY', 30],
  [
    503,
    { 'retry-after': 'Sat, 28 Nov 2026 12:01:30 GMT', date: 'Sat, 28 Nov 2026 12:00:00 GMT' },
    'BUSY',
    90,
  ],
  [503, { 'retry-after': 'soon' }, 'BUSY', undefined],
  [429, { 'retry-after': '999999999' }, 'BUSY', 86_400],
  [504, {}, 'UPSTREAM_TIMEOUT', undefined],
] as const) {
  test(`HTTP status ${status} with ${JSON.stringify(headers)} is ${code} of the node, and no refusal of the call`, async (t) => {
    const node = await startNode(t);
    node.exchange = (_request, response) => {
      response.writeHead(status, headers).end('{"id":1,"error":{"code":-32005,"message":"limit"}}');
      return true;
    };
    const client = connect(t, node.url);
    const error = await t.throwsAsync<CompanionError>(client.call('getblockcount', []));
    t.is(error?.code, code);
    t.is(error?.retryAfterSeconds, seconds);
    t.true(error?.message.startsWith(`The chain node at ${client.host} `), error?.message);
  });
}

test('an answer of a million brackets is NODE_BAD_RESPONSE', async (t) => {
  const node = await startNode(t);
  node.exchange = (_request, response) => {
    response.end('['.repeat(1_000_000));
    return true;
  };
  await failsWith(t, connect(t, node.url).call('getbestblockhash', []), 'NODE_BAD_RESPONSE');
});

for (const [what, answer] of [
  ['chunks of no size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 9\r\n\r\n{}'],
  ['headers without end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`],
] as const) {
  test(`an answer with ${what} is NODE_BAD_RESPONSE`, async (t) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(answer);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => server.close());
    const { port } = server.address() as net.AddressInfo;
    const call = connect(t, `http://127.0.0.1:${port}`).call('getblockcount', []);
    await failsWith(t, call, 'NODE_BAD_RESPONSE');
  });
}

test('a change of protocol and endless announcements of an answer end too', async (t) => {
  for (const [line, code, limits] of [
    [
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'NODE_BAD_RESPONSE',
      {},
    ],
    ['HTTP/1.1 103 Early Hints\r\n\r\n', 'UPSTREAM_TIMEOUT', { idleMs: 300 }],
  ] as const) {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        const speak = setInterval(() => socket.write(line), 5);
        socket.on('close', () => clearInterval(speak));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => server.close());
    const { port } = server.address() as net.AddressInfo;
    const client = connect(t, `http://127.0.0.1:${port}`, limits);
    await failsWith(t, client.call('getblockcount', []), code);
  }
});

test('a redirect is refused, not followed', async (t) => {
  const node = await startNode(t);
  const other = await startNode(t);
  node.exchange = (_request, response) => {
    response.writeHead(307, { location: other.url }).end();
    return true;
  };
  t.regex(
    await failsWith(t, connect(t, node.url).call('getblockcount', []), 'NODE_BAD_RESPONSE'),
    /redirect/,
  );
  t.deepEqual(other.calls, []);
});

test('a server that does not speak HTTP is NODE_BAD_RESPONSE', async (t) => {
  const server = net.createServer((socket) => socket.end('220 mail ready\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as net.AddressInfo;
  await failsWith(t, connect(t, `http://127.0.0.1:${port}`).call('getblockcount', []), 'NODE_BAD_RESPONSE');
});

test('an answer that breaks off is NODE_BAD_RESPONSE', async (t) => {
  const node = await startNode(t);
  node.exchange = (_request, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('{"result":', () => response.destroy());
    return true;
  };
  await failsWith(t, connect(t, node.url).call('getblockcount', []), 'NODE_BAD_RESPONSE');
});

test('an aborted call rejects with the reason given', async (t) => {
  const node = await startNode(t);
  const abort = new AbortController();
  node.exchange = () => {
    abort.abort(new Error('no longer wanted'));
    return true;
  };
  await t.throwsAsync(connect(t, node.url).call('getblockcount', [], abort.signal), {
    message: 'no longer wanted',
  });
});

/** As a zebrad treats whoever lacks its cookie. */
const hangUp: FixtureNode['exchange'] = (request) => {
  request.socket.destroy();
  return true;
};

test('a connection that the node closed meanwhile is opened again', async (t) => {
  const node = await startNode(t);
  const client = connect(t, node.url, { maxSockets: 1 });
  await client.call('getbestblockhash', []);
  let seen = 0;
  node.exchange = (request, response) => seen++ === 0 && hangUp(request, response);
  t.is(typeof (await client.call('getbestblockhash', [])), 'string');
});

test('when all kept connections are closed, no call fails', async (t) => {
  const node = await startNode(t);
  const client = connect(t, node.url);
  const used = new Set<unknown>();
  node.exchange = ({ socket }) => {
    if (!used.has(socket)) {
      used.add(socket);
      return false;
    }
    socket.resetAndDestroy();
    return true;
  };
  const ask = () => Promise.all(Array.from({ length: 4 }, () => client.call('getbestblockhash', [])));
  await ask();
  t.is((await ask()).length, 4);
  t.is(used.size, 8);
});

test('a node that hangs up on all calls asks for its cookie; one that did answer does not', async (t) => {
  const node = await startNode(t);
  node.exchange = hangUp;
  const client = connect(t, node.url);
  t.regex(await failsWith(t, client.call('getblockcount', []), 'NODE_UNAUTHORIZED'), /node_cookie_file/);
  node.exchange = () => false;
  await client.call('getbestblockhash', []);
  node.exchange = hangUp;
  await failsWith(t, client.call('getblockcount', []), 'NODE_UNREACHABLE');
});

for (const status of [401, 403]) {
  test(`status ${status} without a cookie file is NODE_UNAUTHORIZED and says what to set`, async (t) => {
    const node = await startNode(t);
    node.exchange = (_request, response) => {
      response.writeHead(status).end();
      return true;
    };
    const detail = await failsWith(t, connect(t, node.url).call('getblockcount', []), 'NODE_UNAUTHORIZED');
    t.regex(detail, /node_cookie_file/);
  });
}

const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;

type Refusing = FixtureNode['exchange'];

const answer401: Refusing = (_request, response) => {
  response.writeHead(401).end();
  return true;
};

/** Demands the cookie, as a node does that was started with it. */
function demand(node: FixtureNode, credentials: string, refuse: Refusing = answer401): void {
  node.exchange = (request, response) =>
    request.headers.authorization !== basic(credentials) && refuse(request, response);
}

test('the cookie is sent, whether its file names the user or not', async (t) => {
  const node = await startNode(t);
  demand(node, '__cookie__:secret');
  for (const content of ['__cookie__:secret', '__cookie__:secret\n', 'secret']) {
    const file = path.join(temporaryFolder(t), '.cookie');
    writeFileSync(file, content);
    t.is(typeof (await connect(t, node.url, {}, file).call('getbestblockhash', [])), 'string');
  }
  t.is(node.authorizations.length, 3);
});

for (const [how, refuse] of [
  ['with status 401', answer401],
  ['by hanging up', hangUp],
] as const) {
  test(`after a refusal ${how} the cookie file is read again: the node was restarted`, async (t) => {
    const node = await startNode(t);
    const file = path.join(temporaryFolder(t), '.cookie');
    writeFileSync(file, '__cookie__:first');
    demand(node, '__cookie__:first', refuse);
    const client = connect(t, node.url, {}, file);
    await client.call('getbestblockhash', []);
    writeFileSync(file, '__cookie__:second');
    demand(node, '__cookie__:second', refuse);
    t.is(typeof (await client.call('getbestblockhash', [])), 'string');
  });
}

test('a refused or missing cookie is NODE_UNAUTHORIZED, without the path or the secret', async (t) => {
  const node = await startNode(t);
  demand(node, '__cookie__:right');
  const folder = temporaryFolder(t);
  const file = path.join(folder, '.cookie');
  writeFileSync(file, '__cookie__:wrong');
  const refused = await failsWith(
    t,
    connect(t, node.url, {}, file).call('getblockcount', []),
    'NODE_UNAUTHORIZED',
  );
  const missing = path.join(folder, 'none');
  const unread = await failsWith(
    t,
    connect(t, node.url, {}, missing).call('getblockcount', []),
    'NODE_UNAUTHORIZED',
  );
  for (const detail of [refused, unread]) {
    t.false(detail.includes('wrong'));
    t.false(detail.includes(folder));
  }
  t.regex(unread, /cannot be read/);
});

for (const [url, host] of [
  ['http://127.0.0.1:8232', '127.0.0.1:8232'],
  ['http://127.0.0.1:8232/', '127.0.0.1:8232'],
  ['http://127.0.0.1:8232/rpc/', '127.0.0.1:8232'],
  ['HTTP://LocalHost:8232', 'localhost:8232'],
  ['https://node.example.org', 'node.example.org'],
  ['http://[0:0::1]:8232', '[::1]:8232'],
] as const) {
  test(`${url} is the node at ${host}`, (t) => {
    t.is(new JsonRpcClient({ url, cookieFile: null }).host, host);
  });
}

test('a call goes to the path of the URL, over IPv6 too', async (t) => {
  const seen: unknown[] = [];
  const server = http.createServer((request, response) => {
    seen.push([request.url, request.headers.host]);
    response.end('{"id":1,"result":"x"}');
  });
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(0, '::1', () => resolve(true));
  });
  if (!listening) {
    t.log('this machine has no IPv6');
    t.pass();
    return;
  }
  t.teardown(() => server.close());
  const { port } = server.address() as net.AddressInfo;
  t.is(await connect(t, `http://[::1]:${port}/rpc/?wallet=a`).call('getbestblockhash', []), 'x');
  t.deepEqual(seen, [['/rpc/?wallet=a', `[::1]:${port}`]]);
});

for (const url of [
  'ftp://127.0.0.1',
  'not a url',
  'http://user:pass@127.0.0.1:8232',
  'http://user@127.0.0.1:8232',
  'http://[fe80::1%25eth0]:8232',
  'http://::1:8232',
  'unix:/run/node.sock',
  'http://127.0.0.1:8232\n',
  'http://exam\tple.org',
]) {
  test(`${url} is not a node URL`, (t) => {
    t.is(t.throws<CompanionError>(() => new JsonRpcClient({ url, cookieFile: null }))?.code, 'INVALID_URL');
  });
}
