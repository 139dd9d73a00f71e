// What the answers of nodes take in memory: bounded by us, whatever the nodes send and however many at once.
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AnswerRoom } from '@wallet-companion/base/async';
import test, { type ExecutionContext } from 'ava';
import { JsonRpcClient, type JsonRpcLimits } from '#chain/node/jsonRpc';
import type { CompanionError } from '../../../src/protocol/errors.ts';
import { until } from '../../helpers/until.ts';
import { PATIENT_RPC } from '../../helpers/waits.ts';

const MEBIBYTE = 2 ** 20;
/** Sent again and again, so that the sending side takes no memory of its own. */
const PIECE = Buffer.alloc(65_536, 'f');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that are in use, of the heap and beside it. What one collection frees is counted out by the next. */
function used(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Looks at the memory with every so many signs of life from a node: the idle wait begins anew with each. */
function watched(every: number): { readonly limits: JsonRpcLimits; readonly peak: () => number } {
  const base = used();
  let highest = base;
  let signs = 0;
  return {
    limits: {
      ...PATIENT_RPC,
      after: (ms, strike) => {
        if (++signs % every === 0) highest = Math.max(highest, used());
        return PATIENT_RPC.after(ms, strike);
      },
    },
    peak: () => highest - base,
  };
}

async function listen(t: ExecutionContext, server: net.Server): Promise<string> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    socket.on('error', () => undefined);
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Send = (response: http.ServerResponse, id: number) => void;

/** A node that answers every call so. */
const answering = (t: ExecutionContext, send: Send): Promise<string> =>
  listen(
    t,
    http.createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () =>
        send(response, (JSON.parse(String(Buffer.concat(parts))) as { id: number }).id),
      );
    }),
  );

/** A hex string of this many bytes as result, piece by piece as fast as they are taken; then what `end` does. */
function sendHex(response: http.ServerResponse, id: number, bytes: number, end: () => void): void {
  let left = bytes;
  const go = (): void => {
    while (left > 0) {
      const piece = left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
      left -= piece.length;
      if (!response.write(piece) && left > 0) {
        response.once('drain', go);
        return;
      }
    }
    end();
  };
  response.write(`{"id":${id},"result":"`);
  go();
}

function connect(t: ExecutionContext, url: string, limits: Partial<JsonRpcLimits> = {}): JsonRpcClient {
  const client = new JsonRpcClient({ url, cookieFile: null }, { ...PATIENT_RPC, ...limits });
  t.teardown(() => client.close());
  return client;
}

const getBlock = (client: JsonRpcClient): Promise<unknown> => client.call('getblock', ['1', 0]);

test.serial('24 nodes that send 8 MiB at once take less memory than a few of them would', async (t) => {
  const url = await answering(t, (response, id) =>
    sendHex(response, id, 8 * MEBIBYTE, () => response.end('"}')),
  );
  const { limits, peak } = watched(200);
  const nodes = Array.from({ length: 24 }, () => connect(t, url, limits));
  for (const answer of await Promise.allSettled(nodes.map(getBlock))) {
    if (answer.status === 'fulfilled') t.fail('taken');
    else t.is((answer.reason as CompanionError).code, 'NODE_BAD_RESPONSE');
  }
  t.true(peak() < 56 * MEBIBYTE, `${peak()} bytes`);
});

test.serial('24 nodes that send the largest blocks at once are all heard, a few at a time', async (t) => {
  const url = await answering(t, (response, id) =>
    sendHex(response, id, 4_000_000, () => response.end('"}')),
  );
  const { limits, peak } = watched(200);
  const nodes = Array.from({ length: 24 }, () => connect(t, url, limits));
  const lengths = nodes.map(async (node) => ((await getBlock(node)) as string).length);
  t.deepEqual(new Set(await Promise.all(lengths)), new Set([4_000_000]));
  t.true(peak() < 56 * MEBIBYTE, `${peak()} bytes`);
});

test.serial('an answer in pieces of one byte takes what its bytes take', async (t) => {
  const bytes = 300_000;
  const piece = Buffer.from('1\r\nf\r\n'.repeat(10_000));
  const server = net.createServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nb\r\n{"result":"\r\n');
      for (let sent = 0; sent < bytes; sent += 10_000) socket.write(piece);
      socket.write('2\r\n"}\r\n0\r\n\r\n');
    });
  });
  const { limits, peak } = watched(100_000);
  const answer = await getBlock(connect(t, await listen(t, server), limits));
  t.is((answer as string).length, bytes);
  t.true(peak() < 12 * MEBIBYTE, `${peak()} bytes`);
});

