// Signatures and value commitments of each pool: those of its protocol.

import { JUBJUB_GROUP, PALLAS_GROUP, type RepresentedGroup } from '../curves/representedGroup.ts';
import {
  SAPLING_SPEND_AUTH_BASE,
  SAPLING_VALUE_BASE,
  SAPLING_VALUE_RANDOMNESS_BASE,
} from '../hashes/jubjubHash.ts';
import {
  ORCHARD_SPEND_AUTH_BASE,
  ORCHARD_VALUE_BASE,
  ORCHARD_VALUE_RANDOMNESS_BASE,
} from '../hashes/orchardBases.ts';
import { POOL, type Pool, type ShieldedProtocol } from '../pools.ts';
import { createRedDsa, type RedDsa } from './redDsa.ts';
import { createValueCommitments, type ValueCommitments } from './valueCommitments.ts';

export interface PoolCryptography {
  readonly spendAuth: RedDsa;
  readonly binding: RedDsa;
  readonly values: ValueCommitments;
  /** Whether consensus accepts the bytes as rk or ephemeral key: a canonical point, not of small order. */
  isKey(bytes: Uint8Array): boolean;
  /** Whether consensus accepts the bytes as value commitment, which on Pallas may be the identity. */
  isValueCommitment(bytes: Uint8Array): boolean;
}

const REDPALLAS = 'Zcash_RedPallasH';
const REDJUBJUB = 'Zcash_RedJubjubH';

const BY_PROTOCOL: Readonly<Record<ShieldedProtocol, PoolCryptography>> = {
  sapling: {
    spendAuth: createRedDsa(JUBJUB_GROUP, SAPLING_SPEND_AUTH_BASE, REDJUBJUB),
    binding: createRedDsa(JUBJUB_GROUP, SAPLING_VALUE_RANDOMNESS_BASE, REDJUBJUB),
    values: createValueCommitments(JUBJUB_GROUP, SAPLING_VALUE_BASE, SAPLING_VALUE_RANDOMNESS_BASE),
    isKey: (bytes) => isLargeOrderPoint(JUBJUB_GROUP, bytes),
    isValueCommitment: (bytes) => isLargeOrderPoint(JUBJUB_GROUP, bytes),
  },
  orchard: {
    spendAuth: createRedDsa(PALLAS_GROUP, ORCHARD_SPEND_AUTH_BASE, REDPALLAS),
    binding: createRedDsa(PALLAS_GROUP, ORCHARD_VALUE_RANDOMNESS_BASE, REDPALLAS),
    values: createValueCommitments(PALLAS_GROUP, ORCHARD_VALUE_BASE, ORCHARD_VALUE_RANDOMNESS_BASE),
    isKey: (bytes) => isLargeOrderPoint(PALLAS_GROUP, bytes),
    isValueCommitment: (bytes) => PALLAS_GROUP.tryDecode(bytes) !== undefined,
  },
};

/** Signatures and value commitments of the pool's protocol: RedJubjub or RedPallas (protocol specification §5.4.7). */
export const cryptographyOf = (pool: Pool): PoolCryptography => BY_PROTOCOL[POOL[pool].protocol];

function isLargeOrderPoint<Sum>(group: RepresentedGroup<Sum>, bytes: Uint8Array): boolean {
  const point = group.tryDecode(bytes);
  return point !== undefined && !group.isSmallOrder(point);
}
