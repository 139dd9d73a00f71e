// SHA-256 as the platform has it, for whole files and blocks, and SHA256d for block hashes, merkle trees and the txids of
// transaction versions 1 to 4.

import { sha256 as ofPlatform } from '#platform';

/** SHA-256 of bytes: 32 bytes (FIPS 180-4). */
export const sha256 = (bytes: Uint8Array): Uint8Array => ofPlatform(bytes);

/** SHA-256 of SHA-256: 32 bytes. */
export const doubleSha256 = (bytes: Uint8Array): Uint8Array => Uint8Array.from(sha256(sha256(bytes)));
