import { bytesToHex, FormatError } from '@wallet-companion/base/bytes';
import { integersBelow } from '@wallet-companion/base/test/randomIntegers';
import test from 'ava';
import fc from 'fast-check';
import { SAPLING_SPEND_AUTH_BASE, SAPLING_VALUE_RANDOMNESS_BASE } from '../../src/zcash/hashes/jubjubHash.ts';
import {
  ORCHARD_SPEND_AUTH_BASE,
  ORCHARD_VALUE_RANDOMNESS_BASE,
} from '../../src/zcash/hashes/orchardBases.ts';
import { cryptographyOf } from '../../src/zcash/transaction/poolCryptography.ts';
import type { RedDsa } from '../../src/zcash/transaction/redDsa.ts';
import { type NobleJubjub, toNobleJubjub, toNoblePallas } from '../helpers/nobleCurves.ts';
import {
  fromLe,
  type NoblePoint,
  PLAIN_JUBJUB,
  PLAIN_PALLAS,
  type PlainCurve,
  plainSign,
  plainVerify,
  toLe,
} from '../helpers/plainRedDsa.ts';

const HEDGE_SIZE = 80;
const hedges = fc.uint8Array({ minLength: HEDGE_SIZE, maxLength: HEDGE_SIZE });
const messages = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.uint8Array({ minLength: 0, maxLength: 300 }),
);
const TOP_BIT = 1n << 255n;

const flipped = (bytes: Uint8Array, bit: number): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  copy[(bit >> 3) % copy.length]! ^= 1 << (bit & 7);
  return copy;
};

