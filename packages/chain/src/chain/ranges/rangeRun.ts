// One stream of batches with all its readers: each reads at its own pace, within what is kept.

import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { type BlockHash, copyOf } from '@wallet-companion/zcash/identifiers';
import type { BlockBatch } from '@wallet-companion/zcash/scan';
import { equalSizes } from '@wallet-companion/zcash/trees';
import type { BlockStream, SourceTip } from '../ports/chainSource.ts';
import type { CompactStore } from '../ports/compactStore.ts';
import type { ScannedBefore, ServedBatch } from '../ports/types.ts';

/** Kept for slower or later readers: some seconds of a scan, and no more memory than a commit. */
export const KEPT = { batches: 32, bytes: 32 * 2 ** 20 } as const;
/** So far below the tip, the batches that one wallet just got are the same as another wallet would get now. */
const SETTLED_BLOCKS = 100;

/** The compact store of a source, once it is in use. */
export interface HeldStore {
  store?: CompactStore | undefined;
}

/** The source of a run's blocks. */
export interface RunSource {
  /** The same object for the same blocks. */
  readonly place: object;
  readonly offline: boolean;
  readonly held: HeldStore;
  readonly open: (start: Height, end: Height, before: ScannedBefore | undefined) => BlockStream;
}

export interface RunReader {
  /** The next height that it needs. */
  readonly height: Height;
  readonly end: Height;
  /** The batch that it needs next is no longer kept. */
  fallsBehind(before: ScannedBefore): void;
}

interface RunRange {
  readonly start: Height;
  readonly end: Height;
  readonly before?: ScannedBefore | undefined;
  readonly tip?: SourceTip | undefined;
  readonly isAhead: boolean;
}

interface Given {
  readonly batch: ServedBatch;
  readonly next: Height;
  /** A copy: the batch is moved to the reader. */
  readonly last: BlockHash;
}

export const isSameTip = (a: SourceTip | undefined, b: SourceTip | undefined): boolean =>
  a !== undefined && b !== undefined && equalBytes(a.hash, b.hash);

/** Two wallets that see different chains may need different blocks. */
export function isSameView(a: SourceTip | undefined, b: SourceTip | undefined, height: Height): boolean {
  if (a === undefined || b === undefined) return false;
  return isSameTip(a, b) || height + SETTLED_BLOCKS <= Math.min(a.height, b.height);
}

export class RangeRun {
  readonly source: RunSource;
  readonly tip: SourceTip | undefined;
  readonly start: Height;
  readonly end: Height;
  /** Begun before any reader asked for it. */
  readonly isAhead: boolean;
  readonly readers = new Set<RunReader>();
  readonly #id: number;
  readonly #keeps: () => boolean;
  readonly #stream: BlockStream;
  /** Consecutive, up to the newest batch. */
  #kept: BlockBatch[] = [];
  #keptBytes = 0;
  #frontier: Height;
  #pulling: Promise<void> | undefined;
  #isEnded = false;
  #isFailed = false;

  constructor(
    id: number,
    { start, end, before, tip, isAhead }: RunRange,
    source: RunSource,
    keeps: () => boolean,
  ) {
    this.#id = id;
    this.source = source;
    this.tip = tip;
    this.start = start;
    this.end = end;
    this.isAhead = isAhead;
    this.#keeps = keeps;
    this.#frontier = start;
    this.#stream = source.open(start, end, before);
  }

  /** The first height that has not come yet. */
  get frontier(): Height {
    return this.#frontier;
  }

  /** The lowest height still available; undefined when none is. */
  get lowest(): Height | undefined {
    return this.#kept[0] === undefined ? this.#upcoming : firstOf(this.#kept[0]);
  }

  get isEnded(): boolean {
    return this.#isEnded || this.#frontier > this.end;
  }

  get isFailed(): boolean {
    return this.#isFailed;
  }

  get isIdle(): boolean {
    return this.readers.size === 0;
  }

  offers(height: Height): boolean {
    return height === this.#upcoming || this.#kept.some((batch) => has(batch, height));
  }

