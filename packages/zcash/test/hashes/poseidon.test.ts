import { hexToBytes } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { integersBelow } from '@wallet-companion/base/test/randomIntegers';
import test from 'ava';
import fc from 'fast-check';
import { decodeInteger32 } from '../../src/zcash/curves/integers.ts';
import { PALLAS_BASE } from '../../src/zcash/curves/pallas.ts';
import { poseidonHash, poseidonPermute } from '../../src/zcash/hashes/poseidon.ts';
import { testEachCase } from '../helpers/vectors.ts';

const integer = (hex: string): bigint => decodeInteger32(hexToBytes(hex));

testEachCase<{ initial_state: [string, string, string]; final_state: string[] }>(
  'orchard_poseidon',
  'Poseidon permutation',
  (t, { initial_state: [a, b, c], final_state }) => {
    t.deepEqual(poseidonPermute([integer(a), integer(b), integer(c)]), final_state.map(integer) as never);
  },
);

testEachCase<{ input: [string, string]; output: string }>(
  'orchard_poseidon_hash',
  'Poseidon hash',
  (t, { input: [a, b], output }) => {
    t.is(poseidonHash(integer(a), integer(b)), integer(output));
  },
);

test('results are canonical field elements', (t) => {
  const elements = integersBelow(PALLAS_BASE.order);
  fc.assert(
    fc.property(elements, elements, (a, b) => {
      const hash = poseidonHash(a, b);
      return hash >= 0n && hash < PALLAS_BASE.order;
    }),
    { numRuns: runs(7, 30) },
  );
  t.pass();
});
