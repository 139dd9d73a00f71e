// The blocks whose hash the wallet keeps: enough to see that the chain moved, to find where, and to know that blocks
// scanned in different ranges are of one chain.

import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import type { HeightRange, StoredBlock } from '../../ports/noteDatabase.ts';
import { type HeightSet, includes, includesAll } from './ranges.ts';

/** Every hash is kept this far below the chain's tip: nodes reorganise at most 1,000 blocks. */
export const KEPT_BLOCKS = 1_100;

/**
 * While a scan is further below the tip, no reorganisation reaches its blocks: one hash in so many is enough to notice
 * a server on another chain, and to go back to. Each one costs a row that is proved, written and deleted again.
 */
export const SETTLED_SPACING = 50;

/** Below that, one hash in so many, so that a rescan can begin near any height with a known block. */
export const CHECKPOINT_SPACING = 1_000;

/** The newest blocks stay known, however far the scan is from the tip: an anchor is chosen from them, and their times judge the next. */
export const NEWEST_BLOCKS = 11;

export interface KnownWindow {
  /** The highest scanned block. */
  readonly top: Height;
  /** The tip of the chain, as far as it is known; `top` at least. */
  readonly tip: Height;
}

/**
 * Whether the block at `height` stays known. The first and last block of each scanned stretch always do: the gap beside
 * it is closed only by blocks that link to them. So do the blocks where the verifier changes: coverage names them.
 */
export const staysKnown = (
  height: Height,
  { top, tip }: KnownWindow,
  scanned: HeightSet,
  verified: HeightSet,
): boolean =>
  height > tip - KEPT_BLOCKS ||
  height > top - NEWEST_BLOCKS ||
  (height > top - KEPT_BLOCKS && height % SETTLED_SPACING === 0) ||
  height % CHECKPOINT_SPACING === 0 ||
  !includes(scanned, height - 1) ||
  !includes(scanned, height + 1) ||
  [height - 1, height + 1].some((beside) => includes(verified, beside) !== includes(verified, height));

interface KnownStore {
  readonly blockHeights: readonly Height[];
  block(height: Height): StoredBlock | undefined;
}

/** The tree sizes of the highest known block up to this height: far below the tip, few are known. Empty without one. */
export function knownSizes(store: KnownStore, height: Height): TreeSizes {
  const known = store.blockHeights.findLast((one) => one <= height);
  return (known === undefined ? undefined : store.block(known))?.treeSizes ?? EMPTY_TREES;
}

/** Proven hashes stay known this far below the newest proof: requests that scan upwards do not prove a block twice. */
const PROVEN_BLOCKS = 2 * CHECKPOINT_SPACING;

/** A block's name and its link. */
export type ChainLink = Pick<StoredBlock, 'height' | 'hash' | 'prevHash'>;

export class KnownBlocks {
  readonly #byHeight: Map<number, StoredBlock>;
  #heights: readonly Height[] | undefined;
  /** Hashes of scanned blocks that are not kept, proved by their links to a known block. In memory alone. */
  readonly #proven = new Map<number, Uint8Array>();

  constructor(blocks: Iterable<StoredBlock> = []) {
    this.#byHeight = new Map([...blocks].map((block) => [block.height, block]));
  }

  get(height: Height): StoredBlock | undefined {
    return this.#byHeight.get(height);
  }

  /** Ascending. */
  get heights(): readonly number[] {
    this.#heights ??= [...this.#byHeight.keys()].sort((a, b) => a - b);
    return this.#heights;
  }

  /** The heights up to this one, ascending. */
  upTo(height: Height): readonly number[] {
    const above = this.heights.findIndex((known) => known > height);
    return above === -1 ? this.heights : this.heights.slice(0, above);
  }

  /** The known heights of each stretch of linked blocks, ascending. */
  stretches(scanned: HeightSet): number[][] {
    const stretches: number[][] = [];
    let previous: number | undefined;
    for (const height of this.heights) {
      const isLinked =
        previous !== undefined &&
        (previous + 1 === height || includesAll(scanned, { start: previous, end: height }));
      if (isLinked) stretches.at(-1)?.push(height);
      else stretches.push([height]);
      previous = height;
    }
    return stretches;
  }

  /**
   * The blocks to read before the range is scanned: from the lowest scanned block in or beside it whose hash is not
   * known, up to the one below the next known block, whose link fixes them all. Undefined where every hash is known.
   * Without it a server on another chain is believed between two known blocks.
   */
  toProve({ start, end }: HeightRange, scanned: HeightSet): HeightRange | undefined {
    const isOpen = (height: Height): boolean =>
      this.#hashAt(height) === undefined && includes(scanned, height);
    let lowest = start - 1;
    while (lowest <= end + 1 && !isOpen(lowest)) lowest++;
    if (lowest > end + 1) return undefined;
    let highest = end + 1;
    while (!isOpen(highest)) highest--;
    // The last block of every scanned stretch is known.
    const above = this.heights.find((known) => known > highest);
    return above === undefined ? undefined : { start: lowest, end: above - 1 };
  }

  /** Takes consecutive blocks that fit, up to a known one. */
  prove(blocks: readonly ChainLink[]): void {
    const from = (blocks[0]?.height ?? 0) - PROVEN_BLOCKS;
    for (const height of this.#proven.keys()) if (height < from) this.#proven.delete(height);
    for (const { height, hash } of blocks) this.#proven.set(height, hash);
  }

  /** A block that is not scanned, or no longer, may be of another chain when it is. */
  forgetProvenOutside(scanned: HeightSet): void {
    for (const height of this.#proven.keys()) if (!includes(scanned, height)) this.#proven.delete(height);
  }

  #hashAt(height: Height): Uint8Array | undefined {
    return this.#byHeight.get(height)?.hash ?? this.#proven.get(height);
  }

  /** Whether consecutive blocks are those known at their heights, and link to the ones known beside them. */
  fits(blocks: readonly ChainLink[]): boolean {
    const first = blocks[0];
    const last = blocks.at(-1);
    if (first === undefined || last === undefined) return true;
    const below = this.#hashAt(first.height - 1);
    const above = this.#byHeight.get(last.height + 1);
    return (
      (below === undefined || equalBytes(below, first.prevHash)) &&
      (above === undefined || equalBytes(above.prevHash, last.hash)) &&
      blocks.every(({ height, hash }) => {
        const known = this.#hashAt(height);
        return known === undefined || equalBytes(known, hash);
      })
    );
  }

  keep(blocks: readonly StoredBlock[]): void {
    for (const block of blocks) this.#byHeight.set(block.height, block);
    this.#heights = undefined;
  }

  delete(heights: readonly Height[]): void {
    for (const height of heights) this.#byHeight.delete(height);
    this.#heights = undefined;
  }

  deleteAbove(height: Height): void {
    this.delete(this.heights.filter((known) => known > height));
    for (const proven of this.#proven.keys()) if (proven > height) this.#proven.delete(proven);
  }
}
