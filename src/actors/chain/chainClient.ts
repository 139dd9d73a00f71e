// One wallet thread as the chain actor knows it: the ranges it has open, and the block it waits for. Several ask side by
// side, and none may end what another one has begun.

import type { FetchMeter } from './fetchMeter.ts';
import type { BlockStream, SourceTip } from './ports/chainSource.ts';
import type { CompactStore, StoredRange } from './ports/compactStore.ts';
import type { AskedServer } from './servers.ts';

/** A wallet has one sync at a time; the rest is room for ranges that nobody has closed. */
const MAX_OPEN_RANGES = 8;

export interface OpenRange {
  readonly stream: BlockStream;
  readonly at: AskedServer;
  readonly connection: object;
  readonly held: HeldStore;
  readonly heights: StoredRange;
  readonly meter: FetchMeter;
}

/** The compact store that a source uses, once it does. */
export interface HeldStore {
  store?: CompactStore | undefined;
}

export class ChainClient {
  /** Of a wallet beside the default one: what it has scanned lies up to here. */
  scannedTo: number | null | undefined;
  readonly #ranges = new Map<number, OpenRange>();
  /** The best block as it was last told, by connection. */
  readonly #tips = new WeakMap<object, SourceTip>();
  /** When it began to read a range last; undefined before. */
  scannedAt: number | undefined;
  /** For the next block, with the connection over which it would be told. */
  #wait: { readonly connection: object; readonly end: AbortController } | undefined;
  #nextRangeId = 1;
  #isGone = false;

  /** Those left open for longest make room. */
  add(range: OpenRange): number {
    for (const rangeId of this.#ranges.keys()) {
      if (this.#ranges.size < MAX_OPEN_RANGES) break;
      this.close(rangeId);
    }
    const rangeId = this.#nextRangeId++;
    if (this.#isGone) range.stream.close();
    else this.#ranges.set(rangeId, range);
    return rangeId;
  }

  sawTip(connection: object, tip: SourceTip): void {
    this.#tips.set(connection, tip);
  }

  tipOf(connection: object): SourceTip | undefined {
    return this.#tips.get(connection);
  }

  range(rangeId: number): OpenRange | undefined {
    return this.#ranges.get(rangeId);
  }

  close(rangeId: number): void {
    this.#ranges.get(rangeId)?.stream.close();
    this.#ranges.delete(rangeId);
  }

  /** One wait at a time: another one ends it. */
  async waitOn<T>(connection: object, wait: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.endWait();
    const own = { connection, end: new AbortController() };
    if (this.#isGone) own.end.abort();
    else this.#wait = own;
    try {
      return await wait(own.end.signal);
    } finally {
      if (this.#wait === own) this.#wait = undefined;
    }
  }

  endWait(): void {
    this.#wait?.end.abort();
  }

  /** The thread has ended: nobody will close what it has open. */
  leave(): void {
    this.#isGone = true;
    this.endWait();
    for (const rangeId of [...this.#ranges.keys()]) this.close(rangeId);
  }

  uses(connection: object): boolean {
    return this.#wait?.connection === connection || this.#has((range) => range.connection === connection);
  }

  holds(store: CompactStore): boolean {
    return this.#has(({ held }) => held.store === store);
  }

  /** What its ranges read; one that has not opened its store yet may come to this one. */
  heightsIn(store: CompactStore): readonly StoredRange[] {
    return [...this.#ranges.values()]
      .filter(({ at, held }) => at.server === 'compact_server' && (held.store ?? store) === store)
      .map(({ heights }) => heights);
  }

  #has(matches: (range: OpenRange) => boolean): boolean {
    return [...this.#ranges.values()].some(matches);
  }
}
