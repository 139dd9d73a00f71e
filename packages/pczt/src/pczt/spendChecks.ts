// Checks whether the fields that explain a spend fit the signed data: the nullifier is that of the note and of the key,
// rk is the key's. No field is trusted: an absent field is unknown, not right.

import { equalBytes, FormatError } from '@wallet-companion/base/bytes';
import {
  decodeInteger32,
  encodeInteger32,
  encodeJubjub,
  JUBJUB_ORDER,
  SAPLING_PROOF_BASE,
} from '@wallet-companion/zcash/curves';
import {
  orchardScopeKeys,
  parseOrchardFullViewingKey,
  saplingIncomingViewingKey,
} from '@wallet-companion/zcash/keys';
import { leadByteOf } from '@wallet-companion/zcash/notes';
import type { ActionPool, Pool } from '@wallet-companion/zcash/pools';
import { cryptographyOf } from '@wallet-companion/zcash/signing';
import type { ActionSpend, SaplingSpend } from './layout.ts';
import { type DescribedNote, isAddressOf, noteOf } from './outputNote.ts';

/** `unknown`: a field that the check needs is absent. */
export type Finding = 'right' | 'wrong' | 'unknown';

export const finding = (isRight: boolean | undefined): Finding =>
  isRight === undefined ? 'unknown' : isRight ? 'right' : 'wrong';

/** Bytes that are not a key, scalar or point do not fit either. */
export function findingOf(check: () => boolean | undefined): Finding {
  try {
    return finding(check());
  } catch (error) {
    if (error instanceof FormatError) return 'wrong';
    throw error;
  }
}

/** The parts of a viewing key that check spends. */
export interface SpendKey {
  /** Encoded; undefined where only nullifiers can be checked. */
  readonly ak: Uint8Array | undefined;
  readonly nk: Uint8Array;
  /** The ivks of every scope that the key can see. */
  readonly ivks: readonly Uint8Array[];
}

/** FormatError when the bytes are not a key. */
export function actionKey(fvk: Uint8Array): SpendKey {
  const key = parseOrchardFullViewingKey(fvk);
  const ivks = (['external', 'internal'] as const).map((scope) => orchardScopeKeys(key, scope).ivk);
  return { ak: encodeInteger32(key.ak), nk: encodeInteger32(key.nk), ivks };
}

/** FormatError when the bytes are not a key. */
export function saplingKey({ ak, nsk }: NonNullable<SaplingSpend['proofGenerationKey']>): SpendKey {
  const scalar = decodeInteger32(nsk);
  if (scalar >= JUBJUB_ORDER) throw new FormatError('nsk is not canonical');
  const nk = encodeJubjub(SAPLING_PROOF_BASE.multiply(scalar));
  return { ak, nk, ivks: [saplingIncomingViewingKey({ ak, nk })] };
}

/** Keys for a spend: the one in the PCZT, and the wallet's, undefined for a recipient that is not the wallet's. */
export interface SpendKeys {
  /** FormatError when the bytes are not a key. */
  ofFvk(fvk: Uint8Array): SpendKey;
  readonly ofWallet: SpendKey | undefined;
}

export interface SpendFindings {
  readonly nullifier: Finding;
  readonly rk: Finding;
}

export function checkActionSpend(pool: ActionPool, spend: ActionSpend, keys: SpendKeys): SpendFindings {
  const { recipient, value, rho, rseed, fvk } = spend;
  const note =
    recipient && value !== undefined && rho && rseed
      ? { leadByte: leadByteOf(pool), recipient, value, rho, rseed }
      : undefined;
  return findingsOf(pool, note, 0, spend, () => {
    if (fvk !== undefined) return keys.ofFvk(fvk);
    return keys.ofWallet;
  });
}

export function checkSaplingSpend(spend: SaplingSpend, keys: SpendKeys): SpendFindings {
  const { recipient, value, rseed, rcm, witness, proofGenerationKey } = spend;
  const seed = rseed ?? rcm;
  const note =
    recipient && value !== undefined && seed && witness
      ? { leadByte: rseed ? 2 : 1, recipient, value, rho: new Uint8Array(0), rseed: seed }
      : undefined;
  return findingsOf('sapling', note, witness?.position ?? 0, spend, () => {
    if (proofGenerationKey !== undefined) return saplingKey(proofGenerationKey);
    return keys.ofWallet;
  });
}

interface Signed {
  readonly nullifier: Uint8Array;
  readonly rk: Uint8Array;
  readonly alpha: Uint8Array | undefined;
}

function findingsOf(
  pool: Pool,
  note: DescribedNote | undefined,
  position: number,
  { nullifier, rk, alpha }: Signed,
  keyOf: () => SpendKey | undefined,
): SpendFindings {
  return {
    nullifier: findingOf(() => {
      const key = keyOf();
      if (key === undefined || note === undefined) return undefined;
      const { nk, ivks } = key;
      if (!ivks.some((ivk) => isAddressOf(pool, note.recipient, ivk))) return false;
      const made = noteOf(pool, note)?.nullifier(nk, position);
      return made !== undefined && equalBytes(made, nullifier);
    }),
    rk: findingOf(() => {
      const ak = keyOf()?.ak;
      if (ak === undefined || alpha === undefined) return undefined;
      return equalBytes(cryptographyOf(pool).spendAuth.randomizedValidatingKey(ak, alpha), rk);
    }),
  };
}

/** A Sapling spend has a separate value commitment. */
export const checkSaplingValue = ({ cv, value, rcv }: Pick<SaplingSpend, 'cv' | 'value' | 'rcv'>): Finding =>
  findingOf(() =>
    value === undefined || rcv === undefined
      ? undefined
      : equalBytes(cryptographyOf('sapling').values.commit(value, rcv), cv),
  );
