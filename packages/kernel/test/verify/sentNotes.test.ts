// Sent notes recovered by the kernel: what the reference recovers, and nothing else.

import { bigintToLeBytes } from '@wallet-companion/base/bytes';
import { MAX_MONEY } from '@wallet-companion/zcash/network';
import { encryptNote, open, openOutgoing, seal, sealOutgoing } from '@wallet-companion/zcash/notes';
import { POOL, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import type { RecoverableOutput } from '@wallet-companion/zcash/scan';
import { ReferenceDecryptor } from '@wallet-companion/zcash/scan';
import { leadByteFor, type RandomBytes, SCHEMES, seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import fc from 'fast-check';
import { createDecryptor } from '../../src/kernel/kernelDecryptor.ts';
import { loadKernel } from '../../src/kernel/loadKernel.ts';
import { JUBJUB_ORDER, PALLAS_ORDER } from '../../src/kernel/plan/curveConstants.ts';
import { addressFor, fieldElement } from '../support/columns.ts';

const kernel = loadKernel().then((module) => createDecryptor(module));
const reference = new ReferenceDecryptor();
const ALL_LEAD_BYTES = 0b111;

const schemeOf = (pool: Pool) => SCHEMES[pool] as unknown as typeof SCHEMES.orchard;
const orderOf = (pool: Pool) => (POOL[pool].protocol === 'sapling' ? JUBJUB_ORDER : PALLAS_ORDER);

function sentOutput(
  pool: Pool,
  ovk: Uint8Array,
  random: RandomBytes,
  choice: { readonly leadByte?: number; readonly value?: bigint } = {},
): RecoverableOutput {
  const leadByte = choice.leadByte ?? leadByteFor(pool);
  const rho = pool === 'sapling' ? new Uint8Array(0) : fieldElement(random);
  const ivk = random(32);
  ivk[31] = 0;
  const rseed = random(32);
  if (leadByte === 1) rseed[31] = 0;
  const cv = random(32);
  const note = encryptNote(
    schemeOf(pool),
    {
      leadByte,
      value: choice.value ?? 7n,
      rseed,
      recipient: addressFor(SCHEMES[pool], ivk, random),
      memo: random(512),
      rho,
      cv,
      ovk,
      esk: leadByte === 1 ? 0x1234_5678n : undefined,
    },
    random,
  );
  const { commitment, ephemeralKey, encCiphertext, outCiphertext } = note;
  return { rho, commitment, ephemeralKey, ciphertext: encCiphertext, cv, outCiphertext };
}

const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
  Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ 1 : byte));

