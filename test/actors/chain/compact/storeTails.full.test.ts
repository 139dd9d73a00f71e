// What scans leave in the compact store: a tail of what they fetched for themselves, all of what somebody asked for, and
// the same wallet whatever was dropped meanwhile.

import { queueOf } from '@wallet-companion/base/async';
import type { StoredRange } from '@wallet-companion/chain/ports';
import { readDelimited } from '@wallet-companion/zcash/test/fixtures';
import test, { type ExecutionContext } from 'ava';
import type { Config } from '../../../../src/actors/wallet/ports/configFile.ts';
import type { FixtureCompactServer } from '../../../helpers/fixtureCompactServer.ts';
import {
  expectedNotes,
  readKnownSeed,
  shownNotes,
  startKnownSeedCompactServer,
} from '../../../helpers/knownSeed.ts';
import { MemoryCompactStore, MemoryCompactStores } from '../../../helpers/memoryCompactStores.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';

const seed = readKnownSeed('regtest');
const branch = readDelimited('known-seed', 'regtest', 'compact-reorg.bin');
const LAST = seed.firstHeight + 49;
const TAIL = 10;
const compact = { source: 'compact' } as const;
const at = (offset: number): number => seed.firstHeight + offset;

interface Setup {
  readonly server: FixtureCompactServer;
  readonly wallet: WalletHarness;
  /** Of the store, ascending. */
  heights(): Promise<number[]>;
  readonly store: () => MemoryCompactStore;
}

async function setUp(t: ExecutionContext, config: Partial<Config> = {}): Promise<Setup> {
  const server = await startKnownSeedCompactServer(seed);
  t.teardown(() => server.stop());
  let store: MemoryCompactStore | undefined;
  class Watched extends MemoryCompactStores {
    override open(...given: Parameters<MemoryCompactStores['open']>): MemoryCompactStore {
      store = super.open(...given);
      return store;
    }
  }
  const wallet = await startWallet(t, {
    config: {
      network: seed.network,
      node_url: 'http://127.0.0.1:1',
      compact_server_url: server.url,
      activation_heights: { nu6_3: at(26) },
      compact_tail_blocks: TAIL,
      ...config,
    },
    stores: new Watched(),
  });
  await wallet.call('wallet.restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: seed.firstHeight,
  });
  await wallet.call('accounts.create', { password: PASSWORD });
  const heights = async (): Promise<number[]> => {
    await wallet.chain.trimmed();
    return store?.heights ?? [];
  };
  return { server, wallet, heights, store: () => store! };
}

const integers = ({ start, end }: StoredRange): number[] =>
  Array.from({ length: end - start + 1 }, (_, i) => start + i);
const notesOf = async (wallet: WalletHarness): Promise<unknown> =>
  shownNotes((await wallet.call('notes.list', { limit: 1000 })).notes, false);
/** How many blocks come from the server while this runs, but for single ones, which are compared. */
async function asked(server: FixtureCompactServer, work: () => Promise<unknown>): Promise<number> {
  let blocks = 0;
  server.range = (items) => {
    if (items.length > 1) blocks += items.length;
    return items;
  };
  await work();
  return blocks;
}

test('a scan keeps a tail of what it fetched for itself, as it goes on', async (t) => {
  const { wallet, heights } = await setUp(t);
  await wallet.call('sync.run', { ...compact, end_height: at(24) });
  t.deepEqual(await heights(), integers({ start: at(24) - TAIL + 1, end: at(24) }));
  await wallet.call('sync.run', compact);
  t.deepEqual(await heights(), integers({ start: LAST - TAIL + 1, end: LAST }));
  t.deepEqual(await notesOf(wallet), expectedNotes(seed.main, [0, 1], false));
  t.deepEqual(wallet.faults, []);
});

test('the tail lies below the wallet that is furthest, while it is in use', async (t) => {
  const { wallet, heights } = await setUp(t);
  const other = wallet.chain.asking(false);
  const { rangeId } = await other.openRange({ ...compact, start: at(0), end: LAST });
  while ((await other.nextBatch({ rangeId })) !== null);
  await other.closeRange({ rangeId });
  t.deepEqual(await heights(), integers({ start: at(0), end: LAST }), 'no wallet has scanned anything');
  await other.walletScanned({ lastScanHeight: at(30) });
  t.deepEqual(await heights(), integers({ start: at(30) - TAIL + 1, end: LAST }));
  await wallet.chain.walletScanned({ lastScanHeight: at(25) });
  t.deepEqual(await heights(), integers({ start: at(30) - TAIL + 1, end: LAST }));
  other.leave();
  await wallet.chain.walletScanned({ lastScanHeight: at(35) });
  t.deepEqual(await heights(), integers({ start: at(35) - TAIL + 1, end: LAST }));
});

