// Payments that a server has lost: sent again by themselves where the owner has chosen so, seldom, to the same server, and never
// after their expiry.

import { encodePczt } from '@wallet-companion/pczt/pczt';
import test from 'ava';
import { Broadcasting } from '../../../../src/actors/wallet/payments/broadcasting.ts';
import { Rebroadcasting } from '../../../../src/actors/wallet/payments/rebroadcasting.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { paymentBed } from '../../../helpers/keptPaymentBed.ts';
import { startPaymentStory } from '../../../helpers/paymentStoryBed.ts';

/** A payment that was sent once, from block 100 on. */
async function sentOnce({ rebroadcast = true, source = 'node' as 'node' | 'compact' } = {}) {
  const bed = paymentBed();
  const before = bed.environment.configFile.get();
  bed.environment.configFile.get = () => ({ ...before, rebroadcast });
  const broadcasting = new Broadcasting(bed.payments);
  const again = new Rebroadcasting(bed.payments, broadcasting);
  await bed.session.payments.put({ ...bed.stored, pczt: encodePczt(bed.complete, 2) });
  await broadcasting.send(bed.session, bed.id, { source });
  bed.server.arrived.length = 0;
  bed.server.calls.length = 0;
  const at = async (height: number): Promise<number> => {
    bed.fate.top = height;
    bed.server.tipHeight = height;
    await again.look(bed.session);
    return bed.server.sent;
  };
  return { bed, again, at };
}

test('every ten blocks the same bytes go to the same server, until the payment expires', async (t) => {
  for (const source of ['node', 'compact'] as const) {
    const { bed, at } = await sentOnce({ source });
    const counts: number[] = [];
    for (let height = 100; height <= 145; height++) {
      counts.push(await at(height));
      bed.server.arrived.length = 0;
    }
    // At 110, 120, 130 and 140; its last block is 141.
    t.deepEqual(
      [9, 10, 19, 20, 30, 40, 45].map((i) => counts[i]),
      [0, 1, 1, 2, 3, 4, 4],
    );
    t.is(bed.server.seen.size, 1);
    t.true(bed.server.calls.every((call) => call.endsWith(` ${source}`)));
  }
});

test('a server that has the payment is not sent it, and one that is away is asked ten blocks later', async (t) => {
  const { bed, at } = await sentOnce();
  await at(100);
  bed.server.status = { kind: 'mempool' };
  t.is(await at(110), 0);
  t.deepEqual(bed.server.calls, ['transactionStatus node']);
  bed.server.status = undefined;
  bed.server.failing = { tip: new CompanionError('NODE_UNREACHABLE', 'Away.') };
  t.is(await at(120), 0);
  bed.server.failing = {};
  t.is(await at(125), 0);
  t.is(await at(130), 1);
  t.deepEqual(bed.faults, []);
});

test('nothing is asked where it is off, seen in the mempool, mined, or not sent at all', async (t) => {
  const off = await sentOnce({ rebroadcast: false });
  for (const height of [100, 111, 122]) t.is(await off.at(height), 0);
  const { bed, at } = await sentOnce();
  await at(100);
  bed.fate.inMempool = true;
  t.is(await at(110), 0);
  Object.assign(bed.fate, { inMempool: false, mined: 111 });
  t.is(await at(121), 0);
  t.deepEqual([...off.bed.server.calls, ...bed.server.calls], []);
  const unsent = paymentBed();
  unsent.environment.configFile.get = () => ({ ...bed.environment.configFile.get() });
  const again = new Rebroadcasting(unsent.payments, new Broadcasting(unsent.payments));
  for (const top of [100, 111]) {
    unsent.fate.top = top;
    await again.look(unsent.session);
  }
  t.deepEqual(unsent.server.calls, []);
});

test('with a whole wallet: the node restarts, and the payment is mined all the same', async (t) => {
  t.timeout(120_000);
  const bed = await startPaymentStory(t, { config: { rebroadcast: true } });
  const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
  await bed.complete(id);
  await bed.broadcast(id);
  const { devnet } = bed;
  const withoutIt = (blocks: number): void => {
    for (let i = 0; i < blocks; i++) devnet.mine({ takesSent: false });
  };
  withoutIt(1);
  await bed.sync();
  withoutIt(10);
  devnet.mempool.restore([]);
  t.is(devnet.mempool.size, 0);
  await bed.sync();
  await bed.until(() => devnet.mempool.size === 1);
  await bed.mine();
  t.is((await bed.get(id)).status, 'mined');
});
