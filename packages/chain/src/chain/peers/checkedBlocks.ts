// Full blocks of heights on the chain of most work, in their order: peers give them, and each was held against its header. Where
// only some blocks of a stretch are wanted, all of it is read, so that no peer learns which.

import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import type { BlockSummary } from '@wallet-companion/zcash/blocks';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import type { BlockBatch } from '@wallet-companion/zcash/scan';
import type { HeaderChain } from '../headers/headerChain.ts';
import type { BlockStream, ChainSource } from '../ports/chainSource.ts';
import type { ScannedBefore } from '../ports/types.ts';
import { openBatchStream } from '../source/blockPacking.ts';
import { type FullBlock, packFullBlocks } from '../source/fullBlockPacking.ts';
import { BlockPeers } from './blockPeers.ts';
import type { WantedBlock } from './fullBlock.ts';
import type { PeerNetwork } from './peerNetwork.ts';
import { chainMoved } from './peerTrees.ts';

/** For the first peers to show their chain. */
export const READY_MS = 20_000;
/** So many blocks are read where one is needed, cut at multiples of it. */
const STRETCH = 100;

export type BlockNetwork = Pick<PeerNetwork, 'serving' | 'currentChain'>;

export class CheckedBlocks {
  readonly #network: BlockNetwork;
  readonly #peers: BlockPeers;
  #receivedBytes = 0;
  #isOpen = true;

  constructor(network: BlockNetwork) {
    this.#network = network;
    this.#peers = new BlockPeers(() => network.serving);
  }

  /** Bytes of blocks. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** The connections are the network's. */
  close(): void {
    this.#isOpen = false;
  }

  /** Throws `PEERS_BAD_RESPONSE` where the height lies below all known headers, and `PEERS_UNREACHABLE`. */
  async chainAt(height: Height): Promise<HeaderChain> {
    const chain = await this.#network.currentChain(READY_MS);
    if (height < chain.start) throw unanswered(`blocks below ${chain.start}, where the known headers begin`);
    return chain;
  }

  /** Both included. Each follows the one before it, also where the chain moves meanwhile. */
  async *read(start: Height, end: Height, signal?: AbortSignal): AsyncGenerator<FullBlock, void, void> {
    const chain = await this.chainAt(start);
    let previous: BlockHash | undefined;
    for await (const block of this.#peers.stream(this.#wanted(chain, start, end), signal)) {
      const { hash, prevHash, height } = block.summary;
      if (previous !== undefined && !equalBytes(previous, prevHash)) throw chainMoved(height);
      this.#receivedBytes += block.bytes.length;
      yield block;
      previous = hash;
    }
  }

  /** The same, while the whole stretches around them are read. */
  async *readAmongOthers(start: Height, end: Height, signal?: AbortSignal): AsyncGenerator<FullBlock> {
    const chain = await this.chainAt(start);
    if (end > chain.tip.height) throw chainMoved(end);
    const first = Math.max(start - (start % STRETCH), chain.start);
    const last = Math.min(end - (end % STRETCH) + STRETCH - 1, chain.tip.height);
    for await (const block of this.read(first, last, signal))
      if (block.summary.height >= start && block.summary.height <= end) yield block;
  }

  /**
   * Packed for a scan. The sizes of the trees are those that were counted up to there, else what the server says: what is in the
   * blocks does not depend on them.
   */
  openRange(
    start: Height,
    end: Height,
    before: ScannedBefore | undefined,
    server: Pick<ChainSource, 'openRange'>,
  ): BlockStream {
    const sizes = (first: BlockSummary) => sizesBefore(first, before, server);
    return openBatchStream((signal) => batchesOf(this.readAmongOthers(start, end, signal), sizes));
  }

  *#wanted(chain: HeaderChain, start: Height, end: Height): Generator<WantedBlock, void, void> {
    for (let height = start; height <= end; height++) {
      if (!this.#isOpen) throw new CompanionError('BUSY', 'The peers were changed. Try again.');
      const hash = chain.hashAt(height);
      if (hash === undefined) throw chainMoved(height);
      yield { height, hash };
    }
  }
}

async function* batchesOf(...packed: Parameters<typeof packFullBlocks>): AsyncGenerator<BlockBatch> {
  for await (const { batch } of packFullBlocks(...packed)) yield batch;
}

async function sizesBefore(
  { height, hash, prevHash }: BlockSummary,
  before: ScannedBefore | undefined,
  server: Pick<ChainSource, 'openRange'>,
): Promise<TreeSizes> {
  if (before !== undefined && equalBytes(before.hash, prevHash)) return before.treeSizes;
  const stream = server.openRange(height, height);
  try {
    const shown = (await stream.next())?.blocks[0];
    if (shown === undefined || !equalBytes(shown.hash, hash)) throw chainMoved(height);
    return { ...shown.treeSizes };
  } finally {
    stream.close();
  }
}

export const unanswered = (what: string): CompanionError =>
  new CompanionError(
    'PEERS_BAD_RESPONSE',
    `Peers of the network do not serve ${what}. Use a node or a compact server.`,
  );
