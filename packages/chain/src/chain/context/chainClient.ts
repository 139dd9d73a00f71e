// One wallet thread as the chain actor sees it: its open ranges, and its wait for the next block. Several wallet threads
// ask in parallel, and none may end the range or wait of another.

import type { BlockStream, SourceTip } from '../ports/chainSource.ts';
import type { CompactStore, StoredRange } from '../ports/compactStore.ts';
import type { FetchMeter } from '../ranges/fetchMeter.ts';
import type { HeldStore } from '../ranges/rangeRun.ts';
import type { AskedServer } from './servers.ts';

/** A wallet has one sync at a time; the rest is for ranges that were never closed. */
const MAX_OPEN_RANGES = 8;

export interface OpenRange {
  readonly stream: BlockStream;
  /** Absent where peers give the blocks. */
  readonly at?: AskedServer | undefined;
  readonly connection: object;
  readonly held: HeldStore;
  readonly heights: StoredRange;
  readonly meter: FetchMeter;
}

export class ChainClient {
  /** Of a wallet beside the default one: what it has scanned lies up to here. */
  scannedTo: number | null | undefined;
  readonly #ranges = new Map<number, OpenRange>();
  /** The last known best block of each connection. */
  readonly #tips = new WeakMap<object, SourceTip>();
  /** When it last began to read a range; undefined before. */
  scannedAt: number | undefined;
  /** The wait for the next block, with its connection. */
  #wait: { readonly connection: object; readonly end: AbortController } | undefined;
  #nextRangeId = 1;
  #isGone = false;

  /** The ranges left open for longest are dropped for it. */
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

  /** One wait at a time: a new one ends the old one. */
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

  /** The thread has ended and cannot close its ranges. */
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

  /** The heights that its ranges read; a range that has not opened its store yet may come to this one. */
  heightsIn(store: CompactStore): readonly StoredRange[] {
    return [...this.#ranges.values()]
      .filter(({ at, held }) => at?.server === 'compact_server' && (held.store ?? store) === store)
      .map(({ heights }) => heights);
  }

  #has(matches: (range: OpenRange) => boolean): boolean {
    return [...this.#ranges.values()].some(matches);
  }
}
