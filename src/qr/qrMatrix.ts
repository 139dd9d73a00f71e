// The modules of a QR code. The package makes the symbol; this file chooses the redundancy and the quiet zone.

import { encodeQR } from 'qr';

/** Rows of modules, true where dark, with the quiet zone around them. */
export type QrMatrix = readonly (readonly boolean[])[];

/** ISO/IEC 18004: the margin that a reader needs around the symbol, in modules. */
export const QUIET_ZONE = 4;

/** Bytes that the largest symbol holds at the level `low`. */
const MAX_BYTES = 2_953;
/** Bytes at `medium`, which tolerates more dirt and glare: used wherever the text fits. */
const MAX_MEDIUM_BYTES = 2_331;

/** Undefined when the text is longer than any QR code. */
export function qrMatrix(text: string): QrMatrix | undefined {
  const { length } = new TextEncoder().encode(text);
  if (length > MAX_BYTES) return undefined;
  const ecc = length > MAX_MEDIUM_BYTES ? 'low' : 'medium';
  return encodeQR(text, 'raw', { ecc, encoding: 'byte', border: QUIET_ZONE });
}
