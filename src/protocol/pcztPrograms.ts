// The programs of config.json that add their part to the PCZT of a payment: `prover` makes proofs, `signer` signatures.

export type PcztRole = 'prover' | 'signer';

/** What makes proofs: the program of config.json, the module of packages/prover, or nothing. */
export type ProverKind = 'program' | 'module' | 'none';

/**
 * Two actions take half a minute of two processors to prove, 32 in two pools some ten minutes; a person confirms in less.
 */
export const DEFAULT_PROGRAM_SECONDS = 600;
