// At least once, in order, over crashes of either side: what a hook promises about money. Time passes only when told to.

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import type { HookSetting } from '../../../src/protocol/hookEvents.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { Bench, dice, type Heard, settled } from './support.ts';

const SHOP: HookSetting = {
  name: 'shop',
  events: ['change', 'wallet.locked', 'wallet.unlocked', 'server.changed', 'sync.failed'],
  command: ['/bin/true'],
};

const names = (arrived: readonly Heard[]): string[] => arrived.map(({ event }) => event);
const sequenceOf = ({ data }: Heard): number => (data as { sequence: number }).sequence;
const moneyIn = (arrived: readonly Heard[]) => arrived.filter(({ event }) => event.startsWith('change.'));

/** Each number is one delivery's, and they rise; a retry that nothing came between may repeat its own. */
function inOrder(arrived: readonly Heard[]): boolean {
  return arrived.every((one, at) => {
    const before = arrived[at - 1];
    if (before === undefined) return one.sequence >= 1;
    return one.sequence > before.sequence || (one.sequence === before.sequence && one.id === before.id);
  });
}

test('a new hook begins now, reports that, and delivers changes in order, each page of them', async (t) => {
  const bench = new Bench([SHOP]);
  bench.write('received', 'confirmed');
  bench.start();
  await settled();
  t.deepEqual(names(bench.arrived), ['hook.started']);
  t.deepEqual(bench.arrived[0]!.data, { reason: 'new' });
  bench.write(...Array.from({ length: 120 }, () => 'received' as const), 'unreceived');
  await settled();
  const money = moneyIn(bench.arrived);
  t.deepEqual(
    money.map(sequenceOf),
    Array.from({ length: 121 }, (_, i) => i + 3),
  );
  t.is(money.at(-1)!.event, 'change.unreceived');
  t.true(inOrder(bench.arrived));
  t.is(new Set(bench.arrived.map(({ id }) => id)).size, bench.arrived.length);
  t.true(bench.contexts.every(({ byService }) => byService === true));
  t.like(bench.view, { state: 'idle', kind: 'command', target: 'true', failures: 0, last_sequence: 122 });
});

test('a failure is tried again with the same id and number, after pauses that double from 1 s to 5 min', async (t) => {
  const bench = new Bench([SHOP]);
  bench.start();
  await settled();
  bench.arrived.length = 0;
  bench.receive = () => 'STATUS_500';
  bench.write('received');
  await settled();
  const pauses: number[] = [];
  for (let i = 0; i < 12; i++) {
    const { state, next_try_at: next } = bench.view;
    t.is(state, 'backing_off');
    const pause = Date.parse(next ?? '') - bench.clock.now();
    pauses.push(pause);
    await bench.pass(pause - 1);
    t.is(bench.arrived.length, i + 1, 'not before its time');
    await bench.pass(1);
    t.is(bench.arrived.length, i + 2);
  }
  t.deepEqual(
    pauses.map((ms) => ms / 1000),
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300],
  );
  t.is(new Set(bench.arrived.map(({ id, sequence, time }) => `${id} ${sequence} ${time}`)).size, 1);
  t.like(bench.view, { failures: 13, failure: { reason: 'STATUS_500' } });
  bench.receive = () => undefined;
  bench.write('confirmed');
  await bench.pass(300_000);
  t.deepEqual(names(bench.arrived.slice(-2)), ['change.received', 'change.confirmed']);
  t.like(bench.view, { state: 'idle', failures: 0, failure: null, next_try_at: null });
  t.deepEqual(bench.log, [
    'hook fails {"hook":"shop","reason":"STATUS_500"}',
    'hook delivers again {"hook":"shop","failures":13}',
  ]);
});

