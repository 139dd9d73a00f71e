// The random values of a builder: scalars, field elements, points and orders. The caller supplies the source of bytes;
// a source that returns fewer than requested would make keys that can be guessed.

import { drawUntilFound, randomBelow, wipe } from '@wallet-companion/base/bytes';
import {
  encodeInteger32,
  ORCHARD_SPEND_AUTH_BASE,
  toJubjubScalar,
  toPallasBase,
  toPallasScalar,
} from '@wallet-companion/zcash/curves';
import { POOL, type Pool, type ShieldedProtocol } from '@wallet-companion/zcash/pools';
import type { RandomBytes } from '@wallet-companion/zcash/signing';

const WIDE = 64;

const TO_SCALAR: Readonly<Record<ShieldedProtocol, (wide: Uint8Array) => bigint>> = {
  sapling: toJubjubScalar,
  orchard: toPallasScalar,
};

/** Checks that the source returns the requested number of bytes. */
export const checkedRandomBytes =
  (source: RandomBytes): RandomBytes =>
  (length) => {
    const bytes = source(length);
    if (bytes.length !== length) throw new RangeError(`${length} random bytes were asked for`);
    return bytes;
  };

function reduced(randomBytes: RandomBytes, reduce: (wide: Uint8Array) => bigint): bigint {
  const wide = randomBytes(WIDE);
  try {
    return reduce(wide);
  } finally {
    wipe(wide);
  }
}

/** ToScalar of 64 bytes, encoded in 32. */
export const randomScalar = (pool: Pool, randomBytes: RandomBytes): Uint8Array =>
  encodeInteger32(reduced(randomBytes, TO_SCALAR[POOL[pool].protocol]));

/** An element of the field of the nodes of Orchard's trees. */
export const randomPallasElement = (randomBytes: RandomBytes): Uint8Array =>
  encodeInteger32(reduced(randomBytes, toPallasBase));

/** The x-coordinate of a random point, as nullifiers are. */
export function randomRho(randomBytes: RandomBytes): Uint8Array {
  const point = drawUntilFound(() => ORCHARD_SPEND_AUTH_BASE.multiply(reduced(randomBytes, toPallasScalar)));
  return encodeInteger32(point.x);
}

/** A copy in random order. */
export function shuffle<T>(items: readonly T[], randomBytes: RandomBytes): T[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = randomBelow(i + 1, randomBytes);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
