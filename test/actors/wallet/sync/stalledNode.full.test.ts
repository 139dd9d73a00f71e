// A node that takes calls and never answers: only the caller's patience ends such a wait, so cancel and lock must.
import test, { type ExecutionContext } from 'ava';
import { type FixtureNode, ORDINARY, SILENCE } from '../../../helpers/fixtureNode.ts';
import { readKnownSeed, startKnownSeedNode } from '../../../helpers/knownSeed.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const seed = readKnownSeed('main');
const first = seed.firstHeight;
const fork = seed.reorg.lastCommonHeight ?? 0;

type IsLast = (method: string, params: readonly unknown[]) => boolean;

async function start(t: ExecutionContext) {
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const wallet = await startWallet(t, { config: { network: 'main', node_url: node.url } });
  await wallet.call('wallet.restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: first,
  });
  return { node, wallet };
}

/** Nothing is answered from the call on that `isLast` picks; resolves when it came. */
function fallSilent(node: FixtureNode, isLast: IsLast): Promise<void> {
  return new Promise((resolve) => {
    let isSilent = false;
    node.answer = (method, params) => {
      isSilent ||= isLast(method, params);
      if (!isSilent) return ORDINARY;
      resolve();
      return SILENCE;
    };
  });
}

const MOMENTS: readonly { readonly when: string; readonly isLast: IsLast }[] = [
  { when: 'before its first answer', isLast: () => true },
  { when: 'while the fork is looked for', isLast: (method) => method === 'getblockhash' },
  {
    when: 'in the middle of the blocks',
    isLast: (method, [block]) => method === 'getblock' && block === String(seed.reorg.tip.height - 2),
  },
  {
    when: 'when our own transactions are read in full',
    isLast: (method, [block]) => method === 'getblock' && String(block).length === 64,
  },
];

for (const { when, isLast } of MOMENTS) {
  for (const how of ['sync.cancel', 'wallet.lock'] as const) {
    test(`${how} ends a sync at once when the node falls silent ${when}`, async (t) => {
      const { node, wallet } = await start(t);
      await wallet.call('sync.run', { end_height: fork - 20 });
      await wallet.call('sync.run', { start_height: fork });
      node.reorg(fork, seed.reorgBlocks);
      const silent = fallSilent(node, isLast);
      const running = wallet.call('sync.run', { start_height: fork - 19 });
      await Promise.race([silent, running]);
      await wallet.call(how);
      const summary = await running;
      t.true(summary.cancelled);
      t.is(summary.last_scan_height, (await wallet.call('config.get')).last_scan_height);
      t.is((await wallet.call('wallet.status')).unlocked, how === 'sync.cancel');
      t.deepEqual(wallet.faults, []);
      node.answer = () => ORDINARY;
      t.true((await wallet.call('sync.run', { password: PASSWORD })).range_complete);
      await wallet.call('sync.run', { start_height: fork - 19 });
      t.like(await wallet.call('balance.get'), { as_of_hash: seed.reorg.tip.hash, complete: true });
    });
  }
}

test('a sync cancelled before the tip is known does not claim to have caught up', async (t) => {
  const { node, wallet } = await start(t);
  const silent = fallSilent(node, () => true);
  const running = wallet.call('sync.run');
  await silent;
  await wallet.call('sync.cancel');
  t.like(await running, { cancelled: true, caught_up: false, range_complete: false, blocks_scanned: 0 });
});

test('a start beyond the tip says to go on after the tip', async (t) => {
  const { wallet } = await start(t);
  const tip = seed.main.tip.height;
  for (const start_height of [tip + 1, tip + 500, 2 ** 31 - 1]) {
    t.like(await wallet.call('sync.run', { start_height }), {
      start_height: tip + 1,
      end_height: tip,
      next_start_height: tip + 1,
      blocks_scanned: 0,
      range_complete: start_height === tip + 1,
      last_scan_height: first - 1,
    });
  }
});
