// Payments that peers of the network pass on, over TCP: devnets are the peers, and time passes when the test says so.

import { Devnet } from '@wallet-companion/devnet';
import { type PeerFault, PeerServer } from '@wallet-companion/devnet/servers';
import test, { type ExecutionContext } from 'ava';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { latePeers, networkPeers, until } from '../../../helpers/networkPeers.ts';
import { startPaymentStory } from '../../../helpers/paymentStoryBed.ts';

const ZEC = 100_000_000;

/** What the sender waits for; connections have 10 s and 20 s for their answers. */
const isBetweenLooks = (ms: number): boolean => ms < 20_000 && ms !== 10_000;

/** A complete payment, and peers on the same chain. */
async function setUp(t: ExecutionContext, ...faults: readonly (PeerFault['kind'] | undefined)[]) {
  const made: { network?: ReturnType<typeof networkPeers> } = {};
  const peers = (): ReturnType<typeof networkPeers> => made.network!;
  const bed = await startPaymentStory(t, {
    source: null,
    config: { block_source: 'node', broadcast: 'peers' },
    // Nothing is judged here: that is another test's.
    openPeers: () =>
      Object.assign(latePeers(made), { isOnBest: () => undefined, refresh: () => Promise.resolve(0) }),
  });
  const { devnet, params } = bed;
  const servers = faults.map((kind) => {
    const server = new PeerServer(devnet);
    if (kind !== undefined) server.misbehave({ kind });
    t.teardown(() => server.close());
    return server;
  });
  made.network = networkPeers(t, await Promise.all(servers.map((server) => server.listen())), params);
  await peers().peers.start();
  await until(() => peers().peers.view().agreeing === servers.length);
  const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
  await bed.complete(id);
  return {
    bed,
    id,
    servers,
    /** How many peers got it. */
    receivers: () => servers.filter(({ received }) => received.includes('tx')).length,
    /** Lets time pass until it has ended. */
    broadcast: async () => {
      let isOver = false;
      const sent = bed.broadcast(id).finally(() => {
        isOver = true;
      });
      sent.catch(() => undefined);
      await until(() => {
        peers().pass(isBetweenLooks);
        return isOver;
      });
      return sent;
    },
  };
}

const failure = async (t: ExecutionContext, sent: Promise<unknown>): Promise<CompanionError> =>
  t.throwsAsync(sent, { instanceOf: CompanionError });

test('one of two peers gets it, the other shows it, and it is mined and confirmed', async (t) => {
  const { bed, id, receivers, broadcast } = await setUp(t, undefined, undefined);
  t.like(await broadcast(), {
    status: 'sent',
    last_sent: { source: 'peers', server: null, outcome: 'accepted', detail: null },
  });
  t.is(receivers(), 1);
  t.is(bed.devnet.mempool.size, 1);
  await bed.look();
  t.is((await bed.get(id)).status, 'in_mempool');
  await bed.mine();
  t.is((await bed.get(id)).status, 'mined');
  await bed.mine(2);
  t.is((await bed.get(id)).status, 'confirmed');
});

test('a peer that swallows it is not the last: another one gets it', async (t) => {
  const { bed, servers, receivers, broadcast } = await setUp(t, 'swallow', 'swallow');
  const sent = broadcast();
  await until(() => receivers() === 1);
  for (const one of servers) if (!one.received.includes('tx')) one.behave();
  t.like(await sent, { status: 'sent', last_sent: { outcome: 'accepted' } });
  t.is(receivers(), 2);
  t.is(bed.devnet.mempool.size, 1);
});

test('where all swallow it, the payment may have arrived, and the next call sends the same bytes', async (t) => {
  const { bed, id, servers, broadcast } = await setUp(t, 'swallow', 'swallow');
  const error = await failure(t, broadcast());
  t.is(error.code, 'UPSTREAM_TIMEOUT');
  t.regex(error.message, /none of the others has shown it so far\. The payment may have arrived/);
  t.like(await bed.get(id), { status: 'sent', last_sent: { source: 'peers', outcome: 'unanswered' } });
  t.is(await bed.reserved(), ZEC);
  for (const one of servers) one.behave();
  t.like(await broadcast(), { last_sent: { outcome: 'accepted' } });
  t.is(bed.devnet.mempool.size, 1);
});

test("what peers reject has their words, and stays sent: a stranger's word shows nothing", async (t) => {
  const { bed, id, servers, broadcast } = await setUp(t, 'reject', 'reject');
  const error = await failure(t, broadcast());
  t.is(error.code, 'TRANSACTION_REFUSED');
  t.regex(error.message, /"too-many-rejections".*may have arrived/);
  t.like(await bed.get(id), {
    status: 'sent',
    last_sent: { source: 'peers', outcome: 'refused', detail: 'too-many-rejections' },
  });
  t.is(await bed.wallet.failure('payments.discard', { payment_id: id }), 'PAYMENT_STATE');
  for (const one of servers) one.behave();
  t.like(await broadcast(), { last_sent: { outcome: 'accepted' } });
});

test('what the next block alone could have is not sent, as peers ban for what none can have', async (t) => {
  const { bed, id, receivers, broadcast } = await setUp(t, undefined);
  const { expiry_height: expiry } = await bed.get(id);
  bed.devnet.mineEmpty(expiry - 1 - bed.devnet.tip.height);
  await bed.sync();
  t.is((await failure(t, broadcast())).code, 'PAYMENT_STATE');
  t.is(receivers(), 0);
  t.like(await bed.get(id), { status: 'complete', last_sent: null });
});

test('a server for sending alone gets it', async (t) => {
  const other = new Devnet({ seed: 'other' });
  t.teardown(() => other.close());
  const server = await other.compact.listen();
  const bed = await startPaymentStory(t, {
    source: null,
    config: { block_source: 'node', broadcast: server },
  });
  const { payment_id: id } = await bed.prepare({ zatoshi: 60_000_000 });
  await bed.complete(id);
  other.compact.show(bed.devnet);
  t.like(await bed.broadcast(id), { last_sent: { source: 'server', server, outcome: 'accepted' } });
  t.is(other.compact.callCount('SendTransaction'), 1);
  t.is(bed.devnet.mempool.size, 1);
});
