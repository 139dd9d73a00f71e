// The programs of config.json that add their part to the PCZT of a payment: `prover` makes proofs, `signer` signatures.

export type PcztRole = 'prover' | 'signer';

/** The provers of packages/prover: the project's own, and the reference crates' module. */
export type BuiltInProver = 'own' | 'module';
/** What makes proofs. */
export type ProverKind = 'program' | BuiltInProver | 'none';

export const NO_SAPLING_PROOFS =
  'Nothing here makes Sapling proofs. Put sapling-spend.params and sapling-output.params (an asset of each release; older nodes have them in ~/.zcash-params) into a folder, and name it as "sapling_params" in config.json; or name a program as "prover" there.';

/** With the module two actions take half a minute of two processors, 32 in two pools some ten minutes. */
export const DEFAULT_PROGRAM_SECONDS = 600;

/** In the place of a signer program: an allowance signer, a process that runs and listens there. */
export interface SignerSocket {
  /** An absolute path. */
  readonly socket: string;
}
