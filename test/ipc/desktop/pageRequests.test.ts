// What the window's page can ask for, without a window.

import { cpSync } from 'node:fs';
import test from 'ava';
import { pageAnswerer } from '../../../src/ipc/desktop/pageRequests.ts';
import { examples } from '../../../src/protocol/examples.ts';
import type { Output } from '../../../src/protocol/operations.ts';
import { FakeLink } from '../../helpers/fakeLink.ts';

const answerer = (link: FakeLink) => pageAnswerer(link, () => 'page-request');
const NOTHING_SCANNED = { as_of_height: null, as_of_hash: null, complete: false } as const;
const request = (method: string, path: string, body = '') => ({ method, path, body: Buffer.from(body) });

test.before(() => {
  // As the build does, for when only the compiler ran. What is there stays: the window's test reads it at the same
  // time.
  const page = new URL('../../../src/ipc/desktop/page', import.meta.url);
  cpSync('src/ipc/desktop/page', page, { recursive: true, force: false });
});

test('the page and its files are served with their types', async (t) => {
  const answer = answerer(new FakeLink());
  for (const [path, type] of [
    ['/', 'text/html'],
    ['/page.js', 'text/javascript'],
    ['/balance.js', 'text/javascript'],
    ['/syncToTip.js', 'text/javascript'],
    ['/style.css', 'text/css'],
  ] as const) {
    const { status, type: given, body } = await answer(request('GET', path));
    t.is(status, 200);
    t.is(given, `${type}; charset=utf-8`);
    t.true(body.length > 100);
  }
});

test('the window says of a balance what it is as of, and of one that nobody looked for that it is unknown', async (t) => {
  const page = new URL('../../../src/ipc/desktop/page/balance.js', import.meta.url);
  const { balanceText } = (await import(page.href)) as {
    balanceText: (balance: Output<'balance.get'>) => {
      readonly total: string;
      readonly note: string;
      readonly rows: readonly (readonly string[])[];
    };
  };
  const known = { ...examples['balance.get'].output, total_zatoshi: 123_456_700_000_015 };
  t.deepEqual(balanceText(known), {
    total: '1,234,567.00000015 ZEC',
    note: 'As of block 1000049. 0.00000003 ZEC pending. Blocks are missing: sync to see everything.',
    rows: ['sapling', 'orchard', 'ironwood'].map((pool) => [pool, '0.00000004 ZEC', '0.00000005 ZEC', '1']),
  });
  const whole = { ...known, pending_zatoshi: 0, complete: true, missing_ranges: [] };
  t.is(balanceText(whole).note, 'As of block 1000049.');
  const unknown = balanceText({ ...known, ...NOTHING_SCANNED });
  t.is(unknown.total, 'unknown');
  t.regex(unknown.note, /sync/);
  t.notRegex(JSON.stringify(unknown), /\d/);
});

test('nothing else is served', async (t) => {
  const answer = answerer(new FakeLink());
  for (const [method, path] of [
    ['GET', '/../window.js'],
    ['GET', '/page/index.html'],
    ['POST', '/'],
    ['GET', '/invoke/wallet_exists'],
    ['DELETE', '/invoke/wallet_exists'],
  ] as const) {
    t.is((await answer(request(method, path))).status, 404, `${method} ${path}`);
  }
});

test('commands are answered with tagged results', async (t) => {
  const link = new FakeLink();
  link.failWith('wallet.unlock', { code: 'WRONG_PASSWORD', detail: 'The password is wrong.' });
  const answer = answerer(link);
  const invoke = async (path: string, body: string): Promise<unknown> => {
    const { status, type, body: json } = await answer(request('POST', path, body));
    t.is(status, 200);
    t.is(type, 'application/json');
    return JSON.parse(json.toString('utf8'));
  };
  t.deepEqual(await invoke('/invoke/lwd_info', ''), { ok: true, value: examples['lwd.info'].output });
  t.like(await invoke('/invoke/wallet_unlock', '{"password":"x"}'), {
    ok: false,
    error: { code: 'WRONG_PASSWORD', request_id: 'page-request' },
  });
  for (const [path, body, code] of [
    ['/invoke/nope', '{}', 'NOT_FOUND'],
    ['/invoke/', '{}', 'NOT_FOUND'],
    ['/invoke/sync', '{', 'INVALID_REQUEST'],
    ['/invoke/sync', '[]', 'INVALID_REQUEST'],
    ['/invoke/sync', `"${'a'.repeat(65_536)}"`, 'BODY_TOO_LARGE'],
  ] as const) {
    t.like(await invoke(path, body), { ok: false, error: { code } }, path);
  }
});

type SyncInput = { readonly newest_first?: boolean };
type SyncAnswer = Partial<Output<'sync.run'>>;

/** What the window says at the end, after these answers and no request more; and what it asked. */
async function syncInWindow(answers: readonly SyncAnswer[]) {
  const page = new URL('../../../src/ipc/desktop/page/syncToTip.js', import.meta.url);
  const { syncToTip } = (await import(page.href)) as {
    syncToTip: (
      sync: (input: SyncInput) => Promise<Output<'sync.run'>>,
      scanned: () => Promise<void>,
    ) => Promise<string>;
  };
  const asked: SyncInput[] = [];
  const sync = async (input: SyncInput) => {
    const answer = answers[asked.length];
    if (answer === undefined) throw new Error(`asked again after ${JSON.stringify(asked)}`);
    asked.push(input);
    const nothing = { blocks_scanned: 0, range_complete: true, missing_ranges: [], last_scan_height: 40 };
    return { ...examples['sync.run'].output, ...nothing, ...answer };
  };
  return { said: await syncToTip(sync, async () => undefined), asked };
}

test('the window scans what was skipped too, and does not ask for ever', async (t) => {
  const holes = [
    { start_height: 1, end_height: 9 },
    { start_height: 20, end_height: 29 },
  ];
  const cut = { blocks_scanned: 1000, range_complete: false };
  t.deepEqual(
    await syncInWindow([
      { ...cut, missing_ranges: holes },
      { ...cut, caught_up: true, missing_ranges: holes.slice(0, 1) },
      { blocks_scanned: 10, caught_up: true },
    ]),
    { said: 'Up to date at block 40.', asked: [1, 2, 3].map(() => ({ newest_first: true })) },
  );
});

test('the window stops asking where the companion gets no further', async (t) => {
  const holes = [{ start_height: 1, end_height: 9 }];
  for (const answers of [
    [{ caught_up: true, missing_ranges: holes }],
    [{ range_complete: false }],
    [{ range_complete: false, missing_ranges: holes }],
  ]) {
    const { said } = await syncInWindow(answers);
    t.is(said, 'Scanned up to block 40. What is missing cannot be had now: try again later.');
  }
});

test('the window goes on after a reorganisation, and ends when it is told to stop', async (t) => {
  const reorg = { fork_height: 30, depth: 3 };
  t.is((await syncInWindow([{ reorg }, { caught_up: true }])).said, 'Up to date at block 40.');
  t.is((await syncInWindow([{ cancelled: true }])).said, 'Stopped. Scanned up to block 40.');
});
