import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { LEDGER_FILE, WALLET_FILE } from '../../../../src/storage/files/dataFiles.ts';
import { emptyPool } from '../../../helpers/emptyPool.ts';
import { ORDINARY, Refusal } from '../../../helpers/fixtureNode.ts';
import { readKnownSeed, startKnownSeedNode } from '../../../helpers/knownSeed.ts';
import { temporaryFolder } from '../../../helpers/temporaryFolder.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const seed = readKnownSeed('main');
const first = seed.firstHeight;
const last = first + seed.mainBlocks.length - 1;
const fork = seed.reorg.lastCommonHeight ?? 0;

async function start(t: ExecutionContext, pool = emptyPool(), birthday = first) {
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const wallet = await startWallet(t, { config: { network: 'main', node_url: node.url }, pool });
  await wallet.call('wallet.restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: birthday,
  });
  return { node, wallet };
}

test('no range scans on from last_scan_height; at the tip the answer has no block', async (t) => {
  const { wallet } = await start(t);
  t.like(await wallet.call('sync.run', { end_height: first + 9 }), {
    start_height: first,
    end_height: first + 9,
    blocks_scanned: 10,
    next_start_height: first + 10,
    range_complete: true,
    caught_up: false,
    chain_tip: last,
    source: 'node',
  });
  t.like(await wallet.call('sync.run'), {
    start_height: first + 10,
    end_height: last,
    blocks_scanned: 40,
    caught_up: true,
  });
  t.like(await wallet.call('sync.run'), {
    blocks_scanned: 0,
    caught_up: true,
    range_complete: true,
    last_scan_height: last,
    next_start_height: last + 1,
  });
});

test('an explicit range is scanned again, one above moves last_scan_height, one below leaves it', async (t) => {
  const { wallet } = await start(t);
  t.like(await wallet.call('sync.run', { start_height: first + 20, end_height: first + 29 }), {
    blocks_scanned: 10,
    last_scan_height: first + 29,
  });
  t.like(await wallet.call('sync.run', { start_height: first + 20, end_height: first + 29 }), {
    blocks_scanned: 10,
    last_scan_height: first + 29,
  });
  t.like(await wallet.call('sync.run', { start_height: first, end_height: first + 4 }), {
    blocks_scanned: 5,
    last_scan_height: first + 29,
  });
  t.like(await wallet.call('balance.get'), {
    complete: false,
    missing_ranges: [{ start_height: first + 5, end_height: first + 19 }],
    as_of_height: first + 29,
  });
  t.is((await wallet.call('config.get')).last_scan_height, first + 29);
});

test('the newest first takes what is new, then closes gaps from the top, and goes with no range', async (t) => {
  const { wallet } = await start(t);
  for (const range of [{ start_height: first }, { end_height: last }])
    t.is(await wallet.failure('sync.run', { newest_first: true, ...range }), 'INVALID_REQUEST');
  await wallet.call('sync.run', { start_height: first + 5, end_height: first + 9 });
  await wallet.call('sync.run', { start_height: first + 20, end_height: first + 24 });
  t.like(await wallet.call('sync.run', { newest_first: true }), {
    start_height: first + 25,
    end_height: last,
    range_complete: false,
    caught_up: true,
    complete: false,
  });
  t.like(await wallet.call('sync.run', { newest_first: true }), {
    start_height: first + 10,
    end_height: first + 19,
    blocks_scanned: 10,
    next_start_height: first + 20,
    last_scan_height: last,
  });
  t.like(await wallet.call('sync.run', { newest_first: true }), {
    start_height: first,
    range_complete: true,
    complete: true,
    missing_ranges: [],
  });
  t.like(await wallet.call('sync.run', { newest_first: true }), {
    blocks_scanned: 0,
    range_complete: true,
    caught_up: true,
    next_start_height: last + 1,
  });
});

