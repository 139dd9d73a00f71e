// The functions of node.ts for platforms without synchronous native ones: browsers.
import { ecb } from '@noble/ciphers/aes.js';

export { sha256 } from '@noble/hashes/sha2.js';

export function keyedAes(key: Uint8Array): (block: Uint8Array) => Uint8Array {
  const copy = Uint8Array.from(key);
  return (block) => ecb(copy, { disablePadding: true }).encrypt(block);
}
