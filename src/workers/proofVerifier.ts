// Verifies proofs in a wallet's thread: some 20 ms, and at the first payment a third of a second. Wallets that never pay load
// none of it.

import type { WrongProofs } from '@wallet-companion/halo2';
import { effectsOfPczt } from '@wallet-companion/pczt/pcztRoles';
import { type CircuitName, circuitOfBranch } from '@wallet-companion/zcash/network';
import { ACTION_POOLS } from '@wallet-companion/zcash/pools';
import type { ProofVerifier } from '../actors/wallet/ports/signing.ts';

const loadVerifier = async (name: CircuitName): Promise<WrongProofs> =>
  (await import('@wallet-companion/halo2/load')).loadWrongProofs(name);

/** Only tests replace `load`. */
export function createProofVerifier(load = loadVerifier): ProofVerifier {
  const verifiers = new Map<CircuitName, Promise<WrongProofs>>();
  const verifierOf = (name: CircuitName): Promise<WrongProofs> => {
    const loading = verifiers.get(name) ?? load(name);
    verifiers.set(name, loading);
    // What hindered it, such as too few open files, may be over at the next payment.
    loading.catch(() => verifiers.delete(name));
    return loading.catch(whereNoKernelWorks);
  };
  return {
    async findWrongProofs(pczt) {
      const proven = ACTION_POOLS.filter((pool) => pczt[pool].zkproof !== undefined);
      if (proven.length === 0) return [];
      const effects = effectsOfPczt(pczt);
      const name = circuitOfBranch(effects.consensusBranchId);
      return name === undefined ? [] : (await verifierOf(name))(effects, (pool) => pczt[pool].zkproof);
    },
  };
}

/** Such a machine scans with the reference, and pays as well: a node verifies what it is sent. */
async function whereNoKernelWorks(error: unknown): Promise<WrongProofs> {
  const { KernelUnavailableError } = await import('@wallet-companion/kernel/kernel');
  if (!(error instanceof KernelUnavailableError)) throw error;
  return () => [];
}
