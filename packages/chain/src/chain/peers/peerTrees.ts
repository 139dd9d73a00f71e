// The note commitment trees after a block, computed from blocks: peers serve no tree states. It begins with the trees of a known
// block, and keeps what it has computed and the leaves of the blocks that passed.

import { SerialQueue } from '@wallet-companion/base/async';
import { concatBytes, equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import { parseBlock } from '@wallet-companion/zcash/blocks';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import {
  isActionPool,
  type PerPool,
  POOL,
  POOLS,
  perPool,
  type ShieldedProtocol,
} from '@wallet-companion/zcash/pools';
import { orchardAction, saplingOutput } from '@wallet-companion/zcash/transactions';
import {
  appendLeaves,
  NODE_BYTES,
  type PatientLevelHash,
  type TreeState,
} from '@wallet-companion/zcash/trees';
import type { BlockTreeSizes } from '../ports/types.ts';
import type { FullBlock } from '../source/fullBlockPacking.ts';

/** Leaves that are kept of blocks that passed: some weeks' outputs. */
const KEPT_BYTES = 16 * 2 ** 20;
const KEPT_STATES = 64;
/** Blocks whose leaves are hashed together, and after which the trees are kept. */
const AT_ONCE = 500;

/** The trees after a block. */
export interface KnownTrees {
  readonly height: Height;
  readonly hash: BlockHash;
  readonly states: PerPool<TreeState>;
}

export interface PeerTreesParts {
  /** No trees below it can be known. */
  readonly start: KnownTrees;
  readonly hashes: Readonly<Record<ShieldedProtocol, PatientLevelHash>>;
  /** The block of the best chain. */
  hashAt(height: Height): BlockHash | undefined;
  /** Both included. */
  read(start: Height, end: Height): AsyncIterable<FullBlock>;
}

interface Passed {
  readonly hash: BlockHash;
  /** Packed. */
  readonly leaves: PerPool<Uint8Array>;
}

export class PeerTrees {
  readonly #parts: PeerTreesParts;
  readonly #turns = new SerialQueue();
  readonly #states = new Map<Height, KnownTrees>();
  readonly #passed = new Map<Height, Passed>();
  #passedBytes = 0;

  constructor(parts: PeerTreesParts) {
    this.#parts = parts;
  }

  /** A block of the best chain was read for a scan. */
  saw({ bytes, summary: { height, hash } }: FullBlock): void {
    this.#forget(height);
    const leaves = leavesOf(bytes);
    this.#passed.set(height, { hash: hash.slice() as BlockHash, leaves });
    this.#passedBytes += bytesOf(leaves);
    for (const oldest of this.#passed.keys()) {
      if (this.#passedBytes <= KEPT_BYTES) break;
      this.#forget(oldest);
    }
  }

  /** The trees after the block at a height of the best chain. Throws `PEERS_BAD_RESPONSE` below the start. */
  after(height: Height): Promise<KnownTrees> {
    return this.#turns.run(async () => {
      let known = this.#nearest(height);
      while (known.height < height) {
        const end = Math.min(height, known.height + AT_ONCE);
        const added = perPool<Uint8Array[]>(() => []);
        const hash = await this.#walk(known, end, (leaves) => {
          for (const pool of POOLS) added[pool].push(leaves[pool]);
        });
        const states = { ...known.states };
        for (const pool of POOLS) {
          const level = this.#parts.hashes[POOL[pool].protocol];
          states[pool] = await appendLeaves(level, states[pool], concatBytes(...added[pool]));
        }
        known = { height: end, hash, states };
        this.#keep(known);
      }
      return known;
    });
  }

  /** The sizes alone, without a hash. */
  async sizesAfter(height: Height): Promise<BlockTreeSizes> {
    const known = this.#nearest(height);
    const treeSizes = perPool((pool) => known.states[pool].size);
    const hash = await this.#walk(known, height, (leaves) => {
      for (const pool of POOLS) treeSizes[pool] += leaves[pool].length / NODE_BYTES;
    });
    return { hash, treeSizes };
  }

  /** The leaves of each block above one up to another, whose hash it returns. Throws where the chain moves meanwhile. */
  async #walk(
    { height: below, hash: first }: KnownTrees,
    end: Height,
    take: (leaves: PerPool<Uint8Array>) => void,
  ): Promise<BlockHash> {
    const hashes = [first];
    for await (const { hash, leaves } of this.#blocks(below + 1, end)) {
      hashes.push(hash);
      take(leaves);
    }
    for (const [i, hash] of hashes.entries()) if (!this.#isBest(below + i, hash)) throw chainMoved(below + i);
    return hashes.at(-1)!;
  }

  #isBest(height: Height, hash: BlockHash): boolean {
    const { start, hashAt } = this.#parts;
    const best = height === start.height ? start.hash : hashAt(height);
    return best !== undefined && equalBytes(best, hash);
  }

  #nearest(height: Height): KnownTrees {
    const { start } = this.#parts;
    if (height < start.height) {
      throw new CompanionError(
        'PEERS_BAD_RESPONSE',
        `Peers serve no note commitment trees, and those before block ${start.height} are not known here: read older blocks from a node or a compact server.`,
      );
    }
    let nearest = start;
    for (const known of this.#states.values())
      if (known.height > nearest.height && known.height <= height && this.#isBest(known.height, known.hash))
        nearest = known;
    return nearest;
  }

  /** In order: what passed needs no peer. */
  async *#blocks(start: Height, end: Height): AsyncGenerator<Passed, void, void> {
    for (let height = start; height <= end; ) {
      const passed = this.#passedAt(height);
      if (passed !== undefined) {
        yield passed;
        height++;
        continue;
      }
      let last = height;
      while (last < end && this.#passedAt(last + 1) === undefined) last++;
      for await (const { bytes, summary } of this.#parts.read(height, last))
        yield { hash: summary.hash, leaves: leavesOf(bytes) };
      height = last + 1;
    }
  }

  #passedAt(height: Height): Passed | undefined {
    const passed = this.#passed.get(height);
    return passed !== undefined && this.#isBest(height, passed.hash) ? passed : undefined;
  }

  #keep(known: KnownTrees): void {
    this.#states.delete(known.height);
    this.#states.set(known.height, known);
    for (const oldest of this.#states.keys()) {
      if (this.#states.size <= KEPT_STATES) break;
      this.#states.delete(oldest);
    }
  }

  #forget(height: Height): void {
    const passed = this.#passed.get(height);
    if (passed === undefined) return;
    this.#passed.delete(height);
    this.#passedBytes -= bytesOf(passed.leaves);
  }
}

/** Retryable. */
export const chainMoved = (height: Height): CompanionError =>
  new CompanionError(
    'PEERS_BAD_RESPONSE',
    `Block ${height} is not on the chain of most work any more; the chain may have moved. Try again.`,
  );

const bytesOf = (leaves: PerPool<Uint8Array>): number =>
  POOLS.reduce((sum, pool) => sum + leaves[pool].length, 0);

function leavesOf(bytes: Uint8Array): PerPool<Uint8Array> {
  const { transactions } = parseBlock(bytes);
  return perPool((pool) => {
    const leaves = transactions.flatMap((transaction) => {
      if (isActionPool(pool)) {
        const bundle = transaction[pool];
        return Array.from({ length: bundle.actions.count }, (_, i) => orchardAction(bundle, i).cmx);
      }
      const bundle = transaction[pool];
      return Array.from({ length: bundle.outputs.count }, (_, i) => saplingOutput(bundle, i).cmu);
    });
    return concatBytes(...leaves);
  });
}
