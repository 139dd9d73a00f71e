// Commands by name in one process: outputs, failures, and what is not a command.

import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { commandHandler, invokeThrough, registerHandlers } from '../../src/ipc/handlers.ts';
import { createInvoke } from '../../src/ipc/invoke.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import type { Command } from '../../src/protocol/operations.ts';
import { FakeLink } from '../helpers/fakeLink.ts';

const requestId = () => 'ipc-request';

test('invoke resolves with the output and passes the request id on', async (t) => {
  const link = new FakeLink();
  const invoke = createInvoke(link, requestId);
  const tip = await invoke('lwd_chain_tip', { db_path: 'blocks.db' });
  t.is(tip.height, examples['lwd.chain_tip'].output.height);
  t.deepEqual(await invoke('wallet_exists'), { exists: true });
  t.deepEqual(link.calls[0], {
    name: 'lwd.chain_tip',
    input: { db_path: 'blocks.db' },
    context: { requestId: 'ipc-request' },
  });
});

test('invoke rejects with the typed error', async (t) => {
  const link = new FakeLink();
  link.failWith('sync.run', { code: 'NODE_UNREACHABLE', detail: 'Gone.', lastScanHeight: 640 });
  const invoke = createInvoke(link, requestId);
  const failed = await t.throwsAsync(invoke('sync'), { instanceOf: CompanionError });
  t.is(failed.code, 'NODE_UNREACHABLE');
  t.is(failed.lastScanHeight, 640);
});

test('input is refused before it reaches the link, null counts as absent', async (t) => {
  const link = new FakeLink();
  const invoke = createInvoke(link, requestId);
  const refused = await t.throwsAsync(invoke('config_theme', { theme: 'purple' } as never), {
    instanceOf: CompanionError,
  });
  t.is(refused.code, 'INVALID_THEME');
  for (const bad of [[], 'text', 5, { hight: 5 }]) {
    const error = await t.throwsAsync(invoke('sync', bad as never), { instanceOf: CompanionError });
    t.is(error.code, 'INVALID_REQUEST');
  }
  t.is(link.calls.length, 0);
  await invoke('sync', { start_height: null } as never);
  await invoke('sync', null as never);
  t.deepEqual(
    link.calls.map((call) => call.input),
    [{}, {}],
  );
});

test('what is not a command of the table is NOT_FOUND, inherited names included', async (t) => {
  const invoke = createInvoke(new FakeLink(), requestId);
  for (const command of ['nope', 'toString', '__proto__', 'wallet.exists', 'health', '']) {
    const error = await t.throwsAsync(invoke(command as Command as 'wallet_exists'), {
      instanceOf: CompanionError,
    });
    t.is(error.code, 'NOT_FOUND', command);
  }
});

type Listener = (event: { url: string }, args?: unknown) => Promise<unknown>;

/** Electron's ipcMain as far as it is used; results are cloned on the way, as there. */
class Registry {
  readonly handlers = new Map<string, Listener>();

  handle(channel: string, listener: Listener): void {
    this.handlers.set(channel, listener);
  }

  removeHandler(channel: string): void {
    this.handlers.delete(channel);
  }

  invoker(url: string): (channel: string, args: unknown) => Promise<unknown> {
    return async (channel, args) =>
      structuredClone(await this.handlers.get(channel)?.({ url }, structuredClone(args)));
  }
}

test('handle and invoke carry outputs and typed errors across a cloning border', async (t) => {
  const link = new FakeLink();
  link.failWith('wallet.unlock', { code: 'TOO_MANY_ATTEMPTS', detail: 'Wait.', retryAfterSeconds: 1.5 });
  const registry = new Registry();
  const undo = registerHandlers(registry, {
    link,
    requestId,
    isTrusted: ({ url }) => url.startsWith('app://'),
  });
  const invoke = invokeThrough(registry.invoker('app://companion/index.html'));
  t.deepEqual(await invoke('wallet_exists'), { exists: true });
  const error = await t.throwsAsync(invoke('wallet_unlock', { password: 'x' }), {
    instanceOf: CompanionError,
  });
  t.is(error.code, 'TOO_MANY_ATTEMPTS');
  t.is(error.retryAfterSeconds, 1.5);
  undo();
  t.is(registry.handlers.size, 0);
});

test('only a page that the host answers with true for gets something done', async (t) => {
  const link = new FakeLink();
  const called = async (isTrusted: (event: { url: string }) => unknown) => {
    const registry = new Registry();
    registerHandlers(registry, { link, requestId, isTrusted: isTrusted as () => boolean });
    const invoke = invokeThrough(registry.invoker('https://attacker.example/'));
    return invoke('wallet_lock').then(
      () => 'done',
      ({ code }: CompanionError) => code,
    );
  };
  const refusals = [
    ({ url }: { url: string }) => url.startsWith('app://'),
    async () => false,
    () => 'yes',
    async () => 1,
    () => {
      throw new Error('no frame');
    },
    () => Promise.reject(new Error('no frame')),
  ];
  for (const isTrusted of refusals) t.is(await called(isTrusted), 'ORIGIN_FORBIDDEN', String(isTrusted));
  t.is(link.calls.length, 0);
  t.is(await called(async () => true), 'done');
});

test('a plugin command is the command, and failures are problem records', async (t) => {
  const link = new FakeLink();
  const handle = commandHandler(link, requestId);
  t.deepEqual(await handle('plugin:wallet-companion|wallet_exists'), { ok: true, value: { exists: true } });
  t.deepEqual(await handle('plugin:other|wallet_exists'), {
    ok: false,
    error: {
      type: 'urn:wallet-companion:problem:NOT_FOUND',
      title: 'There is no such resource',
      status: 404,
      detail: 'There is no such command.',
      code: 'NOT_FOUND',
      retryable: false,
      request_id: 'ipc-request',
    },
  });
});
