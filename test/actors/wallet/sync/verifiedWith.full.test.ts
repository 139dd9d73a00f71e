// What rests on the word of one compact server is marked so, in coverage and balance, until a chain node gives the same
// blocks or confirms them.

import { Devnet } from '@wallet-companion/devnet';
import { CompactServer } from '@wallet-companion/devnet/servers';
import { MAIN } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import { emptyPool } from '../../../helpers/emptyPool.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

/** Right above the activation of Ironwood: there an empty tree is believed. */
const FIRST = 3_428_150;
const TOP = FIRST + 39;
const compact = { source: 'compact' } as const;
const verified = { source: 'node' } as const;

/** Pays 1 and 4 million in blocks `FIRST + 1` and `FIRST + 2` of 40, the latter as the first leaf of Ironwood's tree. */
async function setUp(t: ExecutionContext, more: Parameters<typeof startWallet>[1] = {}) {
  const devnet = new Devnet({
    params: MAIN,
    seed: t.title,
    startHeight: FIRST,
    initialLeaves: { sapling: 3, orchard: 2, ironwood: 0 },
  });
  const server = new CompactServer(devnet);
  t.teardown(() => Promise.all([devnet.close(), server.close()]));
  const config = {
    network: 'main',
    node_url: await devnet.node.listen(),
    compact_server_url: await server.listen(),
    complete_transactions: false,
  } as const;
  const wallet = await startWallet(t, { config, ...more });
  const { unified_address: address } = await wallet.call('wallet.create', {
    password: PASSWORD,
    birthday_height: FIRST,
  });
  devnet.mineEmpty(1);
  for (const [pool, zatoshi] of [
    ['sapling', 1_000_000n],
    ['ironwood', 4_000_000n],
  ] as const)
    devnet.mine({ transactions: [devnet.pay([{ address, pool, zatoshi }])] });
  devnet.mineEmpty(37);
  const open = { wallet };
  return {
    devnet,
    server,
    wallet,
    sync: (input: object, start: number, end: number) =>
      wallet.call('sync.run', { ...input, start_height: FIRST + start, end_height: FIRST + end }),
    again: async () => {
      await open.wallet.stop();
      open.wallet = await startWallet(t, { config, folder: wallet.folder, ...more });
      await open.wallet.call('wallet.unlock', { password: PASSWORD });
    },
    /** Offsets of the stretches, and who verified each. */
    stretches: async (account = 0) => {
      const { accounts } = await open.wallet.call('coverage.get', { account });
      return accounts[0]!.scanned.map(({ start_height: start, end_height: end, verified_with: by }) => [
        start - FIRST,
        end - FIRST,
        by,
      ]);
    },
    statement: async () => (await open.wallet.call('coverage.get')).accounts[0]!.statement,
    ofBalance: async () => (await open.wallet.call('balance.get')).verified_with,
  };
}

test('a server whose Ironwood tree is empty, and that offers no tree states, is believed: the answers name the source', async (t) => {
  const { wallet, server, stretches, statement, ofBalance } = await setUp(t);
  t.is(await ofBalance(), null, 'nothing was scanned');
  server.misbehave({ kind: 'omission', omission: { what: 'ironwood', sizes: 'counted' } });
  server.misbehave({ kind: 'not-offered', method: 'GetTreeState' });
  const { missing_ranges, caught_up } = await wallet.call('sync.run', compact);
  t.deepEqual([missing_ranges, caught_up], [[], true]);
  t.like(await wallet.call('balance.get'), { total_zatoshi: 1_000_000, complete: true, verified_with: null });
  t.deepEqual(await stretches(), [[0, 39, null]]);
  t.regex(await statement(), new RegExp(`word of a compact server alone: .*blocks ${FIRST}-${TOP}\\)\\.$`));
  await wallet.call('wallet.rescan', { from_height: FIRST });
  t.deepEqual(await stretches(), []);
  await wallet.call('sync.run');
  t.like(await wallet.call('balance.get'), { total_zatoshi: 5_000_000, verified_with: 'node' });
  t.deepEqual(await stretches(), [[0, 39, 'node']]);
  t.notRegex(await statement(), /word/);
});

