// The verifier on recorded proofs of the reference crates, and on what must be refused.

import { hexToBytes } from '@wallet-companion/base/bytes';
import { decodePoints } from '@wallet-companion/kernel/vesta';
import test from 'ava';
import { Transcript } from '../src/halo2/transcript/transcript.ts';
import { createKernel, createTestVerifier, PROOFS, REFUSED, readFixture, scalarOf } from './support.ts';

const VALID = { kind: 'valid' };
/** All of them are in `refused.full.test.ts`. */
const STRIDE = 23;

test('every recorded proof is valid, alone, together, and on the portable build', async (t) => {
  const verifier = await createTestVerifier();
  const portable = await createTestVerifier(undefined, await createKernel('portable'));
  const proofs = [...PROOFS.values()];
  t.is(proofs.length, 33);
  for (const [name, proven] of PROOFS) t.deepEqual(verifier.verify(proven), VALID, name);
  for (const name of ['two', 'two-same', 'four'])
    t.deepEqual(portable.verify(PROOFS.get(name)!), VALID, name);
  t.deepEqual(
    verifier.verifyAll(proofs),
    proofs.map(() => VALID),
  );
  t.deepEqual(verifier.verifyAll([]), []);
});

test('what must be refused is refused, alone and among valid proofs', async (t) => {
  const verifier = await createTestVerifier();
  const some = REFUSED.filter((_, i) => i % STRIDE === 0 || i >= REFUSED.length - 12);
  for (const { what, proven } of some) t.is(verifier.verify(proven).kind, 'refused', what);
  const [one, two] = [PROOFS.get('0')!, PROOFS.get('two')!];
  const wrong = { ...one, statement: PROOFS.get('1')!.statement };
  t.deepEqual(verifier.verifyAll([one, wrong, two, { ...two, proof: two.proof.slice(1) }]), [
    VALID,
    { kind: 'refused', reason: 'EQUATION' },
    VALID,
    { kind: 'refused', reason: 'LENGTH' },
  ]);
  t.deepEqual(verifier.verify({ ...one, statement: [one.statement[0]!.slice(1)] }), {
    kind: 'refused',
    reason: 'INPUTS',
  });
});

test('the transcript gives the challenges of the recorded trace', async (t) => {
  const kernel = await createKernel();
  const trace = JSON.parse(new TextDecoder().decode(readFixture('trace-0'))) as [string, string][];
  const transcript = new Transcript();
  let challenges = 0;
  for (const [kind, value] of trace) {
    if (kind === 'challenge') {
      t.is(transcript.challenge(), scalarOf(value));
      challenges++;
    } else if (kind.endsWith('point')) {
      transcript.absorbPoint(decodePoints(kernel, 'vesta', hexToBytes(value))!);
    } else if (kind.endsWith('scalar')) {
      transcript.absorbScalar(scalarOf(value));
    }
  }
  t.is(challenges, 22);
});
