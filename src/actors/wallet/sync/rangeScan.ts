// One range: its batches go through the pool, several at a time; the blocks return in order, each linked to the one
// before, in commits of a bounded size.

import { setImmediate as otherWork } from 'node:timers/promises';
import { mapInOrder } from '@wallet-companion/base/async';
import { equalBytes } from '@wallet-companion/base/bytes';
import type { ScannedBefore, Source, Upstream } from '@wallet-companion/chain/ports';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import { POOL, type TreeSizes } from '@wallet-companion/zcash/pools';
import type { BlockBatch, BlockRef, ScannedBlock } from '@wallet-companion/zcash/scan';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import { CompanionError } from '../../../protocol/errors.ts';
import type { ChainLink } from '../noteStore/book/knownBlocks.ts';
import type { HeightRange, PoolOfAccount } from '../ports/noteDatabase.ts';
import type { ScanKeys } from '../ports/scanPool.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { ScannedSession } from '../session/session.ts';
import { badAnswer, badAnswerOf } from '../witnesses/witnessFailures.ts';
import { BlockTimeRule } from './blockTimeRule.ts';
import type { ScanWaits } from './scanWaits.ts';
import type { StopSignal } from './stopSignal.ts';

/**
 * A commit costs an fsync (about 5 ms) and bounds what a crash repeats. Blocks with nothing of ours are committed with their
 * whole batch, which is little work to repeat.
 */
const BLOCKS_PER_COMMIT = 64;
const BYTES_PER_COMMIT = 16 * 1024 * 1024;

/** Workers that become free together all find a batch, while earlier results are committed. */
const BATCHES_PER_WORKER = 2;

/** `next`: the range that is expected to follow this one. `afresh`: its times replace those that were scanned before. */
export type RangeQuery = Upstream &
  HeightRange & { readonly before?: ScannedBefore; readonly next?: HeightRange; readonly afresh?: boolean };

type RangeSession = Pick<ScannedSession, 'noteStore' | 'pool' | 'rangeKeys'>;

interface ScannedBatch {
  readonly blocks: readonly ScannedBlock[];
  /** In the order of arrival. */
  readonly refs: readonly BlockRef[];
}

/** `sizesBefore`: the sizes of the note commitment trees before the first block. */
export type Commit = (blocks: readonly ScannedBlock[], sizesBefore: TreeSizes) => Promise<void>;

const MOVING =
  'The blocks that came are not of the chain that was scanned before. It may be moving, or servers on two chains answer at this address: sync again in a moment, and if it stays so, name another server.';

/** A block is not the one known at its height, or does not link to those known beside it. */
export class ChainMoved extends CompanionError {
  constructor(source: Source) {
    super(badAnswerOf(source), MOVING);
  }
}

/**
 * Scans the range, or stops at the next commit. Blocks before a failure are good and are committed first; not so before
 * `ChainMoved`: a block that links to one that is gone may be gone as well.
 */
export async function scanRange(
  environment: WalletEnvironment,
  session: RangeSession,
  range: RangeQuery,
  stop: StopSignal,
  waits: ScanWaits,
  commit: Commit,
): Promise<void> {
  const { pool, rangeKeys } = session;
  const memos = new MemosOnTheWay();
  const scan = async (batch: BlockBatch): Promise<ScannedBatch> => {
    const { blocks: refs } = batch;
    const blocks = await waits.scanning(pool.scan(batch, rangeKeys));
    memos.add(blocks);
    return { blocks, refs };
  };
  const batches = batchesOf(environment, session, range, stop, waits);
  const checked = new LinkCheck(session.noteStore, range);
  const times = new BlockTimeRule(session.noteStore, range, {
    source: range.source,
    now: () => environment.clock.now(),
    afresh: range.afresh === true,
  });
  const pending = new PendingCommit(async (blocks, sizesBefore) => {
    await commit(blocks, sizesBefore);
    memos.wipe(blocks);
  });
  try {
    for await (const scanned of mapInOrder(batches, BATCHES_PER_WORKER * pool.concurrency, scan)) {
      const { blocks, refs } = scanned;
      checked.follow(blocks);
      const { good, fault } = times.follow(blocks);
      await pending.add({ blocks: blocks.slice(0, good), refs }, stop);
      if (stop.isStopped) break;
      if (fault !== undefined) throw fault;
    }
    await pending.commit();
  } catch (error) {
    if (!(error instanceof ChainMoved)) await pending.commit();
    throw error;
  } finally {
    memos.wipeAll();
  }
}

/** Owns memos that were read, and wipes them: when they are committed, or will never be. */
class MemosOnTheWay {
  readonly #blocks = new Set<ScannedBlock>();

  add(blocks: readonly ScannedBlock[]): void {
    for (const block of blocks) if (block.notes.length > 0) this.#blocks.add(block);
  }

  wipe(blocks: Iterable<ScannedBlock>): void {
    for (const block of blocks) {
      this.#blocks.delete(block);
      for (const { memo } of block.notes) memo?.fill(0);
    }
  }

