// A webhook against receivers that fail in every way there is, and what it shows to them.

import { createHmac } from 'node:crypto';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { Waits } from '@wallet-companion/base/test/waits';
import test, { type ExecutionContext } from 'ava';
import { type Delivery, encodeJson } from '../../../src/hooks/delivery.ts';
import { webhook } from '../../../src/hooks/webhook.ts';
import { STATUS_LIMIT_MS } from '../../../src/http/calls/statusFailure.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { changeOf } from './support.ts';

const SECRET = 'a key of some thirty characters';
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const DATA = changeOf(1);
const DELIVERY: Delivery = {
  id: 'e-1',
  sequence: 7,
  event: 'change.received',
  wallet: 'savings',
  time: '2026-01-02T03:04:05.000Z',
  data: encodeJson(DATA),
};

function secretFile(t: ExecutionContext, text = `${SECRET}\n`): string {
  const file = path.join(temporaryFolder(t), 'secret');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

async function listen(t: ExecutionContext, server: net.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=1`;
}

function way(t: ExecutionContext, url: string, file = secretFile(t)) {
  const waits = new Waits();
  const deliver = webhook('shop', url, file, { now: () => NOW, after: waits.after });
  return { waits, deliver: (stop = new AbortController().signal) => deliver(DELIVERY, stop) };
}

test('the body is signed with the moment of the try, and a wrong key does not fit', async (t) => {
  const seen: { headers: http.IncomingHttpHeaders; body: Buffer; url: string | undefined }[] = [];
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      seen.push({ headers: request.headers, body: Buffer.concat(parts), url: request.url });
      response.writeHead(204).end();
    });
  });
  const { deliver, waits } = way(t, await listen(t, server));
  t.is(await deliver(), undefined);
  t.is(waits.open, 0);
  const [{ headers, body, url } = t.fail() as never] = seen;
  t.is(url, '/hook?key=1');
  t.deepEqual(JSON.parse(body.toString()), { ...DELIVERY, data: DATA, hook: 'shop' });
  const timestamp = String(headers['wallet-companion-timestamp']);
  t.is(timestamp, String(NOW / 1000));
  const signed = (secret: string) =>
    `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
  t.is(headers['wallet-companion-signature'], signed(SECRET));
  t.not(headers['wallet-companion-signature'], signed('another key of thirty characters'));
  t.is(headers['content-type'], 'application/json');
});

for (const [status, failure] of [
  [200, undefined],
  [202, undefined],
  [301, 'STATUS_301'],
  [307, 'STATUS_307'],
  [400, 'STATUS_400'],
  [500, 'STATUS_500'],
] as const)
  test(`status ${status}: no redirect is followed, and no body is waited for`, async (t) => {
    let elsewhere = 0;
    const other = await listen(
      t,
      http.createServer((_request, response) => {
        elsewhere += 1;
        response.end();
      }),
    );
    const server = http.createServer((request, response) => {
      request.resume();
      response.writeHead(status, { location: other });
      // An answer that never ends.
      response.write('x'.repeat(100_000));
    });
    const { deliver, waits } = way(t, await listen(t, server));
    t.teardown(() => server.closeAllConnections());
    t.is(await deliver(), failure);
    t.is(elsewhere, 0);
    t.is(waits.open, 0);
  });

test('a silent receiver is given up after its time, one that hangs up at once', async (t) => {
  let asked = () => {};
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const silent = net.createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => asked());
    // Headers that do not end: an answer has not begun.
    socket.write('HTTP/1.1 200 OK\r\nx: ');
  });
  const { deliver, waits } = way(t, await listen(t, silent));
  const slow = deliver();
  await wasAsked;
  t.is(waits.open, 1);
  waits.end();
  t.is(await slow, 'TIMEOUT');
  t.is(STATUS_LIMIT_MS, 10_000);

  const rude = net.createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.resetAndDestroy());
  });
  t.is(await way(t, await listen(t, rude)).deliver(), 'UNREACHABLE');
  const garbage = net.createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end('SSH-2.0-nothing\r\n\r\n'));
  });
  t.is(await way(t, await listen(t, garbage)).deliver(), 'UNREACHABLE');
  const flood = net.createServer((socket) => {
    const more = () => {
      while (socket.writable && socket.write(`x-${'y'.repeat(1000)}: 1\r\n`));
    };
    socket.on('error', () => undefined).on('drain', more);
    socket.write('HTTP/1.1 200 OK\r\n');
    more();
  });
  t.is(await way(t, await listen(t, flood)).deliver(), 'UNREACHABLE', 'headers without end');
  const upgrade = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    );
  });
  t.is(await way(t, await listen(t, upgrade)).deliver(), 'UNREACHABLE');
  t.is(await way(t, 'http://127.0.0.1:1/').deliver(), 'UNREACHABLE');
});

test('a delivery under way ends when it is aborted', async (t) => {
  const stop = new AbortController();
  const silent = net.createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => stop.abort());
  });
  const { deliver, waits } = way(t, await listen(t, silent));
  t.is(await deliver(stop.signal), 'STOPPED');
  t.is(waits.open, 0);
  t.is(await deliver(stop.signal), 'STOPPED');
});

const unixOnly = process.platform === 'win32' ? test.skip : test;
unixOnly('a key that others can read, that is short, or that is not there sends nothing', async (t) => {
  let asked = 0;
  const server = http.createServer((_request, response) => {
    asked += 1;
    response.end();
  });
  const url = await listen(t, server);
  const open = secretFile(t);
  chmodSync(open, 0o640);
  const folder = temporaryFolder(t);
  const linked = path.join(folder, 'link');
  symlinkSync(secretFile(t), linked);
  t.is(await way(t, url, linked).deliver(), undefined, 'a link of ours is fine');
  for (const file of [
    open,
    secretFile(t, 'too short\n'),
    secretFile(t, 'long'.repeat(2000)),
    folder,
    path.join(folder, 'none'),
  ])
    t.is(await way(t, url, file).deliver(), 'SECRET_FILE', file);
  t.is(asked, 1);
  const late = secretFile(t, '');
  const { deliver } = way(t, url, late);
  t.is(await deliver(), 'SECRET_FILE');
  writeFileSync(late, SECRET);
  t.is(await deliver(), undefined, 'read each time');
});
