// Note plaintexts: protocol specification §5.5. Compact blocks carry the first 52 bytes.
import { assertLength, concatBytes, u64ToLeBytes } from '@wallet-companion/base/bytes';

export const COMPACT_PLAINTEXT_SIZE = 52;
export const MEMO_SIZE = 512;
export const NOTE_PLAINTEXT_SIZE = COMPACT_PLAINTEXT_SIZE + MEMO_SIZE;

export interface NotePlaintext {
  readonly leadByte: number;
  /** 11 bytes. */
  readonly diversifier: Uint8Array;
  /** Zatoshi; any 64-bit value. The scan drops amounts that cannot exist. */
  readonly value: bigint;
  /** 32 bytes; with lead byte 1 it is rcm itself. */
  readonly rseed: Uint8Array;
}

/** Reads the first 52 bytes; the fields are views. */
export function parseNotePlaintext(bytes: Uint8Array): NotePlaintext {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    leadByte: bytes[0]!,
    diversifier: bytes.subarray(1, 12),
    value: view.getBigUint64(12, true),
    rseed: bytes.subarray(20, 52),
  };
}

/** 564 bytes. */
export function encodeNotePlaintext(plaintext: NotePlaintext, memo: Uint8Array): Uint8Array {
  assertLength(plaintext.diversifier, 11, 'diversifier');
  assertLength(plaintext.rseed, 32, 'rseed');
  assertLength(memo, MEMO_SIZE, 'memo');
  return concatBytes(
    Uint8Array.of(plaintext.leadByte),
    plaintext.diversifier,
    u64ToLeBytes(plaintext.value),
    plaintext.rseed,
    memo,
  );
}
