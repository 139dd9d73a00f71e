// Hooks for several wallets: each has its own place, order, numbers and pauses; those that come, change their name or go are
// followed; and the default wallet's records and bytes are those of a companion with one wallet.

import test from 'ava';
import { bytesOf, encodeJson } from '../../../src/hooks/delivery.ts';
import type { HookSetting } from '../../../src/protocol/hookEvents.ts';
import { Bench, type Change, dice, settled } from './support.ts';

const ALL: HookSetting = {
  name: 'all',
  events: ['change', 'wallet.behind', 'server.changed', 'disk.low', 'wallet.unlocked'],
  command: ['/bin/true'],
};
const TILL: HookSetting = { ...ALL, name: 'till', wallets: ['till', 'savings'] };

function benchWith(settings: readonly HookSetting[], ...wallets: readonly string[]): Bench {
  const bench = new Bench(settings);
  for (const wallet of wallets) bench.make(wallet);
  return bench;
}

const deliveriesOf = (bench: Bench, wallet: string) => bench.arrived.filter((one) => one.wallet === wallet);
const events = (bench: Bench, wallet: string) => deliveriesOf(bench, wallet).map(({ event }) => event);
const changes = (bench: Bench, wallet: string): number[] =>
  deliveriesOf(bench, wallet).flatMap(({ event, data }) =>
    event.startsWith('change.') ? [(data as Change).sequence] : [],
  );
const lines = (bench: Bench): string[] =>
  bench.views.map(({ name, wallet, state }) => `${name} ${wallet} ${state}`);
const recorded = (bench: Bench): string[] =>
  (JSON.parse(bench.disk ?? '{"hooks":[]}') as { hooks: { name: string }[] }).hooks.map(({ name }) => name);

test('the events of each wallet have their own order and numbers, and a failure of one delays no other', async (t) => {
  const bench = benchWith([ALL], 'savings');
  bench.start();
  bench.unlock('savings');
  await settled();
  t.deepEqual(events(bench, 'default'), ['hook.started']);
  t.deepEqual(events(bench, 'savings').sort(), ['hook.started', 'wallet.unlocked']);
  bench.receive = ({ wallet }) => (wallet === 'savings' ? 'STATUS_500' : undefined);
  bench.writeIn('savings', 'received');
  bench.write('received', 'confirmed');
  await settled();
  t.deepEqual(changes(bench, 'default'), [1, 2]);
  t.like(bench.views, [
    { wallet: 'default', state: 'idle', failures: 0 },
    { wallet: 'savings', state: 'backing_off', failures: 1 },
  ]);
  t.deepEqual(bench.log, ['hook fails {"hook":"all","wallet":"savings","reason":"STATUS_500"}']);
  bench.receive = () => undefined;
  await bench.pass(1_000);
  t.deepEqual(changes(bench, 'savings'), [1, 1]);
  t.deepEqual(
    deliveriesOf(bench, 'default').map(({ sequence }) => sequence),
    [1, 2, 3],
  );
  t.deepEqual([...new Set(deliveriesOf(bench, 'savings').map(({ sequence }) => sequence))], [1, 2, 3]);
  bench.emit({ event: 'wallet.behind', data: {} as never }, 'savings');
  await settled();
  t.is(events(bench, 'savings').at(-1), 'wallet.behind');
  t.false(events(bench, 'default').includes('wallet.behind'));
});

test('a locked wallet is asked nothing until it is open, whatever happens', async (t) => {
  const bench = benchWith([ALL], 'savings');
  bench.start();
  await settled();
  const asked = () => bench.contexts.filter(({ wallet }) => wallet === 'savings').length;
  t.is(asked(), 0, 'that would start its thread');
  t.deepEqual(lines(bench), ['all default idle', 'all savings waiting_for_unlock']);
  bench.unlock('savings');
  await settled();
  t.true(asked() > 0);
  t.true(bench.contexts.every(({ byService }) => byService === true));
  bench.writeIn('savings', 'received');
  bench.lock('savings');
  await settled();
  const before = asked();
  bench.write('received');
  // A file that is read again while one wallet is locked and the other is open.
  await bench.hooks.configure([{ ...ALL, command: ['/bin/false'] }]);
  await settled();
  t.is(asked(), before);
  bench.unlock('savings');
  await settled();
  t.deepEqual(changes(bench, 'savings'), [1]);
});

