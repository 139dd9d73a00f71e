import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';

/** The P2PKH receiver, 20 bytes, of a transparent viewing key (chain code and public key). */
export const publicKeyHash = (key: Uint8Array): Uint8Array => ripemd160(sha256(key.subarray(32)));
