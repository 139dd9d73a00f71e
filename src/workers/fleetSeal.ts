// The seal of a fleet's jobs, made as everything is sealed that this program stores.

import { randomBytes } from 'node:crypto';
import { wipe } from '@wallet-companion/base/bytes';
import { deriveSubkey, seal, unseal } from '@wallet-companion/disk/sealing';
import { FleetSeal } from '@wallet-companion/fleet/jobs';
import { readFleetKey } from '@wallet-companion/fleet/settings';

export type RandomBytes = (length: number) => Uint8Array;

export const systemRandom: RandomBytes = (length) => new Uint8Array(randomBytes(length));

/** `key`: 32 bytes; not kept. */
export const fleetSeal = (key: Uint8Array, random: RandomBytes): FleetSeal =>
  new FleetSeal(key, {
    deriveSubkey,
    seal: (subkey, plaintext, context) => seal(subkey, plaintext, context, random),
    unseal,
  });

/** Throws `INVALID_REQUEST`. */
export function fleetSealOf(keyFile: string): FleetSeal {
  const key = readFleetKey(keyFile);
  const made = fleetSeal(key, systemRandom);
  wipe(key);
  return made;
}