function testScheme<P extends NoblePoint<P>>(name: string, dsa: RedDsa, curve: PlainCurve<P>, base: P): void {
  const keys = integersBelow(curve.order);
  const nonzeroKeys = keys.filter((key) => key !== 0n);
  const sign = (key: bigint, message: Uint8Array, hedge: Uint8Array): Uint8Array =>
    dsa.sign(toLe(key), message, (length) => hedge.slice(0, length));

  test(`${name}: signatures are those of the definition, byte for byte`, (t) => {
    fc.assert(
      fc.property(keys, messages, hedges, (key, message, hedge) => {
        const vk = dsa.validatingKey(toLe(key));
        t.deepEqual(vk, Uint8Array.from(curve.encode(base.multiplyUnsafe(key))));
        const signature = sign(key, message, hedge);
        t.is(bytesToHex(signature), bytesToHex(plainSign(curve, base, key, message, hedge)));
        t.true(dsa.verify(vk, message, signature));
        t.true(plainVerify(curve, base, vk, message, signature));
        t.true(dsa.isSigningKeyOf(vk, toLe(key)));
        t.false(dsa.isSigningKeyOf(vk, toLe((key + 1n) % curve.order)));
      }),
      {
        numRuns: 25,
        examples: [0n, 1n, curve.order - 1n].map((key) => [key, new Uint8Array(0), new Uint8Array(80)]),
      },
    );
  });

  test(`${name}: a flipped bit in signature, key or message is noticed`, (t) => {
    fc.assert(
      // With the key 0 the message does not matter: S is the nonce.
      fc.property(nonzeroKeys, messages, hedges, fc.nat({ max: 511 }), (key, message, hedge, bit) => {
        const vk = dsa.validatingKey(toLe(key));
        const signature = sign(key, message, hedge);
        t.false(dsa.verify(vk, message, flipped(signature, bit)), 'signature');
        t.false(dsa.verify(flipped(vk, bit % 256), message, signature), 'key');
        if (message.length > 0) t.false(dsa.verify(vk, flipped(message, bit), signature), 'message');
        t.false(dsa.verify(vk, Uint8Array.of(...message, 0), signature), 'longer message');
      }),
      { numRuns: 40 },
    );
  });

  test(`${name}: any bytes are judged as by the definition`, (t) => {
    const anyBytes = fc.oneof(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      keys.map((key) => Uint8Array.from(curve.encode(base.multiplyUnsafe(key)))),
    );
    fc.assert(
      fc.property(anyBytes, anyBytes, anyBytes, messages, (vk, r, s, message) => {
        const signature = Uint8Array.of(...r, ...s);
        t.is(dsa.verify(vk, message, signature), plainVerify(curve, base, vk, message, signature));
      }),
      { numRuns: 60 },
    );
  });

  test(`${name}: S has one form`, (t) => {
    fc.assert(
      fc.property(keys, messages, hedges, (key, message, hedge) => {
        const vk = dsa.validatingKey(toLe(key));
        const signature = sign(key, message, hedge);
        const s = fromLe(signature.subarray(32));
        for (let other = s + curve.order; other < 1n << 256n; other += curve.order) {
          t.false(dsa.verify(vk, message, Uint8Array.of(...signature.subarray(0, 32), ...toLe(other))));
        }
      }),
      { numRuns: 10 },
    );
    // The key 0 with the nonce 0 has S = 0, beside which the order is the nearest other form.
    const identity = dsa.validatingKey(toLe(0n));
    const zero = Uint8Array.of(...identity, ...toLe(0n));
    t.true(dsa.verify(identity, new Uint8Array(32), zero));
    t.false(dsa.verify(identity, new Uint8Array(32), Uint8Array.of(...identity, ...toLe(curve.order))));
  });

  test(`${name}: the identity is a key and a commitment like any other, in its one form`, (t) => {
    const message = new Uint8Array(32).fill(7);
    const hedge = new Uint8Array(HEDGE_SIZE).fill(1);
    const identity = dsa.validatingKey(toLe(0n));
    t.is(bytesToHex(identity), `${curve === (PLAIN_PALLAS as unknown) ? '00' : '01'}${'00'.repeat(31)}`);
    t.true(dsa.verify(identity, message, sign(0n, message, hedge)));
    // S of the key 0 does not depend on the hash, so only the form is wrong here.
    const withSign = (bytes: Uint8Array) => toLe(fromLe(bytes) | TOP_BIT);
    const signature = plainSign(curve, base, 0n, message, hedge, { vk: withSign });
    t.false(dsa.verify(withSign(identity), message, signature));
    const vk = dsa.validatingKey(toLe(5n));
    t.true(dsa.verify(vk, message, plainSign(curve, base, 5n, message, hedge, { nonce: 0n })));
    t.false(dsa.verify(vk, message, plainSign(curve, base, 5n, message, hedge, { nonce: 0n, r: withSign })));
  });

  test(`${name}: keys, commitments and signatures of another length are none`, (t) => {
    const message = new Uint8Array(32);
    const vk = dsa.validatingKey(toLe(3n));
    const signature = sign(3n, message, new Uint8Array(HEDGE_SIZE));
    t.true(dsa.verify(vk, message, signature));
    for (const wrong of [0, 31, 33, 64]) {
      const bytes = new Uint8Array(wrong);
      bytes.set(vk.subarray(0, wrong));
      t.false(dsa.verify(bytes, message, signature));
    }
    for (const wrong of [0, 63, 65, 128]) {
      const bytes = new Uint8Array(wrong);
      bytes.set(signature.subarray(0, wrong));
      t.false(dsa.verify(vk, message, bytes));
    }
  });

  test(`${name}: what is no scalar is refused as key and as randomizer, without a word of it`, (t) => {
    const good = toLe(9n);
    const vk = dsa.validatingKey(good);
    const wrong = [curve.order, curve.order + 9n, (1n << 256n) - 1n].map((value) => toLe(value));
    for (const bytes of [...wrong, good.subarray(0, 31), Uint8Array.of(...good, 0), new Uint8Array(0)]) {
      const random = () => new Uint8Array(HEDGE_SIZE);
      for (const attempt of [
        () => dsa.sign(bytes, good, random),
        () => dsa.validatingKey(bytes),
        () => dsa.randomizedSigningKey(bytes, good),
        () => dsa.randomizedSigningKey(good, bytes),
        () => dsa.randomizedValidatingKey(vk, bytes),
      ]) {
        const error = t.throws(attempt, { instanceOf: FormatError });
        t.regex(error?.message ?? '', /^the (signing key|randomizer) is not a canonical scalar$/);
      }
      t.false(dsa.isSigningKeyOf(vk, bytes));
    }
    t.throws(() => dsa.randomizedValidatingKey(new Uint8Array(32).fill(0xff), good), {
      instanceOf: FormatError,
    });
  });

  test(`${name}: randomized keys belong together`, (t) => {
    fc.assert(
      fc.property(keys, keys, (key, alpha) => {
        const vk = dsa.validatingKey(toLe(key));
        const randomized = dsa.randomizedSigningKey(toLe(key), toLe(alpha));
        t.is(fromLe(randomized), (key + alpha) % curve.order);
        const expected = base.multiplyUnsafe(key).add(base.multiplyUnsafe(alpha));
        t.is(bytesToHex(dsa.randomizedValidatingKey(vk, toLe(alpha))), bytesToHex(curve.encode(expected)));
        t.true(dsa.isSigningKeyOf(dsa.randomizedValidatingKey(vk, toLe(alpha)), randomized));
      }),
      { numRuns: 20, examples: [[1n, curve.order - 1n]] },
    );
  });

  test(`${name}: a nonce depends on randomness, key and message, and its source is wiped`, (t) => {
    const asked: number[] = [];
    const given: Uint8Array[] = [];
    const random = (fill: number) => (length: number) => {
      asked.push(length);
      const bytes = new Uint8Array(length).fill(fill);
      given.push(bytes);
      return bytes;
    };
    const r = (key: bigint, message: number, fill: number): string =>
      bytesToHex(dsa.sign(toLe(key), Uint8Array.of(message), random(fill)).subarray(0, 32));
    const nonces = [r(4n, 1, 1), r(4n, 1, 2), r(4n, 2, 1), r(5n, 1, 1)];
    t.is(new Set(nonces).size, 4);
    t.is(r(4n, 1, 1), nonces[0]!);
    t.is(asked.filter((length) => length === HEDGE_SIZE).length, 5);
    t.true(given.every((bytes) => bytes.every((byte) => byte === 0)));
    for (const wrong of [0, 32, 79, 81]) {
      t.throws(() => dsa.sign(toLe(4n), Uint8Array.of(1), () => new Uint8Array(wrong)), {
        instanceOf: RangeError,
      });
    }
  });
}