test('the tail may be nothing, or everything', async (t) => {
  const none = await setUp(t, { compact_tail_blocks: 0 });
  await none.wallet.call('sync.run', compact);
  t.deepEqual(await none.heights(), []);
  const all = await setUp(t, { compact_tail_blocks: null });
  await all.wallet.call('sync.run', compact);
  t.deepEqual(await all.heights(), integers({ start: at(0), end: LAST }));
});

test('requested blocks stay, whichever scan fetched them, and after a reorganisation too', async (t) => {
  const { wallet, server, heights } = await setUp(t);
  await wallet.call('lwd.sync_compact', { start_height: at(5), end_height: at(14) });
  await wallet.call('sync.run', { ...compact, end_height: at(29) });
  const wanted = integers({ start: at(5), end: at(14) });
  t.deepEqual(await heights(), [...wanted, ...integers({ start: at(20), end: at(29) })]);
  // Fetched by the scan, and asked for afterwards.
  await wallet.call('lwd.sync_compact', { start_height: at(25), end_height: at(29) });
  await wallet.call('sync.run', compact);
  const kept = [...wanted, ...integers({ start: at(25), end: at(29) })];
  t.deepEqual(await heights(), [...kept, ...integers({ start: at(40), end: LAST })]);

  const fork = seed.reorg.lastCommonHeight!;
  await wallet.call('lwd.sync_compact', { start_height: fork - 3, end_height: LAST });
  server.reorg(fork, branch);
  await wallet.call('sync.run', compact);
  const stored = await heights();
  for (const height of integers({ start: fork - 3, end: LAST })) t.true(stored.includes(height), `${height}`);
  t.deepEqual(await notesOf(wallet), expectedNotes(seed.reorg, [0, 1], false));
});

test('a reorganisation below the tail is found without the blocks', async (t) => {
  const { wallet, server, heights } = await setUp(t, { compact_tail_blocks: 1 });
  await wallet.call('sync.run', compact);
  t.deepEqual(await heights(), [LAST]);
  const fork = seed.reorg.lastCommonHeight!;
  server.reorg(fork, branch);
  const { reorg } = await wallet.call('sync.run', compact);
  t.deepEqual(reorg, { fork_height: fork, depth: LAST - fork });
  t.deepEqual(await notesOf(wallet), expectedNotes(seed.reorg, [0, 1], false));
});

test('a rescan fetches again what was dropped, and only that', async (t) => {
  const { wallet, server } = await setUp(t);
  await wallet.call('lwd.sync_compact', { start_height: at(10), end_height: at(19) });
  await wallet.call('sync.run', compact);
  await wallet.chain.trimmed();
  await wallet.call('wallet.rescan');
  t.is(await asked(server, () => wallet.call('sync.run', compact)), 50 - 10 - TAIL);
  t.deepEqual(await notesOf(wallet), expectedNotes(seed.main, [0, 1], false));
});

test('newest first, older stretches go as soon as they are read', async (t) => {
  const { wallet, heights } = await setUp(t);
  await wallet.call('sync.run', { ...compact, start_height: at(30) });
  await wallet.call('sync.run', { ...compact, newest_first: true });
  t.deepEqual(await heights(), integers({ start: LAST - TAIL + 1, end: LAST }));
  t.deepEqual(await notesOf(wallet), expectedNotes(seed.main, [0, 1], false));
});

test('without the server the tail is there to rescan, and what was dropped needs the server', async (t) => {
  const { wallet, server } = await setUp(t);
  await wallet.call('sync.run', compact);
  await wallet.chain.trimmed();
  server.stop();
  await wallet.call('wallet.rescan', { from_height: LAST - TAIL + 1 });
  t.like(await wallet.call('sync.run', compact), { blocks_scanned: TAIL, complete: true, caught_up: false });
  t.deepEqual(await notesOf(wallet), expectedNotes(seed.main, [0, 1], false));
  await wallet.call('wallet.rescan');
  t.is(await wallet.failure('sync.run', compact), 'COMPACT_SERVER_UNREACHABLE');
});

test('what a scan is reading is not dropped under it, nor pruned on request', async (t) => {
  const { wallet, heights, store } = await setUp(t);
  await wallet.call('lwd.sync_compact', { start_height: at(0), end_height: at(9) });
  const { rangeId } = await wallet.chain.openRange({ ...compact, start: at(3), end: at(7) });
  const first = await wallet.chain.nextBatch({ rangeId });
  t.is(first?.blocks[0]?.height, at(3));
  const pruned = await wallet.call('lwd.prune', { keep: 0 });
  t.like(pruned, { blocks_removed: 5, complete: false });
  t.deepEqual(await heights(), integers({ start: at(3), end: at(7) }));
  await wallet.chain.closeRange({ rangeId });
  t.like(await wallet.call('lwd.prune', { keep: 0 }), { blocks_removed: 5, complete: true });
  t.deepEqual(store().heights, []);
});