for (const pool of POOLS) {
  for (const leadByte of pool === 'sapling' ? [1, 2] : [leadByteFor(pool)]) {
    test(`${pool}, lead byte ${leadByte}: recovers with the first key that fits`, async (t) => {
      const random = seededBytes(80 + leadByte);
      const decryptor = await kernel;
      const ovks = [random(32), random(32), random(32)];
      for (let i = 0; i < 6; i++) {
        const output = sentOutput(pool, ovks[i % 3]!, random, { leadByte });
        const expected = reference.recover(pool, output, ovks, ALL_LEAD_BYTES);
        t.is(expected?.keyIndex, i % 3);
        t.deepEqual(decryptor.recover(pool, output, ovks, ALL_LEAD_BYTES), expected);
        t.is(decryptor.recover(pool, output, ovks, ALL_LEAD_BYTES & ~(1 << (leadByte - 1))), undefined);
        t.is(decryptor.recover(pool, output, [random(32)], ALL_LEAD_BYTES), undefined);
      }
    });

    test(`${pool}, lead byte ${leadByte}: an output of which one part is wrong is not recovered`, async (t) => {
      const random = seededBytes(90 + leadByte);
      const decryptor = await kernel;
      const ovk = random(32);
      const scheme = schemeOf(pool);
      const good = sentOutput(pool, ovk, random, { leadByte });
      const ock = scheme.deriveOutgoingKey(ovk, good.cv, good.commitment, good.ephemeralKey);
      const { pkd, esk } = openOutgoing(ock, good.outCiphertext)!;
      const kept = (otherPkd: Uint8Array, otherEsk: Uint8Array): RecoverableOutput => ({
        ...good,
        outCiphertext: sealOutgoing(ock, otherPkd, otherEsk),
      });
      const order = orderOf(pool);
      const wrong: RecoverableOutput[] = [
        ...(['cv', 'commitment', 'ephemeralKey', 'outCiphertext', 'ciphertext'] as const).flatMap((field) =>
          [0, good[field].length - 1].map((at) => ({ ...good, [field]: flipped(good[field], at) })),
        ),
        // A key, a scalar or a point that is none.
        kept(pkd, bigintToLeBytes(0n, 32)),
        kept(pkd, bigintToLeBytes(order, 32)),
        kept(pkd, new Uint8Array(32).fill(0xff)),
        kept(pkd, flipped(esk, 0)),
        kept(flipped(pkd, 31), esk),
        kept(
          Uint8Array.from(pkd, (byte, i) => (i === 31 ? byte ^ 0x80 : byte)),
          esk,
        ),
        ...[0, 1, 2, 0xff].map((byte) => kept(new Uint8Array(32).fill(byte), esk)),
        // The identity of Jubjub, and a point of order 2.
        kept(bigintToLeBytes(1n, 32), esk),
        kept(bigintToLeBytes(0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000n, 32), esk),
      ];
      if (pool !== 'sapling') {
        wrong.push({ ...good, rho: flipped(good.rho, 3) }, { ...good, rho: new Uint8Array(32).fill(0xff) });
      }
      // Sealed for the right shared secret, with a field changed.
      const [secret] = scheme.sharedSecrets(
        [scheme.decodeTransmissionKey(pkd)!],
        [scheme.prepareScalar(BigInt(`0x${Buffer.from(esk).reverse().toString('hex')}`))],
      );
      const encryptionKey = scheme.deriveEncryptionKey(secret!, good.ephemeralKey);
      const plaintext = open(encryptionKey, good.ciphertext)!;
      for (const at of [0, 1, 11, 12, 20, 51]) {
        wrong.push({ ...good, ciphertext: seal(encryptionKey, flipped(plaintext, at)) });
      }
      const mask = 1 << (leadByte - 1);
      t.truthy(decryptor.recover(pool, good, [ovk], mask));
      for (const [i, output] of wrong.entries()) {
        t.is(reference.recover(pool, output, [ovk], mask), undefined, `reference ${i}`);
        t.is(decryptor.recover(pool, output, [ovk], mask), undefined, String(i));
      }
    });
  }

  test(`${pool}: values up to all money are recovered`, async (t) => {
    const random = seededBytes(99);
    const decryptor = await kernel;
    const ovk = random(32);
    for (const value of [0n, MAX_MONEY, MAX_MONEY + 1n, 2n ** 64n - 1n]) {
      const output = sentOutput(pool, ovk, random, { value });
      const expected = reference.recover(pool, output, [ovk], ALL_LEAD_BYTES);
      t.is(expected === undefined, value > MAX_MONEY);
      t.deepEqual(decryptor.recover(pool, output, [ovk], ALL_LEAD_BYTES), expected);
    }
  });
}

test('opens what the library seals, of any length, and nothing that was changed', async (t) => {
  const decryptor = await kernel;
  const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength });
  fc.assert(
    fc.property(
      bytes(32, 32),
      bytes(0, 564),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (key, text, at, mask) => {
        const sealed = seal(key, text);
        t.deepEqual(decryptor.open(key, sealed), text);
        const changed = Uint8Array.from(sealed);
        changed[at % sealed.length]! ^= mask;
        t.is(decryptor.open(key, changed), undefined);
        t.is(decryptor.open(key, sealed.subarray(0, at % sealed.length)), undefined);
      },
    ),
    { numRuns: 300 },
  );
  // Sums that carry to the top, and a sum of the modulus itself.
  for (const length of [0, 1, 15, 16, 17, 63, 64, 65, 128, 564]) {
    const key = new Uint8Array(32).fill(0xff);
    const text = new Uint8Array(length).fill(0xff);
    t.deepEqual(decryptor.open(key, seal(key, text)), text);
  }
  t.throws(() => decryptor.open(new Uint8Array(32), new Uint8Array(581)), { instanceOf: RangeError });
});
