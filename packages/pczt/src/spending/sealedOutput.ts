// An output as transmitted, with the fields that explain it: commitment, ciphertexts, and the seed that they follow from.
import { drawUntilFound, FormatError } from '@wallet-companion/base/bytes';
import { encryptNote, NOTE_SCHEMES } from '@wallet-companion/zcash/notes';
import type { Pool } from '@wallet-companion/zcash/pools';
import type { RandomBytes } from '@wallet-companion/zcash/signing';
import type { Derivation } from '../pczt/layout.ts';

export interface OutputToMake {
  /** 43 bytes. */
  readonly recipient: Uint8Array;
  readonly value: bigint;
  /** 512 bytes. */
  readonly memo: Uint8Array;
  /** Undefined: the sender will not be able to read the output. */
  readonly ovk?: Uint8Array | undefined;
  /** The address as typed. */
  readonly userAddress?: string | undefined;
  readonly zip32Derivation?: Derivation | undefined;
  /** Random bytes replace the ciphertext: its reader must not learn that nothing was sent (ZIP 326). */
  readonly isUnreadable?: boolean;
}

interface Sealed {
  readonly commitment: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  readonly encCiphertext: Uint8Array;
  readonly outCiphertext: Uint8Array;
  readonly rseed: Uint8Array;
  readonly ock: Uint8Array | undefined;
}

/** `cv` as transmitted; `rho` is empty in Sapling. */
export function sealOutput(
  pool: Pool,
  leadByte: number,
  { recipient, value, memo, ovk, isUnreadable }: OutputToMake,
  { cv, rho }: { readonly cv: Uint8Array; readonly rho: Uint8Array },
  randomBytes: RandomBytes,
): Sealed {
  const scheme = NOTE_SCHEMES[pool];
  return drawUntilFound(() => {
    const rseed = randomBytes(32);
    const described = { leadByte, value, rseed, recipient, memo, rho, cv, ovk: ovk ?? null };
    const sealed = tryEncrypt(() => encryptNote(scheme, described, randomBytes));
    if (sealed === undefined) return undefined;
    const { commitment, ephemeralKey, encCiphertext, outCiphertext } = sealed;
    return {
      commitment,
      ephemeralKey,
      encCiphertext: isUnreadable ? randomBytes(encCiphertext.length) : encCiphertext,
      outCiphertext,
      rseed,
      ock: ovk && scheme.deriveOutgoingKey(ovk, cv, commitment, ephemeralKey),
    };
  });
}

/** Undefined for a seed that makes no note: the caller tries another. */
function tryEncrypt<T>(encrypt: () => T): T | undefined {
  try {
    return encrypt();
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
