// Verifies proofs in a wallet's thread: some 20 ms, and at the first payment a third of a second. Wallets that never pay load
// none of it.

import { randomBytes } from 'node:crypto';
import type { CircuitName } from '@wallet-companion/halo2';
import { effectsOfPczt } from '@wallet-companion/pczt/pcztRoles';
import { ACTION_POOLS, allowsCrossAddress } from '@wallet-companion/zcash/pools';
import type { ProofVerifier } from '../actors/wallet/ports/proofVerifier.ts';

/** Only tests replace `load`. */
export function createProofVerifier(load = loadVerifier): ProofVerifier {
  const verifiers = new Map<CircuitName, Promise<IsProof>>();
  const verifierOf = (name: CircuitName): Promise<IsProof> => {
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
      const { circuitOfBranch } = await import('@wallet-companion/halo2');
      const effects = effectsOfPczt(pczt);
      const { consensusBranchId } = effects;
      const name = circuitOfBranch(consensusBranchId);
      const isProof = name === undefined ? () => true : await verifierOf(name);
      return proven.filter((pool) => {
        const bundle = effects[pool];
        if (bundle?.anchor === undefined) return true;
        const { actions, flags, anchor } = bundle;
        const isFree = allowsCrossAddress(pool, flags, consensusBranchId);
        return !isProof({ actions, flags, anchor, allowsCrossAddress: isFree }, pczt[pool].zkproof!);
      });
    },
  };
}

/** Whether the bytes prove the actions of a bundle. */
type IsProof = Awaited<ReturnType<typeof loadVerifier>>;

/** Such a machine scans with the reference, and pays as well: a node verifies what it is sent. */
async function whereNoKernelWorks(error: unknown): Promise<IsProof> {
  const { KernelUnavailableError } = await import('@wallet-companion/kernel/kernel');
  if (!(error instanceof KernelUnavailableError)) throw error;
  return () => true;
}

export async function loadVerifier(name: CircuitName) {
  const { createVerifier, loadCircuit, loadPoints, statementOf } = await import('@wallet-companion/halo2');
  const { loadKernel, loadVesta } = await import('@wallet-companion/kernel/kernelLoad');
  const { instantiateVesta } = await import('@wallet-companion/kernel/vesta');
  const kernel = instantiateVesta(await loadVesta(await loadKernel()));
  const [circuit, points] = [await loadCircuit(name), await loadPoints()];
  const verifier = createVerifier({ kernel, circuit, points, random: () => randomBytes(64) });
  return (bundle: Parameters<typeof statementOf>[1], proof: Uint8Array): boolean => {
    const statement = statementOf(kernel, bundle);
    return statement !== undefined && verifier.verify({ statement, proof }).kind === 'valid';
  };
}
