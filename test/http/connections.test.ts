import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { type HttpFront, startHttpFront } from '../helpers/httpFront.ts';

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
  test.serial(`${LIMIT} connections that sent ${what} keep nobody else out`, async (t) => {
    const front = await startHttpFront();
    t.teardown(() => front.close());
    for (let i = 0; i < LIMIT; i++) await open(t, front, bytes);
    for (let i = 0; i < 20; i++) {
      const answer = await front.get('/api/wallet/exists', { connection: 'close' });
      t.is(answer.status, 200);
    }
  });
}

test('a newcomer takes the place of whoever has waited longest, never of a request that is being answered', async (t) => {
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
