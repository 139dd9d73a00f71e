// The points of Sinsemilla's pieces, S(0) to S(1023) (protocol specification §5.4.1.9), as a file: hashing them to the
// curve takes a third of a second in code that runs for the first time, in every thread that finds a note.

import { concatBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { hashToPallas } from '@wallet-companion/zcash/curves';
import { encodeInteger } from '../plan/integers.ts';

export const SINSEMILLA_FILE = 'sinsemilla.points';
/** SHA-256 of the file. The self test's notes need only a fifth of the points: damage to another would hide notes. */
export const SINSEMILLA_DIGEST = '0324100005e533be76d04c4c9a0c161f17d6f7ce6f984fd55201c82a311e8cd2';
/** Pieces of a Sinsemilla message have ten bits, and a point each. */
export const SINSEMILLA_POINTS = 1024;
/** Both coordinates, 32 bytes each. */
export const SINSEMILLA_POINT_BYTES = 64;

export function sinsemillaPoint(piece: number): Uint8Array {
  const point = hashToPallas('z.cash:SinsemillaS', u32ToLeBytes(piece));
  if (point === undefined) throw new Error('a generator of the protocol is not the identity');
  return concatBytes(encodeInteger(point.x), encodeInteger(point.y));
}

export const sinsemillaPoints = (): Uint8Array =>
  concatBytes(...Array.from({ length: SINSEMILLA_POINTS }, (_, piece) => sinsemillaPoint(piece)));