test('a range beyond the tip is cut there, and not complete', async (t) => {
  const { wallet } = await start(t);
  t.like(await wallet.call('sync.run', { start_height: last - 1, end_height: last + 500 }), {
    blocks_scanned: 2,
    end_height: last,
    range_complete: false,
    caught_up: true,
  });
  t.like(await wallet.call('sync.run', { start_height: last + 10 }), {
    blocks_scanned: 0,
    range_complete: false,
    caught_up: true,
    next_start_height: last + 1,
  });
  t.like(await wallet.call('sync.run', { start_height: last + 1 }), {
    blocks_scanned: 0,
    range_complete: true,
  });
});

test('an end alone asks for what is not scanned yet up to there, lowest first', async (t) => {
  const { wallet } = await start(t);
  await wallet.call('sync.run', { start_height: first + 5, end_height: first + 9 });
  await wallet.call('sync.run', { start_height: first + 20, end_height: first + 24 });
  t.like(await wallet.call('sync.run', { end_height: first + 2 }), {
    start_height: first,
    end_height: first + 2,
    blocks_scanned: 3,
    range_complete: true,
    complete: false,
    last_scan_height: first + 24,
    missing_ranges: [
      { start_height: first + 3, end_height: first + 4 },
      { start_height: first + 10, end_height: first + 19 },
    ],
  });
  t.like(await wallet.call('sync.run', { end_height: first + 29 }), {
    start_height: first + 3,
    end_height: first + 29,
    blocks_scanned: 2 + 10 + 5,
    range_complete: true,
    complete: true,
    missing_ranges: [],
    next_start_height: first + 30,
  });
  t.like(await wallet.call('sync.run', { end_height: first + 29 }), {
    blocks_scanned: 0,
    range_complete: true,
  });
});

test('at the tip with a hole below is caught up and not complete', async (t) => {
  const { wallet } = await start(t);
  await wallet.call('sync.run', { start_height: first + 10 });
  const hole = [{ start_height: first, end_height: first + 9 }];
  t.like(await wallet.call('sync.run'), {
    blocks_scanned: 0,
    range_complete: true,
    caught_up: true,
    complete: false,
    missing_ranges: hole,
  });
  t.deepEqual((await wallet.call('balance.get')).missing_ranges, hole);
  t.like(await wallet.call('sync.run', { end_height: last }), { caught_up: true, complete: true });
});

test('notes found are those of the range, new ones those that were not known', async (t) => {
  const { wallet } = await start(t, undefined);
  const once = await wallet.call('sync.run', { start_height: first, end_height: last });
  const again = await wallet.call('sync.run', { start_height: first, end_height: last });
  t.is(once.notes_new, once.notes_found);
  t.is(again.notes_found, once.notes_found);
  t.is(again.notes_new, 0);
});

test('a wallet that begins above the chain is asked to wait, and not reported as caught up', async (t) => {
  const { wallet } = await start(t, undefined, last + 2);
  t.is(await wallet.failure('sync.run'), 'NODE_BEHIND');
  t.is(await wallet.failure('sync.run', { end_height: last + 5 }), 'NODE_BEHIND');
  t.is((await wallet.call('config.get')).last_scan_height, last + 1);
  // A range that was requested is scanned whatever the birthday says.
  t.like(await wallet.call('sync.run', { start_height: last - 1 }), { blocks_scanned: 2, caught_up: false });
  t.is((await wallet.call('wallet.rescan', { from_height: first })).next_start_height, first);
  t.true((await wallet.call('sync.run')).caught_up);
});

test('a wallet that begins with the block after the tip has caught up', async (t) => {
  const { wallet } = await start(t, undefined, last + 1);
  t.like(await wallet.call('sync.run'), { blocks_scanned: 0, caught_up: true, next_start_height: last + 1 });
});