const sapling = cryptographyOf('sapling');
const orchard = cryptographyOf('orchard');
testScheme(
  'RedJubjub, spends',
  sapling.spendAuth,
  PLAIN_JUBJUB,
  toNobleJubjub(SAPLING_SPEND_AUTH_BASE.point),
);
testScheme(
  'RedJubjub, binding',
  sapling.binding,
  PLAIN_JUBJUB,
  toNobleJubjub(SAPLING_VALUE_RANDOMNESS_BASE.point),
);
testScheme(
  'RedPallas, spends',
  orchard.spendAuth,
  PLAIN_PALLAS,
  toNoblePallas(ORCHARD_SPEND_AUTH_BASE.point),
);
testScheme(
  'RedPallas, binding',
  orchard.binding,
  PLAIN_PALLAS,
  toNoblePallas(ORCHARD_VALUE_RANDOMNESS_BASE.point),
);

test('Ironwood signs as Orchard does, and no two schemes take each other for theirs', (t) => {
  t.is(cryptographyOf('ironwood'), orchard);
  const message = new Uint8Array(32);
  const key = toLe(77n);
  const schemes = [sapling.spendAuth, sapling.binding, orchard.spendAuth, orchard.binding];
  schemes.forEach((signer, i) => {
    const vk = signer.validatingKey(key);
    const signature = signer.sign(key, message, (length) => new Uint8Array(length));
    schemes.forEach((verifier, j) => {
      t.is(verifier.verify(vk, message, signature), i === j);
    });
  });
});

/** Of orders 2, 4 and 8. */
function smallPoints(): InstanceType<typeof NobleJubjub>[] {
  for (let v = 2n; ; v++) {
    let point: InstanceType<typeof NobleJubjub>;
    try {
      point = PLAIN_JUBJUB.decode(toLe(v));
    } catch {
      continue;
    }
    const small = point.multiplyUnsafe(PLAIN_JUBJUB.order - 1n).add(point);
    if (!small.double().double().is0()) return [small.double().double(), small.double(), small];
  }
}

