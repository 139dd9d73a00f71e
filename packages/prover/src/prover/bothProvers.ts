// The own prover for actions, and the crates' module for Sapling.

import { FormatError } from '@wallet-companion/base/bytes';
import { decodePczt, missingOf, PcztRefusal } from '@wallet-companion/pczt/pczt';
import { isActionPool, type Pool } from '@wallet-companion/zcash/pools';
import type { PcztProver } from './calls.ts';
import { ProverError } from './failures.ts';

/**
 * Proves actions by one and what then is missing by the other. Without `sapling` a PCZT that lacks Sapling proofs is refused
 * with `SAPLING` before any work.
 */
export function proverOfAll(actions: PcztProver, sapling: PcztProver | undefined): PcztProver {
  return {
    async prove(pczt, options) {
      const pools = unproved(pczt);
      const isSapling = pools.includes('sapling');
      if (isSapling && sapling === undefined)
        throw new ProverError('SAPLING', 'Sapling proofs are missing, and there is no prover of Sapling.');
      if (!isSapling) return actions.prove(pczt, options);
      const own = pools.some(isActionPool) ? await actions.prove(pczt, options) : undefined;
      try {
        return await sapling!.prove(own ?? pczt, options);
      } finally {
        own?.fill(0);
      }
    },
    verify: (pczt, options) => actions.verify(pczt, options),
    close: () => {
      actions.close();
      sapling?.close();
    },
  };
}

function unproved(bytes: Uint8Array): readonly Pool[] {
  try {
    return missingOf(decodePczt(bytes).pczt).proofs.map(({ pool }) => pool);
  } catch (error) {
    if (!(error instanceof FormatError) && !(error instanceof PcztRefusal)) throw error;
    throw new ProverError('INVALID_PCZT', error.message);
  }
}
