// One sync request: reorg check, range, stream of batches through the pool, commits in height order. What is committed
// stays whatever happens afterwards.

import { CompanionError } from '../../../protocol/errors.ts';
import type { EventBody } from '../../../protocol/events.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import { blockCount, MAX_BLOCKS_PER_SYNC, planSync, type SyncPlan } from '../../../protocol/syncRange.ts';
import { equalBytes } from '../../../shielded/bytes.ts';
import type { ScannedBlock } from '../../../shielded/scan/types.ts';
import type { Height } from '../../../values/height.ts';
import type { ChainTip, NextBlock, ScannedBefore, Upstream } from '../../chain/ports/types.ts';
import type { ChainLink } from '../notes/knownBlocks.ts';
import { scanReach } from '../notes/scanReach.ts';
import type { HeightRange, StoredNote } from '../ports/storage.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { ScannedSession } from '../session/session.ts';
import { enhanceTransactions } from './enhancement.ts';
import { findFork } from './reorg.ts';
import { Stopped, StopSignal } from './stopSignal.ts';

/** A commit costs an fsync (about 5 ms) and bounds what a crash repeats. */
const BLOCKS_PER_COMMIT = 64;
const BYTES_PER_COMMIT = 16 * 1024 * 1024;
/** How often a chain that moves while it is read is looked at again before giving up. */
const MAX_REORG_CHECKS = 3;

/** Above every tip: where a scan would begin before anybody told how high the chain is. */
const HIGHEST = Number.MAX_SAFE_INTEGER - 1;

type Reorg = Output<'sync.run'>['reorg'];

/** Of the whole request, whatever it had to do again. */
class SyncProgress {
  startHeight: Height;
  /** Of the range that is scanned now. */
  endHeight: Height;
  committedHeight: Height;
  blocksTotal = 0;
  blocksScanned = 0;
  outputsScanned = 0;
  notesFound = 0;
  notesNew = 0;
  notesSpent = 0;

  constructor(startHeight: Height) {
    this.startHeight = startHeight;
    this.endHeight = startHeight - 1;
    this.committedHeight = startHeight - 1;
  }

  /** Where the scan goes on, after a reorg lower than where it was. */
  plan({ start, ranges }: SyncPlan): void {
    this.startHeight = Math.min(this.startHeight, start);
    this.committedHeight = start - 1;
    this.endHeight = ranges.at(-1)?.end ?? start - 1;
    this.blocksTotal = this.blocksScanned + blockCount(ranges);
  }
}

export interface SyncHooks {
  /** After each commit, with what it found. */
  readonly committed: (received: readonly StoredNote[], spent: readonly StoredNote[]) => Promise<void>;
  readonly rewound: (forkHeight: Height, depth: number) => Promise<void>;
  readonly sawTip: (height: Height) => void;
}

type SyncEnvironment = Pick<WalletEnvironment, 'chain' | 'clock' | 'configFile' | 'logFault'>;

export class SyncRun {
  readonly #environment: SyncEnvironment;
  readonly #session: ScannedSession;
  #upstream: Upstream;
  readonly #request: Input<'sync.run'>;
  readonly #hooks: SyncHooks;
  readonly #startedAt: number;
  readonly #stop = new StopSignal();
  #tip: ChainTip | undefined;
  #plan: SyncPlan | undefined;
  #progress: SyncProgress | undefined;
  #reorg: Reorg = null;

