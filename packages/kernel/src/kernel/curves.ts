// What differs between the two curves where their outputs are searched, in one table: Orchard and Ironwood on Pallas,
// Sapling on Jubjub.

import type { ShieldedProtocol } from '@wallet-companion/zcash/pools';
import { JubjubNotes } from './batch/jubjubNotes.ts';
import type { KernelHashes } from './batch/kernelHashes.ts';
import type { KernelInstance } from './batch/kernelInstance.ts';
import { PallasNotes } from './batch/pallasNotes.ts';
import { JubjubSecrets, PallasSecrets, type SecretComputation } from './batch/sharedSecrets.ts';
import { JUBJUB_FIELD, PALLAS_FIELD, type PrimeField } from './generator/primeField.ts';
import { JUBJUB_ORDER, PALLAS_ORDER } from './plan/curveConstants.ts';
import { planJubjub } from './plan/jubjubPlan.ts';
import { planPallas } from './plan/pallasPlan.ts';
import type { ScalarPlan } from './plan/steps.ts';
import type { NoteVerifier } from './verify/noteVerifier.ts';

export interface Curve {
  readonly order: bigint;
  readonly field: PrimeField;
  /** Personalisations of the keys of encCiphertext and outCiphertext. */
  readonly encryption: string;
  readonly outgoing: string;
  /** An ephemeral key that fills unused lanes: a point of prime order, on the curve or on its twist. */
  readonly filler: bigint;
  /** Points of small order decode, and the key agreement is defined for them. */
  readonly hasSmallOrder: boolean;
  readonly plan: (scalars: readonly bigint[]) => ScalarPlan;
  readonly secrets: (kernel: KernelInstance) => SecretComputation;
  readonly notes: (kernel: KernelInstance, hashes: KernelHashes) => NoteVerifier;
}

export const PROTOCOLS = ['sapling', 'orchard'] as const satisfies readonly ShieldedProtocol[];

export const CURVES: Readonly<Record<ShieldedProtocol, Curve>> = {
  orchard: {
    order: PALLAS_ORDER,
    field: PALLAS_FIELD,
    encryption: 'Zcash_OrchardKDF',
    outgoing: 'Zcash_Orchardock',
    // x = -1, as in the generator.
    filler: PALLAS_FIELD.modulus - 1n,
    hasSmallOrder: false,
    plan: planPallas,
    secrets: ({ pallas }) => new PallasSecrets(pallas),
    notes: ({ memory, pallasScalar, sinsemilla }, hashes) =>
      new PallasNotes(memory, pallasScalar, hashes, sinsemilla),
  },
  sapling: {
    order: JUBJUB_ORDER,
    field: JUBJUB_FIELD,
    encryption: 'Zcash_SaplingKDF',
    outgoing: 'Zcash_Derive_ock',
    filler: 2n,
    hasSmallOrder: true,
    plan: planJubjub,
    secrets: ({ jubjub }) => new JubjubSecrets(jubjub),
    notes: ({ memory, jubjubScalar }, hashes) => new JubjubNotes(memory, jubjubScalar, hashes),
  },
};
