// The QR code of a part. Little redundancy: a code that cannot be read is made up for by another one, and small codes can be
// read from farther away.

import { encodeQR } from 'qr';

/** ISO/IEC 18004: the margin that a reader needs around the symbol, in modules. */
const QUIET_ZONE = 4;

/** Rows of modules, true where dark, with the quiet zone around them. */
export const urCode = (text: string): readonly (readonly boolean[])[] =>
  // Capitals take less room: a code has a shorter way to write them.
  encodeQR(text.toUpperCase(), 'raw', { ecc: 'low', encoding: 'alphanumeric', border: QUIET_ZONE });
