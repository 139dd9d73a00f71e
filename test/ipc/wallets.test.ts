// Events of several wallets over one channel: each listener gets those of the wallet it listens to, and nothing else. What
// a listener throws is the host's, and ends nothing.

import { MessageChannel } from 'node:worker_threads';
import test, { type ExecutionContext } from 'ava';
import { type ChannelPort, type ClosableLink, portLink, servePort } from '../../src/ipc/messagePort.ts';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { serveSocket } from '../../src/ipc/socketServer.ts';
import type { CompanionEvent } from '../../src/protocol/events.ts';
import { FakeLink } from '../helpers/fakeLink.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const UNLOCKED: CompanionEvent = { event: 'wallet.unlocked', data: { expires_at: null } };
const LOCKED: CompanionEvent = { event: 'wallet.locked', data: { reason: 'asked' } };

const channels: Readonly<Record<string, (t: ExecutionContext, link: FakeLink) => Promise<ClosableLink>>> = {
  'a message port': async (t, link) => {
    const { port1, port2 } = new MessageChannel();
    t.teardown(servePort(port1 as unknown as ChannelPort, link, () => 'port'));
    return portLink(port2 as unknown as ChannelPort);
  },
  'the private socket': async (t, link) => {
    const path = socketPath(temporaryFolder(t));
    const serving = await serveSocket({ link, path, requestId: () => 'socket' });
    t.teardown(() => serving.close());
    return createSocketLink(path);
  },
};

for (const [name, open] of Object.entries(channels)) {
  test(`over ${name} a listener hears its own wallet alone`, async (t) => {
    const link = new FakeLink();
    const remote = await open(t, link);
    t.teardown(() => remote.close());
    const heard: [string, string][] = [];
    const listen = (as: string, wallet?: string) =>
      remote.subscribe(({ event }) => void heard.push([as, event]), wallet);
    const stops = [
      listen('default'),
      listen('named', 'default'),
      listen('savings', 'savings'),
      listen('books', 'books'),
    ];
    // Calls are answered in order, so that everybody is subscribed by then.
    const settle = () => remote.dispatch('wallet.exists', {}, { requestId: 'settle' });
    await settle();
    t.is(link.subscriptions, 3);
    link.emit(UNLOCKED, 'savings');
    link.emit(LOCKED);
    await settle();
    t.deepEqual(heard, [
      ['savings', 'wallet.unlocked'],
      ['default', 'wallet.locked'],
      ['named', 'wallet.locked'],
    ]);
    stops[2]?.();
    stops[0]?.();
    await settle();
    heard.length = 0;
    link.emit(LOCKED, 'savings');
    link.emit(LOCKED, 'books');
    link.emit(UNLOCKED);
    await settle();
    t.deepEqual(heard, [
      ['books', 'wallet.locked'],
      ['named', 'wallet.unlocked'],
    ]);
    t.throws(() => listen('nobody', '../books'), { code: 'INVALID_REQUEST' });
  });
  test.serial(`over ${name} a listener's exception goes to the host`, async (t) => {
    const link = new FakeLink();
    const remote = await open(t, link);
    t.teardown(() => remote.close());
    const thrown = uncaughtException(t);
    const heard: string[] = [];
    remote.subscribe(() => {
      throw new Error('of the host');
    });
    remote.subscribe(({ event }) => void heard.push(event));
    link.answerWith('wallet.lock', () => {
      link.emit(LOCKED);
      return { ok: false, error: { code: 'NO_WALLET', detail: 'None.' } };
    });
    const answer = await remote.dispatch('wallet.lock', {}, { requestId: 'open' });
    t.is(answer.ok ? undefined : answer.error.code, 'NO_WALLET');
    t.deepEqual(heard, ['wallet.locked']);
    t.is((await thrown).message, 'of the host');
  });
}

/** The next exception that nobody catches, in place of ava's own listeners. */
function uncaughtException(t: ExecutionContext): Promise<Error> {
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  t.teardown(() => {
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  });
  return new Promise((resolve) => process.once('uncaughtException', resolve));
}
