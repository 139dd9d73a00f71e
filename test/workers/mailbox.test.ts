import { once } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { After } from '@wallet-companion/shielded/async';
import test from 'ava';
import * as Comlink from 'comlink';
import { Reachable } from '#shielded-test/garbage';
import { CompanionError } from '../../src/protocol/errors.ts';
import { ok, type Result } from '../../src/protocol/result.ts';
import { Mailbox, serveMailbox } from '../../src/workers/mailbox.ts';
import { ManualClock } from '../helpers/walletHarness.ts';

function connect(
  dispatch: Parameters<typeof serveMailbox>[1],
  after?: After,
): {
  port: MessagePort;
  mailbox: Mailbox;
  lose: () => void;
} {
  const { port1, port2 } = new MessageChannel();
  serveMailbox(port2, dispatch);
  let lose = () => {};
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });
  return { port: port1, mailbox: new Mailbox(port1, lost, after), lose };
}

test('a message is answered with the handler’s value', async (t) => {
  const { port, mailbox } = connect(async (message) => ok({ echoed: message }));
  t.deepEqual(await mailbox.send({ name: 'x' }), { ok: true, value: { echoed: { name: 'x' } } });
  port.close();
});

test('a thrown error keeps its code and an unknown one is not told', async (t) => {
  const { port, mailbox } = connect(async (message) => {
    if (message === 'coded') throw new CompanionError('WALLET_LOCKED', 'Locked.');
    throw new Error('/home/someone/secret');
  });
  t.deepEqual(await mailbox.send('coded'), {
    ok: false,
    error: { code: 'WALLET_LOCKED', detail: 'Locked.' },
  });
  const answer = await mailbox.send('other');
  t.false(answer.ok);
  t.false(JSON.stringify(answer).includes('secret'));
  port.close();
});

/** Resolves when what was posted on both ends before has arrived. */
const answered = (mailbox: Mailbox) => mailbox.send('last');

test('nothing that was answered stays reachable while the thread lives', async (t) => {
  const { port, mailbox } = connect(async (message) => ok({ echoed: message }));
  const reachable = new Reachable();
  const ask = async () => {
    for (let i = 0; i < 200; i++) {
      const answer = await mailbox.send({ phrase: i }, i % 2 === 0 ? undefined : 60_000);
      if (!answer.ok) throw new Error('an answer was expected');
      reachable.watch(answer);
      reachable.watch(answer.value as object);
    }
  };
  await ask();
  t.is(reachable.watched, 400);
  t.is(await reachable.count(), 0);
  t.is(mailbox.openCalls, 0);
  t.true((await mailbox.send('more')).ok);
  port.close();
});

test('a lost thread settles all open calls at once, and later ones too', async (t) => {
  const clock = new ManualClock();
  const { port, mailbox, lose } = connect(
    () => new Promise(() => {}),
    (ms, callback) => clock.after(ms, callback),
  );
  const open = [mailbox.send('one'), mailbox.send('two', 5_000), mailbox.send('three')];
  t.is(mailbox.openCalls, 3);
  lose();
  const lost = { ok: false, error: { code: 'THREAD_LOST' } };
  for (const answer of await Promise.all(open)) t.like(answer, lost);
  t.is(mailbox.openCalls, 0);
  t.like(await mailbox.send('again'), lost);
  t.like(await mailbox.send('again', 5_000), lost);
  t.is(mailbox.openCalls, 0);
  clock.advance(5_000);
  t.is(mailbox.openCalls, 0);
  port.close();
});

test('a call past its deadline answers BUSY, and its late answer is wiped and dropped', async (t) => {
  const clock = new ManualClock();
  const late: ((answer: Result<unknown>) => void)[] = [];
  const { port, mailbox } = connect(
    (message) => (message === 'slow' ? new Promise((resolve) => late.push(resolve)) : Promise.resolve(ok(1))),
    (ms, callback) => clock.after(ms, callback),
  );
  const arrived: unknown[] = [];
  port.on('message', ({ value }) => arrived.push(value.value));
  const slow = mailbox.send('slow', 5_000);
  const patient = mailbox.send('slow');
  await answered(mailbox);
  clock.advance(4_999);
  t.is(mailbox.openCalls, 2);
  clock.advance(1);
  t.like(await slow, { ok: false, error: { code: 'BUSY' } });
  t.is(mailbox.openCalls, 1);
  for (const answer of late) answer(ok(new Uint8Array([7])));
  t.deepEqual(await patient, { ok: true, value: new Uint8Array([7]) });
  await answered(mailbox);
  t.is(mailbox.openCalls, 0);
  t.deepEqual(arrived.slice(1, 3), [new Uint8Array([0]), new Uint8Array([7])]);
  t.like(await slow, { ok: false, error: { code: 'BUSY' } });
  port.close();
});

