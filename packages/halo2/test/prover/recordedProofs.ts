// A prover as a thread has it, the crates' stream of draws, and recorded actions to prove.

import type { Circuit } from '../../src/halo2/circuit/circuit.ts';
import { loadCircuit, loadPoints, loadTable } from '../../src/halo2/circuit/circuitFiles.ts';
import type { ProofHelper } from '../../src/halo2/prover/proofWork.ts';
import { type ProvableAction, Proving } from '../../src/halo2/prover/prover.ts';
import { type CircuitTables, createProvingKey, type ProvingKey } from '../../src/halo2/prover/provingKey.ts';
import { prepare } from '../../src/halo2/verifier/verifier.ts';
import { createActionWitness } from '../../src/halo2/witness/actionWitness.ts';
import { seededStream } from '../helpers/seededStream.ts';
import { createKernel, type RECORDED_PROOFS } from '../support.ts';
import { inputsOf, WITNESS_CASES, witnessCircuit } from '../witness/recordedWitnesses.ts';

export async function proofWithStream(
  key: ProvingKey,
  { cases, rng_seed: seed }: (typeof RECORDED_PROOFS)[number],
  helper?: ProofHelper,
): Promise<{ readonly proof: Uint8Array; readonly blocks: number }> {
  const { random, blocks } = seededStream(seed);
  const proof = await new Proving(key, await recordedActions(cases), random, helper).prove();
  return { proof, blocks: blocks() };
}

export const tables = async (circuit: Circuit): Promise<CircuitTables> => ({
  fixed: await loadTable(circuit, 'fixed.bin'),
  sigma: await loadTable(circuit, 'sigma.bin'),
});

export async function createTestKey(
  choice: 'auto' | 'portable' = 'auto',
  helper?: ProofHelper,
): Promise<ProvingKey> {
  const circuit = await loadCircuit('post-nu6-3');
  const prepared = prepare(await createKernel(choice), circuit, await loadPoints());
  return createProvingKey(prepared, await tables(circuit), helper);
}

export async function recordedActions(cases: readonly number[]): Promise<ProvableAction[]> {
  const circuit = await witnessCircuit();
  return cases.map((number) => createActionWitness(circuit, inputsOf(WITNESS_CASES[number]!)));
}
