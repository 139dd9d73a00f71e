// The statement of coverage says what was scanned, from hash to hash, and what was not, by day where it can.

import test, { type ExecutionContext } from 'ava';
import { dayNear, rangesInWords } from '../../../../src/actors/wallet/noteViews/blockDates.ts';
import { emptyPool } from '../../../helpers/emptyPool.ts';
import { readKnownSeed, startKnownSeedNode } from '../../../helpers/knownSeed.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const seed = readKnownSeed('main');
const first = seed.firstHeight;
const last = first + seed.mainBlocks.length - 1;

async function start(t: ExecutionContext, birthday_height = first) {
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const wallet = await startWallet(t, { config: { network: 'main', node_url: node.url }, pool: emptyPool() });
  await wallet.call('wallet.restore', { mnemonic: seed.mnemonic, password: PASSWORD, birthday_height });
  const coverage = async (account = 0) =>
    (await wallet.call('coverage.get')).accounts.find((one) => one.account === account)!;
  return { node, wallet, coverage };
}

const hashAt = (height: number, chain = seed.main) =>
  chain.blocks.find((block) => block.height === height)!.hash;
const stretch = (start_height: number, end_height: number, chain = seed.main) => ({
  start_height,
  start_hash: hashAt(start_height, chain),
  end_height,
  end_hash: hashAt(end_height, chain),
  verified_with: 'node',
});

test('before anything was scanned the coverage is empty', async (t) => {
  const { wallet, coverage } = await start(t);
  t.deepEqual(await coverage(), {
    account: 0,
    birthday_height: first,
    complete: false,
    scanned: [],
    missing: [],
    statement: 'Nothing was scanned yet.',
  });
  t.is((await wallet.call('coverage.get')).finished_at, null);
  t.is((await wallet.call('sync.status')).not_looked_at, undefined);
});

test('stretches are listed with the hashes of both ends, and gaps with their days', async (t) => {
  const { wallet, coverage } = await start(t);
  await wallet.call('sync.run', { start_height: first + 5, end_height: first + 9 });
  await wallet.call('sync.run', { start_height: first + 20 });
  const { scanned, missing, complete, statement } = await coverage();
  t.false(complete);
  t.deepEqual(scanned, [stretch(first + 5, first + 9), stretch(first + 20, last)]);
  t.deepEqual(
    missing.map(({ start_height, end_height }) => [start_height, end_height]),
    [
      [first, first + 4],
      [first + 10, first + 19],
    ],
  );
  for (const { start_date, end_date } of missing) t.regex(`${start_date} ${end_date}`, DAYS);
  const day = missing[0]!.end_date;
  const gaps = [
    `(?:around ${day}|${day} to [0-9-]+) \\(blocks ${first + 10}-${first + 19}\\)`,
    `before ${day} \\(blocks ${first}-${first + 4}\\)`,
  ].join('; ');
  t.regex(
    statement,
    new RegExp(
      `^Every block from ${first + 5} \\(${day}\\) to ${first + 9} .* Not looked at yet: ${gaps}\\.$`,
    ),
  );
  const { not_looked_at: words } = await wallet.call('sync.status');
  t.regex(words ?? '', new RegExp(`^${gaps}$`));
  t.is((await wallet.call('sync.run', { start_height: last })).not_looked_at, words);
  t.is((await wallet.call('coverage.get')).finished_at, null);
  await wallet.call('wallet.lock');
  t.is((await wallet.call('sync.status')).not_looked_at, undefined);
  t.is(await wallet.failure('coverage.get'), 'WALLET_LOCKED');
});

test('at the end one stretch from the birthday to the tip, and when that was', async (t) => {
  const { wallet, coverage } = await start(t);
  await wallet.call('sync.run', { start_height: first + 20 });
  const { not_looked_at: words } = await wallet.call('sync.run', { newest_first: true });
  t.is(words, undefined);
  const { scanned, missing, complete, statement } = await coverage();
  t.true(complete);
  t.deepEqual([scanned, missing], [[stretch(first, last)], []]);
  t.regex(
    statement,
    new RegExp(
      `^Every block from ${first} .* to ${last} \\([0-9-]+\\) was scanned, each linked to .*hash\\.$`,
    ),
  );
  const { finished_at: finishedAt } = await wallet.call('coverage.get');
  t.is(finishedAt, new Date(wallet.clock.now()).toISOString());
});

test('an account added later has a coverage of its own', async (t) => {
  const { wallet, coverage } = await start(t);
  await wallet.call('sync.run', { end_height: first + 29 });
  await wallet.call('accounts.create', { password: PASSWORD });
  await wallet.call('accounts.create', { password: PASSWORD, birthday_height: first + 3 });
  await wallet.call('sync.run', { start_height: first + 10, end_height: first + 19 });
  t.deepEqual((await coverage(0)).scanned, [stretch(first, first + 29)]);
  const later = await coverage(2);
  t.deepEqual(
    later.missing.map(({ start_height, end_height }) => [start_height, end_height]),
    [
      [first + 3, first + 9],
      [first + 20, first + 29],
    ],
  );
  t.false(later.complete);
  t.like(later.scanned[0], { start_height: first + 10, end_height: first + 19 });
  t.is((await wallet.call('coverage.get', { account: 2 })).accounts.length, 1);
  t.is(await wallet.failure('coverage.get', { account: 7 }), 'NOT_FOUND');
});

test('after a reorganisation the hashes are those of the new branch', async (t) => {
  const { node, wallet, coverage } = await start(t);
  await wallet.call('sync.run');
  node.reorg(seed.reorg.lastCommonHeight!, seed.reorgBlocks);
  await wallet.call('sync.run');
  const top = seed.reorg.tip.height;
  const [only] = (await coverage()).scanned;
  t.like(only, {
    start_height: first,
    start_hash: hashAt(first),
    end_height: top,
    end_hash: seed.reorg.tip.hash,
  });
});

const DAYS = /^\d{4}-\d\d-\d\d \d{4}-\d\d-\d\d$/;

test('days come from the table where no block near is kept, and are left out where there is none', (t) => {
  const none = { block: () => undefined };
  t.is(dayNear(none, 'main', 1_046_400), '2020-11-18');
  t.is(dayNear(none, 'regtest', 1_046_400), undefined);
  const gap = { start: 419_200, end: 1_046_400 };
  t.is(
    rangesInWords(none, 'main', [gap], () => true),
    'before 2020-11-18 (blocks 419200-1046400)',
  );
  t.is(
    rangesInWords(none, 'main', [gap], () => false),
    '2018-10-29 to 2020-11-18 (blocks 419200-1046400)',
  );
  t.is(
    rangesInWords(none, 'regtest', [gap], () => true),
    'blocks 419200-1046400',
  );
  t.is(
    rangesInWords(none, 'test', [{ start: 5, end: 5 }], () => false),
    'block 5',
  );
  t.is(
    rangesInWords(none, 'main', [], () => true),
    undefined,
  );
});

test('of many gaps the newest three are named', (t) => {
  const none = { block: () => undefined };
  const gaps = [1, 11, 21, 31, 41].map((start) => ({ start, end: start + 1 }));
  t.is(
    rangesInWords(none, 'test', gaps, () => false),
    'blocks 41-42; blocks 31-32; blocks 21-22; and 2 more',
  );
});
