// Peers of the network as a source of blocks: the chain of most work decides which blocks count, peers give them in full, and the
// trees are computed here. No peer is asked for what only one wallet needs.

import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { BlockSummary } from '@wallet-companion/zcash/blocks';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { Pool, ShieldedProtocol, TreeSizes } from '@wallet-companion/zcash/pools';
import { perPool } from '@wallet-companion/zcash/pools';
import type { BlockBatch } from '@wallet-companion/zcash/scan';
import { type PatientLevelHash, writeTreeState } from '@wallet-companion/zcash/trees';
import type { BlockStream, ChainSource, SourceTip } from '../ports/chainSource.ts';
import type { BlockNews, BlockTime, BlockTreeStates, ScannedBefore, SubtreeRoot } from '../ports/types.ts';
import { openBatchStream } from '../source/blockPacking.ts';
import { type FullBlock, packFullBlocks } from '../source/fullBlockPacking.ts';
import { CheckedBlocks, READY_MS, unanswered } from './checkedBlocks.ts';
import type { PeerNetwork } from './peerNetwork.ts';
import { chainMoved, type KnownTrees, PeerTrees } from './peerTrees.ts';

/** Of a wait for the next block. */
const WAIT_MS = 300_000;

export interface PeerSourceParts {
  readonly network: Pick<PeerNetwork, 'chain' | 'serving' | 'currentChain' | 'untilOther'>;
  /** The trees of a known block, from which on blocks can be read. */
  readonly trees: KnownTrees;
  readonly hashes: Readonly<Record<ShieldedProtocol, PatientLevelHash>>;
}

export class PeerSource implements ChainSource {
  readonly #parts: PeerSourceParts;
  readonly #blocks: CheckedBlocks;
  readonly #trees: PeerTrees;

  constructor(parts: PeerSourceParts) {
    const { network, trees: start, hashes } = parts;
    this.#parts = parts;
    this.#blocks = new CheckedBlocks(network);
    this.#trees = new PeerTrees({
      start,
      hashes,
      hashAt: (height) => network.chain?.hashAt(height),
      read: (first, last) => this.#blocks.read(first, last),
    });
  }

  async tip(): Promise<SourceTip> {
    const { tip } = await this.#parts.network.currentChain(READY_MS);
    return { height: tip.height, hash: tip.hash, shown: { by: 'block', at: tip.time * 1_000 } };
  }

  /** Whether a peer shows a block beyond a height, or another one in its place, within minutes. */
  async newBlock(height: Height, signal: AbortSignal): Promise<BlockNews> {
    const { network } = this.#parts;
    const { tip } = await network.currentChain(READY_MS);
    if (tip.height > height) return 'new block';
    return (await network.untilOther(tip.hash, WAIT_MS, signal)) ? 'new block' : 'over';
  }

  async blockHash(height: Height): Promise<BlockHash | null> {
    return (await this.#blocks.chainAt(height)).hashAt(height) ?? null;
  }

  async blockTime(height: Height): Promise<BlockTime | null> {
    const chain = await this.#blocks.chainAt(height);
    const [hash, time] = [chain.hashAt(height), chain.timeAt(height)];
    return hash === undefined || time === undefined ? null : { hash, time };
  }

  openRange(start: Height, end: Height, before?: ScannedBefore): BlockStream {
    return openBatchStream((signal) => this.#batches(start, end, before, signal));
  }

  async treeStates(height: Height): Promise<BlockTreeStates | null> {
    const chain = await this.#parts.network.currentChain(READY_MS);
    if (height > chain.tip.height) return null;
    const { hash, states } = await this.#trees.after(height);
    return {
      hash,
      states: perPool((pool) => writeTreeState(states[pool])),
      roots: perPool(() => null),
    };
  }

  /** Only where there are none: peers do not serve them. */
  subtreeRoots(_: Pool, count: number): Promise<readonly SubtreeRoot[]> {
    if (count === 0) return Promise.resolve([]);
    return Promise.reject(unanswered('roots of finished subtrees, which a note of an older subtree needs'));
  }

  async rawBlock(height: Height, hash: BlockHash): Promise<Uint8Array | null> {
    const chain = await this.#blocks.chainAt(height);
    const best = chain.hashAt(height);
    if (best === undefined || !equalBytes(best, hash)) return null;
    let found: Uint8Array | null = null;
    for await (const { bytes } of this.#blocks.readAmongOthers(height, height)) found = bytes;
    return found;
  }

  rawTransaction(): Promise<Uint8Array | null> {
    return Promise.reject(unanswered('single transactions'));
  }

  /** Bytes of blocks. */
  get receivedBytes(): number {
    return this.#blocks.receivedBytes;
  }

  /** The connections are the network's. */
  close(): void {
    this.#blocks.close();
  }

  async *#batches(
    start: Height,
    end: Height,
    before: ScannedBefore | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<BlockBatch, void, void> {
    const sizes = (first: BlockSummary) => this.#sizesBefore(first, before);
    for await (const { batch } of packFullBlocks(this.#seen(start, end, signal), sizes)) yield batch;
  }

  async *#seen(start: Height, end: Height, signal: AbortSignal): AsyncGenerator<FullBlock, void, void> {
    for await (const block of this.#blocks.read(start, end, signal)) {
      this.#trees.saw(block);
      yield block;
    }
  }

  /** Counted by an earlier scan, or here. */
  async #sizesBefore(
    { height, prevHash }: BlockSummary,
    before: ScannedBefore | undefined,
  ): Promise<TreeSizes> {
    if (before !== undefined && equalBytes(before.hash, prevHash)) return before.treeSizes;
    const { hash, treeSizes } = await this.#trees.sizesAfter(height - 1);
    if (!equalBytes(hash, prevHash)) throw chainMoved(height);
    return treeSizes;
  }
}
