// Waiting for the next block at a compact server: told by the end of its mempool's stream, never missed between two
// questions, and never leaving a stream behind.

import { setImmediate } from 'node:timers/promises';
import { Waits } from '@wallet-companion/base/test/waits';
import type { CompactConnectionLimits } from '@wallet-companion/chain/compact';
import { Devnet } from '@wallet-companion/devnet';
import test, { type ExecutionContext } from 'ava';
import { startChainActor } from '../../../helpers/chainActorHere.ts';
import { until } from '../../../helpers/until.ts';
import { openPatientCompact, PATIENT_CLIENT } from '../../../helpers/waits.ts';

const COMPACT = { source: 'compact' } as const;

async function setUp(t: ExecutionContext, limits: Partial<CompactConnectionLimits> = {}) {
  const devnet = new Devnet({ seed: t.title });
  t.teardown(() => devnet.close());
  devnet.mineEmpty(3);
  const compactServerUrl = await devnet.compact.listen();
  const { actor: chain, settings } = await startChainActor(
    t,
    {
      network: devnet.params.network,
      activation: devnet.params.activation,
      nodeUrl: 'http://127.0.0.1:1',
      compactServerUrl,
      birthdayHeight: 1,
    },
    {
      openCompact: (url, parameters) => openPatientCompact(url, parameters, { ...PATIENT_CLIENT, ...limits }),
      logFault: () => undefined,
    },
  );
  const { compact } = devnet;
  const noneLeft = () => until(() => compact.mempoolStreams === 0);
  return { devnet, compact, chain, settings, noneLeft };
}

/** Still open after any number of turns that answers take. */
async function isOpen(wait: Promise<unknown>): Promise<boolean> {
  let ended = false;
  void wait.then(() => {
    ended = true;
  });
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  return !ended;
}

test('the next block ends the wait, and not before', async (t) => {
  const { devnet, compact, chain, noneLeft } = await setUp(t);
  const wait = chain.newBlock({ ...COMPACT, height: 3 });
  await until(() => compact.mempoolStreams === 1);
  t.true(await isOpen(wait));
  devnet.mine();
  t.is(await wait, 'new block');
  await noneLeft();
});

test('a block that came before the stream was open is reported at once', async (t) => {
  const { devnet, compact, chain, noneLeft } = await setUp(t);
  compact.misbehave({ kind: 'stall', method: 'GetMempoolStream' });
  devnet.mine();
  t.is(await chain.newBlock({ ...COMPACT, height: 3 }), 'new block');
  await noneLeft();
});

test('a server without the call, and a node, do not offer it', async (t) => {
  const { compact, chain } = await setUp(t);
  compact.misbehave({ kind: 'not-offered', method: 'GetMempoolStream' });
  t.is(await chain.newBlock({ ...COMPACT, height: 3 }), 'not offered');
  t.is(await chain.newBlock({ source: 'node', height: 3 }), 'not offered');
});

test('a stream that fails is the failure of the server', async (t) => {
  const { compact, chain } = await setUp(t);
  compact.misbehave({ kind: 'error', method: 'GetMempoolStream' });
  await t.throwsAsync(chain.newBlock({ ...COMPACT, height: 3 }), { code: 'COMPACT_SERVER_UNREACHABLE' });
});

test('a wait that is ended is over, and leaves no stream', async (t) => {
  const { chain, compact, noneLeft } = await setUp(t);
  const wait = chain.newBlock({ ...COMPACT, height: 3 });
  await until(() => compact.mempoolStreams === 1);
  await chain.endWait();
  t.is(await wait, 'over');
  await noneLeft();
});

test('another wait ends the one before: there is one stream, however often somebody begins anew', async (t) => {
  const { chain, compact, noneLeft } = await setUp(t);
  const waits: Promise<unknown>[] = [];
  for (let i = 0; i < 20; i++) {
    waits.push(chain.newBlock({ ...COMPACT, height: 3 }));
    const asked = i + 1;
    await until(() => compact.callCount('GetMempoolStream') === asked && compact.mempoolStreams === 1);
  }
  await chain.endWait();
  t.deepEqual(new Set(await Promise.all(waits)), new Set(['over']));
  await noneLeft();
});

test('a silent server is waited for no longer than the limit', async (t) => {
  const waits = new Waits();
  const { chain, compact, noneLeft } = await setUp(t, { after: waits.after });
  compact.misbehave({ kind: 'stall', method: 'GetMempoolStream' });
  const wait = chain.newBlock({ ...COMPACT, height: 3 });
  await until(() => compact.mempoolStreams === 1 && waits.open === 2);
  waits.end();
  t.is(await wait, 'over');
  t.is(waits.open, 0);
  await noneLeft();
});

test('a mempool that is flooded is read no further than it is worth', async (t) => {
  const { chain, compact, noneLeft } = await setUp(t);
  compact.misbehave({ kind: 'flood', method: 'GetMempoolStream' });
  t.is(await chain.newBlock({ ...COMPACT, height: 3 }), 'not offered');
  await noneLeft();
});

test('a connection over which is waited stays open beside many others', async (t) => {
  const { devnet, chain, compact, settings } = await setUp(t);
  const wait = chain.newBlock({ ...COMPACT, height: 3 });
  await until(() => compact.mempoolStreams === 1);
  for (let port = 1; port <= 6; port++) {
    await chain.configure({ ...settings, compactServerUrl: `http://127.0.0.1:${port}` });
    await t.throwsAsync(chain.tip(COMPACT));
  }
  t.true(await isOpen(wait));
  devnet.mine();
  t.is(await wait, 'new block');
});

test('wallets wait side by side: the wait of one neither ends nor delays that of another', async (t) => {
  const { devnet, chain, compact, noneLeft } = await setUp(t);
  const one = chain.asking(true);
  const other = chain.asking(false);
  const waits = [one, other].map((asking) => asking.newBlock({ ...COMPACT, height: 3 }));
  await until(() => compact.callCount('GetMempoolStream') === 2);
  for (const wait of waits) t.true(await isOpen(wait));
  await other.endWait();
  t.is(await waits[1], 'over');
  t.true(await isOpen(waits[0]!));
  devnet.mine();
  t.is(await waits[0], 'new block');
  await noneLeft();
});

test('a wallet thread that ends leaves no stream behind, and others go on waiting', async (t) => {
  const { chain, compact } = await setUp(t);
  const stays = chain.asking(true);
  const leaves = chain.asking(false);
  const kept = stays.newBlock({ ...COMPACT, height: 3 });
  const left = leaves.newBlock({ ...COMPACT, height: 3 });
  await until(() => compact.mempoolStreams === 2);
  leaves.leave();
  t.is(await left, 'over');
  await until(() => compact.mempoolStreams === 1);
  t.true(await isOpen(kept));
  t.is(await leaves.newBlock({ ...COMPACT, height: 3 }), 'over');
  stays.leave();
  t.is(await kept, 'over');
});
