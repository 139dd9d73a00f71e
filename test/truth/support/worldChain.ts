// The chain side over a made-up world: what nodes do, links checked as the real one does. Between two answers the world
// may change.

import { equalBytes } from '@wallet-companion/base/bytes';
import type { ChainService } from '@wallet-companion/chain/ports';
import { asBlockHash } from '@wallet-companion/zcash/identifiers';
import type { BlockBatch, FoundNote } from '@wallet-companion/zcash/scan';
import type { ScanPool } from '../../../src/actors/wallet/ports/scanPool.ts';
import { CompanionError } from '../../../src/protocol/errors.ts';
import { TREE_TASKS } from '../../helpers/treeTasks.ts';
import type { Blocks, World, WorldBlock } from './world.ts';

interface OpenRange {
  next: number;
  readonly end: number;
  previous: WorldBlock | undefined;
}

export class WorldChain {
  readonly #world: () => World;
  readonly #batchBlocks: number;
  readonly #ranges = new Map<number, OpenRange>();
  #lastRange = 0;
  #calls = 0;
  /** Runs once before the answer to so many calls from now. */
  #interruption: { readonly call: number; readonly act: () => void } | undefined;

  constructor(world: () => World, batchBlocks: number) {
    this.#world = world;
    this.#batchBlocks = batchBlocks;
  }

  interruptAfter(calls: number, act: () => void): void {
    this.#interruption = { call: this.#calls + calls, act };
  }

  /** An interruption that did not come to pass is off. */
  calm(): void {
    this.#interruption = undefined;
  }

  readonly service: Pick<
    ChainService,
    | 'tip'
    | 'blockHash'
    | 'treeStates'
    | 'openRange'
    | 'nextBatch'
    | 'closeRange'
    | 'rawBlock'
    | 'rawTransaction'
  > = {
    tip: async () => {
      this.#count();
      const { tip } = this.#world();
      return { height: tip, hash: this.#world().at(tip)?.scanned.hash ?? asBlockHash(new Uint8Array(32)) };
    },
    blockHash: async ({ height }) => {
      this.#count();
      return this.#world().at(height)?.scanned.hash ?? null;
    },
    // It tells no trees: a scan goes on without.
    treeStates: async () => null,
    openRange: async ({ start, end }) => {
      this.#count();
      const rangeId = ++this.#lastRange;
      this.#ranges.set(rangeId, { next: start, end, previous: undefined });
      return { rangeId };
    },
    nextBatch: async ({ rangeId }) => {
      this.#count();
      const range = this.#ranges.get(rangeId);
      if (range === undefined) throw new CompanionError('THREAD_LOST', 'no such range');
      return this.#batch(range);
    },
    closeRange: async ({ rangeId }) => {
      this.#ranges.delete(rangeId);
    },
    rawBlock: async () => null,
    rawTransaction: async () => null,
  };

  #count(): void {
    this.#calls++;
    const due = this.#interruption;
    if (due === undefined || this.#calls < due.call) return;
    this.#interruption = undefined;
    due.act();
  }

  #batch(range: OpenRange): BlockBatch | null {
    const blocks: WorldBlock[] = [];
    while (range.next <= range.end && blocks.length < this.#batchBlocks) {
      const block = this.#world().at(range.next);
      const { previous } = range;
      const follows =
        block !== undefined &&
        (previous === undefined || equalBytes(block.scanned.prevHash, previous.scanned.hash));
      if (!follows) {
        // The blocks before a failure are good and come first.
        if (blocks.length > 0) break;
        throw new CompanionError('NODE_BAD_RESPONSE', 'The chain may have moved.');
      }
      blocks.push(block);
      range.previous = block;
      range.next++;
    }
    if (blocks.length === 0) return null;
    return {
      format: 'raw',
      buffer: new ArrayBuffer(0),
      blocks: blocks.map(({ scanned }) => ({
        height: scanned.height,
        hash: scanned.hash,
        prevHash: scanned.prevHash,
        offset: 0,
        length: 1,
        treeSizes: scanned.treeSizes,
        outputCount: scanned.outputCount,
      })),
    };
  }
}

/** Finds what the world put into the blocks, in the pools that are searched for the accounts of the keys. */
export const worldPool = (blocks: Blocks): ScanPool => ({
  concurrency: 2,
  scan: async (batch, { incoming }) =>
    batch.blocks.map(({ hash }) => {
      const { scanned } = blocks.named(hash);
      const isSearched = ({ account, pool }: FoundNote) =>
        incoming.some((key) => key.account === account && key.without?.includes(pool) !== true);
      return { ...scanned, notes: scanned.notes.filter(isSearched) };
    }),
  enhance: async () => ({ transactions: [] }),
  readUnmined: async () => [],
  ...TREE_TASKS,
  close: async () => {},
});
