// Compact blocks as a source for the scan: what is missing in the local store is fetched and kept first, piece by piece,
// so that the next piece arrives while the last one is scanned. Full blocks are not to be had here.
import type { CompactStore, StoredRange } from '../actors/chain/compactStore.ts';
import { CompanionError } from '../protocol/errors.ts';
import { equalBytes, FormatError } from '../shielded/bytes.ts';
import { type CompactBlockSkim, skimCompactBlock } from '../shielded/chain/skim.ts';
import type { BlockBatch, TreeSizes } from '../shielded/scan/types.ts';
import { BATCH_LIMITS, BlockPacker } from './blockPacking.ts';
import type { BlockStream, ChainSource, SourceTip } from './chainSource.ts';
import { chainMoved } from './compactFailure.ts';
import type { CompactServer } from './compactServer.ts';
import { bringUpToDate, missingIn } from './compactStoring.ts';
import { compactTreeSizesBefore } from './compactTreeSizes.ts';
import { prefetch } from './prefetch.ts';
import { addLeaves } from './treeSizes.ts';
import { turnsOf } from './turns.ts';

/** Blocks brought into the store at a time. A few batches: the scan starts early, and calls stay few. */
const PIECE_BLOCKS = 256;

/** Batches packed ahead of the scan. */
const BATCHES_AHEAD = 2;

export class CompactSource implements ChainSource {
  readonly #server: CompactServer;
  readonly #openStore: () => CompactStore;
  readonly #saplingActivation: number;

  /** `openStore` is called when a range is opened, so that asking for the tip makes no file. */
  constructor(server: CompactServer, openStore: () => CompactStore, saplingActivation: number) {
    this.#server = server;
    this.#openStore = openStore;
    this.#saplingActivation = saplingActivation;
  }

  tip(): Promise<SourceTip> {
    return this.#server.tip();
  }

  async blockHash(height: number): Promise<Uint8Array | null> {
    return (await this.#server.block(height))?.skim.hash ?? null;
  }

  openRange(start: number, end: number): BlockStream {
    const abort = new AbortController();
    const onClose = (): void => abort.abort(new CompanionError('BUSY', 'The block range was closed.'));
    return prefetch(this.#batches(start, end, abort.signal), { capacity: BATCHES_AHEAD, onClose });
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

  async *#batches(start: number, end: number, signal: AbortSignal): AsyncGenerator<BlockBatch, void, void> {
    const store = this.#openStore();
    const packer = new BlockPacker('compact');
    let failure: { readonly error: unknown } | undefined;
    let previous: CompactBlockSkim | undefined;
    let sizes: TreeSizes | undefined;
    let next = start;
    try {
      while (next <= end) {
        const piece = { start: next, end: Math.min(end, next + PIECE_BLOCKS - 1) };
        await turnsOf(store).take(() => this.#prepare(store, piece, signal));
        while (next <= piece.end) {
          const blocks = store.read({ start: next, end: piece.end }, BATCH_LIMITS.bytes);
          if (blocks.length === 0) throw chainMoved(this.#server.host, next);
          for (const { data, height } of blocks) {
            const skim = skimStored(data, height);
            if (previous !== undefined && !equalBytes(skim.prevHash, previous.hash)) {
              throw chainMoved(this.#server.host, height);
            }
            sizes = await compactTreeSizesBefore(this.#server, skim, sizes, this.#saplingActivation);
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

  /** Makes the piece whole and current. Blocks that are all there can be scanned while the server is away. */
  async #prepare(store: CompactStore, piece: StoredRange, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    try {
      await bringUpToDate(this.#server, store, () => piece, signal);
    } catch (error) {
      const away =
        error instanceof CompanionError &&
        (error.code === 'COMPACT_SERVER_UNREACHABLE' || error.code === 'UPSTREAM_TIMEOUT');
      if (!away || missingIn(store, piece).length > 0) throw error;
    }
  }
}

function skimStored(data: Uint8Array, height: number): CompactBlockSkim {
  try {
    const skim = skimCompactBlock(data);
    if (skim.height === height) return skim;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
  throw new CompanionError(
    'STORAGE_FAILED',
    `The compact store holds a damaged block at height ${height}; remove the store and sync it again.`,
  );
}
