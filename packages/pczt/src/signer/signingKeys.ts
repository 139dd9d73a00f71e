// The spending keys of an account, derived from its seed for one signature; their owner wipes them.
import { wipe } from '@wallet-companion/base/bytes';
import { encodeInteger32, JUBJUB_ORDER } from '@wallet-companion/zcash/curves';
import {
  deriveOrchardAccountKey,
  deriveOrchardKeys,
  deriveSaplingAccountKey,
  saplingFullViewingKeyOf,
  saplingIncomingViewingKey,
  saplingInternalParts,
  saplingKeyOfScope,
  wipeSaplingExtendedKey,
} from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { ShieldedProtocol } from '@wallet-companion/zcash/pools';

/** 32 bytes each. */
export interface SpendAuthorizingKey {
  readonly ask: Uint8Array;
  /** Its validating key. */
  readonly ak: Uint8Array;
}

/** Makes proofs and cannot spend. */
export interface SaplingProofKey {
  /** The incoming key of the addresses whose notes it proves. */
  readonly ivk: Uint8Array;
  readonly ak: Uint8Array;
  readonly nsk: Uint8Array;
}

export interface SigningKeys {
  /** From which the keys of transparent inputs are derived. */
  readonly seed: Uint8Array;
  readonly coinType: number;
  readonly account: number;
  readonly spendAuth: Readonly<Record<ShieldedProtocol, SpendAuthorizingKey>>;
  /** One for notes at external addresses, and one for change. */
  readonly saplingProof: readonly SaplingProofKey[];
}

/** ZIP 32, for one account of a seed, which is copied. */
export function deriveSigningKeys(
  seed: Uint8Array,
  { coinType }: Pick<NetworkParameters, 'coinType'>,
  account: number,
): SigningKeys {
  const sapling = deriveSaplingAccountKey(seed, coinType, account);
  const orchardKey = deriveOrchardAccountKey(seed, coinType, account);
  try {
    const viewing = saplingFullViewingKeyOf(sapling);
    const orchard = deriveOrchardKeys(orchardKey);
    const nsks = {
      external: sapling.nsk,
      internal: (sapling.nsk + saplingInternalParts(viewing).nskOffset) % JUBJUB_ORDER,
    };
    return {
      seed: seed.slice(),
      coinType,
      account,
      spendAuth: {
        sapling: { ask: encodeInteger32(sapling.ask), ak: viewing.ak },
        orchard: { ask: encodeInteger32(orchard.ask), ak: encodeInteger32(orchard.fullViewingKey.ak) },
      },
      saplingProof: (['external', 'internal'] as const).map((scope) => ({
        ivk: saplingIncomingViewingKey(saplingKeyOfScope(viewing, scope)),
        ak: viewing.ak,
        nsk: encodeInteger32(nsks[scope]),
      })),
    };
  } finally {
    wipe(orchardKey);
    wipeSaplingExtendedKey(sapling);
  }
}

/** All that can spend or prove. */
export const wipeSigningKeys = ({ seed, spendAuth, saplingProof }: SigningKeys): void =>
  wipe(seed, spendAuth.sapling.ask, spendAuth.orchard.ask, ...saplingProof.map(({ nsk }) => nsk));
