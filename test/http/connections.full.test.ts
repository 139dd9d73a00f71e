import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { Connections } from '../../src/http/server/connections.ts';
import { ok } from '../../src/protocol/result.ts';
import { type HttpFront, startHttpFront } from '../helpers/httpFront.ts';
import { until } from '../helpers/until.ts';

/** As many as a front takes to one address. */
const LIMIT = 512;

const HALF: Readonly<Record<string, string>> = {
  nothing: '',
  'half a request line': 'GET /api/con',
  'headers without end': 'GET /api/config HTTP/1.1\r\nHost: localhost\r\nX-A: 1\r\n',
  'half a body':
    'POST /api/sync HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{',
  'a body in pieces':
    'POST /api/sync HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n',
};

/** A compact server that answers no request until its answer here is called. */
function silentServer(front: HttpFront): (() => void)[] {
  const answers: (() => void)[] = [];
  front.link.answerWith('lwd.info', async () => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return { ok: false, error: { code: 'UPSTREAM_TIMEOUT', detail: 'It is silent.' } };
  });
  return answers;
}

async function open(t: ExecutionContext, front: HttpFront, bytes: string): Promise<Socket> {
  const socket = connect(front.listening.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'connect');
  if (bytes !== '') await new Promise((resolve) => socket.write(bytes, resolve));
  return socket;
}

for (const [what, bytes] of Object.entries(HALF)) {
  test.serial(`${LIMIT} connections that sent ${what} keep no other out`, async (t) => {
    const front = await startHttpFront();
    t.teardown(() => front.close());
    for (let i = 0; i < LIMIT; i++) await open(t, front, bytes);
    for (let i = 0; i < 20; i++) {
      const answer = await front.get('/api/wallet/exists', { connection: 'close' });
      t.is(answer.status, 200);
    }
  });
}

test('a newcomer takes the place of the connection that has waited longest, never of a request that is being answered', async (t) => {
  const front = await startHttpFront({ maxConnections: 3 });
  t.teardown(() => front.close());
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    front.link.answerWith('balance.get', async () => {
      resolve();
      await new Promise<void>((done) => {
        answer = done;
      });
      return { ok: false, error: { code: 'NO_WALLET', detail: 'There is none.' } };
    });
  });
  const busy = await open(t, front, 'GET /api/balance HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await asked;
  const oldest = await open(t, front, '');
  const younger = await open(t, front, 'GET /api');
  const cut = once(oldest, 'close');
  await open(t, front, '');
  await cut;
  const alsoCut = once(younger, 'close');
  await open(t, front, '');
  await alsoCut;
  const answered = once(busy, 'data');
  answer();
  t.regex(String((await answered)[0]), /^HTTP\/1\.1 404 /);
  // Answered, and kept for another request, it waits like the others.
  const last = once(busy, 'close');
  for (let i = 0; i < 3; i++) await open(t, front, '');
  await last;
  t.pass();
});

test('a server that is silent takes eight requests, and no connection from anybody else', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const answers = silentServer(front);
  const asked = Array.from({ length: 100 }, () => front.get('/api/lwd/info'));
  const refused = new Set<number>();
  // Those eight are not answered yet, so all that is answered now was refused.
  for (const call of asked.slice(8)) refused.add((await call).status);
  t.deepEqual([...refused], [503]);
  t.is(answers.length, 8);
  for (let i = 0; i < 20; i++) t.is((await front.get('/api/wallet/exists')).status, 200);
  for (const answer of answers) answer();
  for (const call of asked.slice(0, 8)) t.is((await call).status, 504);
  const again = front.get('/api/lwd/info');
  await until(() => answers.length >= 9);
  answers[8]?.();
  t.is((await again).status, 504);
});

