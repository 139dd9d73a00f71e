import { once } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { After } from '@wallet-companion/base/async';
import { Reachable } from '@wallet-companion/base/test/garbage';
import test, { type ExecutionContext } from 'ava';
import * as Comlink from 'comlink';
import { CompanionError } from '../../src/protocol/errors.ts';
import { Channel, type Methods, move } from '../../src/workers/channel.ts';
import { ManualClock } from '../helpers/walletHarness.ts';

type Dispatch = (message: unknown) => Promise<unknown>;
type Remote = { calls: { dispatch: Dispatch }; events: { happened(event: unknown): void } };

function connect(
  t: ExecutionContext,
  dispatch: Dispatch,
  after?: After,
): {
  port: MessagePort;
  channel: Channel<Remote>;
  lose: () => void;
  events: unknown[];
  faults: unknown[];
} {
  const { port1, port2 } = new MessageChannel();
  // Where an assertion fails, too: an open port keeps the process.
  t.teardown(() => port1.close());
  const [events, faults]: [unknown[], unknown[]] = [[], []];
  const methods: Remote = { calls: { dispatch }, events: { happened: (event) => void events.push(event) } };
  new Channel<Methods, Remote>({
    port: port2,
    methods,
    logFault: (method, fault) => void faults.push([method, fault]),
  });
  const channel = new Channel<Remote>({ port: port1, methods: {}, ...(after && { after }) });
  return { port: port1, channel, lose: () => port2.close(), events, faults };
}

test('a call is answered with the method’s value', async (t) => {
  const { channel } = connect(t, async (message) => ({ echoed: message }));
  t.deepEqual(await channel.call('dispatch', { name: 'x' }), { ok: true, value: { echoed: { name: 'x' } } });
});

test('a thrown error keeps its code and an unknown one is not passed on', async (t) => {
  const { channel } = connect(t, async (message) => {
    if (message === 'coded') throw new CompanionError('WALLET_LOCKED', 'Locked.');
    throw new Error('/home/someone/secret');
  });
  t.deepEqual(await channel.call('dispatch', 'coded'), {
    ok: false,
    error: { code: 'WALLET_LOCKED', detail: 'Locked.' },
  });
  const answer = await channel.call('dispatch', 'other');
  t.false(answer.ok);
  t.false(JSON.stringify(answer).includes('secret'));
});

/** Resolves when what was posted on both ends before has arrived. */
const answered = (channel: Channel<Remote>) => channel.call('dispatch', 'last');

test('nothing that was answered stays reachable while the thread lives', async (t) => {
  const { channel } = connect(t, async (message) => ({ echoed: message }));
  const reachable = new Reachable();
  const ask = async () => {
    for (let i = 0; i < 200; i++) {
      const answer = await channel.call('dispatch', { phrase: i }, i % 2 === 0 ? undefined : 60_000);
      if (!answer.ok) throw new Error('an answer was expected');
      reachable.watch(answer);
      reachable.watch(answer.value as object);
    }
  };
  await ask();
  t.is(reachable.watched, 400);
  t.is(await reachable.count(), 0);
  t.is(channel.openCalls, 0);
  t.true((await channel.call('dispatch', 'more')).ok);
});

test('a lost thread settles all open calls at once, and later ones too', async (t) => {
  const clock = new ManualClock();
  const { channel, lose } = connect(
    t,
    () => new Promise(() => {}),
    (ms, callback) => clock.after(ms, callback),
  );
  const open = [
    channel.call('dispatch', 'one'),
    channel.call('dispatch', 'two', 5_000),
    channel.call('dispatch', 'three'),
  ];
  t.is(channel.openCalls, 3);
  lose();
  const lost = { ok: false, error: { code: 'THREAD_LOST' } };
  for (const answer of await Promise.all(open)) t.like(answer, lost);
  t.is(channel.openCalls, 0);
  t.like(await channel.call('dispatch', 'again'), lost);
  t.like(await channel.call('dispatch', 'again', 5_000), lost);
  t.is(channel.openCalls, 0);
  clock.advance(5_000);
  t.is(channel.openCalls, 0);
});

test('a call past its deadline answers BUSY, and its late answer is dropped and wiped', async (t) => {
  const clock = new ManualClock();
  const late: ((answer: unknown) => void)[] = [];
  const { port, channel } = connect(
    t,
    (message) => (message === 'slow' ? new Promise((resolve) => late.push(resolve)) : Promise.resolve(1)),
    (ms, callback) => clock.after(ms, callback),
  );
  const slow = channel.call('dispatch', 'slow', 5_000);
  const patient = channel.call('dispatch', 'slow');
  await answered(channel);
  clock.advance(4_999);
  t.is(channel.openCalls, 2);
  clock.advance(1);
  t.like(await slow, { ok: false, error: { code: 'BUSY' } });
  t.is(channel.openCalls, 1);
  const replies: { value?: unknown }[] = [];
  port.on('message', (reply) => replies.push(reply));
  for (const answer of late) answer(new Uint8Array([1, 2]));
  t.deepEqual(await patient, { ok: true, value: new Uint8Array([1, 2]) });
  t.deepEqual(replies[0]?.value, { ok: true, value: new Uint8Array(2) });
  await answered(channel);
  t.is(channel.openCalls, 0);
  t.like(await slow, { ok: false, error: { code: 'BUSY' } });
});

