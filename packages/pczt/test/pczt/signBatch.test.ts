// Batches for a signer, against what the reference crate writes, and answers of any bytes.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { ACTION_POOLS } from '@wallet-companion/zcash/pools';
import { shieldedSighash } from '@wallet-companion/zcash/signing';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import test from 'ava';
import fc from 'fast-check';
import { withBareSignatures } from '../../src/pczt/bareSignatures.ts';
import { encodePczt } from '../../src/pczt/codec.ts';
import { PcztRefusal } from '../../src/pczt/refusal.ts';
import {
  type BatchSignature,
  batchView,
  decodeBatchSignatures,
  decodeSignBatch,
  encodeBatchSignatures,
  encodeSignBatch,
} from '../../src/pczt/signBatch.ts';
import { effectsOfPczt } from '../../src/pczt/transactionParts.ts';
import { stage } from '../helpers/pcztVectors.ts';

const { requests, answers } = readVectors<{
  requests: readonly { cases: readonly string[]; bytes: number; sha256: string; request?: string }[];
  answers: readonly string[];
}>('pczt_batch');

const signature = (pool: BatchSignature['pool'], index: number, byte: number): BatchSignature => ({
  pool,
  index,
  signature: new Uint8Array(64).fill(byte),
});

const ANSWERS: readonly (readonly (readonly BatchSignature[])[])[] = [
  [],
  [[]],
  [
    [signature('ironwood', 1, 7)],
    [signature('orchard', 0, 1), signature('orchard', 200, 2), signature('ironwood', 70_000, 255)],
    [],
  ],
];

for (const { cases, bytes, sha256: digest, request } of requests)
  test(`a request of ${cases.length} is the one that the crate writes`, (t) => {
    const pczts = cases.map((name) => batchView(stage(name, 'ready')));
    const written = encodeSignBatch(pczts);
    t.is(written.length, bytes);
    t.is(bytesToHex(sha256(written)), digest);
    t.is(bytesToHex(written), request ?? bytesToHex(written));
    t.deepEqual(decodeSignBatch(written), pczts);
  });

for (const [i, answer] of ANSWERS.entries())
  test(`answer ${i} is read and written as by the crate`, (t) => {
    t.is(bytesToHex(encodeBatchSignatures(answer)), answers[i]!);
    t.deepEqual(decodeBatchSignatures(hexToBytes(answers[i]!)), answer);
  });

test('the copy for a batch has no signature and signs the same', (t) => {
  for (const { cases } of requests)
    for (const name of cases) {
      const pczt = stage(name, 'ready');
      const view = batchView(pczt);
      for (const pool of ACTION_POOLS)
        view[pool].actions.forEach(({ spend }, i) => {
          t.is(spend.spendAuthSig, undefined);
          t.is(spend.alpha === undefined, pczt[pool].actions[i]!.spend.spendAuthSig !== undefined);
        });
      t.deepEqual(shieldedSighash(effectsOfPczt(view)), shieldedSighash(effectsOfPczt(pczt)));
    }
});

test('a signature goes to its action, and to no other', (t) => {
  const pczt = stage('v6-ironwood-ironwood', 'ready');
  const signed = withBareSignatures(pczt, [signature('ironwood', 1, 9)]);
  t.deepEqual(signed.ironwood.actions[1]!.spend.spendAuthSig, new Uint8Array(64).fill(9));
  t.deepEqual(signed.ironwood.actions[0], pczt.ironwood.actions[0]);
  t.deepEqual(encodePczt({ ...signed, ironwood: pczt.ironwood }, 2), encodePczt(pczt, 2));
  for (const strange of [signature('ironwood', 2, 9), signature('orchard', 0, 9)])
    t.throws(() => withBareSignatures(pczt, [strange]), { instanceOf: PcztRefusal });
});

const refused = (read: () => unknown): boolean => {
  try {
    read();
    return false;
  } catch (error) {
    if (error instanceof FormatError) return true;
    throw error;
  }
};

test('whatever else a device answers is refused, and never a crash', (t) => {
  const whole = hexToBytes(answers[2]!);
  for (let length = 0; length < whole.length; length++)
    t.true(refused(() => decodeBatchSignatures(whole.subarray(0, length))));
  t.true(refused(() => decodeBatchSignatures(Uint8Array.from([...whole, 0]))));
  t.true(refused(() => decodeBatchSignatures(hexToBytes('50435a420100000000'))));
  t.true(refused(() => decodeBatchSignatures(whole.with(4, 2))));
  t.true(refused(() => decodeBatchSignatures(hexToBytes(`50435a5301000000${'ff'.repeat(4)}0f`))));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, isMutated) => {
      const given = isMutated ? mutated(whole, bytes) : Uint8Array.from([...whole.subarray(0, 8), ...bytes]);
      refused(() => decodeBatchSignatures(given));
      refused(() => decodeSignBatch(given));
    }),
    { numRuns: runs(1_000, 100_000) },
  );
});

/** Each pair of bytes is a place and what is put there. */
const mutated = (whole: Uint8Array, changes: Uint8Array): Uint8Array => {
  const copy = whole.slice();
  for (let i = 0; i + 1 < Math.min(changes.length, 8); i += 2)
    copy[changes[i]! % copy.length] = changes[i + 1]!;
  return copy;
};