test('an honest server is one server, too, until the node confirms what it gave', async (t) => {
  const { wallet, sync, stretches, statement, ofBalance } = await setUp(t);
  await wallet.call('sync.run', compact);
  t.is(await ofBalance(), null);
  await sync(verified, 0, 19);
  t.is(await ofBalance(), null, 'half of it');
  t.deepEqual(await stretches(), [
    [0, 19, 'node'],
    [20, 39, null],
  ]);
  t.regex(await statement(), new RegExp(`alone: .*blocks ${FIRST + 20}-${TOP}\\)\\.$`));
  await sync({ source: 'node' }, 20, 39);
  t.is(await ofBalance(), 'node');
  t.deepEqual(await stretches(), [[0, 39, 'node']]);
});

test('stretches are cut and joined by who verified them, and no compact block takes that back, with the hashes where they touch', async (t) => {
  const { wallet, devnet, sync, stretches } = await setUp(t, { pool: emptyPool() });
  await sync(compact, 0, 9);
  await sync({ source: 'node' }, 10, 19);
  await sync(compact, 25, 29);
  t.deepEqual(await stretches(), [
    [0, 9, null],
    [10, 19, 'node'],
    [25, 29, null],
  ]);
  await sync({ source: 'node' }, 3, 5);
  await sync(compact, 14, 24);
  t.deepEqual(await stretches(), [
    [0, 2, null],
    [3, 5, 'node'],
    [6, 9, null],
    [10, 19, 'node'],
    [20, 29, null],
  ]);
  const { accounts } = await wallet.call('coverage.get');
  for (const { start_hash, end_hash } of accounts[0]!.scanned)
    t.true(start_hash !== null && end_hash !== null);
  const named = [
    [20, 29],
    [6, 9],
    [0, 2],
  ].map(([from, to]) => `\\(blocks ${FIRST + from!}-${FIRST + to!}\\)`);
  t.regex(accounts[0]!.statement, new RegExp(`compact server alone: .*${named.join('; .*')}\\.$`));
  devnet.reorganise(12, [{}, {}]);
  await wallet.call('sync.run', verified);
  t.deepEqual((await stretches()).slice(-2), [
    [20, 27, null],
    [28, 29, 'node'],
  ]);
});

test('an account that is added later has what was scanned for it', async (t) => {
  const { wallet, sync, stretches, ofBalance } = await setUp(t, { pool: emptyPool() });
  await sync({ source: 'node' }, 0, 39);
  await wallet.call('accounts.create', { password: PASSWORD, birthday_height: FIRST });
  await sync(compact, 10, 19);
  t.deepEqual(await stretches(1), [[10, 19, null]]);
  t.deepEqual(await stretches(0), [
    [0, 9, 'node'],
    [10, 19, null],
    [20, 39, 'node'],
  ]);
  await sync(verified, 10, 19);
  t.deepEqual([await stretches(0), await stretches(1)], [[[0, 39, 'node']], [[10, 19, 'node']]]);
  t.is(await ofBalance(), 'node');
});

test('it is kept with the wallet, across restarts and a change of password', async (t) => {
  const { wallet, sync, stretches, again } = await setUp(t, { pool: emptyPool() });
  await sync(verified, 0, 9);
  await sync(compact, 10, 19);
  const kept = await stretches();
  t.deepEqual(kept, [
    [0, 9, 'node'],
    [10, 19, null],
  ]);
  await wallet.call('wallet.change_password', { password: PASSWORD, new_password: `${PASSWORD}!` });
  await wallet.call('wallet.change_password', { password: `${PASSWORD}!`, new_password: PASSWORD });
  await again();
  t.deepEqual(await stretches(), kept);
});
