// What is known of a server from the calls that were made anyway, and how often it is asked on purpose.

import type { After } from '@wallet-companion/base/async';
import type { ChainSettings } from '@wallet-companion/chain/ports';
import test from 'ava';
import type { ChainEnvironment } from '#chain/context/chainEnvironment';
import { FRESH_MS, Servers } from '#chain/context/servers';
import { CompanionError, type ErrorCode } from '../../../src/protocol/errors.ts';

const NODE = 'http://127.0.0.1:8232';
const COMPACT = 'http://127.0.0.1:9067';

function world() {
  const reported: string[] = [];
  const clock: string[] = [];
  const strikes: (() => void)[] = [];
  const after: After = (_ms, strike) => {
    strikes.push(strike);
    return () => undefined;
  };
  const time = { now: 1_000_000 };
  const environment = {
    clock: () => time.now,
    after,
    clockWrong: (warning) => void clock.push(warning),
    reportServer: ({ server, state, code }) => void reported.push([server, state, code].join(' ')),
  } as Pick<ChainEnvironment, 'clock' | 'after' | 'reportServer' | 'clockWrong'> as ChainEnvironment;
  const servers = new Servers(environment);
  const settings = { nodeUrl: NODE, compactServerUrl: COMPACT, lastScanHeight: 100 } as ChainSettings;
  servers.configure(settings);
  const fails = async (code: ErrorCode, url = NODE): Promise<void> => {
    await servers
      .tip({ server: 'node', url }, Promise.reject(new CompanionError(code, 'x')))
      .catch(() => undefined);
  };
  const answers = (height: number, url = NODE) =>
    servers.tip({ server: 'node', url }, Promise.resolve({ height }));
  return { reported, clock, strikes, time, servers, settings, fails, answers };
}

const nobody = async (): Promise<never> => {
  throw new Error('nobody is to be asked');
};
const NOBODY = { node: nobody, compact_server: nobody };

test('each change is reported once, however often it is requested', async (t) => {
  const { reported, fails, answers } = world();
  await answers(100);
  await answers(101);
  await fails('NODE_UNREACHABLE');
  await fails('UPSTREAM_TIMEOUT');
  await fails('NODE_BAD_RESPONSE');
  await fails('INVALID_RANGE');
  await answers(99);
  await fails('NETWORK_MISMATCH');
  await fails('NODE_UNAUTHORIZED');
  await answers(101);
  t.deepEqual(reported, [
    'node up ',
    'node lost NODE_UNREACHABLE',
    'node behind NODE_BEHIND',
    'node wrong_network NETWORK_MISMATCH',
    'node refused NODE_UNAUTHORIZED',
    'node up ',
  ]);
});

test('an answer of another address does not count for the configured one', async (t) => {
  const { reported, fails, answers, servers, settings } = world();
  await fails('NODE_UNREACHABLE', 'http://127.0.0.1:1');
  await answers(5, 'http://127.0.0.1:1');
  t.deepEqual(reported, []);
  await answers(100);
  servers.configure({ ...settings, nodeUrl: 'http://127.0.0.1:1' });
  t.like(await servers.status(true, NOBODY), { node: { state: 'unknown', tip_height: null, since: null } });
});

test('an answer of the store is none of the server', async (t) => {
  const { reported, servers } = world();
  const reason = { code: 'COMPACT_SERVER_UNREACHABLE', detail: 'x' } as const;
  await servers.tip(
    { server: 'compact_server', url: COMPACT },
    Promise.resolve({ height: 7, offline: { lowestHeight: 1, reason } }),
  );
  t.deepEqual(reported, ['compact_server lost COMPACT_SERVER_UNREACHABLE']);
});

test('the update that an expiring node needs is reported from two weeks before on, by blocks', async (t) => {
  const END = 3_684_728;
  const { servers } = world();
  const warnedAt = async (height: number, endOfSupport = END) => {
    const tip = Promise.resolve({ height, endOfSupport });
    await servers.tip({ server: 'compact_server', url: COMPACT }, tip);
    return (await servers.status(true, NOBODY)).compact_server;
  };
  // zebrad itself warns from there on.
  t.like(await warnedAt(END - 48_385), { end_of_support_height: END, support_warning: null });
  const stops = 'The node behind the compact server stops by itself after block 3684728';
  for (const [left, when] of [
    [48_384, 'in about 14 days'],
    [3_456, 'in about 1 day'],
    [3_455, 'within a day'],
    [0, 'within a day'],
  ] as const)
    t.is((await warnedAt(END - left)).support_warning, `${stops}, ${when}: install a newer version before.`);
  t.regex((await warnedAt(END + 1)).support_warning!, /is past the end of its support, block 3684728, and/);
});

