// Compact stores in memory, as strict as the ones on disk.

import { equalBytes } from '@wallet-companion/base/bytes';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type {
  CompactStore,
  CompactStorePlace,
  CompactStoreSummary,
  CompactStores,
  PrunedBlocks,
  StoredCompactBlock,
  StoredOrigin,
  StoredRange,
  StoreFootprint,
} from '#chain/ports/compactStore';
import { CompanionError } from '../../src/protocol/errors.ts';

export class MemoryCompactStore implements CompactStore {
  readonly #path: string;
  readonly #blocks = new Map<number, StoredCompactBlock>();
  readonly #servers = new Map<number, string | undefined>();
  readonly #asked = new Set<number>();

  constructor(path = '/memory/compact.sqlite') {
    this.#path = path;
  }

  get heights(): number[] {
    return [...this.#blocks.keys()].sort((a, b) => a - b);
  }

  summary(): CompactStoreSummary {
    const { heights } = this;
    const missingRanges: StoredRange[] = [];
    for (const [i, height] of heights.entries()) {
      const below = heights[i - 1];
      if (below !== undefined && below !== height - 1)
        missingRanges.push({ start: below + 1, end: height - 1 });
    }
    return {
      path: this.#path,
      firstHeight: heights[0] ?? null,
      lastHeight: heights.at(-1) ?? null,
      blockCount: heights.length,
      missingRanges,
    };
  }

  hashAt(height: number): BlockHash | undefined {
    return this.#blocks.get(height)?.hash;
  }

  put(blocks: readonly StoredCompactBlock[], server?: string): void {
    const next = new Map(blocks.map((block) => [block.height, block]));
    const at = (height: number): StoredCompactBlock | undefined =>
      next.get(height) ?? this.#blocks.get(height);
    for (const block of blocks) {
      const known = this.#blocks.get(block.height);
      const below = at(block.height - 1);
      const above = at(block.height + 1);
      const linked =
        (known === undefined || equalBytes(known.hash, block.hash)) &&
        (below === undefined || equalBytes(below.hash, block.prevHash)) &&
        (above === undefined || equalBytes(block.hash, above.prevHash));
      if (!linked)
        throw new CompanionError('COMPACT_SERVER_BAD_RESPONSE', `Block ${block.height} does not link.`);
    }
    for (const block of blocks) {
      this.#blocks.set(block.height, { ...block, data: Uint8Array.from(block.data) });
      this.#servers.set(block.height, server);
    }
  }

  origins({ start, end }: StoredRange): StoredOrigin[] {
    return this.heights.flatMap((height) => {
      const server = this.#servers.get(height);
      const isInside = start <= height && height <= end;
      return isInside && server !== undefined ? [{ start: height, end: height, server }] : [];
    });
  }

  read(range: StoredRange, maxBytes: number): StoredCompactBlock[] {
    const blocks: StoredCompactBlock[] = [];
    let bytes = 0;
    for (let height = range.start; height <= range.end && bytes < maxBytes; height++) {
      const block = this.#blocks.get(height);
      if (block === undefined) break;
      blocks.push(block);
      bytes += block.data.length;
    }
    return blocks;
  }

  remove(range: StoredRange): void {
    for (const height of this.heights) {
      if (height < range.start || height > range.end) continue;
      this.#blocks.delete(height);
      this.#servers.delete(height);
    }
  }

  ask({ start, end }: StoredRange): void {
    for (let height = start; height <= end; height++) this.#asked.add(height);
  }

  asked(): StoredRange[] {
    return [...this.#asked].sort((a, b) => a - b).map((height) => ({ start: height, end: height }));
  }

  /** Three blocks at a time. */
  prune({ start, end }: StoredRange): PrunedBlocks {
    const heights = this.heights.filter((height) => start <= height && height <= end).slice(0, 3);
    const bytes = heights.reduce((sum, height) => sum + (this.#blocks.get(height)?.data.length ?? 0), 0);
    for (const height of heights) {
      this.remove({ start: height, end: height });
      this.#asked.delete(height);
    }
    return { blocks: heights.length, bytes };
  }

  footprint(): StoreFootprint {
    return {
      fileBytes: [...this.#blocks.values()].reduce((sum, { data }) => sum + data.length, 0),
      freeBytes: 0,
    };
  }

  giveBack(): boolean {
    return false;
  }
}

export class MemoryCompactStores implements CompactStores {
  readonly #stores = new Map<string, MemoryCompactStore>();

  find(dbPath: string | undefined, place: CompactStorePlace): MemoryCompactStore | undefined {
    return this.#stores.get(pathOf(dbPath, place));
  }

  open(dbPath: string | undefined, place: CompactStorePlace): MemoryCompactStore {
    const path = pathOf(dbPath, place);
    const store = this.#stores.get(path) ?? new MemoryCompactStore(path);
    this.#stores.set(path, store);
    return store;
  }

  claim(): void {}

  close(): void {
    this.#stores.clear();
  }
}

/** A place where this store is. */
export const storePlace = (store: CompactStore): { find(): CompactStore; open(): CompactStore } => ({
  find: () => store,
  open: () => store,
});

function pathOf(dbPath: string | undefined, place: CompactStorePlace): string {
  if (dbPath?.includes('..') === true)
    throw new CompanionError('INVALID_DB_PATH', 'The path is not allowed.');
  const server = place.server === place.configuredServer ? '' : `-${new URL(place.server).port}`;
  return `${place.dataDir}/${dbPath ?? `compact-${place.network}${server}.sqlite`}`;
}
