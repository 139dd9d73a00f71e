// The answer of a call that pays is cut off, over the C library and the client package: the same call again is the same payment.

import { createConnection, createServer, type NetConnectOpts } from 'node:net';
import { createClient } from '@wallet-companion/client';
import anyTest, { type ExecutionContext } from 'ava';
import { socketPath } from '../../src/ipc/socketPath.ts';
import type { Output } from '../../src/protocol/operations.ts';
import { koffi, missingCompiler, openLibrary } from '../helpers/companionLibrary.ts';
import { startDevnetService } from '../helpers/devnetService.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const PASSWORD = 'lime-harbour-Zvoneček-8841';

const KEY = 'order-1042';

type Paid = Output<'payments.pay'>;

/** Forwards to the companion; once it is armed, the first answer to a call with the key never arrives. */
function cuttingProxy(t: ExecutionContext, to: NetConnectOpts) {
  const state = { isArmed: false, cuts: 0 };
  const server = createServer((caller) => {
    const companion = createConnection(to);
    let asked = '';
    let isAsked = false;
    caller.on('data', (part) => {
      asked = (asked + part.toString('latin1')).slice(-4_096);
      isAsked ||= asked.includes(KEY);
      companion.write(part);
    });
    companion.on('data', (part) => {
      if (!state.isArmed || !isAsked) return void caller.write(part);
      state.isArmed = false;
      state.cuts += 1;
      caller.destroy();
      companion.destroy();
    });
    for (const [end, other] of [
      [caller, companion],
      [companion, caller],
    ] as const) {
      end.on('error', () => other.destroy());
      end.on('close', () => other.destroy());
    }
  });
  t.teardown(() => void server.close());
  return { server, state };
}

async function world(t: ExecutionContext) {
  const { devnet, service } = await startDevnetService(t, {
    seed: t.title,
    ironwoodFrom: 1,
    config: { auto_lock_seconds: 0 },
  });
  const made = await service.post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
  const address = String(made.body['unified_address']);
  for (let i = 0; i < 2; i++) devnet.payTo(address, { pool: 'ironwood', zatoshi: 1_000_000n });
  devnet.mineEmpty(12);
  await service.post('/api/sync', {});
  return {
    devnet,
    service,
    order: { idempotency_key: KEY, address, zatoshi: 100_000, password: PASSWORD },
  };
}

anyTest('the client package pays once', async (t) => {
  const { devnet, service, order } = await world(t);
  const { port } = new URL(service.url);
  const { server, state } = cuttingProxy(t, { port: Number(port), host: '127.0.0.1' });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = createClient({ baseUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}` });
  state.isArmed = true;
  await t.throwsAsync(client.call('payments.pay', order), { code: 'COMPANION_UNREACHABLE' });
  t.is(state.cuts, 1);
  const paid: Paid = await client.call('payments.pay', order);
  t.like(paid, { status: 'sent', repeated: true });
  t.is(devnet.mempool.size, 1);
  t.is((await client.call('payments.list')).payments.length, 1);
});

const missing = missingCompiler ?? (koffi === undefined ? 'koffi is not installed' : undefined);
const libraryTest = missing === undefined ? anyTest : anyTest.skip;
libraryTest('the C library pays once', async (t) => {
  const { devnet, service, order } = await world(t);
  const { server, state } = cuttingProxy(t, { path: socketPath(service.dataDir) });
  const folder = temporaryFolder(t);
  await new Promise<void>((resolve) => server.listen(socketPath(folder), resolve));
  const open = async () => {
    const handle = await openLibrary({ dataDir: folder });
    if (!('close' in handle)) throw new Error(JSON.stringify(handle));
    return handle;
  };
  let handle = await open();
  state.isArmed = true;
  const lost = await handle.call('payments.pay', order);
  t.not(lost.code, 0, JSON.stringify(lost));
  t.is(state.cuts, 1);
  await handle.close();
  handle = await open();
  const { code, answer } = await handle.call('payments.pay', order);
  t.is(code, 0, JSON.stringify(answer));
  t.like(answer as Paid, { status: 'sent', repeated: true });
  t.is(devnet.mempool.size, 1);
  await handle.close();
});
