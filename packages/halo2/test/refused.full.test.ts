// All changes that the reference crates refuse, and random changes of all recorded proofs: `MUTATIONS=10000 npm test --
// halo2/test/refused` for a long run.

import test from 'ava';
import fc from 'fast-check';
import type { ProvenStatement } from '../src/halo2/verifier/verifier.ts';
import { createTestVerifier, PROOFS, REFUSED } from './support.ts';

const MUTATIONS = Number(process.env['MUTATIONS'] ?? 300);

test('each of the recorded changes and wrong proofs is refused', async (t) => {
  const verifier = await createTestVerifier();
  t.is(REFUSED.length, 910);
  t.deepEqual(
    REFUSED.filter(({ proven }) => verifier.verify(proven).kind !== 'refused').map(({ what }) => what),
    [],
  );
});

type Change = (proven: ProvenStatement) => ProvenStatement;

const withProof =
  (change: (proof: Uint8Array) => Uint8Array): Change =>
  ({ statement, proof }) => ({ statement, proof: change(proof.slice()) });

/** Two elements of 32 bytes change places, one takes the place of another, bits flip, a public input changes. */
const changes = fc.oneof(
  fc.record({ at: fc.nat(), bit: fc.nat(7) }).map(({ at, bit }) =>
    withProof((proof) => {
      proof[at % proof.length]! ^= 1 << bit;
      return proof;
    }),
  ),
  fc.record({ from: fc.nat(), to: fc.nat(), isSwap: fc.boolean() }).map(({ from, to, isSwap }) =>
    withProof((proof) => {
      const [a, b] = [from, to].map((n) => (n % (proof.length / 32)) * 32) as [number, number];
      const [first, second] = [proof.slice(a, a + 32), proof.slice(b, b + 32)];
      proof.set(first, b);
      if (isSwap) proof.set(second, a);
      return proof;
    }),
  ),
  fc.record({ at: fc.nat(), bytes: fc.uint8Array({ minLength: 32, maxLength: 32 }) }).map(({ at, bytes }) =>
    withProof((proof) => {
      proof.set(bytes, (at % (proof.length / 32)) * 32);
      return proof;
    }),
  ),
  fc
    .record({ action: fc.nat(), row: fc.nat(9), to: fc.oneof(fc.constant(0n), fc.constant(1n), fc.bigInt()) })
    .map(
      ({ action, row, to }): Change =>
        ({ statement, proof }) => ({
          statement: statement.map((inputs, i) =>
            i === action % statement.length ? inputs.map((input, j) => (j === row ? to : input)) : inputs,
          ),
          proof,
        }),
    ),
);

const isSame = (a: ProvenStatement, b: ProvenStatement): boolean =>
  a.proof.every((byte, i) => byte === b.proof[i]) && a.statement.join() === b.statement.join();

test('random changes of the recorded proofs are refused', async (t) => {
  const verifier = await createTestVerifier();
  fc.assert(
    fc.property(fc.constantFrom(...PROOFS.values()), changes, (proven, change) => {
      const wrong = change(proven);
      return isSame(proven, wrong) || verifier.verify(wrong).kind === 'refused';
    }),
    { numRuns: MUTATIONS },
  );
  t.pass();
});
