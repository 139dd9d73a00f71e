// The circuit's tables and points against what they must be: the commitments of the key, and hashes to the curve.

import { createHasher, isogenyMap, mapToCurveSimpleSWU } from '@noble/curves/abstract/hash-to-curve.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, concatBytes, hexToBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { decodePoints, VestaSums } from '@wallet-companion/kernel/vesta';
import { encodeInteger32, PALLAS_BASE, PALLAS_SCALAR_ORDER } from '@wallet-companion/zcash/curves';
import { NobleVesta } from '@wallet-companion/zcash/test/nobleCurves';
import test from 'ava';
import { readCircuit } from '../src/halo2/circuit/circuit.ts';
import { loadCircuit, loadPoints, loadTable } from '../src/halo2/circuit/circuitFiles.ts';
import { createKernel, readFixture } from './support.ts';

const { order } = PALLAS_BASE;

test('the tables have the commitments of the key', async (t) => {
  const circuit = await loadCircuit('post-nu6-3');
  const { rows, omega, delta, key, copySets } = circuit;
  const kernel = await createKernel();
  const { values, blind } = await loadPoints();
  const sums = new VestaSums(kernel, decodePoints(kernel, 'vesta', concatBytes(values, blind))!);
  const committed = (column: Uint8Array): Uint8Array => sums.commit([column, encodeInteger32(1n)])!;
  const coordinates = (encoded: Uint8Array): Uint8Array => decodePoints(kernel, 'vesta', encoded)!;

  const fixed = await loadTable(circuit, 'fixed.bin');
  for (const [i, commitment] of key.fixed.entries())
    t.deepEqual(committed(fixed.subarray(i * rows * 32, (i + 1) * rows * 32)), coordinates(commitment));

  const powers = (base: bigint, count: number): bigint[] => {
    const list = [1n];
    while (list.length < count) list.push((list.at(-1)! * base) % order);
    return list;
  };
  const [omegas, deltas] = [powers(omega, rows), powers(delta, copySets.flat().length)];
  const sigma = await loadTable(circuit, 'sigma.bin');
  const steps = new Uint16Array(new Uint8Array(sigma).buffer);
  for (const [i, commitment] of key.permutation.entries()) {
    const column = Array.from({ length: rows }, (_, row) => {
      const cell = (i * rows + row + steps[i * rows + row]!) & 0xffff;
      return encodeInteger32((deltas[Math.floor(cell / rows)]! * omegas[cell % rows]!) % order);
    });
    t.deepEqual(committed(concatBytes(...column)), coordinates(commitment));
  }
});

test('a circuit whose file was changed is not used', (t) => {
  t.throws(() => readCircuit(readFixture('insecure-pre-nu6-2'), '00'.repeat(32)), { message: /damaged/ });
});

test('the points of commitments are hashes to Vesta', async (t) => {
  const { coefficients, blind, product } = await loadPoints();
  const file = JSON.parse(new TextDecoder().decode(readFixture('insecure-pre-nu6-2')));
  const { iso_a, iso_b, z, isogeny_big_endian: isogeny, suite } = file.generators.hash_to_curve;
  const { Fp } = NobleVesta;
  const k = (isogeny as string[]).map((hex) => BigInt(`0x${hex}`));
  const toIso = mapToCurveSimpleSWU(Fp, {
    A: BigInt(`0x${iso_a}`),
    B: BigInt(`0x${iso_b}`),
    Z: Fp.create(BigInt(z)),
  });
  // The file has the highest degree first.
  const polynomials = [k.slice(0, 4), [1n, ...k.slice(4, 6)], k.slice(6, 10), [1n, ...k.slice(10)]] as const;
  const [xNumerator, xDenominator, yNumerator, yDenominator] = polynomials.map((list) => list.toReversed());
  const map = isogenyMap(Fp, [xNumerator!, xDenominator!, yNumerator!, yDenominator!]);
  const hasher = createHasher(
    NobleVesta,
    ([u]) => {
      const { x, y } = toIso(u!);
      return map(x, y);
    },
    {
      DST: `Halo2-Parameters-${suite}`,
      encodeDST: `Halo2-Parameters-${suite}`,
      p: PALLAS_SCALAR_ORDER,
      m: 1,
      k: 256,
      expand: 'xmd',
      hash: blake2b,
    },
  );
  const hashed = (message: Uint8Array): string => {
    const { x, y } = hasher.hashToCurve(message).toAffine();
    return bytesToHex(encodeInteger32(x | ((y & 1n) << 255n)));
  };
  for (const i of [0, 1, 2, 777, 1024, 2047])
    t.is(
      hashed(concatBytes(Uint8Array.of(0), u32ToLeBytes(i))),
      bytesToHex(coefficients.subarray(i * 32, i * 32 + 32)),
    );
  t.is(hashed(hexToBytes('01')), bytesToHex(blind));
  t.is(hashed(hexToBytes('02')), bytesToHex(product));
});
