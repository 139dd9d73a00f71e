// Notes that a worker must find: outputs to keys of a job, which the worker searches with those of the blocks. A worker
// with a broken kernel or memory misses them, and so does one that does not search. A worker that lies can tell them from
// outputs of the chain, since the job names them: that one is found by jobs that go to two workers.

import type { Height } from '@wallet-companion/base/values';
import { allowedLeadBytes, makePlantedOutput } from '@wallet-companion/zcash/notes';
import { POOL, POOLS, type Pool, PROTOCOLS } from '@wallet-companion/zcash/pools';
import type { PlantedOutput, ScanKeys } from '@wallet-companion/zcash/scan';
import type { Heights } from '../ports/blocks.ts';
import type { RandomBytes } from '../ports/sealing.ts';
import type { ScanResult } from '../sealed/scanResult.ts';

/**
 * In each job, for each protocol. With more keys than that one: a job has ever fewer outputs then, and each canary costs
 * as much as one of them (docs/scaling.md).
 */
const CANARIES = 2;
const KEYS_FOR_ALL = 32;

/** Making one takes 3 to 5 ms, as long as all else of a job in the companion: so many are kept and used again, ... */
const KEPT = 8;
/** ... and this share is made anew, so that every key has its turn. */
const RENEWED = 1 / 16;

export interface Canary extends PlantedOutput {
  /** Index of the key that opens it. */
  readonly key: number;
}

type Made = Pick<Canary, 'key' | 'bytes'>;

/** The canaries of a set of keys. */
export class Canaries {
  readonly #keys: ScanKeys;
  readonly #randomBytes: RandomBytes;
  /** By pool and lead byte. */
  readonly #made = new Map<string, Made[]>();

  constructor(keys: ScanKeys, randomBytes: RandomBytes) {
    this.#keys = keys;
    this.#randomBytes = randomBytes;
  }

  of({ start, end }: Heights): Canary[] {
    return PROTOCOLS.flatMap((protocol) => {
      const keys = this.#keys.incoming.flatMap((key, index) => (key.protocol === protocol ? [index] : []));
      const pools = POOLS.filter((pool) => POOL[pool].protocol === protocol);
      const count = keys.length === 0 ? 0 : keys.length > KEYS_FOR_ALL ? 1 : CANARIES;
      return Array.from({ length: count }, () => {
        const height = start + this.#below(end - start + 1);
        const pool = this.#oneOf(pools);
        return { height, pool, ...this.#note(pool, height, keys) };
      });
    });
  }

  #note(pool: Pool, height: Height, keys: readonly number[]): Made {
    const leadByte = 32 - Math.clz32(allowedLeadBytes(pool, height, this.#keys.heights));
    const name = `${pool} ${leadByte}`;
    const made = this.#made.get(name) ?? [];
    this.#made.set(name, made);
    if (made.length === KEPT && randomFraction(this.#randomBytes) >= RENEWED) return this.#oneOf(made);
    const key = this.#oneOf(keys);
    const { ivk } = this.#keys.incoming[key]!;
    const note = { key, bytes: makePlantedOutput(pool, leadByte, ivk, this.#randomBytes) };
    if (made.push(note) > KEPT) made.shift();
    return note;
  }

  #oneOf<T>(things: readonly T[]): T {
    return things[this.#below(things.length)]!;
  }

  #below(end: number): number {
    return Math.floor(randomFraction(this.#randomBytes) * end);
  }
}

/** The result as if the job had no canaries; undefined where one was missed. */
export function withoutCanaries(result: ScanResult, canaries: readonly Canary[]): ScanResult | undefined {
  const { blocks, hits } = result;
  const first = blocks[0]!.height;
  /** Outputs of the block have lower positions, canaries of one block follow one another from here. */
  const sizeAfter = (height: Height, pool: Pool): number => blocks[height - first]!.treeSizes[pool];
  const isFound = ({ height, pool, key }: Canary, index: number): boolean => {
    const before = canaries.slice(0, index).filter((other) => other.height === height && other.pool === pool);
    const position = sizeAfter(height, pool) + before.length;
    return hits.some(
      (hit) => hit.height === height && hit.pool === pool && hit.key === key && hit.position === position,
    );
  };
  if (!canaries.every(isFound)) return undefined;
  return { ...result, hits: hits.filter((hit) => hit.position < sizeAfter(hit.height, hit.pool)) };
}

// A random number, of the bytes that the companion hands over: what it decides is nothing that a worker can foresee.

/** At least 0, below 1. */
export function randomFraction(randomBytes: RandomBytes): number {
  const bytes = randomBytes(4);
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / 2 ** 32;
}
