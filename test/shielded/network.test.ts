import { upgradesOf } from '@wallet-companion/devnet/chain';
import {
  branchIdAt,
  isActive,
  MAIN,
  newestRule,
  regtestParameters,
  TEST,
  UPGRADES,
} from '@wallet-companion/zcash/network';
import test from 'ava';
import { CONFIG_SCHEMAS } from '../../src/storage/config/configValues.ts';

for (const { network, activation } of [MAIN, TEST]) {
  test(`${network}: upgrades activate in the order of the table`, (t) => {
    const heights = UPGRADES.map(({ key }) => activation[key] ?? Number.POSITIVE_INFINITY);
    t.deepEqual(
      heights,
      heights.toSorted((a, b) => a - b),
    );
  });

  test(`${network}: an upgrade is in force from its own block on`, (t) => {
    for (const { key, branchId } of UPGRADES) {
      const height = activation[key];
      if (height === undefined) continue;
      t.false(isActive(activation, key, height - 1));
      t.true(isActive(activation, key, height));
      t.is(branchIdAt(activation, height), branchId);
      t.not(branchIdAt(activation, height - 1), branchId);
    }
  });
}

test('on regtest every upgrade is there from block 1 on, and none before the one that it follows', (t) => {
  const { activation } = regtestParameters();
  t.true(UPGRADES.every(({ key }) => activation[key] === 1));
  t.is(regtestParameters({ nu7: 40 }).activation.nu7, 40);
  const late = regtestParameters({ nu6_2: 20 }).activation;
  t.deepEqual([late.nu6_1, late.nu6_2, late.nu6_3, late.nu7], [1, 20, 20, 20]);
  t.is(regtestParameters({ nu6_3: undefined }).activation.nu7, undefined);
});

for (const { key, name, branchId, optional } of UPGRADES) {
  test(`${name} can be configured, and a devnet has it`, (t) => {
    const schema = CONFIG_SCHEMAS.activation_heights;
    t.deepEqual(schema.parse({ [key]: 7 }), { [key]: 7 });
    t.is(schema.safeParse({ [key]: null }).success, optional);
    t.false(schema.safeParse({ [key]: -1 }).success);
    const { activation } = regtestParameters({ [key]: 7 });
    t.deepEqual(
      upgradesOf(activation).find((upgrade) => upgrade.name === name),
      { name, branchId, height: 7 },
    );
  });
}

test('branch ids, keys and names are each the upgrade’s own', (t) => {
  for (const column of ['key', 'name', 'branchId'] as const)
    t.is(new Set(UPGRADES.map((row) => row[column])).size, UPGRADES.length);
});

test('spacing and transaction version are those of the last upgrade that changed them', (t) => {
  const at = (height: number) =>
    (['blockSeconds', 'transactionVersion'] as const).map((rule) =>
      newestRule(rule, MAIN.activation, height),
    );
  const { sapling, blossom, nu5, nu6_2, nu6_3, nu7 } = MAIN.activation;
  t.deepEqual(at(sapling - 1), [undefined, undefined]);
  t.deepEqual(at(sapling), [150, 4]);
  t.deepEqual(at(blossom), [75, 4]);
  t.deepEqual(at(nu5), [75, 5]);
  t.deepEqual(at(nu6_2), [75, 5]);
  t.deepEqual(at(nu6_3!), [75, 6]);
  t.deepEqual(at(nu7!), [25, 6]);
});
