// What streams of a compact server take in memory: bounded by us, whatever the server sends and however many streams
// there are at once.
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test, { type ExecutionContext } from 'ava';
import { COMPACT_CLIENT_LIMITS, CompactConnection } from '#chain/compact/compactConnection';
import { PATIENT_CLIENT } from '../../helpers/waits.ts';

const MEBIBYTE = 2 ** 20;
const STREAMS = 24;
/** Sent again and again, so that the sending side takes no memory of its own. */
const PIECE = Buffer.alloc(65_536);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that are in use, of the heap and beside it. What one collection frees is counted out by the next. */
function used(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Every stream brings messages of so many bytes without end, as fast as they are taken. */
async function startServer(t: ExecutionContext, bytes: number): Promise<string> {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes, 1);
  const server = http2.createServer();
  const sessions: http2.ServerHttp2Session[] = [];
  server.on('session', (session) => {
    session.on('error', () => undefined);
    sessions.push(session);
  });
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.resume();
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    let left = 0;
    const go = (): void => {
      while (!stream.destroyed) {
        const piece = left === 0 ? head : PIECE.subarray(0, Math.min(left, PIECE.length));
        left = left === 0 ? bytes : left - piece.length;
        if (!stream.write(piece)) return;
      }
    };
    stream.on('drain', go);
    go();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function* streamsOf(t: ExecutionContext, url: string, connections: number) {
  const open = Array.from({ length: connections }, () => new CompactConnection(url, PATIENT_CLIENT));
  t.teardown(() => {
    for (const connection of open) connection.close();
  });
  for (let i = 0; i < STREAMS; i++) yield open[i % connections]!.blockRange(1, 1_000);
}

for (const connections of [1, STREAMS]) {
  test.serial(`24 streams of the largest messages, over ${connections} connections`, async (t) => {
    const bytes = COMPACT_CLIENT_LIMITS.maxMessageBytes;
    const url = await startServer(t, bytes);
    const base = used();
    const streams: AsyncGenerator<Uint8Array, void, void>[] = [];
    for await (const stream of streamsOf(t, url, connections)) streams.push(stream);
    await Promise.all(streams.map((stream) => stream.next()));
    // One is read on while the others wait for their consumers.
    const [read] = streams;
    let peak = 0;
    for (let i = 0; i < 40; i++) {
      const message = await read!.next();
      t.is((message.value as Uint8Array).length, bytes);
      peak = Math.max(peak, used() - base);
    }
    t.true(peak < 150 * MEBIBYTE, `${Math.round(peak / MEBIBYTE)} MiB`);
    await Promise.all(streams.map((stream) => stream.return()));
  });
}

test.serial('small messages are read ahead, and none is lost or held for ever', async (t) => {
  const url = await startServer(t, 1_000);
  const connection = new CompactConnection(url, PATIENT_CLIENT);
  t.teardown(() => connection.close());
  let count = 0;
  for await (const message of connection.blockRange(1, 1_000)) {
    t.is(message.length, 1_000);
    if (++count === 2_000) break;
  }
  t.is(count, 2_000);
});
