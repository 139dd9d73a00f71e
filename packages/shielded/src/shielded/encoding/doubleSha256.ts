// SHA256d: block hashes, merkle trees and the txids of transaction versions 1 to 4.
import { createHash } from 'node:crypto';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** Native, because it goes over every byte of every full block. */
export const doubleSha256 = (bytes: Uint8Array): Uint8Array => Uint8Array.from(sha256(sha256(bytes)));