test('while the wallet is locked changes wait, and nothing of them is kept; other events go', async (t) => {
  const bench = new Bench([SHOP]);
  bench.start();
  await settled();
  bench.receive = () => 'TIMEOUT';
  bench.write('received', 'confirmed');
  await settled();
  bench.receive = () => undefined;
  bench.lock();
  await bench.pass(600_000);
  t.deepEqual(names(bench.arrived), ['hook.started', 'change.received', 'wallet.locked']);
  t.is(bench.view.state, 'waiting_for_unlock');
  const asked = bench.contexts.length;
  bench.emit({ event: 'server.changed', data: { server: 'node', state: 'lost', code: 'NODE_UNREACHABLE' } });
  await settled();
  t.is(bench.contexts.length, asked, 'nobody asks a locked wallet');
  bench.unlock();
  await settled();
  t.deepEqual(names(bench.arrived).slice(3), [
    'server.changed',
    'change.received',
    'change.confirmed',
    'wallet.unlocked',
  ]);
  t.true(inOrder(bench.arrived), 'what is told again after something else has a higher number');
  t.is(bench.arrived[1]!.id, bench.arrived[4]!.id);
});

test('a listener of some kinds gets what takes them back', async (t) => {
  const events = ['change.confirmed', 'change.spent'] as const;
  const bench = new Bench([{ ...SHOP, events }]);
  bench.start();
  await settled();
  bench.write('received', 'memo', 'confirmed', 'spent', 'unspent', 'unreceived');
  bench.lock();
  await settled();
  bench.unlock();
  await settled();
  t.deepEqual(names(bench.arrived).slice(1), [
    'change.confirmed',
    'change.spent',
    'change.unspent',
    'change.unreceived',
  ]);
  bench.crash();
  await settled();
  t.is(bench.arrived.length, 5);
});

test('a wallet in the place of another is reported in log, state and hook, and begins anew', async (t) => {
  const bench = new Bench([SHOP]);
  bench.start();
  bench.write('received');
  await settled();
  bench.crash();
  bench.journalId = 'b';
  bench.journal = [];
  bench.write('received', 'received');
  await settled();
  t.deepEqual(
    bench.arrived.slice(-1).map(({ event, data }) => [event, data]),
    [['hook.started', { reason: 'cursor_unknown' }]],
  );
  t.true(bench.log.some((line) => line.includes('begins anew')));
  t.truthy(bench.view.began_anew_at);
  bench.write('spent');
  await settled();
  t.is(sequenceOf(bench.arrived.at(-1)!), 3);
  t.true(inOrder(bench.arrived));
});

test('a clock that is set back delays no delivery, during a pause or after it', async (t) => {
  const bench = new Bench([SHOP]);
  bench.start();
  await settled();
  bench.receive = () => 'STATUS_500';
  bench.write('received');
  await settled();
  bench.receive = () => undefined;
  bench.clock.sleep(-30 * 86_400_000);
  const { state, next_try_at: next } = bench.view;
  t.is(state, 'backing_off');
  t.true(Date.parse(next!) <= bench.clock.now() + 1_000);
  await bench.pass(1_000);
  t.like(bench.view, { state: 'idle', failures: 0 });
  bench.clock.sleep(-3_600_000);
  const before = bench.arrived.length;
  bench.write('received');
  await settled();
  t.is(bench.arrived.length, before + 1);
});

test('a journal that cannot be read is asked again, and is no failure once it answers', async (t) => {
  const bench = new Bench([SHOP]);
  bench.start();
  await settled();
  bench.failure = 'BUSY';
  bench.write('received');
  await settled();
  t.like(bench.view, { state: 'backing_off', failure: { reason: 'BUSY' } });
  bench.failure = undefined;
  await bench.pass(1_000);
  t.deepEqual(names(bench.arrived), ['hook.started', 'change.received']);
  bench.failure = 'THREAD_LOST';
  bench.emit({ event: 'sync.progress', data: {} as never });
  await settled();
  bench.failure = undefined;
  await bench.pass(1_000);
  t.like(bench.view, { state: 'idle', failures: 0, failure: null });
  t.is(bench.clock.timers, 0, 'and nobody goes on asking');
});

test('a beginning is kept before it is reported: a crash begins no later', async (t) => {
  const bench = new Bench([SHOP]);
  bench.start();
  await settled();
  bench.journalId = 'b';
  bench.receive = () => {
    bench.receive = () => undefined;
    bench.write('received');
    bench.crash();
    return new Promise(() => undefined);
  };
  bench.emit({ event: 'sync.progress', data: {} as never });
  await settled();
  t.deepEqual(names(bench.arrived), ['hook.started', 'hook.started', 'hook.started', 'change.received']);
  t.is(bench.arrived[1]!.id, bench.arrived[2]!.id);
});