test('a wrong clock is reported with its offset and direction, and logged once', async (t) => {
  const { servers, time, clock } = world();
  const HOUR = 3_600_000;
  time.now = Date.UTC(2026, 0, 1);
  const after = async (by: 'date' | 'block', ms: number) => {
    const shown = { by, at: time.now + ms };
    await servers.tip({ server: 'node', url: NODE }, Promise.resolve({ height: 100, shown }));
    return (await servers.status(true, NOBODY)).node.clock_warning;
  };
  for (const [by, ms] of [
    ['date', 59_000],
    ['date', -59_000],
    ['block', 2 * HOUR],
    ['block', -8_000 * HOUR],
  ] as const)
    t.is(await after(by, ms), null);
  t.regex((await after('date', HOUR)) ?? '', /is 1 hour behind that of the node/);
  await after('date', HOUR + 10_000);
  t.regex((await after('date', -30 * 24 * HOUR)) ?? '', /is 30 days ahead of that of the node/);
  t.regex((await after('block', 3 * HOUR)) ?? '', /is behind by 3 hours or more/);
  t.is(clock.length, 3);
  t.is(await after('date', 0), null);
});

test('a clock before what was scanned is reported though no server answers, also while the wallet is locked', async (t) => {
  const { servers, settings, time, clock, fails } = world();
  const output = async () => {
    const { last_scan_time, clock_warning } = await servers.status(true, NOBODY);
    return [last_scan_time, clock_warning];
  };
  t.deepEqual(await output(), [null, null]);
  const at = '2026-01-01T00:00:00.000Z';
  const [lastScanTime, DAY] = [Date.parse(at) / 1000, 86_400_000];
  time.now = lastScanTime * 1000 - 7_200_000;
  servers.walletScanned({ lastScanHeight: 101, lastScanTime });
  t.deepEqual(await output(), [at, null]);
  time.now -= 7 * DAY;
  await fails('NODE_UNREACHABLE');
  const warning =
    "This computer's clock is behind by 7 days or more: it is before the newest block of the wallet's scan.";
  t.deepEqual(clock, [warning]);
  servers.configure(settings);
  t.deepEqual([await output(), clock.length], [[at, warning], 1]);
  time.now += 8 * DAY;
  t.deepEqual(await output(), [at, null]);
  servers.walletScanned({ lastScanHeight: null });
  servers.configure(settings);
  t.deepEqual(await output(), [null, null]);
});

test('times: since when, and when the tip was first seen', async (t) => {
  const { time, fails, answers, servers } = world();
  const text = (ms: number) => new Date(ms).toISOString();
  await answers(100);
  time.now += 5000;
  await answers(100);
  time.now += 5000;
  await fails('NODE_UNREACHABLE');
  t.deepEqual((await servers.status(true, NOBODY)).node, {
    state: 'lost',
    code: 'NODE_UNREACHABLE',
    since: text(1_010_000),
    asked_at: text(1_010_000),
    tip_height: 100,
    tip_risen_at: text(1_000_000),
    unknown_upgrade_height: null,
    end_of_support_height: null,
    support_warning: null,
    clock_warning: null,
  });
});

test('servers are asked for all monitors together, and seldom', async (t) => {
  const { time, answers, servers } = world();
  let asked = 0;
  let answer: () => void = () => undefined;
  const ask = {
    node: async () => {
      asked += 1;
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await answers(100);
    },
    compact_server: async () => undefined,
  };
  const first = servers.status(false, ask);
  t.is((await servers.status(false, ask)).node.state, 'unknown', 'who comes meanwhile does not ask again');
  answer();
  t.is((await first).node.state, 'up');
  time.now += FRESH_MS - 1;
  await servers.status(false, ask);
  t.is(asked, 1);
  time.now += 1;
  const again = servers.status(false, ask);
  t.is(asked, 2);
  answer();
  await again;
  time.now -= 3_600_000;
  const back = servers.status(false, ask);
  t.is(asked, 3, 'a clock that was set back makes nothing fresh');
  answer();
  await back;
});

test('a server that does not answer delays a call no longer than the patience', async (t) => {
  const { strikes, servers } = world();
  const status = servers.status(false, {
    node: () => new Promise(() => undefined),
    compact_server: async () => undefined,
  });
  for (const strike of strikes) strike();
  t.is((await status).node.state, 'unknown');
});
