import type { Prover } from '../../src/actors/wallet/ports/prover.ts';
import { CompanionError } from '../../src/protocol/errors.ts';

export const noProver: Prover = {
  prove: async () => {
    throw new CompanionError('NO_PROVER', 'Nobody makes proofs here.');
  },
};
