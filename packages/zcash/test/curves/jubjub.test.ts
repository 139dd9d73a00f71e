import { jubjub_findGroupHash } from '@noble/curves/misc.js';
import { asciiBytes, bytesToHex } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { integersBelow } from '@wallet-companion/base/test/randomIntegers';
import test from 'ava';
import fc from 'fast-check';
import { encodeInteger32 } from '../../src/zcash/curves/integers.ts';
import {
  addJubjub,
  affineJubjub,
  clearJubjubCofactor,
  encodeJubjub,
  isJubjubIdentity,
  JUBJUB_BASE,
  JUBJUB_ORDER,
  type JubjubPoint,
  tryDecodeJubjub,
} from '../../src/zcash/curves/jubjub.ts';
import {
  agreeJubjub,
  createJubjubTable,
  isInJubjubSubgroup,
  multiplyJubjub,
  multiplyJubjubTable,
  recodeJubjubScalar,
} from '../../src/zcash/curves/jubjubMultiply.ts';
import {
  diversifyHashSapling,
  findJubjubHash,
  SAPLING_NOTE_RANDOMNESS_BASE,
  SAPLING_NULLIFIER_BASE,
  SAPLING_PROOF_BASE,
  SAPLING_SPEND_AUTH_BASE,
  SAPLING_VALUE_BASE,
  SAPLING_VALUE_RANDOMNESS_BASE,
} from '../../src/zcash/hashes/jubjubHash.ts';
import { PEDERSEN_BASES } from '../../src/zcash/hashes/pedersen.ts';
import { fromNobleJubjub, NobleJubjub, toNobleJubjub } from '../helpers/nobleCurves.ts';
import { testEachCase } from '../helpers/vectors.ts';

const Q = JUBJUB_BASE.order;
const scalars = integersBelow(JUBJUB_ORDER);
const encoded = (point: JubjubPoint): string => bytesToHex(encodeJubjub(point));

const JUBJUB_IDENTITY: JubjubPoint = { u: 0n, v: 1n };
/** The point of order 2. */
const ORDER_TWO: JubjubPoint = { u: 0n, v: Q - 1n };
/** A point of order 4: v = 0, u² = -1. */
const ORDER_FOUR: JubjubPoint = { u: JUBJUB_BASE.sqrt(Q - 1n)!, v: 0n };

const subgroupPoints = fc
  .bigInt({ min: 1n, max: 2n ** 64n })
  .map((scalar) => fromNobleJubjub(NobleJubjub.BASE.multiplyUnsafe(scalar)));
/** Also points with a component of small order. */
const curvePoints = fc
  .tuple(subgroupPoints, fc.constantFrom(JUBJUB_IDENTITY, ORDER_TWO, ORDER_FOUR))
  .map(([point, small]) => addJubjub(point, small));

const slowMultiple = (point: JubjubPoint, scalar: bigint): JubjubPoint => {
  let sum = NobleJubjub.ZERO;
  const addend = toNobleJubjub(point);
  for (const bit of scalar.toString(2)) {
    sum = sum.double();
    if (bit === '1') sum = sum.add(addend);
  }
  return fromNobleJubjub(sum);
};

testEachCase<Record<string, string>>('sapling_generators', 'Sapling generators', (t, vector) => {
  t.deepEqual(
    {
      skb: encoded(SAPLING_SPEND_AUTH_BASE.point),
      pkb: encoded(SAPLING_PROOF_BASE.point),
      npb: encoded(SAPLING_NULLIFIER_BASE.point),
      wprb: encoded(SAPLING_NOTE_RANDOMNESS_BASE.point),
      vcvb: encoded(SAPLING_VALUE_BASE.point),
      vcrb: encoded(SAPLING_VALUE_RANDOMNESS_BASE.point),
      ...Object.fromEntries(PEDERSEN_BASES.map((base, i) => [`pb${i}`, encoded(base.point)])),
    },
    vector,
  );
});

test('hash to Jubjub equals the reference', (t) => {
  for (const message of ['', 'a', 'bc', 'something longer than a block of BLAKE2s, which has 64 bytes']) {
    const point = jubjub_findGroupHash(asciiBytes(message), asciiBytes('Zcash_G_'));
    t.deepEqual(findJubjubHash('Zcash_G_', asciiBytes(message)), fromNobleJubjub(point));
  }
});

test('about half of all diversifiers have a base point, always of prime order', (t) => {
  const found = Array.from({ length: 64 }, (_, i) => diversifyHashSapling(new Uint8Array(11).fill(i))).filter(
    (point) => point !== undefined,
  );
  t.true(found.length > 16 && found.length < 48);
  t.true(found.slice(0, 4).every(isInJubjubSubgroup));
});