test('a hook that names wallets hears of no other, and begins with one that is made', async (t) => {
  const bench = benchWith([TILL], 'savings', 'books');
  bench.start();
  await settled();
  t.deepEqual(lines(bench), ['till till no_wallet', 'till savings waiting_for_unlock']);
  t.is(bench.log.length, 1);
  t.regex(bench.log[0] ?? '', /^a hook names a wallet that is not there.*"wallet":"till"/);
  bench.write('received');
  for (const wallet of ['savings', 'books']) bench.unlock(wallet);
  bench.make('till');
  bench.unlock('till');
  bench.writeIn('till', 'received');
  bench.writeIn('books', 'received');
  await settled();
  t.deepEqual([...new Set(bench.arrived.map(({ wallet }) => wallet))].sort(), ['savings', 'till']);
  t.is(events(bench, 'till').filter((event) => event === 'wallet.unlocked').length, 1);
  t.deepEqual(lines(bench), ['till till idle', 'till savings idle']);
  t.false(bench.contexts.some(({ wallet }) => wallet === 'default' || wallet === 'books'));
});

test('an event of no wallet is reported once, with the first wallet', async (t) => {
  const bench = benchWith([ALL, TILL], 'savings', 'till');
  bench.start();
  bench.emit({ event: 'disk.low', data: { low: true, free_bytes: 1, limit_bytes: 2 } });
  bench.emit({ event: 'server.changed', data: { server: 'node', state: 'up', code: null } });
  await settled();
  t.deepEqual(events(bench, 'default'), ['hook.started', 'disk.low', 'server.changed']);
  t.deepEqual(events(bench, 'till'), ['disk.low', 'server.changed']);
  t.deepEqual(events(bench, 'savings'), []);
});

test('another name keeps the place; hooks of the new one get the events, those of the old one do not', async (t) => {
  const bench = benchWith([ALL, { ...TILL, wallets: ['savings'] }], 'savings');
  bench.start();
  bench.unlock('savings');
  bench.writeIn('savings', 'received');
  await settled();
  const renamed = bench.rename('savings', 'cold');
  // Opened before the hooks have ended for its old name.
  bench.unlock('cold');
  bench.writeIn('cold', 'confirmed');
  await renamed;
  await settled();
  t.deepEqual(changes(bench, 'cold'), [2]);
  t.deepEqual(events(bench, 'cold').sort(), ['change.confirmed', 'wallet.unlocked']);
  t.true(deliveriesOf(bench, 'cold').every(({ sequence }) => sequence > 2));
  t.deepEqual(lines(bench), ['all default idle', 'all cold idle', 'till savings no_wallet']);
  t.deepEqual(recorded(bench).sort(), ['all', 'all@cold', 'till@cold']);
  // The hook that is told its new name goes on, too.
  await bench.hooks.configure([{ ...TILL, wallets: ['cold'] }]);
  await settled();
  t.deepEqual(
    bench.arrived.filter(({ wallet, event }) => wallet === 'cold' && event === 'hook.started'),
    [],
  );
  t.deepEqual(changes(bench, 'cold'), [2, 2]);
});

test('a removed wallet leaves nothing, and one in its place begins anew', async (t) => {
  const bench = benchWith([ALL, TILL], 'savings');
  bench.start();
  bench.unlock('savings');
  bench.writeIn('savings', 'received');
  await settled();
  bench.receive = (_delivery, stop) =>
    new Promise((resolve) => stop.addEventListener('abort', () => resolve('STOPPED')));
  bench.writeIn('savings', 'confirmed');
  await settled();
  bench.receive = () => undefined;
  await bench.remove('savings');
  t.deepEqual(recorded(bench), ['all']);
  t.deepEqual(lines(bench), ['all default idle', 'till till no_wallet', 'till savings no_wallet']);
  const before = bench.arrived.length;
  bench.lock('savings');
  await settled();
  t.is(bench.arrived.length, before);
  bench.make('savings');
  bench.unlock('savings');
  await settled();
  t.deepEqual(
    bench.arrived.slice(before).flatMap(({ event, data }) => (event === 'hook.started' ? [data] : [])),
    [{ reason: 'new' }, { reason: 'new' }],
  );
});

test('places outlive a crash, and a name that changes or goes where no hook runs', async (t) => {
  const bench = benchWith([ALL], 'savings', 'books');
  bench.start();
  for (const wallet of ['savings', 'books']) {
    bench.unlock(wallet);
    await settled();
    bench.writeIn(wallet, 'received');
  }
  await settled();
  bench.crash();
  for (const wallet of ['savings', 'books']) bench.unlock(wallet);
  await settled();
  t.deepEqual([changes(bench, 'savings'), changes(bench, 'books')], [[1], [1]]);
  await bench.hooks.stop();
  // A command in a process of its own.
  await bench.rename('savings', 'cold');
  await bench.remove('books');
  t.deepEqual(recorded(bench).sort(), ['all', 'all@cold']);
  t.deepEqual(lines(bench), ['all default not_running', 'all cold not_running']);
  bench.crash();
  bench.unlock('cold');
  bench.writeIn('cold', 'spent');
  await settled();
  t.deepEqual(changes(bench, 'cold'), [2]);
  t.false(events(bench, 'cold').includes('hook.started'));
});

