// Removes blocks that scans stored by themselves: a store keeps a tail below the last scanned block of the wallet that is
// furthest, for reorganisations, rescans of the last days and times without a server. The rest is removed in the background, when
// a range of blocks has been read to its end and when the wallet has committed what it scanned.

import { passingBelow, prune } from '../compact/storePruning.ts';
import type { CompactStore, StoredRange } from '../ports/compactStore.ts';

export interface TailSettings {
  /** The highest of any wallet in use. Undefined: everything stays. */
  readonly lastScanHeight: number | undefined;
  readonly tailBlocks: number | undefined;
}

interface Context {
  /** Returns the present settings. */
  readonly settings: () => TailSettings;
  /** Heights that scans are reading. */
  readonly held: (store: CompactStore) => readonly StoredRange[];
  readonly logFault: (where: string, fault: unknown) => void;
}

export class StoreTails {
  readonly #context: Context;
  readonly #trimming = new Map<CompactStore, Promise<void>>();
  #hasFailed = false;
  /** The store that a scan used last. */
  #last: CompactStore | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  isTrimming(store: CompactStore): boolean {
    return this.#trimming.has(store);
  }

  /** Settles when nothing is left to trim; for tests. */
  async settled(): Promise<void> {
    while (this.#trimming.size > 0) await Promise.all(this.#trimming.values());
  }

  /** The last scanned block has changed. */
  scanned(): void {
    if (this.#last !== undefined) this.trim(this.#last);
  }

  /** A store that is being trimmed already reads the present settings at each step. */
  trim(store: CompactStore): void {
    this.#last = store;
    if (this.#trimming.has(store)) return;
    const ending = this.#trim(store).finally(() => this.#trimming.delete(store));
    this.#trimming.set(store, ending);
  }

  async #trim(store: CompactStore): Promise<void> {
    const { settings, held, logFault } = this.#context;
    const wanted = (): readonly StoredRange[] => {
      const { lastScanHeight, tailBlocks } = settings();
      if (lastScanHeight === undefined || tailBlocks === undefined) return [];
      return passingBelow(store, lastScanHeight - tailBlocks + 1, held(store));
    };
    try {
      if (wanted().length > 0) await prune(store, { wanted, mayGoOn: () => true });
      this.#hasFailed = false;
    } catch (error) {
      // A disk that is full or gone fails each time; the next range tries again.
      this.#last = undefined;
      if (!this.#hasFailed) logFault('chain.trim_store', error);
      this.#hasFailed = true;
    }
  }
}