  constructor(
    environment: SyncEnvironment,
    session: ScannedSession,
    request: Input<'sync.run'>,
    hooks: SyncHooks,
  ) {
    this.#environment = environment;
    this.#session = session;
    this.#request = request;
    this.#hooks = hooks;
    this.#upstream = {
      source: request.source ?? 'node',
      ...(request.node_url === undefined ? {} : { nodeUrl: request.node_url }),
    };
    this.#startedAt = environment.clock.now();
  }

  /** Ends the run at the next commit, and any wait for the other side; the request answers with `cancelled: true`. */
  stop(): void {
    this.#stop.stop();
  }

  get progress(): EventBody<'sync.progress'> | null {
    const progress = this.#progress;
    if (progress === undefined) return null;
    const elapsedMs = this.#elapsedMs();
    const perSecond = (count: number) =>
      elapsedMs === 0 ? 0 : Math.round((count * 10_000) / elapsedMs) / 10;
    const left = progress.blocksTotal - progress.blocksScanned;
    return {
      source: this.#upstream.source,
      start_height: progress.startHeight,
      end_height: progress.endHeight,
      committed_height: progress.committedHeight,
      blocks_scanned: progress.blocksScanned,
      blocks_total: progress.blocksTotal,
      outputs_scanned: progress.outputsScanned,
      notes_found: progress.notesFound,
      elapsed_ms: elapsedMs,
      blocks_per_second: perSecond(progress.blocksScanned),
      outputs_per_second: perSecond(progress.outputsScanned),
      eta_seconds:
        progress.blocksScanned === 0
          ? null
          : Math.round((left * elapsedMs) / progress.blocksScanned / 100) / 10,
      cancelling: this.#stop.isStopped,
    };
  }

  async run(): Promise<Output<'sync.run'>> {
    try {
      await this.#run();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
    return this.#summary();
  }

  async #run(): Promise<void> {
    for (let check = 1; ; check++) {
      const tip = await this.#stop.orStopped(
        this.#environment.chain.tip({ ...this.#upstream, ...this.#resumeAt() }),
      );
      this.#tip = tip;
      this.#upstream = { ...this.#upstream, offline: tip.offline !== undefined };
      if (tip.offline === undefined) this.#hooks.sawTip(tip.height);
      await this.#rewindTo(tip);
      const outcome = await this.#scanTo(tip, check < MAX_REORG_CHECKS);
      if (outcome === 'chain moved') continue;
      await enhanceTransactions(this.#environment, this.#session, this.#upstream, this.#stop);
      this.#requireServer(tip);
      return;
    }
  }

  /** The store alone was enough, or there was something in it to scan: else the server's absence is a failure. */
  #requireServer({ offline }: ChainTip): void {
    if (offline === undefined || this.#plan === undefined) return;
    const { ranges, coversRequest } = this.#plan;
    if (ranges.length === 0 && !coversRequest) throw CompanionError.fromRecord(offline.reason);
  }

  async #rewindTo(tip: ChainTip): Promise<void> {
    const { noteStore } = this.#session;
    const fork = await this.#stop.orStopped(
      findFork(noteStore, this.#environment.chain, this.#upstream, tip),
    );
    if (fork === undefined) return;
    const depth = (noteStore.blockHeights.at(-1) ?? fork) - fork;
    noteStore.rewind(fork);
    this.#reorg = deeper(this.#reorg, { fork_height: fork, depth });
    await this.#hooks.rewound(fork, depth);
  }

  /**
   * A scan right above what was scanned can begin with stored blocks: whether they follow is seen from the first one.
   */
  #resumeAt(): { readonly resumeAt?: NextBlock } {
    const { noteStore } = this.#session;
    const { start: height } = this.#planUpTo(HIGHEST);
    const top = noteStore.blockHeights.at(-1);
    if (top === undefined) return { resumeAt: { height } };
    const prevHash = height === top + 1 ? noteStore.block(top)?.hash : undefined;
    return prevHash === undefined ? {} : { resumeAt: { height, prevHash } };
  }

  #before(start: number): { readonly before?: ScannedBefore } {
    const below = this.#session.noteStore.block(start - 1);
    return below === undefined ? {} : { before: { hash: below.hash, treeSizes: below.treeSizes } };
  }

  #planUpTo(tip: Height): SyncPlan {
    const { noteStore, scanKeys } = this.#session;
    return planSync(
      { start: this.#request.start_height, end: this.#request.end_height },
      {
        lastScanHeight: noteStore.lastScanHeight,
        missing: noteStore.missing(),
        saplingActivation: scanKeys.heights.sapling,
        tip,
        maxBlocks: MAX_BLOCKS_PER_SYNC - (this.#progress?.blocksScanned ?? 0),
      },
    );
  }

  /** Scans what the request asks for. */
  async #scanTo(tip: ChainTip, mayRetry: boolean): Promise<'scanned' | 'chain moved'> {
    if (this.#request.start_height === undefined)
      refuseLowerChain(tip, this.#session.noteStore.lastScanHeight);
    const plan = this.#planUpTo(tip.height);
    // Without the server nobody knows where the chain ends: only an end that was requested can be reached.
    const isEndKnown = tip.offline === undefined || this.#request.end_height !== undefined;
    this.#plan = { ...plan, coversRequest: plan.coversRequest && isEndKnown };
    this.#progress ??= new SyncProgress(plan.start);
    this.#progress.plan(plan);
    for (const range of plan.ranges) {
      if (this.#stop.isStopped) break;
      const outcome = await this.#scanRange(range, mayRetry);
      if (outcome === 'chain moved') return outcome;
    }
    return 'scanned';
  }

  /** `chain moved`: a block is not the one known at its height, or does not follow the one before it. */
  async #scanRange(range: HeightRange, mayRetry: boolean): Promise<'scanned' | 'chain moved'> {
    const { noteStore, pool, scanKeys } = this.#session;
    const { chain } = this.#environment;
    const { rangeId } = await chain.openRange({ ...this.#upstream, ...range, ...this.#before(range.start) });
    const inFlight: Promise<{ blocks: ScannedBlock[]; bytes: number }>[] = [];
    let pending: ScannedBlock[] = [];
    let pendingBytes = 0;
    let previous: ChainLink | undefined;
    let exhausted = false;
    let moved = false;
    let failure: { readonly error: unknown } | undefined;
    const commit = async () => {
      const blocks = pending;
      pending = [];
      pendingBytes = 0;
      if (blocks.length > 0) await this.#commit(blocks);
    };
    const accept = (block: ScannedBlock): boolean => {
      const isNext =
        previous === undefined
          ? block.height === range.start
          : block.height === previous.height + 1 && equalBytes(block.prevHash, previous.hash);
      if (!isNext) throw chainMoved(this.#upstream);
      previous = block;
      return noteStore.fits([block]);
    };
    try {
      while (!this.#stop.isStopped && !moved) {
        while (!exhausted && inFlight.length <= pool.concurrency) {
          const batch = await this.#stop.orStopped(chain.nextBatch({ rangeId })).catch((error: unknown) => {
            if (error instanceof Stopped) throw error;
            // The batches before it are good and on their way: they are committed first.
            failure = { error };
            return null;
          });
          // A batch of another branch is not worth scanning.
          moved = batch !== null && !noteStore.fits(batch.blocks);
          if (batch === null || batch.blocks.length === 0 || moved) {
            exhausted = true;
            break;
          }
          const scan = pool
            .scan(batch, scanKeys)
            .then((blocks) => ({ blocks, bytes: batchBytes(batch.blocks) }));
          // The failure is reported when its turn comes; until then it must not count as unhandled.
          scan.catch(() => undefined);
          inFlight.push(scan);
        }
        const scanned = await (inFlight.shift() ?? Promise.resolve(undefined));
        if (scanned === undefined) break;
        moved ||= !scanned.blocks.every(accept);
        if (moved) break;
        pending.push(...scanned.blocks);
        pendingBytes += scanned.bytes;
        if (pending.length >= BLOCKS_PER_COMMIT || pendingBytes >= BYTES_PER_COMMIT) await commit();
      }
      // What links to a block that is gone may be gone itself: it comes again.
      if (moved && mayRetry) return 'chain moved';
      if (moved) throw chainMoved(this.#upstream);
      await commit();
      if (failure !== undefined) throw failure.error;
    } catch (error) {
      if (!moved) await commit();
      throw withLastScanHeight(error, noteStore.lastScanHeight);
    } finally {
      await chain
        .closeRange({ rangeId })
        .catch((error: unknown) => this.#environment.logFault('sync.close_range', error));
      await Promise.allSettled(inFlight);
    }
    return 'scanned';
  }

  async #commit(blocks: readonly ScannedBlock[]): Promise<void> {
    const { noteStore } = this.#session;
    const progress = this.#progress;
    const last = blocks.at(-1);
    if (progress === undefined || last === undefined) return;
    const { found, received, spent } = noteStore.apply(blocks);
    progress.committedHeight = last.height;
    progress.blocksScanned += blocks.length;
    progress.outputsScanned += blocks.reduce((sum, block) => sum + block.outputCount, 0);
    progress.notesFound += found;
    progress.notesNew += received.length;
    progress.notesSpent += spent.length;
    await this.#hooks.committed(received, spent);
  }

  #summary(): Output<'sync.run'> {
    const { noteStore } = this.#session;
    const { lastScanHeight } = noteStore;
    const plan = this.#plan;
    const progress = this.#progress;
    const start = progress?.startHeight ?? lastScanHeight + 1;
    const end = progress?.committedHeight ?? start - 1;
    const { complete, missing } = scanReach(noteStore);
    const tip = this.#tip;
    return {
      start_height: start,
      end_height: end,
      blocks_scanned: progress?.blocksScanned ?? 0,
      outputs_scanned: progress?.outputsScanned ?? 0,
      notes_found: progress?.notesFound ?? 0,
      notes_new: progress?.notesNew ?? 0,
      notes_spent: progress?.notesSpent ?? 0,
      reorg: this.#reorg,
      last_scan_height: lastScanHeight,
      // Stopped before the other side told its tip: what was scanned is all that is known to exist.
      chain_tip: tip?.height ?? lastScanHeight,
      next_start_height: end + 1,
      range_complete: plan?.coversRequest === true && end >= (plan.ranges.at(-1)?.end ?? end),
      caught_up:
        tip !== undefined &&
        tip.offline === undefined &&
        lastScanHeight === tip.height &&
        missing.length === 0,
      complete,
      missing_ranges: missing,
      cancelled: this.#stop.isStopped,
      elapsed_ms: this.#elapsedMs(),
      source: this.#upstream.source,
    };
  }

  #elapsedMs(): number {
    return Math.max(0, Math.round(this.#environment.clock.now() - this.#startedAt));
  }
}

/** Two rewinds in one request are one reorg to the lower fork. */
function deeper(first: Reorg, second: NonNullable<Reorg>): Reorg {
  if (first === null) return second;
  return {
    fork_height: Math.min(first.fork_height, second.fork_height),
    depth: Math.max(first.depth, second.depth),
  };
}

/** A wallet that begins above the other side's chain has nothing to scan there yet, but is not caught up either. */
function refuseLowerChain(tip: ChainTip, lastScanHeight: Height): void {
  if (tip.offline !== undefined || tip.height >= lastScanHeight) return;
  throw new CompanionError(
    'NODE_BEHIND',
    `The other side is at height ${tip.height}, this wallet goes on from ${lastScanHeight + 1}. Wait until it has caught up, or point to another one; where the birthday is wrong, rescan with from_height.`,
  );
}

const batchBytes = (blocks: readonly { readonly length: number }[]): number =>
  blocks.reduce((sum, block) => sum + block.length, 0);

const chainMoved = (upstream: Upstream): CompanionError =>
  new CompanionError(
    upstream.source === 'node' ? 'NODE_BAD_RESPONSE' : 'COMPACT_SERVER_BAD_RESPONSE',
    'The blocks that came do not follow what was scanned before. The chain may be moving: sync again in a moment.',
  );

function withLastScanHeight(error: unknown, lastScanHeight: Height): unknown {
  if (!(error instanceof CompanionError)) return error;
  const { code, detail, ...more } = error.toRecord();
  return new CompanionError(code, detail, { ...more, lastScanHeight, cause: error.cause });
}
