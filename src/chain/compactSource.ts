// Compact blocks as a source for the scan: what is missing in the local store is fetched and kept first, piece by piece,
// so that the next piece arrives while the last one is scanned. Without the server the store is a source by itself, as far
// as it goes. Full blocks are not to be had here.
import type { CompactStore, StoredRange } from '../actors/chain/compactStore.ts';
import type { NextBlock, ScannedBefore } from '../actors/chain/types.ts';
import { CompanionError } from '../protocol/errors.ts';
import { equalBytes } from '../shielded/bytes.ts';
import type { CompactBlockSkim } from '../shielded/chain/skim.ts';
import type { BlockBatch, TreeSizes } from '../shielded/scan/types.ts';
import { BATCH_LIMITS, BlockPacker } from './blockPacking.ts';
import type { BlockStream, ChainSource, SourceTip } from './chainSource.ts';
import { chainMoved, isAway, noAnswer } from './compactFailure.ts';
import type { CompactServer } from './compactServer.ts';
import { bringUpToDate, missingIn, storedRanges } from './compactStoring.ts';
import { compactTreeSizesBefore, type SizeWitnesses } from './compactTreeSizes.ts';
import type { Patience } from './patience.ts';
import { prefetch } from './prefetch.ts';
import { skimStored } from './storedBlock.ts';
import { addLeaves } from './treeSizes.ts';
import { turnsOf } from './turns.ts';

/** Blocks brought into the store at a time. A few batches: the scan starts early, and calls stay few. */
const PIECE_BLOCKS = 256;

/** Batches packed ahead of the scan. */
const BATCHES_AHEAD = 2;

/** Where the store is, or will be. */
export interface StorePlace {
  /** Undefined when there is none; makes none. */
  find(): CompactStore | undefined;
  /** Called when a range is opened, so that asking for the tip makes no file. */
  open(): CompactStore;
}

export interface CompactSourceOptions {
  /** The server is away, so it is not asked about blocks that are stored. It may turn out so later, too. */
  readonly storeAlone: boolean;
  /** Of everybody who uses this server. */
  readonly patience: Patience;
  readonly saplingActivation: number;
  /** Blocks brought into the store at a time, `PIECE_BLOCKS` by default. */
  readonly pieceBlocks?: number;
}

export class CompactSource implements ChainSource {
  readonly #server: CompactServer;
  readonly #place: StorePlace;
  #storeAlone: boolean;
  readonly #patience: Patience;
  readonly #saplingActivation: number;
  readonly #pieceBlocks: number;

  constructor(server: CompactServer, place: StorePlace, options: CompactSourceOptions) {
    this.#server = server;
    this.#place = place;
    this.#storeAlone = options.storeAlone;
    this.#patience = options.patience;
    this.#saplingActivation = options.saplingActivation;
    this.#pieceBlocks = options.pieceBlocks ?? PIECE_BLOCKS;
  }

