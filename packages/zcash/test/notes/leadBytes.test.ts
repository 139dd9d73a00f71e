import test from 'ava';
import { MAIN, TEST } from '../../src/zcash/network.ts';
import { allowedLeadBytes, isLeadByteAllowed } from '../../src/zcash/notes/leadBytes.ts';

for (const [name, canopy, graceEnd] of [
  ['main', MAIN.activation.canopy, 1_078_656],
  ['test', TEST.activation.canopy, 1_060_756],
] as const) {
  test(`${name}: Sapling lead bytes follow Canopy and its grace period`, (t) => {
    const at = (height: number): number[] =>
      [0, 1, 2, 3, 4, 33].filter((lead) =>
        isLeadByteAllowed(allowedLeadBytes('sapling', height, { canopy }), lead),
      );
    t.deepEqual(at(canopy - 1), [1]);
    t.deepEqual(at(canopy), [1, 2]);
    t.deepEqual(at(graceEnd - 1), [1, 2]);
    t.deepEqual(at(graceEnd), [2]);
  });
}

test('Orchard and Ironwood have one lead byte each', (t) => {
  t.is(allowedLeadBytes('orchard', 1, { canopy: 1 }), 0b010);
  t.is(allowedLeadBytes('ironwood', 1, { canopy: 1 }), 0b100);
});
