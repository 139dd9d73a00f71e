// The stream of draws of the tool halo2work: under it proofs can be compared byte for byte. Needs nothing of Node.

import { blake2b } from '@noble/hashes/blake2.js';
import { asciiBytes, concatBytes, hexToBytes, u64ToLeBytes } from '@wallet-companion/base/bytes';
import type { RandomBytes } from '../../src/halo2/prover/draws.ts';

const PERSONAL = asciiBytes('halo2work-rng-v1');
const BLOCK = 64;

/** Block after block, as the tool draws them. */
export function seededStream(seed: string): { readonly random: RandomBytes; readonly blocks: () => number } {
  let blocks = 0n;
  const next = (): Uint8Array =>
    blake2b(concatBytes(hexToBytes(seed), u64ToLeBytes(blocks++)), {
      dkLen: BLOCK,
      personalization: PERSONAL,
    });
  return {
    random: (length) => concatBytes(...Array.from({ length: length / BLOCK }, next)),
    blocks: () => Number(blocks),
  };
}
