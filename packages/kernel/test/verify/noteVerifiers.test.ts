// The fast verification of hits decides by itself, and as the reference does.

import { leBytesToBigint } from '@wallet-companion/base/bytes';
import { blake2b, blake2s } from '@wallet-companion/zcash/curves';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import { POOL, POOLS, type Pool, perPool } from '@wallet-companion/zcash/pools';
import { ReferenceDecryptor } from '@wallet-companion/zcash/scan';
import { SCHEMES, seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import { JubjubNotes } from '../../src/kernel/batch/jubjubNotes.ts';
import { KernelHashes } from '../../src/kernel/batch/kernelHashes.ts';
import { instantiateKernel } from '../../src/kernel/batch/kernelInstance.ts';
import { PallasNotes } from '../../src/kernel/batch/pallasNotes.ts';
import { loadKernel } from '../../src/kernel/loadKernel.ts';
import type { CandidateNote, NoteVerdict, NoteVerifier } from '../../src/kernel/verify/noteVerifier.ts';
import { columnsOf, incomingKey, noteRow, type Row } from '../support/columns.ts';

const kernel = loadKernel().then((module) => {
  const instance = instantiateKernel(module);
  const hashes = new KernelHashes(instance.memory, instance.symmetric);
  const pallas = new PallasNotes(instance.memory, instance.pallasScalar, hashes, instance.sinsemilla);
  const jubjub = new JubjubNotes(instance.memory, instance.jubjubScalar, hashes);
  return { hashes, verifiers: perPool((pool) => (POOL[pool].protocol === 'sapling' ? jubjub : pallas)) };
});

/** The candidate that a row of ours makes, with its true shared secret. */
function candidateOf(pool: Pool, row: Row, key: IncomingKey, position: number): CandidateNote {
  const scheme = SCHEMES[pool] as unknown as typeof SCHEMES.orchard;
  const columns = columnsOf(pool, [row]);
  columns.positions[0] = position;
  const [found] = new ReferenceDecryptor().decrypt(columns, [key]);
  const epk = scheme.decodeEphemeralKey(row.ephemeralKey)!;
  const [secret] = scheme.sharedSecrets([epk], [scheme.prepareScalar(leBytesToBigint(key.ivk))]);
  return {
    pool,
    plaintext: found!.plaintext,
    secret: secret!,
    ephemeralKey: row.ephemeralKey,
    commitment: row.commitment,
    rho: row.rho,
    position,
  };
}

/** Notes to one recipient after which it has a table. */
const OFTEN = 12;

const flipped = (bytes: Uint8Array, at: number, mask: number) =>
  Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ mask : byte));

for (const pool of POOLS) {
  for (const leadByte of pool === 'sapling' ? [1, 2] : [undefined]) {
    const name = leadByte === undefined ? pool : `${pool} (lead byte ${leadByte})`;
    test(`${name}: verifies notes and derives their nullifiers as the reference does`, async (t) => {
      const random = seededBytes(20 + (leadByte ?? 0));
      const verifier: NoteVerifier = (await kernel).verifiers[pool];
      for (const position of [0, 1, 15, 16, 1_000_003, 2 ** 32 - 1]) {
        const key = incomingKey(pool, random);
        const row = noteRow(pool, key, random, leadByte === undefined ? {} : { leadByte });
        const columns = columnsOf(pool, [row]);
        columns.positions[0] = position;
        const [expected] = new ReferenceDecryptor().decrypt(columns, [key]);
        const { transmissionKey, nullifier } = expected!;
        const candidate = candidateOf(pool, row, key, position);
        t.deepEqual(verifier.verify(candidate, key), { kind: 'verified', transmissionKey, nullifier });
        const { nk: _, ...incomingOnly } = key;
        t.deepEqual(verifier.verify(candidate, incomingOnly), {
          kind: 'verified',
          transmissionKey,
          nullifier: null,
        });
      }
    });

    test(`${name}: refuses a note of which one part is wrong`, async (t) => {
      const random = seededBytes(30 + (leadByte ?? 0));
      const verifier: NoteVerifier = (await kernel).verifiers[pool];
      const key = incomingKey(pool, random);
      const good = candidateOf(
        pool,
        noteRow(pool, key, random, leadByte === undefined ? {} : { leadByte }),
        key,
        7,
      );
      t.is(verifier.verify(good, key).kind, 'verified');
      const wrong: CandidateNote[] = [
        { ...good, secret: flipped(good.secret, 31, 0x80) },
        { ...good, secret: flipped(good.secret, 0, 1) },
        { ...good, ephemeralKey: flipped(good.ephemeralKey, 31, 0x80) },
        { ...good, commitment: flipped(good.commitment, 5, 1) },
        // value, rseed
        { ...good, plaintext: flipped(good.plaintext, 12, 1) },
        { ...good, plaintext: flipped(good.plaintext, 30, 1) },
        // rcm or rseed above every order
        { ...good, plaintext: good.plaintext.map((byte, i) => (i >= 20 ? 0xff : byte)) },
      ];
      for (let at = 1; at < 12; at++) wrong.push({ ...good, plaintext: flipped(good.plaintext, at, 4) });
      if (pool !== 'sapling') {
        wrong.push(
          { ...good, rho: flipped(good.rho, 3, 1) },
          { ...good, rho: new Uint8Array(32).fill(0xff) },
        );
        wrong.push({ ...good, pool: pool === 'orchard' ? 'ironwood' : 'orchard' });
      }
      // The first time with what a new recipient has, then with the table of one that is often paid.
      for (const way of ['new', 'often paid']) {
        wrong.forEach((candidate, i) => {
          t.is(verifier.verify(candidate, key).kind, 'rejected', `${way} ${i}`);
        });
        for (let i = 0; i < OFTEN; i++) t.is(verifier.verify(good, key).kind, 'verified');
      }
      t.is(verifier.verify(good, incomingKey(pool, random)).kind, 'rejected');
      t.is(verifier.verify(good, key).kind, 'verified');
    });
  }
}

