// The 64 bytes of a diversifiable incoming viewing key, the same for Sapling and Orchard (ZIP 316): dk, then ivk. The
// range of ivk depends on the protocol.
import { assertLength, concatBytes, FormatError } from '@wallet-companion/base/bytes';
import { decodeInteger32 } from '../curves/integers.ts';

const LENGTH = 64;

/** Each 32 bytes. */
export interface IncomingViewingKey {
  readonly dk: Uint8Array;
  readonly ivk: Uint8Array;
}

export const encodeIncomingViewingKey = ({ dk, ivk }: IncomingViewingKey): Uint8Array => concatBytes(dk, ivk);

/** FormatError unless ivk is in [1, end). */
export function parseIncomingViewingKey(
  bytes: Uint8Array,
  protocol: 'Sapling' | 'Orchard',
  end: bigint,
): IncomingViewingKey {
  assertLength(bytes, LENGTH, `${protocol} incoming viewing key`);
  const ivk = decodeInteger32(bytes, 32);
  if (ivk === 0n || ivk >= end) throw new FormatError(`${protocol} incoming viewing key is out of range`);
  return { dk: bytes.slice(0, 32), ivk: bytes.slice(32) };
}