test('multiplication equals the reference', (t) => {
  fc.assert(
    fc.property(subgroupPoints, scalars, (point, scalar) => {
      t.deepEqual(
        multiplyJubjub(point, scalar),
        fromNobleJubjub(toNobleJubjub(point).multiplyUnsafe(scalar)),
      );
    }),
    { numRuns: runs(15, 60) },
  );
});

test('multiplication sees the integer itself outside the prime-order subgroup', (t) => {
  fc.assert(
    fc.property(curvePoints, integersBelow(1n << 252n), (point, scalar) => {
      t.deepEqual(multiplyJubjub(point, scalar), slowMultiple(point, scalar));
    }),
    { numRuns: runs(10, 40) },
  );
});

test('one-part and two-part tables agree', (t) => {
  fc.assert(
    fc.property(curvePoints, scalars, (point, scalar) => {
      const digits = recodeJubjubScalar(scalar);
      t.deepEqual(
        affineJubjub(multiplyJubjubTable(createJubjubTable(point, 2), digits)),
        affineJubjub(multiplyJubjubTable(createJubjubTable(point, 1), digits)),
      );
    }),
    { numRuns: runs(10, 40) },
  );
});

test('key agreement multiplies by eight as well', (t) => {
  fc.assert(
    fc.property(curvePoints, scalars, fc.constantFrom(1 as const, 2 as const), (point, scalar, parts) => {
      t.deepEqual(
        affineJubjub(agreeJubjub(createJubjubTable(point, parts), recodeJubjubScalar(scalar))),
        clearJubjubCofactor(slowMultiple(point, scalar)),
      );
    }),
    { numRuns: runs(10, 40) },
  );
});

test('fixed-base multiplication equals the reference', (t) => {
  const reference = toNobleJubjub(SAPLING_NULLIFIER_BASE.point);
  fc.assert(
    fc.property(scalars, (scalar) => {
      t.deepEqual(SAPLING_NULLIFIER_BASE.multiply(scalar), fromNobleJubjub(reference.multiplyUnsafe(scalar)));
    }),
    { numRuns: runs(15, 60) },
  );
});

test('addition equals the reference, equal, opposite and small-order points included', (t) => {
  fc.assert(
    fc.property(curvePoints, curvePoints, (a, b) => {
      for (const other of [a, b, { u: (Q - a.u) % Q, v: a.v }, ORDER_TWO, ORDER_FOUR, JUBJUB_IDENTITY]) {
        t.deepEqual(addJubjub(a, other), fromNobleJubjub(toNobleJubjub(a).add(toNobleJubjub(other))));
      }
    }),
    { numRuns: runs(7, 30) },
  );
});

test('membership in the prime-order subgroup', (t) => {
  const point = SAPLING_SPEND_AUTH_BASE.point;
  t.true(isInJubjubSubgroup(point));
  t.true(isInJubjubSubgroup(JUBJUB_IDENTITY));
  for (const small of [ORDER_TWO, ORDER_FOUR]) {
    t.false(isInJubjubSubgroup(small));
    t.false(isInJubjubSubgroup(addJubjub(point, small)));
    t.true(isJubjubIdentity(clearJubjubCofactor(small)));
  }
});

test('encodings round-trip, the identity and points of small order included', (t) => {
  fc.assert(
    fc.property(curvePoints, (point) => {
      for (const each of [point, JUBJUB_IDENTITY, ORDER_TWO, ORDER_FOUR]) {
        t.deepEqual(tryDecodeJubjub(encodeJubjub(each)), each);
      }
      t.deepEqual(encodeJubjub(point), toNobleJubjub(point).toBytes());
    }),
    { numRuns: runs(10, 40) },
  );
});

test('non-canonical encodings are refused (ZIP 216)', (t) => {
  const withSign = (bytes: Uint8Array): Uint8Array => {
    bytes[31]! |= 0x80;
    return bytes;
  };
  t.is(tryDecodeJubjub(withSign(encodeInteger32(1n))), undefined);
  t.is(tryDecodeJubjub(withSign(encodeInteger32(Q - 1n))), undefined);
  t.is(tryDecodeJubjub(encodeInteger32(Q)), undefined);
  t.is(tryDecodeJubjub(encodeInteger32(Q + 1n)), undefined);
  t.is(tryDecodeJubjub(new Uint8Array(32).fill(0xff)), undefined);
});

test('any 32 bytes decode to the point they encode, or to nothing', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const point = tryDecodeJubjub(bytes);
      if (point !== undefined) t.deepEqual(encodeJubjub(point), bytes);
    }),
    { numRuns: runs(50, 200) },
  );
  t.pass();
});
