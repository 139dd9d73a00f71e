// The iterator over events against a companion's front: cut, restarted, refused.

import { createClient } from '@wallet-companion/client';
import { collect, timers } from '@wallet-companion/client/test/timers';
import test, { type ExecutionContext } from 'ava';
import { startHttpFront } from '../helpers/httpFront.ts';
import { until } from '../helpers/until.ts';

/** A companion, and a client whose connections can be cut. */
async function cuttable(t: ExecutionContext) {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const cuts: (() => void)[] = [];
  const fetchCut = (url: string, init: RequestInit): Promise<Response> => {
    const abort = new AbortController();
    init.signal?.addEventListener('abort', () => abort.abort());
    cuts.push(() => abort.abort());
    return fetch(url, { ...init, signal: abort.signal });
  };
  const { after } = timers();
  return { front, cuts, after, client: createClient({ baseUrl: front.url, fetch: fetchCut }) };
}

test('a real stream that is cut loses nothing', async (t) => {
  const { front, cuts, after, client } = await cuttable(t);
  const states: string[] = [];
  const stream = client.events({ after, onState: ({ kind }) => states.push(kind) });
  const emit = (depth: number) => front.link.emit({ event: 'reorg', data: { fork_height: 7, depth } });
  const first = stream.next();
  await until(() => states.length !== 0);
  emit(1);
  t.like((await first).value, { event: 'reorg', data: { depth: 1 } });
  cuts.at(-1)?.();
  // Nobody is connected while these happen.
  for (const depth of [2, 3]) emit(depth);
  for (const depth of [2, 3]) t.like((await stream.next()).value, { event: 'reorg', data: { depth } });
  t.deepEqual(states, ['open', 'lost', 'open']);
  await stream.return();
});

test('a companion that restarted does not know the last event: the gap is reported', async (t) => {
  const { front, after, client } = await cuttable(t);
  const stream = client.events({ after, lastEventId: 'ffffffff.3' });
  const { value } = await stream.next();
  t.like(value, { event: 'events.missed', data: {} });
  t.regex(value?.id ?? '', /\.0$/);
  front.link.emit({ event: 'wallet.locked', data: { reason: 'idle' } });
  t.like((await stream.next()).value, { event: 'wallet.locked' });
  await stream.return();
});

test('refusals are typed, and what is no stream is no companion', async (t) => {
  const { client, front } = await cuttable(t);
  const foreign = createClient({
    baseUrl: front.url,
    fetch: (url, init) => fetch(url, { ...init, headers: { origin: 'https://evil.example' } }),
  });
  t.is((await collect(t, foreign.events())).error.code, 'ORIGIN_FORBIDDEN');
  const elsewhere = createClient({ fetch: async () => new Response('{}') });
  t.is((await collect(t, elsewhere.events())).error.code, 'COMPANION_UNREACHABLE');
  const abort = new AbortController();
  abort.abort(new Error('closed'));
  t.is((await collect(t, client.events({ signal: abort.signal }))).error.message, 'closed');
});

test("the client's own signal ends its streams too", async (t) => {
  const { front } = await cuttable(t);
  for (const own of [undefined, new AbortController().signal]) {
    const abort = new AbortController();
    const client = createClient({ baseUrl: front.url, signal: abort.signal });
    const onState = () => abort.abort(new Error('closed'));
    const { error } = await collect(t, client.events({ onState, ...(own ? { signal: own } : {}) }));
    t.is(error.message, 'closed');
  }
});
