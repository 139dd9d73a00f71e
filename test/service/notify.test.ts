// What systemd is told, and when not.
import test from 'ava';
import { serviceManager } from '../../src/service/notify.ts';

function world(env: Record<string, string>, fails = false) {
  const reported: string[] = [];
  const warnings: string[] = [];
  const ticks: { readonly ms: number; readonly tick: () => void }[] = [];
  const manager = serviceManager({
    env,
    pid: 7,
    every: (ms, tick) => {
      ticks.push({ ms, tick });
      return () => void ticks.splice(0);
    },
    warn: (why) => void warnings.push(why),
    notify: async (state) => {
      reported.push(state.join(' '));
      if (fails) throw Object.assign(new Error('no'), { code: 'ENOENT' });
    },
  });
  return { manager, reported, warnings, ticks };
}

const NOTIFY = { NOTIFY_SOCKET: '/run/user/1/systemd/notify' };
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('without a service manager no message is sent', async (t) => {
  const { manager, reported, ticks } = world({ WATCHDOG_USEC: '9000000' });
  await manager.ready();
  await manager.stopping();
  manager.watch(async () => true);
  t.deepEqual([reported, ticks], [[], []]);
});

test('the watchdog hears three times in its time, and only of threads that answer', async (t) => {
  const { manager, reported, ticks } = world({ ...NOTIFY, WATCHDOG_USEC: '9000000', WATCHDOG_PID: '7' });
  await manager.ready();
  let answer: (alive: boolean) => void = () => undefined;
  let asked = 0;
  const end = manager.watch(() => {
    asked += 1;
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  t.deepEqual(
    ticks.map(({ ms }) => ms),
    [3000],
  );
  const tick = () => ticks[0]?.tick();
  tick();
  tick();
  await settled();
  t.is(asked, 1, 'who has not answered is not asked again');
  t.deepEqual(reported, ['--ready']);
  answer(true);
  await settled();
  t.deepEqual(reported, ['--ready', 'WATCHDOG=1']);
  tick();
  answer(false);
  await settled();
  t.is(reported.length, 2);
  tick();
  t.is(asked, 3);
  end();
  t.is(ticks.length, 0);
});

test('a watchdog that means another process, or none, is not fed', (t) => {
  for (const env of [
    { WATCHDOG_USEC: '9000000', WATCHDOG_PID: '8' },
    { WATCHDOG_USEC: '0' },
    { WATCHDOG_USEC: 'x' },
    {},
  ]) {
    const { manager, ticks } = world({ ...NOTIFY, ...env });
    manager.watch(async () => true);
    t.deepEqual(ticks, []);
  }
});

test('a failed notification is logged once, and is no failure', async (t) => {
  const { manager, warnings } = world(NOTIFY, true);
  await manager.ready();
  await manager.stopping();
  t.deepEqual(warnings, ['ENOENT']);
});
