// The link over a MessagePort: many calls at once, events, malformed messages, and an end that leaves nobody waiting.

import { MessageChannel } from 'node:worker_threads';
import anyTest, { type TestFn } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { type ChannelPort, type ClosableLink, portLink, servePort } from '../../src/ipc/messagePort.ts';
import type { CompanionEvent } from '../../src/protocol/events.ts';
import { ok } from '../../src/protocol/result.ts';
import { FakeLink } from '../helpers/fakeLink.ts';
import { until } from '../helpers/until.ts';

interface Channel {
  readonly fake: FakeLink;
  readonly link: ClosableLink;
  readonly client: MessageChannel['port1'];
  stop(): void;
}

const test = anyTest as TestFn<Channel>;
const context = { requestId: 'port-request' };

test.beforeEach((t) => {
  const { port1, port2 } = new MessageChannel();
  const fake = new FakeLink();
  const stop = servePort(port2 as unknown as ChannelPort, fake, () => 'fresh-request');
  t.context = { fake, link: portLink(port1 as unknown as ChannelPort), client: port1, stop };
});
test.afterEach.always((t) => {
  t.context.link.close();
  t.context.stop();
});

test('calls, failures and health pass', async (t) => {
  const { fake, link } = t.context;
  t.deepEqual(
    await link.dispatch('balance.get', { account: 0 }, context),
    ok(examples['balance.get'].output),
  );
  t.deepEqual(fake.calls, [{ name: 'balance.get', input: { account: 0 }, context }]);
  const error = {
    code: 'TOO_MANY_ATTEMPTS',
    detail: 'Wait.',
    errors: [{ path: 'password', code: 'TOO_MANY_ATTEMPTS', message: 'is wrong' }],
    retryAfterSeconds: 1.5,
    lastScanHeight: 7,
  } as const;
  fake.failWith('wallet.unlock', error);
  t.deepEqual(await link.dispatch('wallet.unlock', { password: 'x' }, context), { ok: false, error });
  t.deepEqual(await link.health(), fake.healthReport);
});

test('answers find their calls in whatever order they come', async (t) => {
  const { fake, link } = t.context;
  let finish: () => void = () => {};
  fake.answerWith(
    'sync.run',
    () =>
      new Promise((resolve) => {
        finish = () => resolve(ok(examples['sync.run'].output));
      }),
  );
  const sync = link.dispatch('sync.run', {}, context);
  t.deepEqual(await link.dispatch('wallet.exists', {}, context), ok({ exists: true }));
  finish();
  t.deepEqual(await sync, ok(examples['sync.run'].output));
});

test('events reach subscribers until the last one goes', async (t) => {
  const { fake, link } = t.context;
  const event: CompanionEvent = { event: 'reorg', data: { fork_height: 5, depth: 2 } };
  const heard = new Promise<CompanionEvent>((resolve) => {
    const unsubscribe = link.subscribe((reported) => {
      unsubscribe();
      resolve(reported);
    });
  });
  await link.health();
  fake.emit(event);
  t.deepEqual(await heard, event);
  await link.health();
  fake.emit(event);
});

test('what is not a request is answered, under its id where it has one', async (t) => {
  const { client, fake } = t.context;
  const answers: { id: unknown; error: { code: string } }[] = [];
  const all = new Promise<void>((resolve) => {
    client.on('message', (message) => {
      answers.push(message);
      if (answers.length === 8) resolve();
    });
  });
  for (const message of [
    null,
    [],
    'balance',
    { command: 'balance' },
    { id: 1.5, command: 'balance' },
    { id: 'a', command: 5 },
    { id: 'b', command: 'balance', extra: true },
    { id: 'c', command: 'balance', request_id: 'line\nbreak' },
  ]) {
    client.postMessage(message);
  }
  await all;
  t.deepEqual(
    answers.map(({ id }) => id),
    [null, null, null, null, null, 'a', 'b', 'c'],
  );
  for (const { error } of answers) t.is(error.code, 'INVALID_REQUEST');
  t.is(fake.calls.length, 0);
});

test('what cannot be cloned is refused, not thrown', async (t) => {
  const result = await t.context.link.dispatch('sync.run', { start_height: () => 5 }, context);
  t.is(result.ok ? undefined : result.error.code, 'INVALID_REQUEST');
});

test('calls beyond those that run at a time wait in turn; another client gets BUSY', async (t) => {
  const { fake, link, client } = t.context;
  const finish: (() => void)[] = [];
  fake.answerWith(
    'sync.run',
    () => new Promise((resolve) => finish.push(() => resolve(ok(examples['sync.run'].output)))),
  );
  const scans = Array.from({ length: 16 }, () => link.dispatch('sync.run', {}, context));
  await until(() => finish.length === 16);
  const busy = new Promise<{ error?: { code: string } }>((resolve) =>
    client.on('message', (message) => message.id === 'beside' && resolve(message)),
  );
  client.postMessage({ id: 'beside', command: 'wallet_exists' });
  t.is((await busy).error?.code, 'BUSY');
  const later = Array.from({ length: 34 }, () => link.dispatch('wallet.exists', {}, context));
  // Events do not wait for calls.
  const heard = new Promise((resolve) => link.subscribe(resolve));
  await until(() => fake.subscriptions === 1);
  fake.emit({ event: 'reorg', data: { fork_height: 5, depth: 2 } });
  await heard;
  t.is(fake.calls.length, 16);
  finish[0]?.();
  for (const call of later) t.deepEqual(await call, ok({ exists: true }));
  for (const end of finish) end();
  for (const scan of scans) t.deepEqual(await scan, ok(examples['sync.run'].output));
});

test('a closed channel settles open and later calls', async (t) => {
  const { fake, link, stop } = t.context;
  fake.answerWith('sync.run', () => new Promise(() => {}));
  const open = link.dispatch('sync.run', {}, context);
  await link.health();
  stop();
  const results = [await open, await link.dispatch('wallet.exists', {}, context)];
  for (const result of results) t.is(result.ok ? undefined : result.error.code, 'COMPANION_UNREACHABLE');
});