  isPast(height: Height): boolean {
    return height < (this.#kept[0] === undefined ? this.#frontier : firstOf(this.#kept[0]));
  }

  /**
   * The kept blocks from the reader's height on. `before`: checked as a source would check it. `last`: the block before, as the
   * reader got it.
   */
  take(
    reader: RunReader,
    before: ScannedBefore | undefined,
    last: BlockHash | undefined,
  ): Given | 'does not fit' | undefined {
    const batch = this.#kept.find((one) => has(one, reader.height));
    if (batch === undefined) return undefined;
    const part = partOf(batch, reader.height, reader.end);
    const first = part.blocks[0]!;
    const fits =
      (last === undefined || equalBytes(last, first.prevHash)) &&
      (before === undefined ||
        (equalBytes(before.hash, first.prevHash) && equalSizes(before.treeSizes, first.treeSizes)));
    if (!fits) return 'does not fit';
    const next = lastOf(part) + 1;
    const wallets = [...this.readers].filter(
      ({ height, end }) => height <= first.height && end >= lastOf(part),
    ).length;
    const isShared = this.readers.size > 1;
    const isLeft = this.#keeps() || [...this.readers].some((one) => one !== reader && one.height < next);
    // Moved to the reader: a copy where the run still needs it.
    const own = part === batch && isLeft ? { ...batch, buffer: batch.buffer.slice(0) } : part;
    this.release(reader, next);
    const given = copyOf(part.blocks.at(-1)!.hash);
    const shared = { id: `${this.#id}:${first.height}-${next - 1}`, stream: this.#id, wallets };
    return { batch: isShared ? { ...own, shared } : own, next, last: given };
  }

  /** Fetches another batch, once for all waiting readers. Fails as the source does. */
  pull(): Promise<void> {
    this.#pulling ??= this.#pull().finally(() => {
      this.#pulling = undefined;
    });
    return this.#pulling;
  }

  /** Drops what no present reader needs, unless more readers may come. */
  release(reader?: RunReader, next: Height = 0): void {
    if (this.#keeps()) return;
    const heights = [...this.readers].map((one) => (one === reader ? next : one.height));
    const lowest = Math.min(...heights);
    while (this.#kept[0] !== undefined && lastOf(this.#kept[0]) < lowest) this.#dropFirst();
  }

  close(): void {
    this.#kept = [];
    this.#stream.close();
  }

  get #upcoming(): Height | undefined {
    return this.isEnded ? undefined : this.#frontier;
  }

  async #pull(): Promise<void> {
    let batch: BlockBatch | null;
    try {
      batch = await this.#stream.next();
    } catch (error) {
      this.#isFailed = true;
      throw error;
    }
    if (batch === null || batch.blocks.length === 0) {
      this.#isEnded = true;
      return;
    }
    this.#kept.push(batch);
    this.#keptBytes += batch.buffer.byteLength;
    this.#frontier = lastOf(batch) + 1;
    while (this.#kept.length > 1 && (this.#kept.length > KEPT.batches || this.#keptBytes > KEPT.bytes))
      this.#dropFirst();
  }

  #dropFirst(): void {
    const batch = this.#kept.shift()!;
    this.#keptBytes -= batch.buffer.byteLength;
    for (const reader of this.readers) {
      const block = batch.blocks.find(({ height }) => height === reader.height);
      if (block !== undefined) reader.fallsBehind({ hash: block.prevHash, treeSizes: block.treeSizes });
    }
  }
}

const firstOf = ({ blocks }: BlockBatch): Height => blocks[0]!.height;
const lastOf = ({ blocks }: BlockBatch): Height => blocks.at(-1)!.height;
const has = (batch: BlockBatch, height: Height): boolean =>
  firstOf(batch) <= height && height <= lastOf(batch);

/** The batch itself where all of it is wanted. */
function partOf(batch: BlockBatch, start: Height, end: Height): BlockBatch {
  if (start <= firstOf(batch) && lastOf(batch) <= end) return batch;
  const blocks = batch.blocks.filter(({ height }) => start <= height && height <= end);
  const from = blocks[0]!.offset;
  const last = blocks.at(-1)!;
  return {
    format: batch.format,
    buffer: batch.buffer.slice(from, last.offset + last.length),
    blocks: blocks.map((block) => ({ ...block, offset: block.offset - from })),
  };
}
