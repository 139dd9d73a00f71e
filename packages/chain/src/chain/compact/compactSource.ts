// Compact blocks as a source for the scan: what is missing in the local store is fetched and kept first, piece by piece,
// so that the next piece arrives while the last one is scanned. Each piece is compared with the server's tree states
// before any of it is passed on. Without the server the stored blocks are the source. Full blocks are not available
// here.

import { setTimeout as delay } from 'node:timers/promises';
import { type Patience, queueOf } from '@wallet-companion/base/async';
import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { CompanionError } from '@wallet-companion/client/contract';
import type { BlockHash, TxId } from '@wallet-companion/zcash/identifiers';
import type { Pool } from '@wallet-companion/zcash/pools';
import type { BlockBatch } from '@wallet-companion/zcash/scan';
import type { BlockStream, ChainSource, SourceTip } from '../ports/chainSource.ts';
import type { CompactStore, StoredRange } from '../ports/compactStore.ts';
import type { BlockTime, BlockTreeStates, NextBlock, ScannedBefore, SubtreeRoot } from '../ports/types.ts';
import { openBatchStream } from '../source/blockPacking.ts';
import type { CompactClient } from './compactClient.ts';
import { ChainMoved, isAway, noAnswer, UnfitBlocks } from './compactFailure.ts';
import { type BlockEnd, type BlockRun, checkAgainstTreeStates, packRun, RUN_BYTES } from './compactRun.ts';
import { bringUpToDate, fetchNext, missingIn, storedRanges } from './compactStoring.ts';
import type { SizeWitnesses } from './compactTreeSizes.ts';

/**
 * Blocks brought into the store at a time. The first piece is a batch, so that the scan starts early; each piece costs
 * several calls, one after the other, each a tenth of a second with a server far away. So the others are as large as may
 * be held back.
 */
const PIECES = { first: 256, most: 1_000 } as const;

/** The place of the store, which may not exist yet. */
export interface StorePlace {
  /** Undefined when there is none; makes none. */
  find(): CompactStore | undefined;
  /** Called when a range is opened, so that a request for the tip makes no file. */
  open(): CompactStore;
}

export interface CompactSourceOptions {
  /** The server is away, so it is not asked about stored blocks. This may become true later, too. */
  readonly offline: boolean;
  /** Shared by all users of this server. */
  readonly patience: Patience;
  readonly saplingActivation: number;
  /** Blocks brought into the store at a time, `PIECES` by default. */
  readonly pieces?: { readonly first: number; readonly most: number };
}

export class CompactSource implements ChainSource {
  readonly #server: CompactClient;
  readonly #place: StorePlace;
  #offline: boolean;
  readonly #patience: Patience;
  readonly #saplingActivation: number;
  readonly #pieces: NonNullable<CompactSourceOptions['pieces']>;

  constructor(server: CompactClient, place: StorePlace, options: CompactSourceOptions) {
    this.#server = server;
    this.#place = place;
    this.#offline = options.offline;
    this.#patience = options.patience;
    this.#saplingActivation = options.saplingActivation;
    this.#pieces = options.pieces ?? PIECES;
  }

