// The provers and verifiers of a PCZT's proofs.

export { proverOfAll } from '../prover/bothProvers.ts';
export { proverIsBuilt } from '../prover/builtModule.ts';
export type { CallOptions, PcztProver, ProverOptions } from '../prover/calls.ts';
export { ProverError, type ProverErrorCode } from '../prover/failures.ts';
export { createModuleProver, type ModuleProverOptions } from '../prover/moduleProver.ts';
export { createOwnProver } from '../prover/ownProver.ts';
export { hasSaplingParameters } from '../prover/saplingParameters.ts';
