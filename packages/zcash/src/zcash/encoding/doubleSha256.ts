// SHA256d: block hashes, merkle trees and the txids of transaction versions 1 to 4.
import { sha256 } from '#platform';

/** SHA-256 of SHA-256: 32 bytes. */
export const doubleSha256 = (bytes: Uint8Array): Uint8Array => Uint8Array.from(sha256(sha256(bytes)));
