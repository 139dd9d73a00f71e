// A story of our own on a real node: blocks mined to the wallet, a payment sent with proofs, a branch invalidated; the
// balance is right each time, and what is not mined yet apart, by JSON-RPC and by the node's compact service.

import { readFixtureJson } from '@wallet-companion/zcash/test/fixtures';
import test from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { type Service, startService } from '../helpers/service.ts';
import { heightsWith, IRONWOOD_HEIGHT, regsend, startZebrad } from './zebrad.ts';

const PASSWORD = 'a password for tests';
const SUBSIDY = 625_000_000;
/** On the branch that takes the payment away. */
const NU7_HEIGHT = 24;

interface Balance {
  readonly total_zatoshi: number;
  readonly as_of_height: number;
  readonly complete: boolean;
  readonly pools: Record<'sapling' | 'orchard' | 'ironwood', { total_zatoshi: number }>;
}

interface Mempool {
  readonly transactions: readonly {
    readonly notes: readonly { readonly account: number }[];
    readonly spends: readonly object[];
  }[];
  readonly spent_unconfirmed_zatoshi: number | null;
}

test.serial('mined, paid, reorganised: the balance follows the chain', async (t) => {
  const { mnemonic } = readFixtureJson<{ mnemonic: string }>('known-seed', 'regtest', 'keys.json');
  const config = { network: 'regtest', activation_heights: heightsWith(NU7_HEIGHT) };
  const open = async (): Promise<Service> => {
    const service = await startService(t, { config });
    t.teardown(async () => {
      await service.stop();
      service.remove();
    });
    const restored = await service.post('/api/wallet/restore', { mnemonic, password: PASSWORD });
    t.is(restored.status, 200);
    return service;
  };
  const byNode = await open();
  const byCompact = await open();
  const { body: address } = await byNode.get<{ unified_address: string; sapling_address: string }>(
    '/api/address',
  );

  const node = await startZebrad({ minerAddress: address.unified_address, nu7: NU7_HEIGHT });
  t.teardown(() => node.stop());
  for (const service of [byNode, byCompact]) {
    t.is((await service.post('/api/config/node-url', { url: node.url, probe: true })).status, 200);
    t.is((await service.post('/api/config/compact-server-url', { url: node.compactUrl })).status, 200);
  }
  /** Syncs both wallets and checks the pools; returns the first one's answer. */
  const expectBalance = async (
    what: string,
    pools: { sapling: number; orchard: number; ironwood: number },
  ) => {
    const answers = [
      await byNode.post('/api/sync', {}),
      await byCompact.post('/api/sync', { source: 'compact' }),
    ];
    for (const [i, service] of [byNode, byCompact].entries()) {
      t.is(answers[i]!.status, 200, JSON.stringify(answers[i]!.body));
      t.like(answers[i]!.body, { caught_up: true });
      const { body } = await service.get<Balance>('/api/balance');
      t.deepEqual(
        {
          sapling: body.pools.sapling.total_zatoshi,
          orchard: body.pools.orchard.total_zatoshi,
          ironwood: body.pools.ironwood.total_zatoshi,
        },
        pools,
        `${what}, ${i === 0 ? 'node' : 'compact'}`,
      );
      t.true(body.complete);
    }
    t.deepEqual(await notesOf(byCompact), await notesOf(byNode), what);
    t.log(`${what}: ${JSON.stringify(pools)}`);
    return answers[0]!.body;
  };

  await node.rpc('generate', 2);
  await node.rpc('generatetoaddress', 1, address.sapling_address);
  await expectBalance('two Orchard blocks, one Sapling', {
    sapling: SUBSIDY,
    orchard: 2 * SUBSIDY,
    ironwood: 0,
  });

  // A wallet without transparent addresses gets nothing from these.
  await node.rpc('generatetoaddress', IRONWOOD_HEIGHT - 4, 'tmJymvcUCn1ctbghvTJpXBwHiMEB8P6wxNV');
  await node.rpc('generate', 2);
  await expectBalance('two Ironwood blocks', {
    sapling: SUBSIDY,
    orchard: 2 * SUBSIDY,
    ironwood: 2 * SUBSIDY,
  });

  // Pay account 1, which this wallet does not have yet, from Ironwood.
  const { body: account } = await byNode.post<{ unified_address: string }>('/api/accounts', {
    password: PASSWORD,
  });
  await byCompact.post('/api/accounts', { password: PASSWORD });
  for (const [service, source] of [
    [byNode, 'node'],
    [byCompact, 'compact'],
  ] as const) {
    t.is((await service.post('/api/sync', { start_height: 1, source })).status, 200);
  }
  const paid = 100_000_000;
  const fee = 10_000;
  t.log(
    (
      await regsend([
        node.hostPort,
        String(IRONWOOD_HEIGHT),
        mnemonic,
        '0',
        'ironwood',
        account.unified_address,
        String(paid),
        'paid by the test',
      ])
    ).trim(),
  );
  // The node takes it in once it has verified its proofs.
  while ((await node.rpc<string[]>('getrawmempool')).length === 0);
  for (const [service, source] of [
    [byNode, 'node'],
    [byCompact, 'compact'],
  ] as const) {
    const { body: total } = await service.get<Balance>('/api/balance');
    const { status, body: seen } = await service.post<Mempool>('/api/mempool', { source });
    t.is(status, 200, JSON.stringify(seen));
    t.log(`${source}: ${JSON.stringify(seen)}`);
    t.like(seen, { trouble: null, complete: true, vanished: [] });
    t.is(seen.transactions.length, 1);
    const [payment] = seen.transactions[0]!.notes.filter(({ account }) => account === 1);
    t.like(payment, { value_zatoshi: paid, memo: { text: 'paid by the test' } });
    t.like(seen.transactions[0]!.spends[0], { account: 0, value_zatoshi: SUBSIDY });
    t.like((await service.get('/api/balance')).body, {
      total_zatoshi: total.total_zatoshi,
      unconfirmed_zatoshi: seen.spent_unconfirmed_zatoshi! - fee,
    });
  }
  const before = (await node.rpc<number>('getblockcount')) as number;
  await node.rpc('generatetoaddress', 1, 'tmJymvcUCn1ctbghvTJpXBwHiMEB8P6wxNV');
  await expectBalance('a payment between the accounts', {
    sapling: SUBSIDY,
    orchard: 2 * SUBSIDY,
    ironwood: 2 * SUBSIDY - fee,
  });
  for (const service of [byNode, byCompact]) {
    const mined = { transactions: [], vanished: [], unconfirmed_zatoshi: 0, spent_unconfirmed_zatoshi: 0 };
    t.like((await service.get('/api/mempool')).body, mined);
    const { body } = await service.get<{ notes: { memo: { text?: string } | null; account: number }[] }>(
      '/api/notes?account=1',
    );
    t.deepEqual(
      body.notes.map(({ memo }) => memo?.text),
      ['paid by the test'],
    );
    const { body: sent } = await service.get<{
      transactions: { sent_outputs: { value_zatoshi: number; scope: string }[] }[];
    }>('/api/transactions?account=0');
    t.true(
      sent.transactions.some(({ sent_outputs }) =>
        sent_outputs.some((output) => output.value_zatoshi === paid && output.scope === 'external'),
      ),
    );
  }

  // The payment's block is invalidated and a longer branch without it is mined. A payment that the node had not dropped
  // from its mempool yet would be mined again.
  const isMempoolEmpty = async () => (await node.rpc<string[]>('getrawmempool')).length === 0;
  while (!(await isMempoolEmpty()));
  await node.rpc('invalidateblock', await node.rpc('getblockhash', before + 1));
  t.true(await isMempoolEmpty());
  // The first block's template may still be the one that the node made before it put its chain back: it refuses it then.
  for (
    let refusals = 0, missing = 3;
    missing > 0;
    missing = before + 3 - (await node.rpc<number>('getblockcount'))
  )
    await node
      .rpc('generatetoaddress', missing, 'tmJymvcUCn1ctbghvTJpXBwHiMEB8P6wxNV')
      .catch((refused: unknown) => {
        if (++refusals > 20) throw refused;
      });
  const summary = await expectBalance('the branch without the payment', {
    sapling: SUBSIDY,
    orchard: 2 * SUBSIDY,
    ironwood: 2 * SUBSIDY,
  });
  t.deepEqual(summary['reorg'], { fork_height: before, depth: 1 });
});

/** Without what says which server gave them. */
async function notesOf(service: Service): Promise<unknown[]> {
  const { body } = await service.get<Output<'notes.list'>>('/api/notes?limit=1000');
  return body.notes
    .map(({ verified_with: _, ...note }) => note)
    .sort((a, b) => a.pool.localeCompare(b.pool) || a.position - b.position);
}