test('a second sync is refused at once, and the first goes on', async (t) => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { wallet } = await start(
    t,
    emptyPool(() => gate),
  );
  const running = wallet.call('sync.run');
  t.is(await wallet.failure('sync.run'), 'SYNC_IN_PROGRESS');
  t.is(await wallet.failure('wallet.rescan'), 'SYNC_IN_PROGRESS');
  t.true((await wallet.call('wallet.status')).syncing);
  t.true((await wallet.call('sync.status')).syncing);
  await wallet.call('balance.get');
  release();
  t.true((await running).caught_up);
  t.false((await wallet.call('wallet.status')).syncing);
});

test('a cancelled sync answers, keeps what was scanned and can go on', async (t) => {
  let scans = 0;
  const { wallet } = await start(
    t,
    emptyPool(async () => {
      if (++scans === 1) await wallet.call('sync.cancel');
    }),
  );
  const summary = await wallet.call('sync.run');
  t.true(summary.cancelled);
  t.is(summary.last_scan_height, summary.end_height);
  t.true((await wallet.call('sync.run')).caught_up);
  t.false((await wallet.call('sync.cancel')).cancelling);
});

test('locking during a sync ends it first', async (t) => {
  let lock: Promise<unknown> = Promise.resolve();
  const { wallet } = await start(
    t,
    emptyPool(() => {
      lock = wallet.call('wallet.lock');
    }),
  );
  t.true((await wallet.call('sync.run')).cancelled);
  await lock;
  t.false((await wallet.call('wallet.status')).unlocked);
});

test('a password in the sync opens the wallet, a wrong one does not scan', async (t) => {
  const { wallet, node } = await start(t);
  await wallet.call('wallet.lock');
  const calls = node.calls.length;
  t.is(await wallet.failure('sync.run', { password: 'wrong' }), 'WRONG_PASSWORD');
  t.is(node.calls.length, calls);
  // Nothing began, so nothing ended: who knows no password must not write into the status that others read.
  t.like(await wallet.call('sync.status'), { last_error: null, last_finished_at: null });
  t.false(wallet.events.some(({ event }) => event === 'sync.finished'));
  t.true((await wallet.call('sync.run', { password: PASSWORD })).caught_up);
  t.is(await wallet.failure('sync.run', { password: 'wrong' }), 'WRONG_PASSWORD');
  const { expires_at: expiresAt } = await wallet.call('wallet.status');
  wallet.clock.advance(1000);
  t.is(await wallet.failure('sync.run', { password: 'wrong' }), 'WRONG_PASSWORD');
  t.like(await wallet.call('wallet.status'), { unlocked: true, expires_at: expiresAt });
});

test('a node that fails half-way keeps what was committed and says so', async (t) => {
  const { wallet, node } = await start(t);
  node.answer = (method, params) =>
    method === 'getblock' && params[0] === String(first + 30) ? new Refusal(-1) : ORDINARY;
  const result = await wallet.actor.dispatch({ name: 'sync.run', input: {}, requestId: 'r' });
  t.false(result.ok);
  if (result.ok) return;
  t.is(result.error.code, 'NODE_BAD_RESPONSE');
  t.is(result.error.lastScanHeight, (await wallet.call('config.get')).last_scan_height);
  t.like(await wallet.call('sync.status'), { syncing: false, last_error: { code: 'NODE_BAD_RESPONSE' } });
  node.answer = () => ORDINARY;
  t.true((await wallet.call('sync.run')).caught_up);
  t.is((await wallet.call('sync.status')).last_error, null);
});

test('node_url holds for the request only', async (t) => {
  const { wallet, node } = await start(t);
  await wallet.call('config.node_url', { url: 'http://127.0.0.1:9' });
  t.is(await wallet.failure('sync.run'), 'NODE_UNREACHABLE');
  t.true((await wallet.call('sync.run', { node_url: node.url })).caught_up);
  t.is((await wallet.call('config.get')).node_url, 'http://127.0.0.1:9');
});