test('an answer that announces more than may come is refused before any of it', async (t) => {
  const url = await answering(t, (response) => {
    response.writeHead(200, { 'content-length': 8 * MEBIBYTE });
    response.flushHeaders();
  });
  const error = await t.throwsAsync<CompanionError>(getBlock(connect(t, url)));
  t.is(error?.code, 'NODE_BAD_RESPONSE');
  t.regex(error?.message ?? '', /a longer answer to \w+ than this program reads/);
});

test('what has short answers gets no long ones', async (t) => {
  const url = await answering(t, (response, id) => sendHex(response, id, 70_000, () => response.end('"}')));
  t.is(((await getBlock(connect(t, url))) as string).length, 70_000);
  for (const method of ['getblockchaininfo', 'getblockhash', 'z_gettreestate']) {
    const error = await t.throwsAsync<CompanionError>(connect(t, url).call(method, []));
    t.is(error?.code, 'NODE_BAD_RESPONSE', method);
  }
});

for (const [what, value, count, passes] of [
  ['as many txids as the smallest transactions allow in a block', `"${'f'.repeat(64)}"`, 34_000, true],
  ['a million empty objects', '{}', 1_000_000, false],
  ['a million numbers', '0', 1_000_000, false],
] as const) {
  test(`an answer of ${what} is ${passes ? 'read' : 'NODE_BAD_RESPONSE, and not parsed'}`, async (t) => {
    const url = await answering(t, (response, id) => {
      response.end(`{"id":${id},"result":[${`${value},`.repeat(count - 1)}${value}]}`);
    });
    const call = connect(t, url).call('getblock', ['1', 1]);
    if (passes) t.is(((await call) as unknown[]).length, count);
    else t.is((await t.throwsAsync<CompanionError>(call))?.code, 'NODE_BAD_RESPONSE');
  });
}

/** Tells how many came, and how many are in. */
class WatchedRoom extends AnswerRoom {
  came = 0;
  inside = 0;
  onCame: () => void = () => undefined;

  override take(enter: () => void): () => void {
    this.came++;
    let isIn = false;
    const leave = super.take(() => {
      isIn = true;
      this.inside++;
      enter();
    });
    this.onCame();
    return () => {
      if (isIn) this.inside--;
      isIn = false;
      leave();
    };
  }
}

test('those for whom there is no room are neither read on nor called silent, and come in when others are done', async (t) => {
  const finish: (() => void)[] = [];
  const url = await answering(t, (response, id) =>
    sendHex(response, id, 100_000, () => finish.push(() => response.end('"}'))),
  );
  const room = new WatchedRoom(2);
  const allCame = new Promise<void>((resolve) => {
    room.onCame = () => {
      if (room.came === 6) resolve();
    };
  });
  let idleWaits = 0;
  const after: JsonRpcLimits['after'] = (ms, strike) => {
    const isIdle = ms === 1_000_000;
    if (isIdle) idleWaits++;
    let isOpen = true;
    const callOff = PATIENT_RPC.after(ms, strike);
    return () => {
      if (isIdle && isOpen) idleWaits--;
      isOpen = false;
      callOff();
    };
  };
  const abort = new AbortController();
  const clients = Array.from({ length: 6 }, () => connect(t, url, { room, after, idleMs: 1_000_000 }));
  const calls = clients.map((client, i) =>
    client.call('getblock', ['1', 0], i === 5 ? abort.signal : undefined),
  );
  await allCame;
  t.is(room.inside, 2);
  // The hook runs before the last of them is told to wait.
  await new Promise(setImmediate);
  t.is(idleWaits, 2, 'only those that are read can be late');
  abort.abort(new Error('enough'));
  await t.throwsAsync(calls[5]!, { message: 'enough' });
  await until(() => finish.length >= 6);
  for (const end of finish) end();
  for (const call of calls.slice(0, 5)) t.is(((await call) as string).length, 100_000);
  t.is(room.inside, 0);
  t.is(idleWaits, 0);
});
