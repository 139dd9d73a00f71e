// Whether the proofs of a payment are of its transaction, which otherwise a node would be the first to check.

import type { At, Pczt } from '@wallet-companion/pczt/pczt';
import { ACTION_POOLS, type ActionPool } from '@wallet-companion/zcash/pools';
import type { CompanionError } from '../../../protocol/errors.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';

/** Rejects with `refusal` of the pools whose proof is wrong, of those among `places`. */
export async function verifyProofs(
  { configFile, proofVerifier }: Pick<WalletEnvironment, 'configFile' | 'proofVerifier'>,
  pczt: Pczt,
  refusal: (pools: readonly ActionPool[]) => CompanionError,
  places: readonly At['place'][] = ACTION_POOLS,
): Promise<void> {
  const { network, verify_regtest_proofs: alsoRegtest } = configFile.get();
  if (network === 'regtest' && !alsoRegtest) return;
  const wrong = (await proofVerifier.findWrongProofs(pczt)).filter((pool) => places.includes(pool));
  if (wrong.length > 0) throw refusal(wrong);
}
