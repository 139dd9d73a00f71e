// The verifier of the action circuit's proofs. What loads it needs Node.

export type { Circuit } from '../halo2/circuit/circuit.ts';
export {
  type CircuitName,
  type CommitmentPoints,
  circuitOfBranch,
  loadCircuit,
  loadPoints,
  loadTable,
} from '../halo2/circuit/circuitFiles.ts';
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
