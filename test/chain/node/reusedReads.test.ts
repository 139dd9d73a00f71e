// Answers read into memory that is used again: whatever pieces they come in, and whoever has to wait, nobody gets the
// bytes of another read.
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { AnswerRoom } from '@wallet-companion/base/async';
import test, { type ExecutionContext } from 'ava';
import { JsonRpcClient, type JsonRpcRefusal } from '#chain/node/jsonRpc';
import { ReusingAgent } from '#chain/node/reusedReads';
import type { CompanionError } from '../../../src/protocol/errors.ts';
import { until } from '../../helpers/until.ts';
import { PATIENT_RPC } from '../../helpers/waits.ts';

type Respond = (id: number, response: http.ServerResponse) => void;

/** The URL of a node that answers every call so. */
async function nodeThat(t: ExecutionContext, respond: Respond): Promise<string> {
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () =>
      respond((JSON.parse(String(Buffer.concat(parts))) as { id: number }).id, response),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function connect(t: ExecutionContext, url: string, room = PATIENT_RPC.room): JsonRpcClient {
  const client = new JsonRpcClient({ url, cookieFile: null }, { ...PATIENT_RPC, room, maxSockets: 4 });
  t.teardown(() => client.close());
  return client;
}

const ask = (client: JsonRpcClient, i: number): Promise<unknown> => client.callForHex('getblock', [i, 0]);

for (const [how, cut] of [
  ['in one piece', () => Number.POSITIVE_INFINITY],
  ['in pieces of a few bytes and of many', (i: number) => [1, 7, 100_000, 40, 70_001, 3][i % 6]!],
  ['in pieces of some hundred bytes', (i: number) => 100 + ((i * 37) % 400)],
] as const) {
  for (const announced of [true, false]) {
    test(`large answers ${how}, ${announced ? '' : 'not '}announced, come as they were sent`, async (t) => {
      const blocks = Array.from({ length: 12 }, (_, i) => randomBytes(i % 3 === 0 ? 5_000 : 150_000 + i));
      const url = await nodeThat(t, (id, response) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id, result: blocks[id % 12]!.toString('hex') });
        if (announced) response.setHeader('content-length', body.length);
        for (let at = 0, i = id; at < body.length; i++) {
          const end = Math.min(body.length, at + cut(i));
          response.write(body.slice(at, end));
          at = end;
        }
        response.end();
      });
      // One place: the others are held back in the middle of theirs.
      const client = connect(t, url, new AnswerRoom(1));
      for (let round = 0; round < 2; round++) {
        const answers = await Promise.all(blocks.map((_, i) => ask(client, i)));
        answers.forEach((answer, i) => {
          const block = blocks[(round * 12 + i + 1) % 12]!;
          t.true(answer instanceof Uint8Array && block.equals(answer), `answer ${i}`);
        });
      }
    });
  }
}

test('what is put by while no reader waits is not written over', async (t) => {
  let sending: http.ServerResponse | undefined;
  const url = await nodeThat(t, (_id, response) => {
    sending = response;
    response.cork();
    response.write('first ');
    response.write('second ');
    response.uncork();
  });
  const agent = new ReusingAgent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const answer = await new Promise<http.IncomingMessage>((resolve) => {
    const request = http.request(url, { method: 'POST', agent }, resolve);
    request.end('{"id":1}');
  });
  const { socket } = answer;
  let sent = 'first second ';
  /** Two pieces in one read. */
  const send = async (one: string, other: string): Promise<void> => {
    const before = socket.bytesRead;
    sent += one + other;
    sending!.cork();
    sending!.write(one);
    sending!.write(other);
    sending!.uncork();
    await until(() => socket.bytesRead !== before);
  };
  // Nobody listens yet.
  await send('third ', 'fourth ');
  let read = '';
  let pauses = true;
  answer.on('data', (piece: Buffer) => {
    read += piece.toString();
    if (pauses) answer.pause();
  });
  while (read.length < sent.length) {
    answer.resume();
    await new Promise(setImmediate);
  }
  t.is(read, sent);
  for (let i = 0; i < 5; i++) {
    pauses = false;
    answer.resume();
    await new Promise(setImmediate);
    pauses = true;
    // The listener pauses between the pieces of the first read, and another read comes meanwhile.
    await send(`${i} one `, `${i} two `);
    await send(`${i} three`, `${i} four `);
    while (read.length < sent.length) {
      answer.resume();
      await new Promise(setImmediate);
    }
    t.is(read, sent);
  }
  sending!.end();
});

