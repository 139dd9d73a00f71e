// Finds the wallet's notes among all the nullifiers of the chain. Keyed by the first six bytes as one number: no string
// is made for the millions of other nullifiers, and the full 32 bytes decide. Two entries that begin alike are as good
// as impossible, so an entry is stored without a list around it.

import { asNullifier, type NullifierHex, nullifierToHex } from '@wallet-companion/zcash/identifiers';
import { type PerPool, type Pool, perPool } from '@wallet-companion/zcash/pools';

interface Entry<T> {
  /** Hexadecimal; the same string object as the note's. */
  readonly nullifier: NullifierHex;
  readonly value: T;
  /** Another entry with the same first bytes. */
  readonly next: Entry<T> | undefined;
}

export class NullifierIndex<T> {
  readonly #byPool: PerPool<Map<number, Entry<T>>> = perPool(() => new Map());

  set(pool: Pool, nullifier: NullifierHex, value: T): void {
    const entries = this.#byPool[pool];
    const prefix = prefixOf(nullifier);
    entries.set(prefix, { nullifier, value, next: without(entries.get(prefix), nullifier) });
  }

  delete(pool: Pool, nullifier: NullifierHex): void {
    const entries = this.#byPool[pool];
    const prefix = prefixOf(nullifier);
    const first = entries.get(prefix);
    if (first === undefined) return;
    const rest = without(first, nullifier);
    if (rest === undefined) entries.delete(prefix);
    else entries.set(prefix, rest);
  }

  findHex(pool: Pool, nullifier: NullifierHex): T | undefined {
    return valueIn(this.#byPool[pool].get(prefixOf(nullifier)), nullifier);
  }

  /** The value for the 32 bytes at `offset` of packed nullifiers, if they are one of the wallet's. */
  find(pool: Pool, packed: Uint8Array, offset: number): T | undefined {
    const entry = this.#byPool[pool].get(prefixAt(packed, offset));
    return entry === undefined
      ? undefined
      : valueIn(entry, nullifierToHex(asNullifier(packed.subarray(offset, offset + 32))));
  }
}

function valueIn<T>(first: Entry<T> | undefined, nullifier: NullifierHex): T | undefined {
  let entry = first;
  while (entry !== undefined && entry.nullifier !== nullifier) entry = entry.next;
  return entry?.value;
}

function without<T>(entry: Entry<T> | undefined, nullifier: NullifierHex): Entry<T> | undefined {
  if (entry === undefined) return undefined;
  if (entry.nullifier === nullifier) return entry.next;
  return { ...entry, next: without(entry.next, nullifier) };
}

const prefixOf = (nullifier: NullifierHex): number => Number.parseInt(nullifier.slice(0, 12), 16);

function prefixAt(bytes: Uint8Array, offset: number): number {
  const high = (bytes[offset]! << 16) | (bytes[offset + 1]! << 8) | bytes[offset + 2]!;
  const low = (bytes[offset + 3]! << 16) | (bytes[offset + 4]! << 8) | bytes[offset + 5]!;
  return high * 0x100_0000 + low;
}
