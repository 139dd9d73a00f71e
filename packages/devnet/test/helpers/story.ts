// A chain with everything a devnet can make: receipts, change, spends in all pools and transaction versions, shielded
// coinbase, traffic between strangers, outputs that must not be credited, and a fork.

import { firstAddress } from '@wallet-companion/zcash/addresses';
import { deriveViewingKeys, type FullViewingKeys } from '@wallet-companion/zcash/keys';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { Devnet } from '../../src/devnet/devnet.ts';
import type { DevnetAccount } from '../../src/devnet/devnetAccount.ts';
import type { OutputFlaw } from '../../src/devnet/transactionPlan.ts';

export const IRONWOOD_HEIGHT = 20;

/** Of all people. */
export const SEED = new Uint8Array(64).fill(7);

export interface Person {
  readonly keys: FullViewingKeys;
  readonly address: string;
  readonly account: DevnetAccount;
}

export interface Story {
  readonly devnet: Devnet;
  readonly alice: Person;
  readonly bob: Person;
}

/** Those that every reader refuses; a value above MAX_MONEY is left to the wallet. */
export const PROTOCOL_FLAWS: readonly OutputFlaw[] = [
  'wrong-commitment',
  'wrong-lead-byte',
  'wrong-ephemeral-key',
];

export function personOn(devnet: Devnet, index: number): Person {
  const keys = deriveViewingKeys(SEED, devnet.params, index);
  const address = firstAddress(keys, devnet.params, 0n).unifiedAddress;
  return { keys, address, account: devnet.account(keys, index) };
}

/** The chain before its fork. */
export function logStory(
  seed: string,
  flaws: readonly OutputFlaw[] = [...PROTOCOL_FLAWS, 'excessive-value'],
): Story {
  const devnet = new Devnet({
    params: regtestParameters({ nu5: 4, nu6: 4, nu6_1: 4, nu6_2: 4, nu6_3: IRONWOOD_HEIGHT }),
    seed,
  });
  const alice = personOn(devnet, 0);
  const bob = personOn(devnet, 1);
  const pay = (to: Person, pool: Pool, zatoshi: number, memo?: string) =>
    devnet.pay([{ address: to.address, pool, zatoshi, ...(memo === undefined ? {} : { memo }) }]);
  const flawed = (pool: Pool) =>
    devnet.pay(flaws.map((flaw) => ({ address: alice.address, pool, zatoshi: 111_111, flaw })));

  // Version 4, Sapling only.
  devnet.mine({ transactions: [pay(alice, 'sapling', 50_000_000, 'first')] });
  devnet.mine({ coinbase: { address: bob.address }, transactions: [devnet.traffic({ sapling: 5 })] });
  devnet.mine();
  // Version 5.
  const both = devnet.pay(
    [
      { address: alice.address, pool: 'orchard', zatoshi: 30_000_000, memo: 'orchard ✓' },
      { address: alice.address, pool: 'sapling', zatoshi: 20_000_000 },
      { address: bob.address, pool: 'orchard', zatoshi: 1, memo: new Uint8Array(512).fill(0xff) },
    ],
    { otherOutputs: { sapling: 3, orchard: 4 } },
  );
  devnet.mine({ transactions: [both, devnet.traffic({ orchard: 9 })] });
  devnet.mine({ coinbase: { address: alice.address, memo: 'mined' } });
  for (const [from, to] of [
    ['sapling', 'sapling'],
    ['orchard', 'orchard'],
    ['sapling', 'orchard'],
  ] as const) {
    const payment = { address: bob.address, pool: to, zatoshi: 1_234_567, memo: `${from} to ${to}` };
    devnet.mine({ transactions: [devnet.spend(alice.account, { from, payments: [payment] })] });
  }
  const version4 = devnet.pay([{ address: bob.address, pool: 'sapling', zatoshi: 444 }], { version: 4 });
  devnet.mine({ transactions: [flawed('sapling'), flawed('orchard'), version4] });
  const shielding = devnet.pay(
    [{ address: alice.account.internalReceivers, pool: 'orchard', zatoshi: 7_000_000 }],
    { payer: 'transparent' },
  );
  devnet.mine({ transactions: [shielding] });
  // Made and spent in one block: the first Orchard payment is spent by the transaction behind it.
  const hop = pay(alice, 'orchard', 9_000_000);
  const onward = devnet.spend(alice.account, {
    from: alice.account.notesIn(hop),
    payments: [{ address: bob.address, pool: 'orchard', zatoshi: 100_000 }],
  });
  devnet.mine({ transactions: [hop, onward] });
  devnet.mineEmpty(IRONWOOD_HEIGHT - 1 - devnet.tip.height);
  // Version 6.
  devnet.mine({
    coinbase: { address: alice.address },
    transactions: [pay(alice, 'ironwood', 60_000_000, 'six')],
  });
  devnet.mine({
    transactions: [flawed('ironwood'), devnet.traffic({ sapling: 2, orchard: 2, ironwood: 7 })],
  });
  for (const from of POOLS) {
    const payment = {
      address: bob.address,
      pool: 'ironwood',
      zatoshi: 2_000_000,
      memo: `from ${from}`,
    } as const;
    devnet.mine({ transactions: [devnet.spend(alice.account, { from, payments: [payment] })] });
  }
  devnet.mine({ transactions: [pay(bob, 'sapling', 0, 'nothing'), pay(alice, 'ironwood', 0)] });
  return { devnet, alice, bob };
}

/** Replaces the last two blocks; the Sapling payment is mined again higher up, the spend is lost. */
export function tellFork({ devnet, alice, bob }: Story): void {
  const payment = devnet.pay([
    { address: alice.address, pool: 'sapling', zatoshi: 2_500_000, memo: 'twice' },
  ]);
  devnet.mine({ transactions: [payment] });
  const lost = devnet.spend(alice.account, {
    from: 'ironwood',
    payments: [{ address: bob.address, pool: 'ironwood', zatoshi: 3_000_000, memo: 'lost' }],
  });
  devnet.mine({ transactions: [lost] });
  devnet.reorganise(2, [{ transactions: [devnet.traffic({ sapling: 3 })] }, { transactions: [payment] }, {}]);
}
