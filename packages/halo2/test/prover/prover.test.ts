import { bytesToHex } from '@wallet-companion/base/bytes';
import test from 'ava';
import { Proving } from '../../src/halo2/prover/prover.ts';
import { RECORDED_PROOFS } from '../support.ts';
import { createTestKey, recordedActions, seededStream } from './recordedProofs.ts';

test('with the crates’ stream of draws a proof has the crates’ bytes', async (t) => {
  const key = await createTestKey();
  for (const name of ['0', 'two', 'four']) {
    const { cases, rng_seed: seed, proof, draws } = RECORDED_PROOFS.find((one) => one.name === name)!;
    const stream = seededStream(seed);
    const made = new Proving(key, await recordedActions(cases), stream.random).prove();
    t.is(bytesToHex(made), proof, name);
    t.is(stream.blocks(), draws, name);
  }
});