test('a call that is never answered is forgotten when its deadline passes', async (t) => {
  const clock = new ManualClock();
  const { port, mailbox } = connect(
    (message) => (message === 'last' ? Promise.resolve(ok(1)) : new Promise(() => {})),
    (ms, callback) => clock.after(ms, callback),
  );
  const reachable = new Reachable();
  const ask = async () => {
    for (let i = 0; i < 100; i++) {
      const call = reachable.watch(mailbox.send({ stuck: i }, 5_000));
      clock.advance(5_000);
      t.like(await call, { ok: false, error: { code: 'BUSY' } });
    }
  };
  await ask();
  await answered(mailbox);
  t.is(mailbox.openCalls, 0);
  t.is(await reachable.count(), 0);
  port.close();
});

test('an answer in time ends the deadline', async (t) => {
  const deadlines = new Set<() => void>();
  const { port, mailbox } = connect(
    async () => ok(1),
    (_ms, callback) => {
      deadlines.add(callback);
      return () => deadlines.delete(callback);
    },
  );
  await mailbox.send('quick', 5_000);
  t.is(deadlines.size, 0);
  port.close();
});

test('what cannot be sent fails, and is not waited for', async (t) => {
  const { port, mailbox } = connect(async () => ok(1));
  t.like(await mailbox.send(() => 'no plain data'), { ok: false, error: { code: 'INTERNAL' } });
  t.is(mailbox.openCalls, 0);
  port.close();
});

test('a mailbox of a thread that is gone is collected, though a call was open', async (t) => {
  const reachable = new Reachable();
  const loseOne = async () => {
    const { port, mailbox, lose } = connect(() => new Promise(() => {}));
    reachable.watch(mailbox);
    const open = mailbox.send('never answered');
    lose();
    await open;
    const closed = once(port, 'close');
    port.close();
    await closed;
  };
  await loseOne();
  t.is(await reachable.count(), 0);
});

test('the other side cannot reach a constructor, replace the handler, or send anything but plain data', async (t) => {
  const { port, mailbox } = connect(async () => ok('genuine'));
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
  t.deepEqual(await mailbox.send('honest'), { ok: true, value: 'genuine' });
  t.deepEqual(
    answers.filter((answer) => String((answer as { id?: unknown }).id).startsWith('attack')),
    [],
  );
  t.false('stolen' in globalThis);
  port.close();
});

test('without the filter the same attacks work, so the test above can fail', async (t) => {
  const { port1, port2 } = new MessageChannel();
  Comlink.expose({ dispatch: async () => ok('genuine') }, port2 as unknown as Comlink.Endpoint);
  const reply = new Promise((resolve) => port1.once('message', resolve));
  port1.postMessage({ id: 'a', type: 'SET', path: ['dispatch'], value: { type: 'RAW', value: null } });
  t.like(await reply, { id: 'a', value: true });
  port1.close();
});

/** A mailbox whose other end answers every request with that, in the place of a thread that was taken over. */
function hostile(reply: (id: string) => object): { mailbox: Mailbox; close: () => void } {
  const { port1, port2 } = new MessageChannel();
  port2.on('message', ({ id }: { id: string }) => port2.postMessage(reply(id)));
  return { mailbox: new Mailbox(port1, new Promise(() => {})), close: () => port1.close() };
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
    const { mailbox, close } = hostile((id) => ({ id, ...wire }));
    t.like(await mailbox.send('hello'), INTERNAL);
    t.is(mailbox.openCalls, 0);
    close();
  });
}

test('a proxy in a reply is not made: it would hang whoever touches it', async (t) => {
  const { port1, port2 } = new MessageChannel();
  const { port1: behind } = new MessageChannel();
  port2.on('message', ({ id }: { id: string }) =>
    port2.postMessage({ id, type: 'HANDLER', name: 'proxy', value: behind }, [behind]),
  );
  const clock = new ManualClock();
  const mailbox = new Mailbox(port1, new Promise(() => {}), (ms, callback) => clock.after(ms, callback));
  const answer = mailbox.send('hello', 5_000);
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
  const { mailbox, close } = hostile((id) => ({ id, ...raw({ ok: false, error, more: 1 }), more: 1 }));
  t.deepEqual(await mailbox.send('hello'), {
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
  const { port, mailbox } = connect(async () => ok(() => 'no plain data'));
  t.like(await mailbox.send('hello'), INTERNAL);
  port.close();
});
