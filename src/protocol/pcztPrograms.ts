// The programs of config.json that add their part to the PCZT of a payment: `prover` makes proofs, `signer` signatures.

export type PcztRole = 'prover' | 'signer';

/** The provers of packages/prover: the project's own, and the reference crates' module. */
export type BuiltInProver = 'own' | 'module';
/** What makes proofs. */
export type ProverKind = 'program' | BuiltInProver | 'none';

/** With the module two actions take half a minute of two processors, 32 in two pools some ten minutes. */
export const DEFAULT_PROGRAM_SECONDS = 600;