test('where the folder of the wallets cannot be read, events of a wallet begin when it is open', async (t) => {
  const bench = benchWith([ALL], 'savings');
  bench.isUnreadable = true;
  bench.start();
  await settled();
  t.deepEqual(lines(bench), ['all default idle']);
  t.regex(bench.log.join(), /folder of the wallets cannot be read/);
  bench.unlock('savings');
  await settled();
  t.deepEqual(events(bench, 'savings').sort(), ['hook.started', 'wallet.unlocked']);
});

test('a caller who names a wallet that is not there makes no hook', async (t) => {
  const bench = benchWith([ALL]);
  bench.start();
  // A thread that was started for the name, and lost.
  bench.emit({ event: 'wallet.locked', data: { reason: 'thread_lost' } }, 'nobody');
  await settled();
  t.deepEqual(lines(bench), ['all default idle']);
  t.deepEqual(recorded(bench), ['all']);
});

test("the default wallet's delivery is what it was without another, and others have their name", (t) => {
  const delivery = { id: 'a', sequence: 1, event: 'e', time: 't', wallet: 'default', data: encodeJson({}) };
  const text = '{"id":"a","sequence":1,"event":"e","time":"t","hook":"h","data":{}}';
  t.is(Buffer.from(bytesOf('h', delivery)).toString(), text);
  const other = JSON.parse(Buffer.from(bytesOf('h', { ...delivery, wallet: 'savings' })).toString());
  t.deepEqual(other, { ...JSON.parse(text), wallet: 'savings' });
});

test('records of what runs are kept, however many wallets there are, and of what is gone 64', async (t) => {
  const wallets = Array.from({ length: 70 }, (_, place) => `w${place}`);
  const bench = benchWith([ALL, { ...ALL, name: 'other' }], ...wallets);
  bench.start();
  for (const wallet of wallets) bench.unlock(wallet);
  await settled();
  t.is(recorded(bench).length, 2 * 71);
  await bench.hooks.configure([ALL]);
  bench.writeIn('w0', 'received');
  await settled();
  const left = recorded(bench).filter((name) => name.startsWith('other'));
  t.deepEqual([recorded(bench).length, left.length], [71 + 64, 64]);
});

for (let seed = 1; seed <= 15; seed++)
  test(`whatever happens to whichever wallet, each has its changes in order: schedule ${seed}`, async (t) => {
    const roll = dice(seed);
    const bench = benchWith([ALL], 'savings', 'books');
    let name = 'savings';
    bench.start();
    const all = () => ['default', name, 'books'];
    const one = () => all()[roll(3)]!;
    for (const wallet of all()) bench.unlock(wallet);
    await settled();
    let isRough = true;
    bench.receive = (_delivery, stop) =>
      new Promise((resolve) => {
        const fate = isRough ? roll(6) : 5;
        if (stop.aborted) return resolve('STOPPED');
        if (fate > 1) return resolve(fate === 2 ? 'STATUS_500' : undefined);
        const stopped = () => resolve('STOPPED');
        stop.addEventListener('abort', stopped);
        bench.clock.after(5_000, () => {
          stop.removeEventListener('abort', stopped);
          resolve('TIMEOUT');
        });
      });
    const steps = [
      () => bench.writeIn(one(), ...Array.from({ length: 1 + roll(60) }, () => 'received' as const)),
      () => bench.lock(one()),
      () => bench.unlock(one()),
      () => bench.crash(),
      async () => {
        const next = name === 'savings' ? 'cold' : 'savings';
        const renamed = bench.rename(name, next);
        name = next;
        if (roll(2) === 0) bench.unlock(name);
        await renamed;
      },
      () => bench.hooks.configure([roll(2) === 0 ? ALL : { ...ALL, wallets: [name, 'books'] }]),
      () => bench.pass(roll(400_000)),
      () => settled(),
    ];
    for (let step = 0; step < 60; step++) await steps[roll(steps.length)]!();
    isRough = false;
    await bench.hooks.configure([ALL]);
    for (const wallet of all()) bench.unlock(wallet);
    await bench.pass(1_200_000);
    const lives = [['default'], ['savings', 'cold'], ['books']];
    for (const names of lives) {
      const reported = bench.arrived.filter(({ wallet }) => names.includes(wallet));
      const money = reported.filter(({ event }) => event.startsWith('change.'));
      const first = money.filter(({ id }, place) => money.findIndex((other) => other.id === id) === place);
      const now = names.includes(name) ? name : names[0];
      const { journal } = bench.others.get(now!) ?? bench;
      t.deepEqual(
        first.map(({ data }) => (data as Change).sequence),
        journal.map(({ sequence }) => sequence),
        `${names}`,
      );
      t.true(
        reported.every(({ sequence, id }, place) => {
          const before = reported[place - 1];
          return !before || sequence > before.sequence || (sequence === before.sequence && id === before.id);
        }),
        `numbers of ${names}`,
      );
    }
  });
