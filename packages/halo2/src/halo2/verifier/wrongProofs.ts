// Which proofs of a transaction are wrong, in a PCZT or in the transaction itself.

import type { VestaKernel } from '@wallet-companion/kernel/vesta';
import { ACTION_POOLS, type ActionPool, allowsCrossAddress } from '@wallet-companion/zcash/pools';
import type { TransactionEffects } from '@wallet-companion/zcash/signing';
import { statementOf } from './statement.ts';
import type { Verifier } from './verifier.ts';

/** The pools whose proof is there and is not one of these effects. */
export type WrongProofs = (
  effects: TransactionEffects,
  proofOf: (pool: ActionPool) => Uint8Array | undefined,
) => ActionPool[];

export const wrongProofs = (
  kernel: VestaKernel,
  verifier: Verifier,
  ...[effects, proofOf]: Parameters<WrongProofs>
): ActionPool[] =>
  ACTION_POOLS.filter((pool) => {
    const [bundle, proof] = [effects[pool], proofOf(pool)];
    if (proof === undefined) return false;
    if (bundle?.anchor === undefined) return true;
    const { actions, flags, anchor } = bundle;
    const isFree = allowsCrossAddress(pool, flags, effects.consensusBranchId);
    const statement = statementOf(kernel, { actions, flags, anchor, allowsCrossAddress: isFree });
    return statement === undefined || verifier.verify({ statement, proof }).kind !== 'valid';
  });