test('RedJubjub multiplies by the cofactor: parts of small order in R and in the key do not matter', (t) => {
  const base = toNobleJubjub(SAPLING_SPEND_AUTH_BASE.point);
  const message = new Uint8Array(32).fill(3);
  const hedge = new Uint8Array(HEDGE_SIZE).fill(9);
  for (const small of smallPoints()) {
    t.true(!small.is0() && small.multiplyUnsafe(8n).is0());
    const shifted = (bytes: Uint8Array) => PLAIN_JUBJUB.encode(PLAIN_JUBJUB.decode(bytes).add(small));
    const vk = sapling.spendAuth.validatingKey(toLe(6n));
    for (const [key, signature] of [
      [vk, plainSign(PLAIN_JUBJUB, base, 6n, message, hedge, { r: shifted })],
      [shifted(vk), plainSign(PLAIN_JUBJUB, base, 6n, message, hedge, { vk: shifted })],
      [shifted(vk), plainSign(PLAIN_JUBJUB, base, 6n, message, hedge, { vk: shifted, r: shifted })],
    ] as const) {
      t.true(sapling.spendAuth.verify(key, message, signature));
      t.true(plainVerify(PLAIN_JUBJUB, base, key, message, signature));
      t.false(sapling.spendAuth.verify(key, flipped(message, 1), signature));
    }
    // Signatures of their own are nothing for consensus: keys of small order are refused there.
    t.false(sapling.isKey(PLAIN_JUBJUB.encode(small)));
    t.false(sapling.isValueCommitment(PLAIN_JUBJUB.encode(small)));
    t.true(sapling.isKey(shifted(vk)));
    t.true(sapling.isValueCommitment(shifted(vk)));
  }
});

test('points have one encoding: x or v above the modulus is refused', (t) => {
  const message = new Uint8Array(32).fill(3);
  const cases = [
    {
      dsa: orchard.spendAuth,
      modulus: 0x40000000000000000000000000000000224698fc094cf91b992d30ed00000001n,
      sign: (hedge: Uint8Array, r?: (bytes: Uint8Array) => Uint8Array) =>
        plainSign(PLAIN_PALLAS, toNoblePallas(ORCHARD_SPEND_AUTH_BASE.point), 8n, message, hedge, r && { r }),
    },
    {
      dsa: sapling.spendAuth,
      modulus: 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
      sign: (hedge: Uint8Array, r?: (bytes: Uint8Array) => Uint8Array) =>
        plainSign(PLAIN_JUBJUB, toNobleJubjub(SAPLING_SPEND_AUTH_BASE.point), 8n, message, hedge, r && { r }),
    },
  ];
  for (const { dsa, modulus, sign } of cases) {
    const vk = dsa.validatingKey(toLe(8n));
    let tried = 0;
    for (let i = 0; tried < 2; i++) {
      const hedge = new Uint8Array(HEDGE_SIZE).fill(i);
      const r = fromLe(sign(hedge).subarray(0, 32));
      const other = (r & (TOP_BIT - 1n)) + modulus;
      if (other >= TOP_BIT) continue;
      tried++;
      t.true(dsa.verify(vk, message, sign(hedge)));
      // Whoever reduced what is read would find this one right.
      t.false(
        dsa.verify(
          vk,
          message,
          sign(hedge, () => toLe(other | (r & TOP_BIT))),
        ),
      );
    }
  }
});

test('which keys and commitments consensus takes', (t) => {
  const identity = { sapling: toLe(1n), orchard: toLe(0n) };
  t.false(sapling.isKey(identity.sapling));
  t.false(sapling.isValueCommitment(identity.sapling));
  t.false(orchard.isKey(identity.orchard));
  t.true(orchard.isValueCommitment(identity.orchard));
  for (const { isKey, isValueCommitment, spendAuth } of [sapling, orchard]) {
    const key = spendAuth.validatingKey(toLe(2n));
    t.true(isKey(key));
    t.true(isValueCommitment(key));
    for (const none of [
      new Uint8Array(32).fill(0xff),
      key.subarray(1),
      Uint8Array.of(...key, 0),
      new Uint8Array(0),
    ]) {
      t.false(isKey(none));
      t.false(isValueCommitment(none));
    }
  }
});