test('a call that is never answered is forgotten when its deadline passes', async (t) => {
  const clock = new ManualClock();
  const { channel } = connect(
    t,
    (message) => (message === 'last' ? Promise.resolve(1) : new Promise(() => {})),
    (ms, callback) => clock.after(ms, callback),
  );
  const reachable = new Reachable();
  const ask = async () => {
    for (let i = 0; i < 100; i++) {
      const call = reachable.watch(channel.call('dispatch', { stuck: i }, 5_000));
      clock.advance(5_000);
      t.like(await call, { ok: false, error: { code: 'BUSY' } });
    }
  };
  await ask();
  await answered(channel);
  t.is(channel.openCalls, 0);
  t.is(await reachable.count(), 0);
});

test('an answer in time ends the deadline', async (t) => {
  const deadlines = new Set<() => void>();
  const { channel } = connect(
    t,
    async () => 1,
    (_ms, callback) => {
      deadlines.add(callback);
      return () => deadlines.delete(callback);
    },
  );
  await channel.call('dispatch', 'quick', 5_000);
  t.is(deadlines.size, 0);
});

test('what cannot be sent fails, and is not waited for', async (t) => {
  const { channel } = connect(t, async () => 1);
  t.like(await channel.call('dispatch', () => 'no plain data'), { ok: false, error: { code: 'INTERNAL' } });
  t.is(channel.openCalls, 0);
});

test('a channel to a thread that is gone is collected, though a call was open', async (t) => {
  const reachable = new Reachable();
  const loseOne = async () => {
    const { channel, lose } = connect(t, () => new Promise(() => {}));
    reachable.watch(channel);
    const open = channel.call('dispatch', 'never answered');
    lose();
    await open;
  };
  await loseOne();
  t.is(await reachable.count(), 0);
});

test('the other side cannot reach a constructor, replace the handler, or send anything but plain data', async (t) => {
  const { port, channel } = connect(t, async () => 'genuine');
  const answers: unknown[] = [];
  port.addEventListener('message', (event) => answers.push((event as unknown as { data: unknown }).data));

  const raw = (value: unknown) => ({ type: 'RAW', value });
  const attacks: object[] = [
    // Walk to Function and run code there.
    { type: 'APPLY', path: ['dispatch', 'constructor'], argumentList: [raw('globalThis.stolen = true')] },
    { type: 'CONSTRUCT', path: ['constructor', 'constructor'], argumentList: [raw('return process')] },
    { type: 'GET', path: ['constructor'] },
    // Replace the handler.
    { type: 'SET', path: ['dispatch'], value: raw(null) },
    { type: 'SET', path: [], value: raw(null) },
    { type: 'ENDPOINT' },
    { type: 'RELEASE' },
    { type: 'APPLY', path: ['dispatch', 'call'], argumentList: [raw(1)] },
    { type: 'APPLY', path: ['dispatch'], argumentList: [raw(1), raw(2)] },
    { type: 'APPLY', path: ['dispatch'], argumentList: [{ type: 'HANDLER', name: 'proxy', value: {} }] },
    { type: 'APPLY', path: ['dispatch'] },
  ];
  for (const [i, attack] of attacks.entries()) port.postMessage({ id: `attack-${i}`, ...attack });
  // Ports deliver in order: once this one is answered, every attack has been seen and dropped.
  t.deepEqual(await channel.call('dispatch', 'honest'), { ok: true, value: 'genuine' });
  t.deepEqual(
    answers.filter((answer) => String((answer as { id?: unknown }).id).startsWith('attack')),
    [],
  );
  t.false('stolen' in globalThis);
});

test('without the filter the same attacks work, so the test above can fail', async (t) => {
  const { port1, port2 } = new MessageChannel();
  Comlink.expose({ dispatch: async () => 'genuine' }, port2 as unknown as Comlink.Endpoint);
  const reply = new Promise((resolve) => port1.once('message', resolve));
  port1.postMessage({ id: 'a', type: 'SET', path: ['dispatch'], value: { type: 'RAW', value: null } });
  t.like(await reply, { id: 'a', value: true });
  port1.close();
});

/** A channel whose other end answers every request with that, in the place of a thread that was taken over. */
function hostile(reply: (id: string) => object): { channel: Channel<Remote>; close: () => void } {
  const { port1, port2 } = new MessageChannel();
  port2.on('message', ({ id }: { id: string }) => port2.postMessage(reply(id)));
  return { channel: new Channel({ port: port1, methods: {} }), close: () => port1.close() };
}

const INTERNAL = { ok: false, error: { code: 'INTERNAL' } };
const raw = (value: unknown) => ({ type: 'RAW', value });

