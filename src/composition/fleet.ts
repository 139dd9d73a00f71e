// Checks what a scan fleet needs before anything starts: an allowed address, private files, and the packages. A user
// who sets one up learns about mistakes here, and not from a slow scan.

import { createRequire } from 'node:module';
import { wipe } from '@wallet-companion/base/bytes';
import {
  missingPackage,
  QUEUE_PACKAGES,
  type RedisAddress,
  readFleetKey,
  readRedisPassword,
  redisAddress,
} from '@wallet-companion/fleet/settings';
import { badField, type CompanionError } from '../protocol/errors.ts';
import type { FleetSettings } from '../workers/fleetMethods.ts';

export interface CheckedFleet {
  readonly address: RedisAddress;
  readonly password: string | undefined;
  readonly keyFile: string;
}

/** Throws `INVALID_URL` or `INVALID_REQUEST`. */
export function checkFleet(settings: FleetSettings): CheckedFleet {
  const { fleet_redis_url: url, fleet_redis_password_file: passwordFile, fleet_key_file: keyFile } = settings;
  if (url === null) throw missing('fleet_redis_url', 'the address of Redis');
  const address = redisAddress(url);
  if (keyFile === null) throw missing('fleet_key_file', "the file with the fleet's key");
  wipe(readFleetKey(keyFile));
  const password = passwordFile === null ? undefined : readRedisPassword(passwordFile);
  const { resolve } = createRequire(import.meta.url);
  for (const name of QUEUE_PACKAGES) {
    try {
      resolve(name);
    } catch (cause) {
      throw missingPackage(name, cause);
    }
  }
  return { address, password, keyFile };
}

const missing = (key: string, what: string): CompanionError =>
  badField(key, 'is needed for a scan fleet', `A scan fleet needs ${what}: ${key}.`);
