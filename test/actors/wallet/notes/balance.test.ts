// What the balance says of its own reach: a person who reads 0 must be able to tell "nothing there" from "nobody
// looked".
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { companionWorld, IRONWOOD_FROM, ORCHARD_FIRST } from '../../../helpers/companionWorld.ts';
import { emptyPool } from '../../../helpers/emptyPool.ts';
import { readKnownSeed, startKnownSeedNode } from '../../../helpers/knownSeed.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';

const seed = readKnownSeed('main');
const first = seed.firstHeight;
const hashAt = (height: number): string => seed.main.blocks[height - first]!.hash;

type Pool = Pick<NonNullable<Parameters<typeof startWallet>[1]>, 'pool'>;

async function start(t: ExecutionContext, birthday = first, pool: Pool = { pool: emptyPool() }) {
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const config = { network: 'main', node_url: node.url } as const;
  const wallet = await startWallet(t, { config, ...pool });
  await wallet.call('wallet.restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: birthday,
  });
  const withScanHeight = async (height: number): Promise<WalletHarness> => {
    await wallet.stop();
    const file = path.join(wallet.folder, 'config.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/("last_scan_height"\s*:\s*)\d+/, `$1${height}`));
    const again = await startWallet(t, { config, folder: wallet.folder, ...pool });
    await again.call('wallet.unlock', { password: PASSWORD });
    return again;
  };
  return { wallet, withScanHeight };
}

async function reach(wallet: WalletHarness, account?: number) {
  const { as_of_height, as_of_hash, complete, missing_ranges } = await wallet.call(
    'balance.get',
    account === undefined ? {} : { account },
  );
  return { as_of_height, as_of_hash, complete, missing_ranges };
}

const NOTHING_KNOWN = { as_of_height: null, as_of_hash: null, complete: false, missing_ranges: [] } as const;

test('before anything was scanned the balance is as of nothing, and not complete', async (t) => {
  const { wallet } = await start(t);
  t.deepEqual(await reach(wallet), NOTHING_KNOWN);
  t.deepEqual(await reach(wallet, 0), NOTHING_KNOWN);
  t.like((await wallet.call('accounts.list')).accounts, [{ complete: false, missing_ranges: [] }]);
  await wallet.call('sync.run', { end_height: first });
  const known = { as_of_height: first, as_of_hash: hashAt(first), complete: true, missing_ranges: [] };
  t.deepEqual(await reach(wallet), known);
  t.like((await wallet.call('accounts.list')).accounts, [{ complete: true, missing_ranges: [] }]);
});

test('funds in Orchard are counted apart once that pool only drains', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  bed.devnet.payTo(bed.address, { pool: 'orchard', zatoshi: 500_000n });
  const draining = async () => (await bed.wallet.call('balance.get')).withdraw_only_zatoshi;
  t.is(await bed.mine(IRONWOOD_FROM - 2 - bed.devnet.tip.height), IRONWOOD_FROM - 2);
  t.is(await draining(), 0);
  await bed.mine(1);
  t.is(await draining(), 500_000);
  bed.devnet.payTo(bed.address, { pool: 'ironwood', zatoshi: 70_000n });
  await bed.sync();
  t.is((await bed.wallet.call('balance.get')).total_zatoshi, 570_000);
  t.is(await draining(), 500_000);
});

test('a rescan forgets what the balance was as of', async (t) => {
  const { wallet } = await start(t);
  await wallet.call('sync.run');
  t.true((await reach(wallet)).complete);
  await wallet.call('wallet.rescan');
  t.deepEqual(await reach(wallet), NOTHING_KNOWN);
  await wallet.call('sync.run', { end_height: first + 9 });
  await wallet.call('wallet.rescan', { from_height: first });
  t.deepEqual(await reach(wallet), NOTHING_KNOWN);
});

test('a scan height that was edited upwards is skipped, not scanned: the balance does not reach it', async (t) => {
  const { withScanHeight } = await start(t);
  const skipped = { start_height: first, end_height: first + 29 };
  const wallet = await withScanHeight(first + 29);
  t.is((await wallet.call('config.get')).last_scan_height, first + 29);
  t.deepEqual(await reach(wallet), { ...NOTHING_KNOWN, missing_ranges: [skipped] });
  t.like((await wallet.call('accounts.list')).accounts, [{ complete: false, missing_ranges: [skipped] }]);
});

test('after an edit upwards the balance is as of the highest block that was scanned', async (t) => {
  const { wallet, withScanHeight } = await start(t);
  await wallet.call('sync.run', { end_height: first + 4 });
  const edited = await withScanHeight(first + 29);
  t.deepEqual(await reach(edited), {
    as_of_height: first + 4,
    as_of_hash: hashAt(first + 4),
    complete: false,
    missing_ranges: [{ start_height: first + 5, end_height: first + 29 }],
  });
  await edited.call('sync.run', { start_height: first + 30, end_height: first + 34 });
  t.like(await reach(edited), { as_of_height: first + 34, as_of_hash: hashAt(first + 34), complete: false });
});

test('blocks below the birthday do not count for the balance', async (t) => {
  const { wallet } = await start(t, first + 20);
  await wallet.call('sync.run', { start_height: first, end_height: first + 9 });
  t.deepEqual(await reach(wallet), NOTHING_KNOWN);
});

test('an account added later has a balance of its own only when something was scanned for it', async (t) => {
  const { wallet } = await start(t);
  await wallet.call('sync.run', { end_height: first + 9 });
  // Of a restored phrase account 1 was looked at already.
  await wallet.call('accounts.create', { password: PASSWORD });
  await wallet.call('accounts.create', { password: PASSWORD, birthday_height: first + 5 });
  const missing = [{ start_height: first + 5, end_height: first + 9 }];
  t.like(await reach(wallet, 1), { as_of_height: first + 9, complete: true });
  t.deepEqual(await reach(wallet, 2), { ...NOTHING_KNOWN, missing_ranges: missing });
  t.like(await reach(wallet, 0), { as_of_height: first + 9, complete: true });
  t.deepEqual(await reach(wallet), {
    as_of_height: first + 9,
    as_of_hash: hashAt(first + 9),
    complete: false,
    missing_ranges: missing,
  });
  await wallet.call('sync.run', { start_height: first + 5, end_height: first + 9 });
  t.like(await reach(wallet, 2), { as_of_height: first + 9, complete: true });
});

test('blocks that were skipped confirm nothing', async (t) => {
  const { wallet, withScanHeight } = await start(t, first, {});
  await wallet.call('sync.run', { end_height: first + 9 });
  const confirmations = async (of: WalletHarness) => ({
    notes: (await of.call('notes.list')).notes.map((note) => note.confirmations),
    transactions: (await of.call('transactions.list')).transactions.map((entry) => entry.confirmations),
  });
  const before = await confirmations(wallet);
  t.true(before.notes.length > 0);
  t.deepEqual(await confirmations(await withScanHeight(first + 39)), before);
});