test('a reorg rewinds to the fork; a node that is lower is only behind', async (t) => {
  const { wallet, node } = await start(t);
  await wallet.call('sync.run');
  node.reorg(fork, seed.reorgBlocks.slice(0, 2));
  t.is(await wallet.failure('sync.run'), 'NODE_BEHIND');
  t.is((await wallet.call('config.get')).last_scan_height, last);
  node.reorg(fork, seed.reorgBlocks);
  t.like(await wallet.call('sync.run'), {
    reorg: { fork_height: fork, depth: last - fork },
    caught_up: true,
  });
  t.is((await wallet.call('config.get')).last_scan_height, seed.reorg.tip.height);
  t.true(wallet.events.some(({ event }) => event === 'reorg'));
});

test('a chain with nothing in common undoes all that was scanned when that is little', async (t) => {
  const { wallet, node } = await start(t);
  await wallet.call('sync.run');
  node.answer = (method, params) => {
    if (method === 'getblockhash' && typeof params[0] === 'number') return 'ab'.repeat(32);
    if (method === 'getbestblockhash') return 'ab'.repeat(32);
    if (method === 'getblockchaininfo')
      return { chain: 'main', blocks: last, bestblockhash: 'ab'.repeat(32) };
    return ORDINARY;
  };
  t.like(await wallet.call('sync.run', { end_height: first - 1 }), {
    reorg: { fork_height: first - 1, depth: 50 },
    last_scan_height: first - 1,
    complete: false,
  });
});

test('rescan forgets what was scanned, from a height or all of it', async (t) => {
  const { wallet } = await start(t);
  await wallet.call('sync.run');
  t.like(await wallet.call('wallet.rescan', { from_height: first + 10 }), {
    last_scan_height: first + 9,
    next_start_height: first + 10,
  });
  t.is((await wallet.call('config.get')).last_scan_height, first + 9);
  t.like(await wallet.call('sync.run'), { blocks_scanned: 40 });
  t.like(await wallet.call('wallet.rescan'), { last_scan_height: first - 1 });
  t.like(await wallet.call('sync.run'), { blocks_scanned: 50, caught_up: true });
});

for (const [what, height, expected] of [
  ['lower', first + 4, { start_height: first + 5, blocks_scanned: 45 }],
  ['higher', first + 39, { start_height: first + 40, blocks_scanned: 10 }],
] as const) {
  test(`last_scan_height edited ${what} while stopped is followed`, async (t) => {
    const { wallet, node } = await start(t);
    await wallet.call('sync.run', { end_height: first + 19 });
    await wallet.stop();
    const file = path.join(wallet.folder, 'config.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/("last_scan_height"\s*:\s*)\d+/, `$1${height}`));
    const restarted = await startWallet(t, {
      config: { network: 'main', node_url: node.url },
      folder: wallet.folder,
      pool: emptyPool(),
    });
    t.like(await restarted.call('sync.run', { password: PASSWORD }), expected);
    const { complete, missing_ranges } = await restarted.call('balance.get');
    t.is(complete, what === 'lower');
    t.deepEqual(missing_ranges, what === 'lower' ? [] : [{ start_height: first + 20, end_height: height }]);
  });
}

async function restart(t: ExecutionContext, folder: string, node_url: string) {
  return startWallet(t, { config: { network: 'main', node_url }, folder, pool: emptyPool() });
}

test('an older note store that is put back goes on where it was, and skips nothing', async (t) => {
  const { wallet, node } = await start(t);
  await wallet.call('sync.run', { end_height: first + 9 });
  await wallet.stop();
  const file = path.join(wallet.folder, LEDGER_FILE);
  const older = readFileSync(file);
  const later = await restart(t, wallet.folder, node.url);
  await later.call('sync.run', { password: PASSWORD, end_height: first + 29 });
  await later.stop();
  writeFileSync(file, older);
  const back = await restart(t, wallet.folder, node.url);
  await back.call('wallet.unlock', { password: PASSWORD });
  t.like(await back.call('balance.get'), { as_of_height: first + 9, complete: true });
  t.is((await back.call('config.get')).last_scan_height, first + 9);
  t.like(await back.call('sync.run'), { start_height: first + 10, caught_up: true, complete: true });
});

test('an older config.json that is put back skips nothing either', async (t) => {
  const { wallet, node } = await start(t);
  await wallet.call('sync.run', { end_height: first + 29 });
  await wallet.stop();
  const file = path.join(wallet.folder, 'config.json');
  const older = readFileSync(file);
  const later = await restart(t, wallet.folder, node.url);
  await later.call('wallet.unlock', { password: PASSWORD });
  await later.call('wallet.rescan');
  await later.stop();
  writeFileSync(file, older);
  const back = await restart(t, wallet.folder, node.url);
  t.like(await back.call('sync.run', { password: PASSWORD }), { start_height: first, complete: true });
});

test('a process that ends between the note store and config.json is no edit', async (t) => {
  const { wallet, node } = await start(t);
  await wallet.call('sync.run', { end_height: first + 9 });
  const file = path.join(wallet.folder, 'config.json');
  const before = readFileSync(file);
  rmSync(file);
  mkdirSync(file);
  t.is(await wallet.failure('sync.run', { end_height: first + 29 }), 'STORAGE_FAILED');
  t.like(await wallet.call('balance.get'), { as_of_height: first + 29, complete: true });
  await wallet.stop();
  rmdirSync(file);
  writeFileSync(file, before);
  const restarted = await restart(t, wallet.folder, node.url);
  t.like(await restarted.call('sync.run', { password: PASSWORD }), {
    start_height: first + 30,
    complete: true,
  });
});

test('a last_scan_height that a person wrote before the wallet was restored skips, and shows what', async (t) => {
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, 'config.json'), `{"last_scan_height": ${first + 19}}\n`);
  const wallet = await restart(t, folder, node.url);
  t.is((await wallet.call('config.get')).last_scan_height, 0);
  await wallet.call('wallet.restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: first,
  });
  t.is((await wallet.call('config.get')).last_scan_height, first + 19);
  t.like(await wallet.call('sync.run'), {
    start_height: first + 20,
    complete: false,
    missing_ranges: [{ start_height: first, end_height: first + 19 }],
  });
});

