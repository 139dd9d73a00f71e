// SHA256d: block hashes, merkle trees and the txids of transaction versions 1 to 4.
import { sha256 } from '@noble/hashes/sha2.js';

export const doubleSha256 = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes));
