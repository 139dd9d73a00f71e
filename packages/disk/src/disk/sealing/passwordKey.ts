// Derives a key from a password: Argon2id (RFC 9106) on libuv's thread pool, off the event loop.

import { createRequire } from 'node:module';
import { KEY_SIZE } from './sealing.ts';

// Where its library is missing, an import would end the process although the failure is caught (Node 20).
const { hashRaw, hashRawSync } = createRequire(import.meta.url)(
  '@node-rs/argon2',
) as typeof import('@node-rs/argon2');

export interface KdfParameters {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

/** 64 MiB and three passes: RFC 9106's second recommended option with a single lane. About 0.2 s on a laptop. */
export const DEFAULT_KDF: KdfParameters = { memoryKib: 64 * 1024, passes: 3, lanes: 1 };

/** A file from elsewhere must not make us allocate or compute without bounds. */
const KDF_LIMITS: KdfParameters = { memoryKib: 1024 * 1024, passes: 16, lanes: 4 };
const LEAST_MEMORY_KIB_PER_LANE = 8;

export const KDF_SALT_SIZE = 16;

export function isAcceptableKdf({ memoryKib, passes, lanes }: KdfParameters): boolean {
  return (
    memoryKib <= KDF_LIMITS.memoryKib &&
    memoryKib >= LEAST_MEMORY_KIB_PER_LANE * lanes &&
    passes >= 1 &&
    passes <= KDF_LIMITS.passes &&
    lanes >= 1 &&
    lanes <= KDF_LIMITS.lanes
  );
}

/** The package's enum is ambient, so its members do not exist at run time. */
const ARGON2ID = 2;

/** The package frees its copy of the password unwiped; after so many calls its allocator has used that block again. */
const CALLS_TO_OVERWRITE = 256;
const CHEAPEST: KdfParameters = { memoryKib: LEAST_MEMORY_KIB_PER_LANE, passes: 1, lanes: 1 };

/** 32 bytes, which the caller wipes. */
export async function derivePasswordKey(
  password: Uint8Array,
  salt: Uint8Array,
  parameters: KdfParameters,
): Promise<Uint8Array> {
  try {
    return await hashRaw(password, optionsOf(salt, parameters));
  } finally {
    const nothing = new Uint8Array(password.length);
    for (let i = 0; i < CALLS_TO_OVERWRITE; i++) hashRawSync(nothing, optionsOf(salt, CHEAPEST));
  }
}

const optionsOf = (salt: Uint8Array, { memoryKib, passes, lanes }: KdfParameters) => ({
  algorithm: ARGON2ID,
  memoryCost: memoryKib,
  timeCost: passes,
  parallelism: lanes,
  outputLen: KEY_SIZE,
  salt,
});
