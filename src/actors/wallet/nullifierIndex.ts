// Finds our notes among all the nullifiers of the chain. Keyed by the first six bytes as one number: no string is made
// for the millions of foreign nullifiers that pass by, and the full 32 bytes decide.

import { equalBytes, hexToBytes } from '../../shielded/bytes.ts';
import type { Pool } from '../../shielded/network.ts';

interface Entry<T> {
  readonly nullifier: Uint8Array;
  readonly value: T;
}

export class NullifierIndex<T> {
  readonly #byPool: Record<Pool, Map<number, Entry<T>[]>> = {
    sapling: new Map(),
    orchard: new Map(),
    ironwood: new Map(),
  };

  set(pool: Pool, nullifierHex: string, value: T): void {
    this.delete(pool, nullifierHex);
    const nullifier = hexToBytes(nullifierHex);
    const bucket = this.#byPool[pool];
    const prefix = prefixAt(nullifier, 0);
    bucket.set(prefix, [...(bucket.get(prefix) ?? []), { nullifier, value }]);
  }

  delete(pool: Pool, nullifierHex: string): void {
    const nullifier = hexToBytes(nullifierHex);
    const bucket = this.#byPool[pool];
    const prefix = prefixAt(nullifier, 0);
    const rest = (bucket.get(prefix) ?? []).filter((entry) => !equalBytes(entry.nullifier, nullifier));
    if (rest.length === 0) bucket.delete(prefix);
    else bucket.set(prefix, rest);
  }

  findHex(pool: Pool, nullifierHex: string): T | undefined {
    return this.find(pool, hexToBytes(nullifierHex), 0);
  }

  /** The value of the 32 bytes at `offset` of packed nullifiers, if they are one of ours. */
  find(pool: Pool, packed: Uint8Array, offset: number): T | undefined {
    const entries = this.#byPool[pool].get(prefixAt(packed, offset));
    if (entries === undefined) return undefined;
    const nullifier = packed.subarray(offset, offset + 32);
    return entries.find((entry) => equalBytes(entry.nullifier, nullifier))?.value;
  }
}

function prefixAt(bytes: Uint8Array, offset: number): number {
  const low = bytes[offset]! | (bytes[offset + 1]! << 8) | (bytes[offset + 2]! << 16);
  const high = bytes[offset + 3]! | (bytes[offset + 4]! << 8) | (bytes[offset + 5]! << 16);
  return high * 0x100_0000 + low;
}