test('events besides changes are bounded, given up after five tries, and never hold changes up', async (t) => {
  const bench = new Bench([SHOP]);
  bench.start();
  await settled();
  bench.receive = ({ event }) => (event.startsWith('change.') ? undefined : 'STATUS_404');
  for (let i = 0; i < 250; i++)
    bench.emit({ event: 'server.changed', data: { server: 'node', state: 'lost', code: `C${i}` } });
  t.is(bench.view.queued, 100);
  t.is(bench.view.dropped, 150);
  bench.write('received');
  await settled();
  t.is(moneyIn(bench.arrived).length, 1, 'at once');
  await bench.pass(4 * 300_000);
  t.true(bench.view.dropped > 150);
  const tries = new Map<string, number>();
  for (const { id } of bench.arrived) tries.set(id, (tries.get(id) ?? 0) + 1);
  t.is(Math.max(...tries.values()), 5);
  bench.write('received');
  await settled();
  t.is(moneyIn(bench.arrived).length, 2);
  t.true(inOrder(bench.arrived));
});

test('a scan that goes on failing is one event, until it succeeds', async (t) => {
  const bench = new Bench([SHOP]);
  bench.start();
  await settled();
  const failed = { ok: false, code: 'REORG_TOO_DEEP', last_scan_height: 1 } as const;
  const scans = [failed, failed, { ok: true, summary: {} as never } as const, failed];
  for (const data of scans) bench.emit({ event: 'sync.finished', data });
  await settled();
  t.deepEqual(
    bench.arrived.slice(1).map(({ event, data }) => [event, data]),
    [
      ['sync.failed', { code: 'REORG_TOO_DEEP' }],
      ['sync.failed', { code: 'REORG_TOO_DEEP' }],
    ],
  );
});

test('the outcome of a payment is reported only to its listeners', async (t) => {
  const asked = new Bench([{ ...SHOP, events: ['payment.changed'] }]);
  const other = new Bench([{ ...SHOP, events: ['change', 'reorg'] }]);
  const payment = { payment_id: '5f'.repeat(16), account: 0, txid: 'ab'.repeat(32), grant_id: null };
  const data = { ...payment, status: 'mined', mined_height: 7 } as const;
  for (const bench of [asked, other]) {
    bench.start();
    await settled();
    bench.emit({ event: 'payment.changed', data });
    await settled();
  }
  t.deepEqual(
    asked.arrived.map((delivery) => [delivery.event, delivery.data]),
    [['payment.changed', data]],
  );
  t.deepEqual(names(other.arrived), ['hook.started']);
});

test('without room on the disk nothing is sent under a number that a later run would use again', async (t) => {
  const bench = new Bench([SHOP]);
  bench.isDiskFull = true;
  bench.start();
  bench.write('received');
  await settled();
  t.is(bench.arrived.length, 0);
  t.like(bench.view, { state: 'backing_off', failure: { reason: 'STORAGE_FAILED' } });
  bench.isDiskFull = false;
  await bench.pass(300_000);
  t.deepEqual(names(bench.arrived), ['hook.started', 'change.received']);
});

for (const garbage of ['', '{', 'null', '{"hooks":[{"name":"shop","reserved":-1}]}', '{"hooks":7}'])
  test(`a damaged file of places is reported, and ends nothing: ${garbage}`, async (t) => {
    const bench = new Bench([SHOP]);
    bench.disk = garbage;
    bench.crash();
    bench.write('received');
    await settled();
    t.deepEqual(names(bench.arrived), ['hook.started', 'change.received']);
    t.regex(bench.log.join(), /hooks\.json is damaged/);
  });

test('an edited configuration: one that stays goes on, one that comes back goes on where it was', async (t) => {
  const bench = new Bench([SHOP]);
  bench.start();
  bench.write('received');
  await settled();
  await bench.hooks.configure([]);
  bench.write('confirmed');
  await settled();
  t.is(moneyIn(bench.arrived).length, 1);
  const twice = [bench.hooks.configure([SHOP, { ...SHOP, name: 'other' }]), bench.hooks.configure([SHOP])];
  await Promise.all(twice);
  await settled();
  t.deepEqual(moneyIn(bench.arrived).map(sequenceOf), [1, 2]);
  t.true(inOrder(bench.arrived.filter(({ event }) => event !== 'hook.started')));
  await bench.hooks.stop();
  bench.write('spent');
  await settled();
  t.is(moneyIn(bench.arrived).length, 2);
  t.is(bench.view.state, 'not_running');
});

