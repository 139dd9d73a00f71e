// Follow mode and events in the real program, threads, sockets and signals included.

import { Devnet } from '@wallet-companion/devnet';
import { regtestParameters } from '@wallet-companion/zcash/network';
import test from 'ava';
import { EventReader, type ReceivedEvent } from '../helpers/eventStream.ts';
import { startService } from '../helpers/service.ts';

const PASSWORD = 'correct horse battery staple';

test('a payment to an unlocked wallet is reported without a sync request', async (t) => {
  const devnet = new Devnet({ params: regtestParameters({ nu6_3: 1 }), seed: 'follow' });
  t.teardown(() => devnet.close());
  const nodeUrl = await devnet.node.listen();
  const service = await startService(t, {
    args: ['--network', 'regtest', '--node-url', nodeUrl, '--follow', '--keep-open'],
    config: { activation_heights: { nu6_3: 1 } },
  });
  t.teardown(async () => {
    await service.stop();
    service.remove();
  });
  t.deepEqual(await service.get('/readyz'), { status: 200, body: { status: 'ready' } });

  const events = await EventReader.open(`${service.url}/api/events`);
  const next = async (name: string): Promise<ReceivedEvent> => {
    for (;;) {
      const event = await events.next();
      if (event === undefined) throw new Error(`the stream ended before ${name}`);
      if (event.event === name) return event;
    }
  };
  const made = await service.post<{ unified_address: string }>('/api/wallet/create', {
    password: PASSWORD,
    birthday_height: 1,
  });
  // The first look at the chain is right after the unlock: this way the test need not wait for the second.
  await service.post('/api/wallet/lock');
  devnet.payTo(made.body.unified_address, { pool: 'ironwood', zatoshi: 12_345 });
  await service.post('/api/wallet/unlock', { password: PASSWORD });
  await next('wallet.locked');
  t.deepEqual((await next('wallet.unlocked')).data, { expires_at: null });
  t.like((await next('note.received')).data, { pool: 'ironwood', value_zatoshi: 12_345 });
  t.like((await next('sync.finished')).data, { ok: true });
  t.like((await service.get('/api/balance')).body, { total_zatoshi: 12_345 });

  // The wallet thread is another one after each lock: it knows what was set, and waits for the unlock.
  const source = { enabled: true, source: 'compact' };
  await service.post('/api/config/block-source', { source: 'compact' });
  t.like((await service.post('/api/follow', source)).body, source);
  await service.post('/api/wallet/lock');
  const waiting = {
    ...source,
    state: 'waiting_for_unlock',
    last_tip_height: devnet.tip.height,
    next_look_at: null,
  };
  t.like((await service.get('/api/follow')).body, waiting);
  await service.post('/api/config/block-source', { source: 'node' });
  devnet.payTo(made.body.unified_address, { pool: 'orchard', zatoshi: 1 });
  await service.post('/api/wallet/unlock', { password: PASSWORD });
  t.like((await next('note.received')).data, { pool: 'orchard', value_zatoshi: 1 });
  const state = async () => ((await next('follow.changed')).data as { readonly state: string }).state;
  while ((await state()) !== 'caught_up');
  t.like((await service.get('/api/follow')).body, { state: 'caught_up', last_tip_height: devnet.tip.height });

  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  t.true(metrics.includes(`wallet_companion_last_scan_height ${devnet.tip.height}\n`));
  t.true(metrics.includes('wallet_companion_event_streams 1\n'));
  t.true(metrics.includes('wallet_companion_thread_up{thread="chain"} 1\n'));

  // The stream gets the last word and then ends; it does not hold the program up.
  const stopped = service.stop();
  t.deepEqual((await next('wallet.locked')).data, { reason: 'exit' });
  t.is(await events.next(), undefined);
  t.is(await stopped, 0);
});