test('of requests that are sent without waiting for answers a connection has 32 under way, and is closed behind them', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const one = 'GET /api/wallet/exists HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const statuses = (await front.raw(one.repeat(500))).match(/HTTP\/1\.1 \d+/g) ?? [];
  t.deepEqual(statuses, [...Array.from({ length: 32 }, () => 'HTTP/1.1 200'), 'HTTP/1.1 429']);
  t.is(front.link.calls.length, 32);
  t.is((await front.get('/api/wallet/exists')).status, 200);
});

test('requests that many connections send ahead are handled a few at a time, in order; one that is sent alone goes first', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const answers = silentServer(front);
  const [slow, quick] = ['/api/lwd/info', '/api/wallet/exists'].map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  );
  const ahead = Array.from({ length: 40 }, () => open(t, front, `${slow}${quick}`.repeat(5)));
  const sockets = await Promise.all(ahead);
  await until(() => answers.length === 4);
  t.is((await front.get('/api/wallet/exists')).status, 200);
  t.is(front.link.calls.length, 5, 'four that wait, and the one of the newcomer');
  // Those that hang up wait no more, and hold nobody else up.
  for (const socket of sockets.slice(4)) socket.destroy();
  const received = sockets.slice(0, 4).map(async (socket) => {
    let text = '';
    for await (const piece of socket) {
      text += String(piece);
      if (text.split('HTTP/1.1 ').length > 10) break;
    }
    return text.match(/HTTP\/1\.1 \d+/g);
  });
  const inOrder = Array.from({ length: 10 }, (_, i) => `HTTP/1.1 ${i % 2 === 0 ? 504 : 200}`);
  const isDone = Promise.all(received);
  let done = false;
  void isDone.finally(() => {
    done = true;
  });
  await until(() => {
    for (const answer of answers.splice(0)) answer();
    return done;
  });
  for (const statuses of await isDone) t.deepEqual(statuses, inOrder);
});

const LONG = 16_000_000;

async function unread(t: ExecutionContext, front: HttpFront): Promise<Socket> {
  front.link.answerWith('notes.list', () => ok({ notes: 'x'.repeat(LONG) } as never));
  const socket = connect(front.listening.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  const { length } = front.link.calls;
  socket.write('GET /api/notes HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until(() => front.link.calls.length !== length);
  return socket;
}

/** How much of its answer it still gets. */
async function received(socket: Socket): Promise<number> {
  let length = 0;
  for await (const piece of socket) {
    length += (piece as Buffer).length;
    if (length > LONG) break;
  }
  return length;
}

test('an answer that is not read gives its place to a newcomer', async (t) => {
  const front = await startHttpFront({ maxConnections: 2 });
  t.teardown(() => front.close());
  const sockets = [await unread(t, front), await unread(t, front)];
  t.is((await front.get('/api/wallet/exists', { connection: 'close' })).status, 200);
  t.true((await received(sockets[0]!)) < LONG);
});

test('a connection on which nothing moves is cut when it owes us something, or does not read', (t) => {
  const socketWith = (writableLength: number): Socket =>
    Object.assign(new EventEmitter(), {
      writableLength,
      destroyed: false,
      destroy(this: { destroyed: boolean }) {
        this.destroyed = true;
      },
    }) as unknown as Socket;
  const connections = new Connections(LIMIT);
  const [idle, answered, unreadOne] = [socketWith(0), socketWith(0), socketWith(5)];
  for (const socket of [idle, answered, unreadOne]) connections.accept(socket);
  for (const socket of [answered, unreadOne])
    connections.admit({ socket, headers: {} } as never, new EventEmitter() as never);
  for (const socket of [idle, answered, unreadOne]) connections.stalled(socket);
  t.deepEqual(
    [idle, answered, unreadOne].map(({ destroyed }) => destroyed),
    [true, false, true],
  );
});

test('of all unread answers 64 MiB are kept', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const sockets: Socket[] = [];
  for (let i = 0; i < 8; i++) sockets.push(await unread(t, front));
  t.true((await received(sockets[0]!)) < LONG);
  t.true((await received(sockets[7]!)) > LONG);
});
