// Verifies the proofs of payments, without a prover and without a key.

import type { Pczt } from '@wallet-companion/pczt/pczt';
import type { ActionPool } from '@wallet-companion/zcash/pools';

export interface ProofVerifier {
  /**
   * The pools whose proof is not one of this transaction. A proof that is missing is none of them; those of Sapling, and of
   * circuits that the network no longer takes, are not verified, nor any on a machine where no build of the kernel works.
   */
  findWrongProofs(pczt: Pczt): Promise<readonly ActionPool[]>;
}
