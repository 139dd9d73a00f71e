// What goes wrong unasked is told once, and once when it is over. Time, the disk and the servers are the test's.

import test from 'ava';
import { examples } from '../../../scripts/generate/examples.ts';
import type { CompanionEvent } from '../../../src/protocol/events.ts';
import type { Output } from '../../../src/protocol/operations.ts';
import { ok } from '../../../src/protocol/result.ts';
import { Alarms } from '../../../src/service/alarms/alarms.ts';
import { FakeLink } from '../../helpers/fakeLink.ts';

type Server = Output<'system.status'>['node'];
type Wallet = Output<'wallets.list'>['wallets'][number];

const NOW = Date.parse('2026-01-02T03:00:00Z');
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();
const LIMIT = 1_000;
const GRACE = 600;

function setUp() {
  const link = new FakeLink();
  const reported: [string | undefined, CompanionEvent][] = [];
  const stage = {
    free: LIMIT as number | undefined,
    node: {} as Partial<Server>,
    compact: {} as Partial<Server>,
    peers: {} as Partial<Output<'system.status'>['peers']>,
    now: NOW,
  };
  const status = examples['system.status'].output;
  link.answerWith('system.status', () =>
    ok({
      ...status,
      node: { ...status.node, ...stage.node },
      compact_server: { ...status.compact_server, ...stage.compact },
      peers: { ...status.peers, ...stage.peers },
    }),
  );
  const wallets = { default: true, savings: true, cold: false };
  link.answerWith('wallets.list', () =>
    ok({
      ...examples['wallets.list'].output,
      wallets: Object.entries(wallets).map(
        ([name, unlocked]): Wallet => ({ ...examples['wallets.list'].output.wallets[0]!, name, unlocked }),
      ),
    }),
  );
  const follow: { -readonly [K in 'state' | 'source']: Output<'follow.get'>[K] } = {
    state: 'caught_up',
    source: 'node',
  };
  const followed = examples['follow.get'].output;
  link.answerWith('follow.get', () => ok({ ...followed, ...follow }));
  const alarms = new Alarms({
    link,
    emitToAll: (event) => reported.push(['all', event]),
    emit: (event, wallet) => reported.push([wallet, event]),
    freeDiskBytes: async () => stage.free,
    requestId: () => 'alarms',
    now: () => stage.now,
    limits: () => ({ disk_low_bytes: LIMIT, behind_after_seconds: GRACE }),
  });
  const check = async () => {
    await alarms.check();
    return reported.splice(0);
  };
  return { link, stage, wallets, follow, check };
}

test('a full disk is reported once, and once more when a tenth above the limit is free', async (t) => {
  const { stage, check } = setUp();
  const at = async (free: number | undefined) => {
    stage.free = free;
    return (await check()).filter(([, { event }]) => event === 'disk.low');
  };
  const low = (isLow: boolean, free: number) => [
    ['all', { event: 'disk.low', data: { low: isLow, free_bytes: free, limit_bytes: LIMIT } }],
  ];
  t.deepEqual(await at(LIMIT), []);
  t.deepEqual(await at(LIMIT - 1), low(true, LIMIT - 1));
  for (const free of [1, undefined, LIMIT, 1.1 * LIMIT - 1]) t.deepEqual(await at(free), []);
  t.deepEqual(await at(1.1 * LIMIT), low(false, 1.1 * LIMIT));
  t.deepEqual(await at(LIMIT), []);
});

test('each open wallet that follows hears that no block comes, and that they come again', async (t) => {
  const { link, stage, check } = setUp();
  stage.node = { state: 'up', tip_height: 7, tip_risen_at: ago(GRACE - 1) };
  t.deepEqual(await check(), []);
  stage.node = { ...stage.node, tip_risen_at: ago(GRACE) };
  const data = { behind: true, reason: 'old_tip', tip_height: 7, since: ago(GRACE) };
  t.deepEqual(await check(), [
    ['default', { event: 'wallet.behind', data }],
    ['savings', { event: 'wallet.behind', data }],
  ] as never);
  t.deepEqual(await check(), []);
  // The server goes away meanwhile: that ends nothing.
  stage.node = { ...stage.node, state: 'lost', since: ago(1) };
  t.deepEqual(await check(), []);
  stage.node = { state: 'up', tip_height: 8, tip_risen_at: ago(1) };
  const over = { behind: false, reason: null, tip_height: 8, since: ago(1) };
  t.deepEqual(
    (await check()).map(([wallet, event]) => [wallet, event.data]),
    [
      ['default', over],
      ['savings', over],
    ] as never,
  );
  t.true(link.calls.every(({ name, input }) => name !== 'system.status' || (input as { known: true }).known));
});

test('a server that is away for long is reported, one that is away for a moment is not', async (t) => {
  const { stage, check } = setUp();
  stage.node = { state: 'lost', since: ago(GRACE - 1), tip_risen_at: ago(2 * GRACE) };
  t.deepEqual(await check(), []);
  stage.node = { ...stage.node, since: ago(GRACE) };
  t.deepEqual(
    (await check()).map(([, { data }]) => (data as { reason: string }).reason),
    ['server_away', 'server_away'],
  );
});

test('peers that show no new block, or of whom none is connected, are reported when looks show it for long', async (t) => {
  const { stage, follow, wallets, check } = setUp();
  follow.source = 'peers';
  wallets.savings = false;
  stage.compact = { state: 'up', tip_risen_at: ago(2 * GRACE) };
  const after = async (seconds: number, peers: (typeof stage)['peers']) => {
    stage.peers = peers;
    stage.now += seconds * 1_000;
    return (await check()).map(([, { data }]) => data);
  };
  const since = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();
  t.deepEqual(await after(0, { state: 'connecting', height: null }), []);
  t.deepEqual(await after(60, { state: 'catching_up', height: 7 }), []);
  t.deepEqual(await after(GRACE, { state: 'current', height: 8 }), []);
  const old = { behind: true, reason: 'old_tip', tip_height: 8, since: since(60 + GRACE) };
  t.deepEqual(await after(GRACE - 1, { state: 'current', height: 8 }), []);
  t.deepEqual(await after(1, { state: 'stale', height: 8 }), [old] as never);
  const over = { behind: false, reason: null, tip_height: 9, since: since(61 + 2 * GRACE) };
  t.deepEqual(await after(1, { state: 'current', height: 9 }), [over] as never);
  t.deepEqual(await after(1, { state: 'connecting', height: 9 }), []);
  const away = { behind: true, reason: 'server_away', tip_height: 9, since: since(62 + 2 * GRACE) };
  t.deepEqual(await after(GRACE, { state: 'connecting', height: 9 }), [away] as never);
});

test('a wallet that does not follow, a server without requests, and the other server cause no alarm', async (t) => {
  const { stage, wallets, follow, check } = setUp();
  stage.compact = { state: 'up', tip_risen_at: ago(2 * GRACE) };
  stage.node = { state: 'unknown', since: null, tip_risen_at: null };
  t.deepEqual(await check(), []);
  stage.node = { state: 'up', tip_risen_at: ago(2 * GRACE) };
  for (const state of ['off', 'waiting_for_unlock'] as const) {
    follow.state = state;
    t.deepEqual(await check(), []);
  }
  follow.state = 'backing_off';
  wallets.default = false;
  t.deepEqual(
    (await check()).map(([wallet]) => wallet),
    ['savings'],
  );
});
