// GET /api/events over real sockets.

import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { CompanionEvent } from '../../src/protocol/events.ts';
import { EventReader } from '../helpers/eventStream.ts';
import { EXTENSION_ORIGIN, type HttpFront, startHttpFront } from '../helpers/httpFront.ts';
import { problemOf } from '../helpers/problems.ts';
import { until } from '../helpers/until.ts';

const reorg = (depth: number): CompanionEvent => ({ event: 'reorg', data: { fork_height: 7, depth } });

async function start(t: ExecutionContext, options: Parameters<typeof startHttpFront>[0] = {}) {
  const front = await startHttpFront(options);
  t.teardown(() => front.close());
  const open = async (headers: Record<string, string> = {}): Promise<EventReader> => {
    const reader = await EventReader.open(`${front.url}/api/events`, headers);
    t.teardown(() => reader.close());
    return reader;
  };
  return { front, open };
}

const openStreams = async (front: HttpFront): Promise<number> => {
  const text = await (await front.get('/metrics')).text();
  return Number(/^wallet_companion_event_streams (\d+)$/m.exec(text)?.[1]);
};

test('events come as they happen, each with an id, a name and one line of JSON', async (t) => {
  const { front, open } = await start(t);
  const reader = await open();
  t.is(reader.response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  t.is(reader.response.headers.get('cache-control'), 'no-store');
  front.link.emit(reorg(1));
  front.link.emit({ event: 'wallet.locked', data: { reason: 'asked' } });
  const one = await reader.next();
  const other = await reader.next();
  t.like(one, { event: 'reorg', data: { fork_height: 7, depth: 1 } });
  t.like(other, { event: 'wallet.locked', data: { reason: 'asked' } });
  t.regex(one?.id ?? '', /^[0-9a-f]{8}\.1$/);
  t.regex(other?.id ?? '', /\.2$/);
});

test('a client that names the last event it saw first gets what it missed', async (t) => {
  const { front, open } = await start(t);
  const before = await open();
  for (const depth of [1, 2, 3]) front.link.emit(reorg(depth));
  const seen = await before.next();
  before.close();
  const after = await open({ 'last-event-id': seen?.id ?? '' });
  t.like(await after.next(), { data: { fork_height: 7, depth: 2 } });
  t.like(await after.next(), { data: { fork_height: 7, depth: 3 } });
  front.link.emit(reorg(4));
  t.like(await after.next(), { data: { fork_height: 7, depth: 4 } });
});

test('a stream that breaks before its first event resumes from where it began', async (t) => {
  const { front, open } = await start(t);
  front.link.emit(reorg(1));
  const before = await open();
  before.close();
  front.link.emit(reorg(2));
  const after = await open({ 'last-event-id': before.opening?.id ?? '' });
  t.is(after.opening?.id, undefined);
  t.like(await after.next(), { data: { fork_height: 7, depth: 2 } });
});

test('a client whose last event is unknown is asked to read the state anew, and gets what this run has', async (t) => {
  const { front, open } = await start(t);
  front.events.use(undefined);
  front.link.emit(reorg(1));
  const reader = await open({ 'last-event-id': 'ffffffff.12' });
  const missed = await reader.next();
  t.like(missed, { event: 'events.missed', data: {} });
  const again = await open({ 'last-event-id': missed?.id ?? '' });
  front.link.emit(reorg(2));
  for (const each of [reader, again])
    for (const depth of [1, 2]) t.like(await each.next(), { data: { fork_height: 7, depth } });
});

const RECEIVED = { account: 0, pool: 'ironwood', height: 5, txid: 'ab'.repeat(32), output_index: 1 } as const;

test('a memo comes with its event, and is kept for a client that resumes until the lock', async (t) => {
  const { front, open } = await start(t);
  const reader = await open();
  front.link.emit(reorg(1));
  const before = await reader.next();
  const memo = { text: 'two\nlines, and "quotes"' };
  front.link.emitWithTexts({ event: 'note.received', data: { ...RECEIVED, memo } });
  front.link.emitWithTexts({ event: 'note.memo', data: { ...RECEIVED, memo: null } });
  t.deepEqual((await reader.next())?.data, { ...RECEIVED, memo });
  t.deepEqual((await reader.next())?.data, { ...RECEIVED, memo: null });
  const resumed = await open({ 'last-event-id': before?.id ?? '' });
  t.deepEqual((await resumed.next())?.data, { ...RECEIVED, memo });
  front.link.emit({ event: 'wallet.locked', data: { reason: 'asked' } });
  const late = await open({ 'last-event-id': before?.id ?? '' });
  t.deepEqual((await late.next())?.data, RECEIVED);
});

test('a client that missed more than a stream may leave unread gets it in pieces', async (t) => {
  const { front, open } = await start(t);
  const before = await open();
  const memo = { text: 'm'.repeat(512) };
  const missed = Array.from({ length: 1024 }, (_, height) => height);
  for (const height of missed) {
    const note = { ...RECEIVED, height, address: 'u'.repeat(512), memo };
    front.link.emitWithTexts({ event: 'note.received', data: note });
  }
  const heights: unknown[] = [];
  let id = before.opening?.id ?? '';
  for (let streams = 0; heights.length < missed.length && streams < 9; streams++) {
    const resumed = await open({ 'last-event-id': id });
    while (heights.length < missed.length) {
      const event = await resumed.next().catch(() => undefined);
      if (event?.id === undefined) break;
      id = event.id;
      heights.push((event.data as { height: number }).height);
    }
  }
  t.deepEqual(heights, missed);
});

test('a silent stream gets a comment now and then', async (t) => {
  const beats = new Set<() => void>();
  const { open, front } = await start(t, {
    every: (_intervalMs, callback) => {
      beats.add(callback);
      return () => beats.delete(callback);
    },
  });
  const reader = await open();
  for (const beat of beats) beat();
  t.is((await reader.next())?.raw, ':');
  reader.close();
  await until(async () => (await openStreams(front)) === 0);
  t.is(beats.size, 0);
});

test('streams are bounded for each caller, those that end make room, and none takes the places of others', async (t) => {
  const { front, open } = await start(t);
  const readers = await Promise.all(Array.from({ length: 16 }, () => open()));
  t.is(await openStreams(front), 16);
  await problemOf(t, await front.get('/api/events'), 'BUSY');
  const ownPage = { 'sec-fetch-site': 'same-origin', referer: `${front.url}/` };
  const others = [{ origin: EXTENSION_ORIGIN }, ownPage] as const;
  for (const headers of others) await open(headers);
  t.is(await openStreams(front), 18);
  readers[0]?.close();
  await until(async () => (await openStreams(front)) !== 18);
  await open();
});

test('an extension that is let in no more hears nothing more on the stream that it has', async (t) => {
  let allowed = [EXTENSION_ORIGIN];
  const { front, open } = await start(t, { allowedOrigins: () => allowed });
  const [extension, program] = [await open({ origin: EXTENSION_ORIGIN }), await open()];
  front.link.emit(reorg(1));
  t.like(await extension.next(), { event: 'reorg' });
  allowed = [];
  front.link.emitWithTexts({ event: 'note.received', data: { ...RECEIVED, memo: { text: 'rent' } } });
  t.is(await extension.next().catch(() => undefined), undefined);
  t.like(await program.next(), { event: 'reorg' });
  t.like(await program.next(), { event: 'note.received' });
});

test('a client that does not read is cut off', async (t) => {
  const { front } = await start(t);
  const socket = connect(front.listening.port, '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  socket.write('GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
  socket.pause();
  await until(async () => (await openStreams(front)) !== 0);
  const theme = 'x'.repeat(100_000);
  const large = { event: 'config.changed', data: { theme } } as unknown as CompanionEvent;
  while ((await openStreams(front)) > 0) front.link.emit(large);
  socket.resume();
  await closed;
  t.is(await openStreams(front), 0);
});

test('stopping ends the streams, so that the server can close at once', async (t) => {
  const stopping = new AbortController();
  const { front, open } = await start(t, { stopping: stopping.signal });
  const reader = await open();
  front.link.emit({ event: 'wallet.locked', data: { reason: 'exit' } });
  const closing = front.listening.close(60_000);
  stopping.abort();
  t.like(await reader.next(), { event: 'wallet.locked' });
  t.is(await reader.next(), undefined);
  await closing;
});

test('the guard stands before the events too', async (t) => {
  const { front, open } = await start(t);
  await problemOf(t, await front.get('/api/events', { origin: 'https://example.com' }), 'ORIGIN_FORBIDDEN');
  const reader = await open({ origin: EXTENSION_ORIGIN });
  t.is(reader.response.headers.get('access-control-allow-origin'), EXTENSION_ORIGIN);
});

test('HEAD asks for the headers only, POST is refused', async (t) => {
  const { front } = await start(t);
  const head = await fetch(`${front.url}/api/events`, { method: 'HEAD' });
  t.is(head.status, 200);
  t.is(head.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  t.is(await openStreams(front), 0);
  await problemOf(t, await front.post('/api/events'), 'METHOD_NOT_ALLOWED');
});
