// What the window's page can ask for, without a window.

import { readDashboard } from '@wallet-companion/dashboard';
import test from 'ava';
import { examples } from '../../../scripts/generate/examples.ts';
import { PageEvents, type PageEventsAnswer } from '../../../src/ipc/desktop/pageEvents.ts';
import { bodyLimit, pageAnswerer } from '../../../src/ipc/desktop/pageRequests.ts';
import { KEPT_EVENTS } from '../../../src/protocol/eventLog.ts';
import { type CompanionEvent, MISSED } from '../../../src/protocol/events.ts';
import { inputLimit } from '../../../src/protocol/inputLimits.ts';
import { FakeLink } from '../../helpers/fakeLink.ts';

const answerer = (link: FakeLink) =>
  pageAnswerer({
    link,
    events: new PageEvents(link),
    files: readDashboard(),
    requestId: () => 'page-request',
  });
const request = (method: string, path: string, body = '') => ({ method, path, body: Buffer.from(body) });

test('the pages are those of the dashboard, each with its type', async (t) => {
  const answer = answerer(new FakeLink());
  for (const [path, { type, body }] of readDashboard()) {
    const given = await answer(request('GET', path));
    t.is(given.status, 200);
    t.is(given.type, type);
    if (!type.startsWith('text/html')) t.deepEqual(given.body, body);
  }
});

test('each page carries the policy that HTTP gives as header', async (t) => {
  for (const path of ['/', '/device']) {
    const { body } = await answerer(new FakeLink())(request('GET', path));
    const given = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(body.toString('utf8'))?.[1];
    // A page cannot forbid frames itself; nothing else shows the window's scheme.
    t.is(
      `${given}; frame-ancestors 'none'`.split('; ').sort().join(),
      readDashboard().get(path)!.policy.split('; ').sort().join(),
    );
  }
});

test('nothing else is served', async (t) => {
  const answer = answerer(new FakeLink());
  for (const [method, path] of [
    ['GET', '/../window.js'],
    ['GET', '/dashboard/index.html'],
    ['GET', '/dashboard/main.tsx'],
    ['GET', '/events'],
    ['POST', '/'],
    ['GET', '/invoke/wallet.exists'],
    ['DELETE', '/invoke/wallet.exists'],
  ] as const) {
    t.is((await answer(request(method, path))).status, 404, `${method} ${path}`);
  }
});

test('commands are answered with tagged results', async (t) => {
  const link = new FakeLink();
  link.failWith('wallet.unlock', { code: 'WRONG_PASSWORD', detail: 'The password is wrong.' });
  const answer = answerer(link);
  const invoke = async (path: string, body: string): Promise<unknown> => {
    const { status, type, body: json } = await answer(request('POST', path, body));
    t.is(status, 200);
    t.is(type, 'application/json');
    return JSON.parse(json.toString('utf8'));
  };
  t.deepEqual(await invoke('/invoke/lwd.info', ''), { ok: true, value: examples['lwd.info'].output });
  t.like(await invoke('/invoke/wallet.unlock', '{"password":"x"}'), {
    ok: false,
    error: { code: 'WRONG_PASSWORD', request_id: 'page-request' },
  });
  for (const [path, body, code] of [
    ['/invoke/nope', '{}', 'NOT_FOUND'],
    ['/invoke/', '{}', 'NOT_FOUND'],
    ['/invoke/sync.run', '{', 'INVALID_REQUEST'],
    ['/invoke/sync.run', '[]', 'INVALID_REQUEST'],
    ['/invoke/sync.run', `"${'a'.repeat(65_536)}"`, 'BODY_TOO_LARGE'],
  ] as const) {
    t.like(await invoke(path, body), { ok: false, error: { code } }, path);
  }
  const pczt = JSON.stringify({ pczt: 'A'.repeat(2 << 20) });
  t.like(await invoke('/invoke/pczt.inspect', pczt), { ok: true });
  const longer = pczt.padEnd(inputLimit('pczt.inspect') + 1, ' ');
  t.like(await invoke('/invoke/pczt.inspect', longer), { ok: false, error: { code: 'BODY_TOO_LARGE' } });
  t.like(await invoke('/invoke/sync.run', pczt), { ok: false, error: { code: 'BODY_TOO_LARGE' } });
  // As many bytes as the window reads of a request's body.
  t.deepEqual(['/invoke/pczt.inspect', '/invoke/sync.run', '/invoke/nope', '/events', '/'].map(bodyLimit), [
    inputLimit('pczt.inspect'),
    65_536,
    65_536,
    65_536,
    65_536,
  ]);
});

