import type { Prover, Signer } from '../../src/actors/wallet/ports/signing.ts';
import { CompanionError } from '../../src/protocol/errors.ts';

export const noProver: Prover = {
  prove: async () => {
    throw new CompanionError('NO_PROVER', 'Nobody makes proofs here.');
  },
  // What is only prepared in a test is proved elsewhere.
  provesSapling: async () => true,
};

export const noSigner: Signer = {
  sign: async () => {
    throw new CompanionError('NO_SIGNER', 'Nobody signs here.');
  },
};