test('amounts of an unmined transaction are not reported after the lock', async (t) => {
  const bench = new Bench([{ ...SHOP, events: ['transaction.unmined'] }]);
  bench.start();
  bench.receive = () => 'STATUS_500';
  const data = { txid: 'ab', state: 'seen', received_zatoshi: 5, spent_zatoshi: 0 } as const;
  bench.emit({ event: 'transaction.unmined', data });
  await settled();
  t.deepEqual(bench.arrived.at(-1)!.data, data);
  bench.lock();
  bench.receive = () => undefined;
  await bench.pass(5_000);
  t.deepEqual(bench.arrived.at(-1)!.data, { txid: 'ab', state: 'seen' });
});

const unixOnly = process.platform === 'win32' ? test.skip : test;
unixOnly('settings that others can write are not followed, at start and later', async (t) => {
  const folder = path.join(temporaryFolder(t), 'config');
  mkdirSync(folder);
  const file = path.join(folder, 'config.json');
  writeFileSync(file, '{}');
  chmodSync(file, 0o666);
  const refused = { code: 'INVALID_REQUEST', message: /others may write/ };
  t.throws(() => new Bench([SHOP], file).start(), refused);
  const none = new Bench([], file);
  none.start();
  await t.throwsAsync(none.hooks.configure([SHOP]), refused);
  chmodSync(file, 0o644);
  await none.hooks.configure([SHOP]);
  await settled();
  t.is(none.arrived.length, 1);
  chmodSync(folder, 0o777);
  t.throws(() => new Bench([SHOP], file).start(), refused);
});

const KINDS = ['received', 'memo', 'confirmed', 'spent', 'unspent', 'unreceived'] as const;

const SCHEDULES = 40;
let repeats = 0;
let ended = 0;
test.after('the schedules had something reported again', (t) => {
  // Some of the tests may have been left out.
  t.true(ended < SCHEDULES || repeats > 100, `${repeats}`);
});

for (let seed = 1; seed <= SCHEDULES; seed++)
  test(`whatever fails, every change arrives in order: schedule ${seed}`, async (t) => {
    const roll = dice(seed);
    const bench = new Bench([SHOP]);
    bench.start();
    await settled();
    let isRough = true;
    bench.receive = async () => {
      const fate = isRough ? roll(8) : 7;
      // The companion dies before the answer, or the answer is lost.
      if (fate === 0) setImmediate(() => bench.crash());
      if (fate <= 1) return new Promise((resolve) => bench.clock.after(5_000, () => resolve('TIMEOUT')));
      return fate === 2 ? 'STATUS_500' : undefined;
    };
    const steps = [
      () => bench.write(...Array.from({ length: 1 + roll(70) }, () => KINDS[roll(KINDS.length)]!)),
      () => bench.lock(),
      () => bench.unlock(),
      () => bench.crash(),
      () => {
        bench.isDiskFull = roll(3) === 0;
      },
      () => bench.pass(roll(20_000)),
      () => bench.pass(roll(400_000)),
      () => settled(),
      () => bench.emit({ event: 'server.changed', data: { server: 'node', state: 'up', code: null } }),
    ];
    for (let i = 0; i < 60; i++) await steps[roll(steps.length)]!();
    isRough = false;
    bench.isDiskFull = false;
    bench.unlock();
    await bench.pass(1_200_000);
    const money = moneyIn(bench.arrived);
    const first = [...new Map([...money].reverse().map((one) => [one.id, one])).values()].reverse();
    t.deepEqual(
      [...new Set(money.map(sequenceOf))],
      bench.journal.map(({ sequence }) => sequence),
    );
    t.deepEqual(
      first.map(sequenceOf),
      [...first.map(sequenceOf)].sort((a, b) => a - b),
    );
    t.is(first.length, bench.journal.length, 'a change has one id, whatever happened between');
    t.true(inOrder(bench.arrived));
    ended += 1;
    repeats += money.length - first.length;
    t.true(
      money.every(
        ({ event, data }) =>
          event === `change.${bench.journal[(data as { sequence: number }).sequence - 1]!.kind}`,
      ),
    );
  });
