// SHA256d: block hashes, merkle trees and the txids of transaction versions 1 to 4.
import { sha256 } from '#platform';

export const doubleSha256 = (bytes: Uint8Array): Uint8Array => Uint8Array.from(sha256(sha256(bytes)));
