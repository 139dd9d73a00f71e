// What the prover and the verifier need, from the files of this package, and a second thread. Needs Node.

export { loadCircuit, loadPoints } from '../halo2/circuit/circuitFiles.ts';
export { loadProverData, loadWrongProofs } from '../halo2/load.ts';
export { type HelperParts, ThreadedHelper } from '../halo2/prover/threadedHelper.ts';
export { ThreadedVerifier } from '../halo2/threadedVerifier.ts';
