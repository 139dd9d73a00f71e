// The wallet's verifier on payments of the vectors, whose proofs the reference crates made.

import { loadWrongProofs } from '@wallet-companion/halo2/load';
import { KernelUnavailableError } from '@wallet-companion/kernel/kernel';
import { flipped, stage, withField } from '@wallet-companion/pczt/test/pcztVectors';
import test from 'ava';
import { createProofVerifier } from '../../src/workers/proofVerifier.ts';

const verifier = createProofVerifier();

test('without a kernel that works no payment is refused, with one it is verified', async (t) => {
  const wrong = flipped(stage('v6-ironwood-ironwood', 'complete'), 'ironwood.zkproof');
  let isHindered = true;
  const hindered = createProofVerifier((name) =>
    isHindered ? Promise.reject(new KernelUnavailableError('no vectors')) : loadWrongProofs(name),
  );
  t.deepEqual(await hindered.findWrongProofs(wrong), []);
  isHindered = false;
  t.deepEqual(await hindered.findWrongProofs(wrong), ['ironwood']);
});

for (const name of [
  'v5-orchard-orchard',
  'v6-orchard-ironwood',
  'v6-ironwood-ironwood',
  'v6-nu7-ironwood-transparent',
  'v6-sapling-sapling',
])
  test(`the proofs of a recorded payment are right: ${name}`, async (t) => {
    t.deepEqual(await verifier.findWrongProofs(stage(name, 'complete')), []);
    t.deepEqual(await verifier.findWrongProofs(stage(name, 'ready')), []);
  });

test('a proof with another bit, or of another payment, or for another anchor or flag is wrong', async (t) => {
  const right = stage('v6-ironwood-ironwood', 'complete');
  const other = stage('v6-nu7-ironwood-transparent', 'complete').ironwood.zkproof;
  for (const wrong of [
    flipped(right, 'ironwood.zkproof'),
    flipped(right, 'ironwood.anchor'),
    flipped(right, 'ironwood.actions.0.spend.rk'),
    flipped(right, 'ironwood.actions.1.output.cmx'),
    withField(right, 'ironwood.zkproof', other),
    withField(right, 'ironwood.zkproof', new Uint8Array(0)),
    withField(right, 'ironwood.flags', right.ironwood.flags ^ 4),
  ])
    t.deepEqual(await verifier.findWrongProofs(wrong), ['ironwood']);
});