for (const [what, wire] of [
  ['a thrown value', { type: 'HANDLER', name: 'throw', value: { isError: false, value: 'anything' } }],
  ['an unknown form', { type: 'OTHER' }],
  ['no form at all', {}],
  ['no result', raw('text')],
  ['no value', { type: 'RAW' }],
  ['a list', raw([{ ok: true }])],
  ['a failure without code', raw({ ok: false, error: { detail: 'Why.' } })],
  ['a failure with a code of its own', raw({ ok: false, error: { code: 'toString', detail: 'Why.' } })],
  ['a failure without text', raw({ ok: false, error: { code: 'BUSY', detail: 5 } })],
] as const) {
  test(`a reply that is ${what} is a fault, not an answer`, async (t) => {
    const { channel, close } = hostile((id) => ({ id, ...wire }));
    t.like(await channel.call('dispatch', 'hello'), INTERNAL);
    t.is(channel.openCalls, 0);
    close();
  });
}

test('a proxy in a reply is not made: it would hang its caller', async (t) => {
  const { port1, port2 } = new MessageChannel();
  const { port1: behind } = new MessageChannel();
  port2.on('message', ({ id }: { id: string }) =>
    port2.postMessage({ id, type: 'HANDLER', name: 'proxy', value: behind }, [behind]),
  );
  const clock = new ManualClock();
  const channel = new Channel<Remote>({
    port: port1,
    methods: {},
    after: (ms, callback) => clock.after(ms, callback),
  });
  const answer = channel.call('dispatch', 'hello', 5_000);
  const answered = await Promise.race([
    answer,
    once(port1, 'message')
      .then(turns)
      .then(() => 'hangs'),
  ]);
  t.like(answered, INTERNAL);
  port1.close();
});

/** Whatever was settled has gone on by then. */
async function turns(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

test('of a failure in a reply only the known parts come through', async (t) => {
  const error = {
    code: 'TOO_MANY_ATTEMPTS',
    detail: 'Wait.',
    retryAfterSeconds: 2,
    lastScanHeight: 'high',
    errors: [{ path: 'password', message: 'is wrong', more: 1 }, 'nothing'],
    toRecord: 'planted',
  };
  const { channel, close } = hostile((id) => ({ id, ...raw({ ok: false, error, more: 1 }), more: 1 }));
  t.deepEqual(await channel.call('dispatch', 'hello'), {
    ok: false,
    error: {
      code: 'TOO_MANY_ATTEMPTS',
      detail: 'Wait.',
      retryAfterSeconds: 2,
      errors: [{ path: 'password', message: 'is wrong' }],
    },
  });
  close();
});

test('an answer that cannot be sent is a fault for the one who asked', async (t) => {
  const { channel } = connect(t, async () => () => 'no plain data');
  t.like(await channel.call('dispatch', 'hello'), INTERNAL);
});

test('events come in the order of the calls, and no answer goes back', async (t) => {
  const { port, channel, events } = connect(t, async () => events.length);
  const received: unknown[] = [];
  port.on('message', (message) => received.push(message));
  channel.emit('happened', 'first');
  t.deepEqual(await channel.call('dispatch', 1), { ok: true, value: 1 });
  channel.emit('happened', 'second');
  t.deepEqual(await channel.call('dispatch', 2), { ok: true, value: 2 });
  t.deepEqual(events, ['first', 'second']);
  t.is(received.length, 2);
});

test('a call is no event, an event no call, and what is on neither table is dropped', async (t) => {
  let calls = 0;
  const { port, channel, events } = connect(t, async () => ++calls);
  const received: { id?: unknown }[] = [];
  port.on('message', (message) => received.push(message));
  const apply = (id: string | undefined, method: string) =>
    port.postMessage({ ...(id && { id }), type: 'APPLY', path: [method], argumentList: [raw(1)] });
  apply(undefined, 'dispatch');
  apply('a', 'happened');
  for (const method of ['constructor', 'toString', '__proto__', 'other']) {
    apply(undefined, method);
    apply('b', method);
  }
  t.deepEqual(await channel.call('dispatch', 1), { ok: true, value: 1 });
  t.deepEqual([events, received.length], [[], 1]);
});

test('buffers that are moved leave the sender, with calls, answers and events', async (t) => {
  const answer = new Uint8Array([3]);
  const { channel, events } = connect(t, async () => move(answer, [answer.buffer]));
  const [called, emitted] = [new Uint8Array([1]), new Uint8Array([2])];
  channel.emit('happened', move({ emitted }, [emitted.buffer]));
  t.deepEqual(await channel.call('dispatch', move({ called }, [called.buffer])), {
    ok: true,
    value: new Uint8Array([3]),
  });
  t.deepEqual(
    [called, emitted, answer].map(({ byteLength }) => byteLength),
    [0, 0, 0],
  );
  t.deepEqual(events, [{ emitted: new Uint8Array([2]) }]);
});

test('a fault behind a call is logged where it happened, and a failure with a code is not', async (t) => {
  const { channel, faults } = connect(t, async (message) => {
    throw message === 'coded' ? new CompanionError('BUSY', 'Wait.') : new Error('broken');
  });
  t.like(await channel.call('dispatch', 'coded'), { error: { code: 'BUSY' } });
  t.like(await channel.call('dispatch', 'other'), INTERNAL);
  t.deepEqual(faults, [['dispatch', new Error('broken')]]);
});