test('a call is about the wallet that its path names', async (t) => {
  const link = new FakeLink();
  const answer = answerer(link);
  for (const path of ['/invoke/balance.get', '/invoke/balance.get/savings', '/invoke/wallet.lock/books'])
    t.like(JSON.parse((await answer(request('POST', path))).body.toString('utf8')), { ok: true }, path);
  t.deepEqual(
    link.calls.map(({ name, context }) => [name, context.wallet]),
    [
      ['balance.get', undefined],
      ['balance.get', 'savings'],
      ['wallet.lock', 'books'],
    ],
  );
  const pczt = `/invoke/pczt.inspect/savings`;
  t.is(bodyLimit(pczt), inputLimit('pczt.inspect'));
  for (const path of ['/invoke/balance.get/Savings', '/invoke/balance.get/a/b', '/events/..', '/events/'])
    t.is((await answer(request('POST', path, '{"after":0}'))).status, 404, path);
  t.is(link.calls.length, 3);
});

const after = async (
  answer: ReturnType<typeof answerer>,
  seen: unknown,
  path = '/events',
): Promise<PageEventsAnswer> =>
  JSON.parse(
    (await answer(request('POST', path, JSON.stringify({ after: seen })))).body.toString('utf8'),
  ) as PageEventsAnswer;

const reorg = (depth: number): CompanionEvent => ({ event: 'reorg', data: { fork_height: 5, depth } });

test('a page that asks for events gets those after the last one it saw, and waits where there are none', async (t) => {
  const link = new FakeLink();
  const answer = answerer(link);
  const first = await after(answer, '');
  t.deepEqual(first.events, []);
  const waiting = after(answer, first.next);
  link.emit(reorg(1));
  const second = await waiting;
  t.deepEqual(second.events, [reorg(1)]);
  link.emit(reorg(2));
  link.emit(reorg(3));
  const third = await after(answer, second.next);
  t.deepEqual(third.events, [reorg(2), reorg(3)]);
  // The same question again, as after an answer that was lost.
  t.deepEqual(await after(answer, second.next), third);
});

test('a page that was away for too long, or makes ids up, is asked to read everything anew', async (t) => {
  const link = new FakeLink();
  const answer = answerer(link);
  const { next } = await after(answer, '');
  for (let depth = 1; depth <= KEPT_EVENTS + 1; depth++) link.emit(reorg(depth));
  for (const id of [next, 'x']) t.deepEqual((await after(answer, id)).events, [MISSED]);
  for (const odd of [0, null, 10 ** 9, {}]) t.deepEqual((await after(answer, odd)).events, []);
});

test('a page of another wallet gets the events of that one alone', async (t) => {
  const link = new FakeLink();
  const answer = answerer(link);
  const { next } = await after(answer, '');
  const left = after(answer, next);
  const other = await after(answer, '', '/events/savings');
  t.deepEqual(other.events, []);
  t.deepEqual((await left).events, [], 'the page before is answered, and gets nothing of it');
  const waiting = after(answer, other.next, '/events/savings');
  link.emit(reorg(1));
  link.emit(reorg(2), 'savings');
  t.deepEqual((await waiting).events, [reorg(2)]);
  // Each page goes on where it was.
  link.emit(reorg(3), 'savings');
  t.deepEqual((await after(answer, next)).events, [reorg(1)]);
});

test('amounts that were reported before a lock are not reported after it', async (t) => {
  const link = new FakeLink();
  const answer = answerer(link);
  const { next } = await after(answer, '');
  // Over the private socket an event has its memo in it.
  const data = { ...examples['notes.list'].output.notes[0]!, memo: { text: 'rent' } };
  link.emit({ event: 'note.received', data });
  link.emit({ event: 'note.memo', data });
  link.emit({ event: 'wallet.locked', data: { reason: 'asked' } });
  const reported = await after(answer, next);
  t.is(reported.events.length, 3);
  t.notRegex(JSON.stringify(reported), /zatoshi|rent/);
});

test('a question that waits is answered when the page asks again, or the window closes', async (t) => {
  const events = new PageEvents(new FakeLink());
  const { next } = await events.after('');
  const abandoned = events.after(next);
  const waiting = events.after(next);
  t.deepEqual(await abandoned, { next, events: [] });
  events.close();
  t.deepEqual(await waiting, { next, events: [] });
});