for (const pool of POOLS) {
  test(`${pool}: recipients in turn, more of them than have tables, as the reference does`, async (t) => {
    const random = seededBytes(50);
    const verifier: NoteVerifier = (await kernel).verifiers[pool];
    const notes = Array.from({ length: 10 }, (_, position) => {
      const key = incomingKey(pool, random);
      const row = noteRow(pool, key, random, {});
      const columns = columnsOf(pool, [row]);
      columns.positions[0] = position;
      const [found] = new ReferenceDecryptor().decrypt(columns, [key]);
      const { transmissionKey, nullifier } = found!;
      const expected: NoteVerdict = { kind: 'verified', transmissionKey, nullifier };
      return { key, candidate: candidateOf(pool, row, key, position), expected };
    });
    for (const rounds of [OFTEN, 2]) {
      for (const { key, candidate, expected } of notes)
        for (let i = 0; i < rounds; i++) t.deepEqual(verifier.verify(candidate, key), expected);
    }
  });

  test(`${pool}: the lanes' sign decides alone where it is right, and never where it is wrong`, async (t) => {
    const random = seededBytes(60);
    const verifier: NoteVerifier = (await kernel).verifiers[pool];
    const key = incomingKey(pool, random);
    const candidate = candidateOf(pool, noteRow(pool, key, random, {}), key, 3);
    const sign = candidate.secret[31]! >> 7;
    const otherSecret = flipped(candidate.secret, 31, 0x80);
    for (const signOf of [() => sign, () => 1 - sign, () => undefined]) {
      t.is(verifier.verify({ ...candidate, signOf }, key).kind, 'verified');
    }
    t.is(verifier.verify({ ...candidate, secret: otherSecret, signOf: () => sign }, key).kind, 'rejected');
  });
}

test('hashes equal the reference for every length', async (t) => {
  const { hashes } = await kernel;
  const random = seededBytes(40);
  for (const length of [0, 1, 63, 64, 65, 127, 128, 129, 191, 255, 256, 257, 384, 512]) {
    const input = random(length);
    const half = Math.floor(length / 2);
    const parts = [input.subarray(0, half), input.subarray(half)];
    t.deepEqual(hashes.blake2b('Zcash_ExpandSeed', 64, ...parts), blake2b('Zcash_ExpandSeed', 64, input));
    t.deepEqual(hashes.blake2b('Zcash_OrchardKDF', 32, ...parts), blake2b('Zcash_OrchardKDF', 32, input));
    t.deepEqual(hashes.blake2s('Zcash_nf', ...parts), blake2s('Zcash_nf', input));
  }
  t.throws(() => hashes.blake2s('Zcash_nf', random(513)), { instanceOf: RangeError });
});