  async tip(resumeAt?: NextBlock): Promise<SourceTip> {
    try {
      if (resumeAt === undefined || !holds(this.#place.find(), resumeAt)) return await this.#server.tip();
      const tip = await this.#patience.within(() => this.#server.tip());
      if (tip === undefined) throw noAnswer(this.#server.host);
      return tip;
    } catch (error) {
      const top = isAway(error) ? storedTip(this.#place.find(), error) : undefined;
      if (top === undefined) throw error;
      return top;
    }
  }

  async blockHash(height: Height): Promise<BlockHash | null> {
    const stored = this.#offline ? storedHash(this.#place.find(), height) : undefined;
    return stored ?? (await this.#server.block(height))?.summary.hash ?? null;
  }

  async blockTime(height: Height): Promise<BlockTime | null> {
    return (await this.#server.block(height))?.summary ?? null;
  }

  treeStates(height: Height): Promise<BlockTreeStates | null> {
    return this.#server.treeStates(height);
  }

  subtreeRoots(pool: Pool, count: number): Promise<readonly SubtreeRoot[]> {
    return this.#server.subtreeRoots(pool, count);
  }

  openRange(start: number, end: number, before?: ScannedBefore): BlockStream {
    return openBatchStream((signal) => this.#batches({ start, end }, before, signal));
  }

  rawBlock(): Promise<Uint8Array | null> {
    return Promise.resolve(null);
  }

  rawTransaction(txid: TxId): Promise<Uint8Array | null> {
    return this.#server.transaction(txid);
  }

  get receivedBytes(): number {
    return this.#server.receivedBytes;
  }

  close(): void {
    this.#server.close();
  }

  async *#batches(
    { start, end }: StoredRange,
    before: ScannedBefore | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<BlockBatch, void, void> {
    const store = this.#place.open();
    let previous: BlockEnd | undefined;
    let blocks = this.#pieces.first;
    for (let next = start; next <= end; ) {
      const piece = this.#piece(store, next, Math.min(end, next + blocks - 1));
      const run: BlockRun = await this.#checkedRun(store, piece, previous, before, signal);
      previous = run.last;
      next = run.last.height + 1;
      const perBlock = run.bytes / (run.last.height - run.first.height + 1);
      blocks = Math.max(
        this.#pieces.first >> 2,
        Math.min(this.#pieces.most, Math.floor(RUN_BYTES / perBlock)),
      );
      yield* run.batches;
    }
  }

  /**
   * The next blocks of the piece, unless the server's data contradict them. In that case the piece is dropped and
   * fetched again, once: the stored blocks may have been wrong before, or the server made an error.
   */
  async #checkedRun(
    store: CompactStore,
    piece: StoredRange,
    previous: BlockEnd | undefined,
    before: ScannedBefore | undefined,
    signal: AbortSignal,
  ): Promise<BlockRun> {
    let mayRepeat = true;
    for (;;) {
      try {
        return await this.#currentRun(store, piece, previous, before, signal);
      } catch (error) {
        if (!(error instanceof UnfitBlocks) || this.#offline) throw error;
        await queueOf(store).run(async () => store.remove(piece));
        if (!mayRepeat) throw error;
        mayRepeat = false;
      }
    }
  }

  /** Repeated while the server's chain moves; blocks that were there before are used when the server stops answering. */
  async #currentRun(
    store: CompactStore,
    piece: StoredRange,
    previous: BlockEnd | undefined,
    before: ScannedBefore | undefined,
    signal: AbortSignal,
  ): Promise<BlockRun> {
    let wasThere = true;
    for (let moves = 0; ; moves++) {
      const follows = previous !== undefined && moves === 0;
      const isThere = await queueOf(store).run(() => this.#prepare(store, piece, follows, signal));
      wasThere &&= isThere;
      const witnesses = this.#witnesses(store, before);
      const run = await packRun(witnesses, piece, previous, signal);
      if (this.#offline) return run;
      try {
        await checkAgainstTreeStates(witnesses, run, previous !== undefined);
        return run;
      } catch (error) {
        if (isAway(error) && wasThere) {
          this.#offline = true;
          return run;
        }
        const wait = this.#server.movedDelaysMs[moves];
        if (!(error instanceof ChainMoved) || wait === undefined) throw error;
        await delay(wait, undefined, { signal });
      }
    }
  }

  #witnesses(store: CompactStore, before: ScannedBefore | undefined): SizeWitnesses {
    const saplingActivation = this.#saplingActivation;
    return { server: this.#server, offline: this.#offline, store, before, saplingActivation };
  }

  #piece(store: CompactStore, start: number, end: number): StoredRange {
    if (!this.#offline) return { start, end };
    // Up to the gap that only the server can fill, so that stored blocks need not wait for missing ones.
    const stretch = storedRanges(store).find((stored) => stored.start <= start && start <= stored.end);
    return { start, end: Math.min(end, stretch?.end ?? end) };
  }

  /**
   * Makes the piece whole, current and this server's own. Blocks that are all stored can be scanned while the server is
   * away. True when they were all stored before. `follows`: the blocks below were compared with the server's tree state
   * just now, so that a piece which is fetched as a whole needs no other comparison.
   */
  async #prepare(
    store: CompactStore,
    piece: StoredRange,
    follows: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    signal.throwIfAborted();
    const missing = missingIn(store, { ...piece, end: piece.end + 1 });
    const isWhole = missingIn(store, piece).length === 0;
    if (this.#offline && isWhole) return true;
    try {
      const isNew = missing[0]?.start === piece.start && missing[0].end > piece.end;
      if (follows && isNew && (await this.#fetchedNext(store, piece, signal))) return false;
      const { blocks } = await bringUpToDate(this.#server, store, () => piece, signal, { ownBlocks: true });
      return blocks === 0;
    } catch (error) {
      if (!isAway(error) || missingIn(store, piece).length > 0) throw error;
      // One wait was enough: the following pieces do not wait again.
      this.#offline = true;
      return true;
    }
  }

  /** False where the chain seems to have changed. */
  async #fetchedNext(store: CompactStore, piece: StoredRange, signal: AbortSignal): Promise<boolean> {
    try {
      await fetchNext(this.#server, store, piece, signal);
      return true;
    } catch (error) {
      if (error instanceof ChainMoved || error instanceof UnfitBlocks) return false;
      throw error;
    }
  }
}

function storedTip(store: CompactStore | undefined, reason: CompanionError): SourceTip | undefined {
  const stretch = store === undefined ? undefined : storedRanges(store).at(-1);
  const hash = stretch === undefined ? undefined : store?.hashAt(stretch.end);
  if (stretch === undefined || hash === undefined) return undefined;
  // The lowest block contains the hash of the one before it.
  const lowestHeight = Math.max(0, stretch.start - 1);
  return { height: stretch.end, hash, offline: { lowestHeight, reason: reason.toRecord() } };
}

function holds(store: CompactStore | undefined, { height, prevHash }: NextBlock): boolean {
  const block = store?.read({ start: height, end: height }, 1)[0];
  return block !== undefined && (prevHash === undefined || equalBytes(block.prevHash, prevHash));
}

function storedHash(store: CompactStore | undefined, height: Height): BlockHash | undefined {
  const above = { start: height + 1, end: height + 1 };
  return store?.hashAt(height) ?? store?.read(above, 1)[0]?.prevHash;
}
