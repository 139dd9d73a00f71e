// SHA-256 as the platform has it, for those outside who read whole files and blocks.
import { sha256 as ofPlatform } from '#platform';

/** SHA-256 of bytes: 32 bytes (FIPS 180-4). */
export const sha256 = (bytes: Uint8Array): Uint8Array => ofPlatform(bytes);
