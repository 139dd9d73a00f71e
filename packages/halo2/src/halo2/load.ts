// Prover and verifier from the files of this package. Needs Node.

import { randomBytes } from 'node:crypto';
import { loadKernel, loadVesta } from '@wallet-companion/kernel/kernelLoad';
import { instantiateVesta } from '@wallet-companion/kernel/vesta';
import { type CircuitName, circuitOfBranch } from '@wallet-companion/zcash/network';
import { loadCircuit, loadPoints, readPackaged } from './circuit/circuitFiles.ts';
import { fetchProverData, type ProverData } from './proverData.ts';
import { createVerifier } from './verifier/verifier.ts';
import { type WrongProofs, wrongProofs } from './verifier/wrongProofs.ts';

export const loadProverData = (): Promise<ProverData> => fetchProverData(readPackaged);

/**
 * The verifier of a circuit, in some 0.3 s. It finds nothing wrong with proofs of another one.
 *
 * @throws KernelUnavailableError where no build of the kernel works.
 */
export async function loadWrongProofs(name: CircuitName): Promise<WrongProofs> {
  const kernel = instantiateVesta(await loadVesta(await loadKernel()));
  const [circuit, points] = [await loadCircuit(name), await loadPoints()];
  const verifier = createVerifier({ kernel, circuit, points, random: () => randomBytes(64) });
  return (effects, proofOf) =>
    circuitOfBranch(effects.consensusBranchId) === name
      ? wrongProofs(kernel, verifier, effects, proofOf)
      : [];
}
