// The prover and verifier of a PCZT's Orchard and Ironwood proofs.

export { proverIsBuilt } from '../prover/builtModule.ts';
export { ProverError, type ProverErrorCode } from '../prover/failures.ts';
export { createProver, type ModuleProver, type ProverOptions } from '../prover/moduleProver.ts';
