// The prover and the verifier of the action circuit's proofs. What loads them needs Node.

export type { Circuit } from '../halo2/circuit/circuit.ts';
export {
  type CircuitName,
  type CommitmentPoints,
  circuitOfBranch,
  loadCircuit,
  loadPoints,
  loadTable,
} from '../halo2/circuit/circuitFiles.ts';
export {
  type ActionProver,
  type ActionProverParts,
  createActionProver,
} from '../halo2/prover/actionProver.ts';
export type { RandomBytes } from '../halo2/prover/draws.ts';
export type { ProofHelper } from '../halo2/prover/proofWork.ts';
export type { CircuitTables } from '../halo2/prover/provingKey.ts';
export { type HelperParts, ThreadedHelper } from '../halo2/prover/threadedHelper.ts';
export { type ProvenActions, statementOf } from '../halo2/statement.ts';
export type { Refusal } from '../halo2/transcript/proofReader.ts';
export type { Statement } from '../halo2/verifier/equation.ts';
export {
  createVerifier,
  type ProvenStatement,
  type Verdict,
  type Verifier,
  type VerifierParts,
} from '../halo2/verifier/verifier.ts';
export { loadWitnessCircuit } from '../halo2/witness/loadWitnessCircuit.ts';
export { UnprovableError } from '../halo2/witness/unprovable.ts';