test('what an earlier wallet left in config.json does not make a new one skip', async (t) => {
  const { wallet, node } = await start(t);
  await wallet.call('sync.run');
  await wallet.stop();
  rmSync(path.join(wallet.folder, WALLET_FILE));
  const later = await restart(t, wallet.folder, node.url);
  await later.call('wallet.restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: first + 5,
  });
  t.like(await later.call('sync.run'), { start_height: first + 5, complete: true });
});

test('a config.json without the key, or without the file, is no edit', async (t) => {
  const { wallet, node } = await start(t);
  await wallet.call('sync.run', { end_height: first + 19 });
  await wallet.stop();
  writeFileSync(path.join(wallet.folder, 'config.json'), '{}');
  const config = { network: 'main', node_url: node.url } as const;
  const restarted = await startWallet(t, { config, folder: wallet.folder, pool: emptyPool() });
  t.like(await restarted.call('sync.run', { password: PASSWORD }), { start_height: first + 20 });
});

test('a note store that was lost is scanned again from the birthday, whatever config.json says', async (t) => {
  const { wallet, node } = await start(t);
  await wallet.call('sync.run', { end_height: first + 19 });
  await wallet.stop();
  for (const name of readdirSync(wallet.folder))
    if (name.startsWith(LEDGER_FILE)) rmSync(path.join(wallet.folder, name));
  const config = { network: 'main', node_url: node.url } as const;
  const restarted = await startWallet(t, { config, folder: wallet.folder, pool: emptyPool() });
  t.like(await restarted.call('sync.run', { password: PASSWORD }), {
    start_height: first,
    blocks_scanned: 50,
  });
  t.true((await restarted.call('balance.get')).complete);
});

test('progress and what was found come as events', async (t) => {
  const { wallet } = await start(t);
  await wallet.call('sync.run');
  const names = wallet.events.map(({ event }) => event);
  t.true(names.includes('sync.progress'));
  t.is(names.at(-1), 'sync.finished');
});
