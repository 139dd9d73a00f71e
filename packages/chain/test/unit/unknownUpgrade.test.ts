import { UPGRADES } from '@wallet-companion/zcash/network';
import test from 'ava';
import { unknownUpgrade } from '../../src/chain/source/serverChecks.ts';

const hex = (branchId: number): string => branchId.toString(16).padStart(8, '0');

test('what this program knows, by branch id or by name, is never unknown', (t) => {
  for (const { branchId, name } of UPGRADES) {
    t.is(unknownUpgrade([{ branchId: hex(branchId), height: 9 }]), undefined);
    t.is(unknownUpgrade([{ branchId: hex(branchId).toUpperCase(), height: 9 }]), undefined);
    for (const written of [name, name.toLowerCase(), name.replace('.', '_')])
      t.is(unknownUpgrade([{ name: written, height: 9 }]), undefined);
  }
  t.is(unknownUpgrade([]), undefined);
});

test('neither are rules from before Sapling, or no rules at all', (t) => {
  for (const branchId of ['00000000', '5ba81b19', '', 'not hexadecimal'])
    t.is(unknownUpgrade([{ branchId, height: 9 }]), undefined, branchId);
});

test('of others the first block counts', (t) => {
  const known = { branchId: hex(UPGRADES.at(-1)!.branchId), height: 2 };
  const next = { branchId: 'deadbeef', height: 40 };
  t.is(unknownUpgrade([known, next]), 40);
  t.is(unknownUpgrade([next, { name: 'NU99', height: 30 }, known]), 30);
});