  wipeAll(): void {
    this.wipe(this.#blocks);
  }
}

/** One object for each choice: the pool identifies keys by it. */
const KEYS_WITHOUT = new WeakMap<ScanKeys, Map<string, ScanKeys>>();

/** The keys for a range in which these pools are not searched. */
export function keysWithout(keys: ScanKeys, without: readonly PoolOfAccount[]): ScanKeys {
  if (without.length === 0) return keys;
  const made = KEYS_WITHOUT.get(keys) ?? new Map<string, ScanKeys>();
  KEYS_WITHOUT.set(keys, made);
  const name = JSON.stringify(without);
  const known = made.get(name);
  if (known !== undefined) return known;
  const poolsOf = ({ account, protocol }: IncomingKey) =>
    without.flatMap((one) =>
      one.account === account && POOL[one.pool].protocol === protocol ? [one.pool] : [],
    );
  const incoming = keys.incoming.map((key) => {
    const pools = poolsOf(key);
    return pools.length === 0 ? key : { ...key, without: pools };
  });
  const chosen = { ...keys, incoming };
  made.set(name, chosen);
  return chosen;
}

/** A batch of another branch is not worth scanning. Throws `Stopped` right after the signal. */
async function* batchesOf(
  { chain, logFault }: WalletEnvironment,
  { noteStore, pool, rangeKeys }: RangeSession,
  range: RangeQuery,
  stop: StopSignal,
  waits: ScanWaits,
): AsyncGenerator<BlockBatch, void, void> {
  // What a fleet reads is on a server's word.
  const blocks = (range.byWork === true ? undefined : pool.blocksFrom?.(chain, rangeKeys)) ?? chain;
  const { afresh: _, ...query } = range;
  const { rangeId } = await blocks.openRange(query);
  try {
    for (let next = range.start; next <= range.end; ) {
      const batch = await waits.asking(stop.orStopped(blocks.nextBatch({ rangeId })));
      waits.fetching(batch?.costs);
      const last = batch?.blocks.at(-1);
      if (batch === null || last === undefined) {
        // A store without its server has what it has.
        if (range.offline === true) return;
        throw new ChainMoved(range.source);
      }
      if (!noteStore.fits(batch.blocks)) throw new ChainMoved(range.source);
      next = last.height + 1;
      yield batch;
    }
  } finally {
    waits.rangeEnded();
    await blocks.closeRange({ rangeId }).catch((error: unknown) => logFault('sync.close_range', error));
  }
}

/** Checks that each block links to the one before, from the start of the range on, and to what was scanned. */
export class LinkCheck {
  readonly #noteStore: ScannedSession['noteStore'];
  readonly #range: RangeQuery;
  #previous: ChainLink | undefined;

  constructor(noteStore: ScannedSession['noteStore'], range: RangeQuery) {
    this.#noteStore = noteStore;
    this.#range = range;
  }

  /** Reads the store again: it may know more than when the batch arrived. */
  follow(blocks: readonly ChainLink[]): void {
    for (const block of blocks) {
      if (!this.#isNext(block)) throw badAnswer(this.#range.source, MOVING);
      if (!this.#noteStore.fits([block])) throw new ChainMoved(this.#range.source);
      this.#previous = block;
    }
  }

  #isNext({ height, prevHash }: ChainLink): boolean {
    const previous = this.#previous;
    if (previous === undefined) return height === this.#range.start;
    return height === previous.height + 1 && equalBytes(prevHash, previous.hash);
  }
}

class PendingCommit {
  readonly #commit: Commit;
  #blocks: ScannedBlock[] = [];
  #sizesBefore: TreeSizes = EMPTY_TREES;
  #bytes = 0;
  #hasNotes = false;

  constructor(commit: Commit) {
    this.#commit = commit;
  }

  /** Stops at the next commit after the signal. */
  async add({ blocks, refs }: ScannedBatch, stop: StopSignal): Promise<void> {
    for (const [i, block] of blocks.entries()) {
      const ref = refs[i]!;
      if (this.#blocks.length === 0) this.#sizesBefore = ref.treeSizes;
      this.#blocks.push(block);
      this.#bytes += ref.length;
      if (block.notes.length > 0) this.#hasNotes = true;
      const isLast = i === blocks.length - 1;
      const isLong = this.#blocks.length >= BLOCKS_PER_COMMIT && (this.#hasNotes || isLast);
      if (!isLong && this.#bytes < BYTES_PER_COMMIT) continue;
      await this.commit();
      // A batch may hold several commits without any wait between them.
      await otherWork();
      if (stop.isStopped) return;
    }
  }

  /** Blocks whose commit failed are not tried again. */
  async commit(): Promise<void> {
    const blocks = this.#blocks;
    this.#blocks = [];
    this.#bytes = 0;
    this.#hasNotes = false;
    if (blocks.length > 0) await this.#commit(blocks, this.#sizesBefore);
  }
}