test('where the pieces of an answer are the reads themselves, each read has its own memory', async (t) => {
  let sending: http.ServerResponse | undefined;
  const url = await nodeThat(t, (_id, response) => {
    sending = response;
    response.write('first');
  });
  for (const isKept of [false, true]) {
    const agent = new ReusingAgent();
    const memories: unknown[] = [];
    const answer = await new Promise<http.IncomingMessage>((resolve) => {
      const request = http.request(url, { method: 'POST', agent }, resolve);
      request.on('socket', (socket) =>
        socket.prependListener('data', (read: Buffer) => memories.push(read.buffer)),
      );
      request.end('{"id":1}');
    });
    const reported = new PassThrough();
    agent.watch(reported as unknown as http.IncomingMessage);
    reported.emit('data', isKept ? Buffer.from(memories[0] as ArrayBuffer, 0, 1) : Buffer.alloc(1));
    for (let i = 0; i < 4; i++) {
      sending!.write('more');
      const reads = memories.length;
      await until(() => memories.length !== reads);
    }
    // The first of them came before anything was known.
    t.is(new Set(memories.slice(1)).size, isKept ? memories.length - 1 : 1);
    answer.destroy();
    agent.destroy();
  }
});

test('an answer that ends with its connection, and one after a failure, are read', async (t) => {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n\r\n{"result":"${'ab'.repeat(100_000)}"}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const client = connect(t, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (let i = 0; i < 3; i++) {
    t.deepEqual(Buffer.from((await ask(client, i)) as Uint8Array), Buffer.alloc(100_000, 0xab));
  }
});

for (const [what, status, reply, outcome] of [
  ['bytes', 200, (id: number) => `{"id":${id},"result":"00ff"}`, Uint8Array.of(0, 255)],
  ['bytes with a space', 200, (id: number) => `{"id":${id}, "result":"00ff"}`, '00ff'],
  ['half a byte', 200, (id: number) => `{"id":${id},"result":"00f"}`, '00f'],
  ['no bytes', 200, (id: number) => `{"id":${id},"result":""}`, ''],
  ['another result behind the bytes', 200, (id: number) => `{"result":"00","id":${id},"result":1}`, 1],
  ['another object', 200, () => '{"result":{"result":"00"}}', { result: '00' }],
  ['bytes of another call', 200, (id: number) => `{"id":${id + 1},"result":"00ff"}`, 'NODE_BAD_RESPONSE'],
  ['bytes with status 500', 500, (id: number) => `{"id":${id},"result":"00ff"}`, 'NODE_BAD_RESPONSE'],
  ['bytes that break off', 200, (id: number) => `{"id":${id},"result":"00ff`, 'NODE_BAD_RESPONSE'],
  ['bytes and more', 200, (id: number) => `{"id":${id},"result":"00ff"}}`, 'NODE_BAD_RESPONSE'],
  ['bytes for somebody else', 401, (id: number) => `{"id":${id},"result":"00ff"}`, 'NODE_UNAUTHORIZED'],
  ['a refusal', 200, (id: number) => `{"id":${id},"error":{"code":-8}}`, -8],
  ['bytes and a refusal', 200, (id: number) => `{"result":"00","error":{"code":-5},"id":${id}}`, -5],
] as const) {
  test(`a call for bytes that is answered with ${what}`, async (t) => {
    const url = await nodeThat(t, (id, response) => {
      response.statusCode = status;
      response.end(reply(id));
    });
    const call = ask(connect(t, url), 1);
    const code = await call.then(
      () => undefined,
      (error: JsonRpcRefusal | CompanionError) => error.code,
    );
    if (code !== undefined) t.is(code, outcome as never);
    else {
      const answer = await call;
      t.deepEqual(answer instanceof Uint8Array ? Uint8Array.from(answer) : answer, outcome);
    }
  });
}
