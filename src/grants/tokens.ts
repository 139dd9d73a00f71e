// Secrets that open something to the one that sends them: what is kept of them is a hash, which opens nothing.

import { createHash, timingSafeEqual } from 'node:crypto';

const BYTES = 32;

/** SHA-256, in hexadecimal. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** `token`: 32 random bytes in base64url. */
export function freshToken(randomBytes: (length: number) => Uint8Array): {
  readonly token: string;
  readonly hash: string;
} {
  const token = Buffer.from(randomBytes(BYTES)).toString('base64url');
  return { token, hash: tokenHash(token) };
}

/** In constant time. */
export const isSameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one), Buffer.from(other));