  async tip(goOn?: NextBlock): Promise<SourceTip> {
    try {
      if (goOn === undefined || !holds(this.#place.find(), goOn)) return await this.#server.tip();
      const tip = await this.#patience.within(() => this.#server.tip());
      if (tip === undefined) throw noAnswer(this.#server.host);
      return tip;
    } catch (error) {
      const top = isAway(error) ? storedTip(this.#place.find(), error) : undefined;
      if (top === undefined) throw error;
      return top;
    }
  }

  async blockHash(height: number): Promise<Uint8Array | null> {
    const stored = this.#storeAlone ? storedHash(this.#place.find(), height) : undefined;
    return stored ?? (await this.#server.block(height))?.skim.hash ?? null;
  }

  openRange(start: number, end: number, before?: ScannedBefore): BlockStream {
    const abort = new AbortController();
    const onClose = (): void => abort.abort(new CompanionError('BUSY', 'The block range was closed.'));
    return prefetch(this.#batches({ start, end }, before, abort.signal), {
      capacity: BATCHES_AHEAD,
      onClose,
    });
  }

  rawBlock(): Promise<Uint8Array | null> {
    return Promise.resolve(null);
  }

  rawTransaction(txid: Uint8Array): Promise<Uint8Array | null> {
    return this.#server.transaction(txid);
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
    const packer = new BlockPacker('compact');
    let failure: { readonly error: unknown } | undefined;
    let previous: CompactBlockSkim | undefined;
    let sizes: TreeSizes | undefined;
    let next = start;
    try {
      while (next <= end) {
        const piece = this.#piece(store, next, end);
        await turnsOf(store).run(() => this.#prepare(store, piece, signal));
        while (next <= piece.end) {
          const blocks = store.read({ start: next, end: piece.end }, BATCH_LIMITS.bytes);
          if (blocks.length === 0) throw chainMoved(this.#server.host, next);
          for (const { data, height } of blocks) {
            const skim = skimStored(data, height);
            if (previous !== undefined && !equalBytes(skim.prevHash, previous.hash)) {
              throw chainMoved(this.#server.host, height);
            }
            sizes = await compactTreeSizesBefore(this.#witnesses(store, before), skim, sizes, signal);
            const batch = packer.add(data, skim, sizes);
            sizes = addLeaves(sizes, skim.counts);
            previous = skim;
            next = height + 1;
            if (batch !== null) yield batch;
          }
        }
      }
    } catch (error) {
      failure = { error };
    }
    // The blocks before a failure are good: they link, and a scan of them need not be repeated.
    const rest = packer.take();
    if (rest !== null) yield rest;
    if (failure !== undefined) throw failure.error;
  }

  #witnesses(store: CompactStore, before: ScannedBefore | undefined): SizeWitnesses {
    const saplingActivation = this.#saplingActivation;
    return { server: this.#server, storeAlone: this.#storeAlone, store, before, saplingActivation };
  }

  #piece(store: CompactStore, start: number, end: number): StoredRange {
    const piece = { start, end: Math.min(end, start + this.#pieceBlocks - 1) };
    if (!this.#storeAlone) return piece;
    // Up to the gap that only the server can fill, so that what is there is not held back by what is not.
    const stretch = storedRanges(store).find((stored) => stored.start <= start && start <= stored.end);
    return { start, end: Math.min(piece.end, stretch?.end ?? piece.end) };
  }

  /** Makes the piece whole and current. Blocks that are all there can be scanned while the server is away. */
  async #prepare(store: CompactStore, piece: StoredRange, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#storeAlone && missingIn(store, piece).length === 0) return;
    try {
      await bringUpToDate(this.#server, store, () => piece, signal);
    } catch (error) {
      if (!isAway(error) || missingIn(store, piece).length > 0) throw error;
      // It has been waited for once; the pieces that follow are not worth a wait each.
      this.#storeAlone = true;
    }
  }
}

function storedTip(store: CompactStore | undefined, reason: CompanionError): SourceTip | undefined {
  const stretch = store === undefined ? undefined : storedRanges(store).at(-1);
  const hash = stretch === undefined ? undefined : store?.hashAt(stretch.end);
  if (stretch === undefined || hash === undefined) return undefined;
  // The lowest block tells the hash of the one before it.
  const lowestHeight = Math.max(0, stretch.start - 1);
  return { height: stretch.end, hash, storeAlone: { lowestHeight, reason: reason.toRecord() } };
}

function holds(store: CompactStore | undefined, { height, prevHash }: NextBlock): boolean {
  const block = store?.read({ start: height, end: height }, 1)[0];
  return block !== undefined && (prevHash === undefined || equalBytes(block.prevHash, prevHash));
}

function storedHash(store: CompactStore | undefined, height: number): Uint8Array | undefined {
  const above = { start: height + 1, end: height + 1 };
  return store?.hashAt(height) ?? store?.read(above, 1)[0]?.prevHash;
}
