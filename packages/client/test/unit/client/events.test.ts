// The iterator over events with scripted connections: what it tells when they break, hang, are refused or end.

import test from 'ava';
import { type After, events, type OpenStream, type StreamState } from '../../../src/client/events.ts';
import { CompanionError } from '../../../src/contract/errors.ts';
import { collect, SILENCE_MS, timers } from '../../helpers/timers.ts';

type Script = string | Error | 'hangs';

/** A server whose connections go by the script, one entry each. */
function scripted(...script: readonly Script[]) {
  const asked: (string | undefined)[] = [];
  const signals: AbortSignal[] = [];
  const open: OpenStream = async (lastId, signal) => {
    const entry = script[asked.length];
    asked.push(lastId);
    signals.push(signal);
    if (entry === undefined) throw new CompanionError('ORIGIN_FORBIDDEN', 'The script is over.');
    if (entry instanceof Error) throw entry;
    return new ReadableStream({
      start(controller) {
        if (entry === 'hangs') return;
        for (const byte of new TextEncoder().encode(entry)) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
  };
  return { open, asked, signals };
}

const message = (id: string, depth: number): string =>
  `id: ${id}\nevent: reorg\ndata: {"fork_height":7,"depth":${depth}}\n\n`;

const unreachable = new CompanionError('COMPANION_UNREACHABLE', 'Gone.');

test('a connection that ends is followed by another, which goes on after the last event', async (t) => {
  const { open, asked } = scripted(
    `retry: 100\n\n${message('r.1', 1)}${message('r.2', 2)}id: r.9\nevent: reorg\ndata: {"x":"€`,
    `"}\n\n${message('r.3', 3)}`,
  );
  const { after, pauses } = timers();
  const { received, error } = await collect(t, events(open, { after, random: () => 0 }));
  t.deepEqual(
    received.map(({ id, event, data }) => [id, event, data]),
    [1, 2, 3].map((n) => [`r.${n}`, 'reorg', { fork_height: 7, depth: n }]),
  );
  t.deepEqual(asked, [undefined, 'r.2', 'r.3']);
  // The server's wish, halved by the smallest draw.
  t.deepEqual(pauses, [50, 50]);
  t.is(error.code, 'ORIGIN_FORBIDDEN');
});

test('a caller may name the event to go on after', async (t) => {
  const { open, asked } = scripted('', '');
  const { received } = await collect(t, events(open, { lastEventId: 'r.9', after: timers().after }));
  t.deepEqual(asked, ['r.9', 'r.9', 'r.9']);
  t.deepEqual(received, []);
});

test('a break before the first event is reported as a gap, since what was missed is unknown', async (t) => {
  const { open, asked } = scripted('retry: 1\n\n', message('r.1', 1), '');
  const { received } = await collect(t, events(open, { after: timers().after }));
  t.deepEqual(
    received.map(({ event }) => event),
    ['events.missed', 'reorg'],
  );
  t.deepEqual(asked, [undefined, undefined, 'r.1', 'r.1']);
});

test('the pauses double up to half a minute, and begin anew once something came', async (t) => {
  const lost = Array.from({ length: 6 }, () => unreachable);
  const { open } = scripted(message('r.1', 1), ...lost, message('r.2', 2));
  const { after, pauses } = timers();
  const states: StreamState[] = [];
  await collect(t, events(open, { after, random: () => 0.5, onState: (state) => states.push(state) }));
  const doubled = [2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 750);
  t.deepEqual(pauses, [...doubled, 1500]);
  t.deepEqual(
    states.map((state) => (state.kind === 'open' ? 'open' : state.retryMs)),
    ['open', ...doubled, 'open', 1500],
  );
});

test('a busy companion is asked again when it wishes', async (t) => {
  const busy = new CompanionError('BUSY', 'Too many streams.', { retryAfterSeconds: 10 });
  const { open } = scripted(message('r.1', 1), busy);
  const { after, pauses } = timers();
  await collect(t, events(open, { after, random: () => 0.999_999 }));
  t.deepEqual(
    pauses.map((ms) => Math.round(ms)),
    [2000, 20_000],
  );
});

test('the first connection has to succeed', async (t) => {
  const { open, asked } = scripted(unreachable);
  const { error } = await collect(t, events(open, { after: timers().after }));
  t.is(error, unreachable);
  t.is(asked.length, 1);
});

test('a connection that says nothing for three heartbeats is given up', async (t) => {
  const { open, asked, signals } = scripted(message('r.1', 1), 'hangs', message('r.2', 2));
  const { after, watched, fallSilent } = timers();
  const stream = events(open, { after });
  t.like((await stream.next()).value, { id: 'r.1' });
  t.is(watched.size, 0, 'a slow reader is no silent companion');
  const second = stream.next();
  while (asked.length < 2 || watched.size === 0) await new Promise(setImmediate);
  t.false(signals[1]?.aborted);
  fallSilent();
  t.like((await second).value, { id: 'r.2' });
  t.true(signals[1]?.aborted);
  t.deepEqual(asked, [undefined, 'r.1', 'r.1']);
  await stream.return();
  t.is(watched.size, 0);
});

test('the signal ends a connection and a pause, with its reason and without a word about a loss', async (t) => {
  for (const script of [['hangs'], [message('r.1', 1)]] as const) {
    const abort = new AbortController();
    const { open, asked } = scripted(...script);
    const { after: hold } = timers();
    // Pauses never end by themselves here.
    const waiting: number[] = [];
    const after: After = (ms, callback) => {
      if (ms === SILENCE_MS) return hold(ms, callback);
      waiting.push(ms);
      return () => waiting.pop();
    };
    const states: string[] = [];
    const options = { signal: abort.signal, after, onState: ({ kind }: StreamState) => states.push(kind) };
    const ended = collect(t, events(open, options));
    while (script[0] === 'hangs' ? states.length === 0 : waiting.length === 0)
      await new Promise(setImmediate);
    abort.abort(new Error('window closed'));
    t.is((await ended).error.message, 'window closed');
    t.is(asked.length, 1);
    t.deepEqual(states, script[0] === 'hangs' ? ['open'] : ['open', 'lost']);
    t.deepEqual(waiting, []);
    const before = await t.throwsAsync(events(open, options).next());
    t.is(before?.message, 'window closed');
    t.is(asked.length, 1);
  }
});

test('what is not JSON ends the iteration instead of being asked for again and again', async (t) => {
  const { open, asked } = scripted('id: r.1\ndata: <html>\n\n', '');
  const { error } = await collect(t, events(open, { after: timers().after }));
  t.is(error.code, 'INTERNAL');
  t.is(asked.length, 1);
});
