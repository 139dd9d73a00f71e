// A wallet on a real chain side whose Orchard money goes to Ironwood in two steps: Orchard is left out afterwards, what others do there
// changes nothing, and with the setting off the same blocks are scanned once more.

import test from 'ava';
import { companionWorld, IRONWOOD_FROM, ORCHARD_FIRST } from '../../../helpers/companionWorld.ts';

const ZEC = 100_000_000;

test('Orchard is left out once it is empty, the balance is the chain’s, and with the setting off all of it is scanned', async (t) => {
  const world = await companionWorld(t, { ...ORCHARD_FIRST, config: { skip_emptied_pools: true } });
  const { devnet, account } = world;
  const searched = async () => {
    const { accounts } = await world.call('coverage.get');
    t.true(accounts[0]!.complete);
    return /Not searched in Orchard[^:]*: (.*)\.$/.exec(accounts[0]!.statement)?.[1];
  };
  const isTrue = async () => {
    const { pools, complete } = await world.call('balance.get');
    t.true(complete);
    for (const pool of ['orchard', 'ironwood'] as const)
      t.is(BigInt(pools[pool].total_zatoshi), account.balance(pool), pool);
  };
  const pay = (zatoshi: number, changePool: 'orchard' | 'ironwood') => {
    const payments = [{ address: world.addressOf(5), pool: 'ironwood', zatoshi: BigInt(zatoshi) }] as const;
    devnet.mine({ transactions: [devnet.spend(account, { from: 'orchard', payments, changePool })] });
  };

  await world.fund({ pool: 'orchard', zatoshi: 3 * ZEC });
  pay(ZEC, 'orchard');
  await world.sync();
  t.is(await searched(), undefined, 'change is left');
  await isTrue();
  // The spend of change leaves a note without value in Orchard.
  pay(ZEC, 'ironwood');
  await world.sync();
  t.is(await searched(), undefined);
  t.is(account.balance('orchard'), 0n);
  const emptyAt = devnet.tip.height;
  t.true(emptyAt > IRONWOOD_FROM);

  devnet.mine({ transactions: [devnet.traffic({ orchard: 4, ironwood: 2 })] });
  world.pay(5);
  await world.sync();
  const top = devnet.tip.height;
  t.regex((await searched()) ?? '', new RegExp(`\\(blocks ${emptyAt + 1}-${top}\\)$`));
  await isTrue();
  devnet.reorganise(1);
  await world.sync();
  await isTrue();

  Object.assign(world.config, { skip_emptied_pools: false });
  await world.restart();
  t.like(await world.sync(), { complete: false, missing_ranges: [{ start_height: emptyAt + 1 }] });
  t.like(await world.call('sync.run', { newest_first: true }), {
    blocks_scanned: devnet.tip.height - emptyAt,
  });
  t.is(await searched(), undefined);
  await isTrue();
});