test('nor is it trimmed under it', async (t) => {
  const { wallet, heights } = await setUp(t);
  await wallet.call('sync.run', { ...compact, end_height: at(24) });
  const { rangeId } = await wallet.chain.openRange({ ...compact, start: at(17), end: at(19) });
  await wallet.chain.nextBatch({ rangeId });
  await wallet.chain.walletScanned({ lastScanHeight: LAST });
  t.deepEqual(await heights(), [at(17), at(18), at(19)]);
  await wallet.chain.closeRange({ rangeId });
  t.deepEqual(await heights(), []);
});

test('pruning on request takes what it names, asked for or not, and says what is left', async (t) => {
  const { wallet, heights } = await setUp(t);
  t.like(await wallet.call('lwd.prune', { keep: 0 }), {
    blocks_removed: 0,
    complete: true,
    file_bytes_before: 0,
    file_bytes_after: 0,
    store: null,
  });
  await wallet.call('lwd.sync_compact', { end_height: at(29) });
  const bytes = async (): Promise<number> => {
    const { file_bytes_before, file_bytes_after } = await wallet.call('lwd.prune', { below_height: 0 });
    t.is(file_bytes_before, file_bytes_after);
    return file_bytes_after;
  };
  const before = await bytes();
  const pruned = await wallet.call('lwd.prune', { below_height: at(12) });
  t.like(pruned, { blocks_removed: 12, complete: true, file_bytes_before: before });
  t.is(pruned.bytes_removed, before - (await bytes()));
  t.like(pruned.store, { first_height: at(12), last_height: at(29), block_count: 18 });
  // Both: what both name.
  t.like(await wallet.call('lwd.prune', { below_height: at(20), keep: 15 }), { blocks_removed: 3 });
  t.deepEqual(await heights(), integers({ start: at(15), end: at(29) }));
  t.like(await wallet.call('lwd.prune', { below_height: at(16), keep: 1 }), { blocks_removed: 1 });
  t.is(await wallet.failure('lwd.prune', {}), 'INVALID_REQUEST');
  t.is(await wallet.failure('lwd.prune', { keep: 0, db_path: '../x.db' }), 'INVALID_DB_PATH');
});

test('pruning on request ends in time, and the next one goes on', async (t) => {
  const { wallet, store } = await setUp(t);
  await wallet.call('lwd.sync_compact', { end_height: at(29) });
  const { prune } = MemoryCompactStore.prototype;
  store().prune = function slow(range) {
    wallet.clock.advance(25_000);
    return prune.call(this, range);
  };
  t.like(await wallet.call('lwd.prune', { keep: 0 }), { blocks_removed: 9, complete: false });
  t.like(await wallet.call('lwd.prune', { keep: 0 }), { blocks_removed: 9, complete: false });
  t.is(store().heights.length, 12);
});

test('one at a time fills or prunes a store on request', async (t) => {
  const { wallet, store } = await setUp(t);
  await wallet.call('lwd.sync_compact', { end_height: at(29) });
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const held = queueOf(store()).run(() => gate);
  const first = wallet.call('lwd.prune', { keep: 3 });
  t.is(await wallet.failure('lwd.prune', { keep: 3 }), 'SYNC_IN_PROGRESS');
  t.is(await wallet.failure('lwd.sync_compact'), 'SYNC_IN_PROGRESS');
  open();
  await held;
  t.like(await first, { blocks_removed: 27 });
});

test('a store that cannot be trimmed is reported once, and the scan goes on', async (t) => {
  const { wallet, heights, store } = await setUp(t);
  await wallet.call('sync.run', { ...compact, end_height: at(5) });
  store().prune = () => {
    throw new Error('the disk is full');
  };
  for (const end of [20, 30, 40]) {
    await wallet.call('sync.run', { ...compact, end_height: at(end) });
    await wallet.chain.trimmed();
  }
  t.deepEqual(
    wallet.faults.map(({ where }) => where),
    ['chain.trim_store'],
  );
  Reflect.deleteProperty(store(), 'prune');
  await wallet.call('sync.run', compact);
  t.deepEqual(await heights(), integers({ start: LAST - TAIL + 1, end: LAST }));
  t.deepEqual(await notesOf(wallet), expectedNotes(seed.main, [0, 1], false));
});
