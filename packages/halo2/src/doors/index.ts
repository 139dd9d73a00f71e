// The prover and the verifier of the action circuit's proofs, in a thread that receives the kernel compiled. Needs nothing of Node.

export type { Circuit } from '../halo2/circuit/circuit.ts';
export { type CommitmentPoints, PROVABLE_CIRCUIT, type ReadData } from '../halo2/circuit/circuitData.ts';
export {
  type ActionProver,
  type ActionProverParts,
  createActionProver,
} from '../halo2/prover/actionProver.ts';
export type { RandomBytes } from '../halo2/prover/draws.ts';
export type { ProofHelper } from '../halo2/prover/proofWork.ts';
export type { CircuitTables } from '../halo2/prover/provingKey.ts';
export { fetchProverData, type ProverData } from '../halo2/proverData.ts';
export type { Refusal } from '../halo2/transcript/proofReader.ts';
export type { Statement } from '../halo2/verifier/equation.ts';
export { type ProvenActions, statementOf } from '../halo2/verifier/statement.ts';
export {
  createVerifier,
  type ProvenStatement,
  type Verdict,
  type Verifier,
  type VerifierParts,
} from '../halo2/verifier/verifier.ts';
export type { WrongProofs } from '../halo2/verifier/wrongProofs.ts';
export { UnprovableError } from '../halo2/witness/unprovable.ts';
