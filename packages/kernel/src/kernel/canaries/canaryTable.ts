// The canaries of a set of keys, computed once by a build that is trusted.

import type { IncomingKey } from '@wallet-companion/zcash/keys';
import type { ShieldedProtocol } from '@wallet-companion/zcash/pools';
import { type Canary, PlantedCanaries } from './plantedCanaries.ts';

/** The trusted build takes 5 to 10 ms for them. */
const TABLE_SIZE = 64;

/** As many as plans that are kept. */
const CACHED_TABLES = 16;

/** What a build that is trusted finds. */
export interface CanarySource {
  canariesOf(
    protocol: ShieldedProtocol,
    keys: readonly IncomingKey[],
    ephemeralKeys: readonly Uint8Array[],
  ): Canary[];
}

export class CanaryTables {
  readonly #trusted: () => CanarySource;
  readonly #random: () => number;
  readonly #tables = new Map<string, readonly Canary[]>();
  #turn = 0;

  /** `random`: at least 0, below 1; what it gives need not be secret. */
  constructor(trusted: () => CanarySource, random: () => number) {
    this.#trusted = trusted;
    this.#random = random;
  }

  plant(protocol: ShieldedProtocol, keys: readonly IncomingKey[], rows: number): PlantedCanaries {
    const planted = new PlantedCanaries(this.#tableOf(protocol, keys), rows, this.#turn, this.#random);
    this.#turn += planted.count;
    return planted;
  }

  #tableOf(protocol: ShieldedProtocol, keys: readonly IncomingKey[]): readonly Canary[] {
    const name = `${protocol} ${keys.map(({ ivk }) => ivk.join(' ')).join()}`;
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const table = this.#trusted().canariesOf(protocol, keys, this.#ephemeralKeys());
    for (const oldest of this.#tables.keys()) {
      if (this.#tables.size < CACHED_TABLES) break;
      this.#tables.delete(oldest);
    }
    this.#tables.set(name, table);
    return table;
  }

  /** Every value is a coordinate, on the curve or on its twist. */
  #ephemeralKeys(): Uint8Array[] {
    return Array.from({ length: TABLE_SIZE }, () =>
      Uint8Array.from({ length: 32 }, () => Math.floor(this.#random() * 256)),
    );
  }
}
