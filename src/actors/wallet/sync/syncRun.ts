// One sync request: reorg check, plan, ranges, and the wallet's transactions in full. What is committed stays, also
// after a failure.

import type { Height } from '@wallet-companion/base/values';
import type { ChainTip, Upstream } from '@wallet-companion/chain/ports';
import { copyOf } from '@wallet-companion/zcash/identifiers';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import type { ScannedBlock } from '@wallet-companion/zcash/scan';
import { CompanionError } from '../../../protocol/errors.ts';
import type { EventBody } from '../../../protocol/events.ts';
import type { HandledInput } from '../../../protocol/operations.ts';
import type { SyncPlan } from '../../../protocol/syncRange.ts';
import type { ChainLink } from '../noteStore/book/knownBlocks.ts';
import { LeafRecording } from '../noteStore/leaves/scannedLeaves.ts';
import type { AppliedBlocks } from '../noteStore/noteStore.ts';
import type { HeightRange, PoolOfAccount, Verifier } from '../ports/noteDatabase.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { ScannedSession } from '../session/session.ts';
import { MEDIAN_BLOCKS, TimesDoubted } from './blockTimeRule.ts';
import { enhanceTransactions } from './enhancement.ts';
import { NodeWitness, refusalOf } from './nodeWitness.ts';
import { ChainMoved, type Commit, keysWithout, LinkCheck, type RangeQuery, scanRange } from './rangeScan.ts';
import { findFork } from './reorg.ts';
import { RequestWork, WorkPace } from './requestWork.ts';
import { ScanWaits } from './scanWaits.ts';
import { Stopped, StopSignal } from './stopSignal.ts';
import { SyncPlanner } from './syncPlanner.ts';
import { SyncProgress } from './syncProgress.ts';
import { deeper, type Reorg, type SyncDone, syncSummary } from './syncSummary.ts';
import { keepTreeStates } from './treeStateKeeping.ts';

/** How often the chain may move during a request before it fails. */
const MAX_REORG_CHECKS = 3;

/** Called when the note store has changed; an error that it throws ends the sync. */
export interface NoteStoreListener {
  committed(
    applied: AppliedBlocks,
    progress: EventBody<'sync.progress'>,
    blocks: readonly ScannedBlock[],
  ): Promise<void>;
  /** Their memos were not known before. */
  memosOpened(notes: readonly StoredNote[]): void;
  rewound(forkHeight: Height, depth: number): Promise<void>;
  /** Whether other accounts are to be scanned from here on. May wait for a change that waits for the end of the scan. */
  accountsFound(notes: readonly StoredNote[]): Promise<boolean>;
  /** Everything up to the tip of the chain was scanned. */
  caughtUp(): Promise<void>;
}

/** Other accounts are scanned than those for which the range was begun. */
class OtherAccounts extends Error {
  override readonly name = 'OtherAccounts';
}

type RangeEnd = 'scanned' | 'chain moved' | 'other accounts';

export type SyncRequest = HandledInput<'sync.run'> & Pick<Upstream, 'byOwner'>;

/** `keepsChain`: where the source has another chain than the one that was scanned, the run fails and undoes nothing. */
export type SourcedRequest = SyncRequest &
  Pick<Upstream, 'source' | 'byWork'> & { readonly keepsChain?: boolean };

export class SyncRun {
  readonly #environment: WalletEnvironment;
  readonly #session: ScannedSession;
  readonly #planner: SyncPlanner;
  readonly #listener: NoteStoreListener;
  readonly #startedAt: number;
  readonly #stop = new StopSignal();
  readonly #waits: ScanWaits;
  readonly #work: RequestWork;
  readonly #witness: NodeWitness | undefined;
  readonly #keepsChain: boolean;
  #leaves: LeafRecording | undefined;
  #upstream: Upstream;
  #tip: ChainTip | undefined;
  #chainTip: number | undefined;
  #plan: SyncPlan | undefined;
  #progress: SyncProgress | undefined;
  #reorg: Reorg = null;
  #denied: readonly Height[] = [];
  /** The pools that are not searched in the range that is scanned. */
  #without: readonly PoolOfAccount[] = [];
  readonly #contradicted = new Set<Height>();

  constructor(
    environment: WalletEnvironment,
    session: ScannedSession,
    request: SourcedRequest,
    listener: NoteStoreListener,
    /** From the requests before this one. */
    pace = new WorkPace(),
  ) {
    this.#environment = environment;
    this.#session = session;
    this.#planner = new SyncPlanner(session, request);
    this.#listener = listener;
    this.#keepsChain = request.keepsChain === true;
    this.#upstream = {
      source: request.source,
      ...(request.byWork === true && { byWork: true }),
      ...(request.node_url === undefined
        ? {}
        : { nodeUrl: request.node_url, byOwner: request.byOwner === true }),
    };
    this.#startedAt = environment.clock.now();
    this.#waits = new ScanWaits(() => environment.clock.now(), session.pool.concurrency);
    this.#work = new RequestWork(pace, () => environment.clock.now());
    if (request.verify_with !== undefined) {
      const ask = (height: Height) =>
        this.#stop.orStopped(environment.chain.treeSizesAt({ ...this.#upstream, height }));
      this.#witness = new NodeWitness(ask, session.scanKeys.heights.sapling);
    }
  }

  /** Ends the run at the next commit, and any wait for the server; the request's response has `cancelled: true`. */
  stop(): void {
    this.#stop.stop();
  }

  get progress(): EventBody<'sync.progress'> | null {
    return this.#progress === undefined ? null : this.#view(this.#progress);
  }

  /** Blocks of which a compact server and a full block say different things. */
  get contradicted(): ReadonlySet<Height> {
    return this.#contradicted;
  }

  /** Blocks that a compact server gave, and whose full ones do not have what was found there: they are still to be read. */
  get denied(): readonly Height[] {
    return this.#upstream.source === 'compact' ? this.#denied : [];
  }

  /** The server's tip, once it is known. */
  get chainTip(): number | undefined {
    return this.#chainTip;
  }

  async run(): Promise<SyncDone> {
    try {
      await this.#run();
    } catch (error) {
      if (!(error instanceof Stopped)) throw this.#keptExportAfter(error);
    }
    const { noteStore, scanKeys } = this.#session;
    this.#keepRest();
    return syncSummary(noteStore, scanKeys.heights.network, {
      tip: this.#tip,
      plan: this.#plan,
      progress: this.#progress,
      reorg: this.#reorg,
      wasStopped: this.#stop.isStopped,
      elapsedMs: this.#elapsedMs(),
      source: this.#upstream.source,
      verifiedWith: this.#witness === undefined ? null : 'node',
    });
  }

  /** Returns the first failure: a store that fails a second time is no new failure. */
  #keptExportAfter(failure: unknown): unknown {
    try {
      this.#keepRest();
    } catch {
      // The count in config.json is ahead of the store's, as after a crash.
    }
    return failure;
  }

  /** The value that config.json got with the last commit, and leaves of its blocks. */
  #keepRest(): void {
    const leaves = this.#leaves?.rest();
    this.#leaves = undefined;
    this.#session.noteStore.keepExport(leaves);
  }

  async #run(): Promise<void> {
    if (!this.#environment.configFile.get().skip_emptied_pools) this.#session.noteStore.searchAllPools();
    for (let check = 1; ; ) {
      const resumeAt = this.#planner.resumeAt(this.#blocksScanned);
      const tip = await this.#stop.orStopped(
        this.#environment.chain.tip({ ...this.#upstream, ...(resumeAt && { resumeAt }) }),
      );
      this.#tip = tip;
      this.#upstream = { ...this.#upstream, offline: tip.offline !== undefined };
      if (tip.offline === undefined) this.#chainTip = tip.height;
      if (!this.#keepsChain) await this.#rewindTo(tip);
      const outcome = await this.#scanTo(tip, !this.#keepsChain && check < MAX_REORG_CHECKS);
      if (outcome === 'chain moved') check++;
      if (outcome !== 'scanned') continue;
      this.#keepRest();
      if (
        !this.#stop.isStopped &&
        tip.offline === undefined &&
        this.#session.noteStore.lastScanHeight === tip.height
      )
        await this.#stop.orStopped(this.#listener.caughtUp());
      if (!this.#stop.isStopped) await this.#keepTreeStates();
      this.#denied = await enhanceTransactions(
        this.#environment,
        this.#session,
        this.#upstream,
        this.#stop,
        (notes) => this.#listener.memosOpened(notes),
      );
      this.#requireServer(tip);
      return;
    }
  }

  #keepTreeStates(): Promise<void> {
    const ranges = this.#plan?.ranges ?? [];
    return keepTreeStates(this.#environment, this.#session, this.#upstream, ranges, this.#stop);
  }

  /** The store alone was enough, or it had blocks to scan: else the server's absence is a failure. */
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
    if (fork !== undefined) this.#reorg = deeper(this.#reorg, await this.#rewind(fork));
  }

  async #rewind(fork_height: Height): Promise<NonNullable<Reorg>> {
    const { noteStore } = this.#session;
    const depth = (noteStore.blockHeights.at(-1) ?? fork_height) - fork_height;
    this.#keepRest();
    noteStore.rewind(fork_height);
    await this.#listener.rewound(fork_height, depth);
    return { fork_height, depth };
  }

  /** Scans what the request asks for. */
  async #scanTo(tip: ChainTip, mayRetry: boolean): Promise<RangeEnd> {
    const plan = this.#planner.plan(tip, this.#blocksScanned);
    this.#plan = plan;
    const progress = this.#progress ?? new SyncProgress(plan.start);
    this.#progress = progress;
    progress.plan(plan);
    this.#work.plan(this.#session, tip.height, plan.ranges);
    for (const range of plan.ranges) {
      if (this.#stop.isStopped) break;
      const outcome = await this.#scanRange(range, progress, mayRetry);
      if (outcome !== 'scanned') return outcome;
    }
    return 'scanned';
  }

  async #scanRange(
    range: HeightRange,
    progress: SyncProgress,
    mayRetry: boolean,
    afresh = false,
  ): Promise<RangeEnd> {
    const before = this.#planner.before(range.start);
    const { ranges = [], next } = this.#plan ?? {};
    const following = range === ranges.at(-1) ? next : undefined;
    const query = {
      ...this.#upstream,
      ...range,
      ...(before && { before }),
      ...(following && { next: following }),
      ...(afresh && { afresh }),
    };
    try {
      // The headers between are known to link.
      if (query.byWork !== true) await proveScanned(this.#environment, this.#session, query, this.#stop);
      const { rangeKeys, noteStore, pool } = this.#session;
      this.#without = this.#emptiedPools(range.start);
      const keys = keysWithout(rangeKeys, this.#without);
      const commit: Commit = (blocks, sizesBefore) => {
        if (noteStore.isSearching && this.#session.rangeKeys !== rangeKeys) throw new OtherAccounts();
        return this.#commitConfirmed(blocks, sizesBefore, progress);
      };
      const scanned = { noteStore, pool, rangeKeys: keys };
      await scanRange(this.#environment, scanned, query, this.#stop, this.#waits, commit);
      return 'scanned';
    } catch (error) {
      if (error instanceof OtherAccounts) return 'other accounts';
      if (error instanceof ChainMoved && mayRetry) return 'chain moved';
      if (error instanceof TimesDoubted && (mayRetry || (this.#keepsChain && error.side === 'below')))
        return this.#judgeTimes(error, range, progress, mayRetry);
      throw withLastScanHeight(error, this.#session.noteStore.lastScanHeight);
    }
  }

  /** A fleet searches everything: its workers are given keys and no pools. Accounts that share a key share what is left. */
  #emptiedPools(from: Height): PoolOfAccount[] {
    const { noteStore, pool, scanKeys, sharedAccounts } = this.#session;
    const isSkipping = this.#environment.configFile.get().skip_emptied_pools;
    if (!isSkipping || pool.blocksFrom !== undefined) return [];
    return noteStore
      .emptiedPools(scanKeys.heights, from)
      .filter(({ account }) => !sharedAccounts.includes(account));
  }

  /** Either the source's times are false or those of blocks that were scanned before: these are read again, with the range. */
  async #judgeTimes(
    { side }: TimesDoubted,
    { start, end }: HeightRange,
    progress: SyncProgress,
    mayRetry: boolean,
  ): Promise<RangeEnd> {
    if (side === 'below')
      return this.#scanRange({ start: start - MEDIAN_BLOCKS, end }, progress, mayRetry, true);
    this.#reorg = deeper(this.#reorg, await this.#rewind(end));
    return 'chain moved';
  }

  /** Where the node is asked, commits only confirmed blocks, and removes earlier blocks that it denies. */
  async #commitConfirmed(
    blocks: readonly ScannedBlock[],
    sizesBefore: TreeSizes,
    progress: SyncProgress,
  ): Promise<void> {
    if (this.#witness === undefined) return this.#commit(blocks, sizesBefore, progress);
    const { confirmed, doubt } = await this.#witness.confirm(blocks, sizesBefore);
    if (confirmed.length > 0) await this.#commit(confirmed, sizesBefore, progress);
    if (doubt === undefined) return;
    const { noteStore } = this.#session;
    // A node that is behind denies nothing.
    const denied = doubt.verdict === 'unknown' ? undefined : await this.#witness.lowestDenied(noteStore);
    if (denied !== undefined) {
      const lower = noteStore.blockHeights.findLast((height) => height < denied.height);
      await this.#rewind(lower ?? denied.height - 1);
    }
    throw refusalOf(denied !== undefined && denied.height < doubt.height ? denied : doubt);
  }

  async #commit(
    blocks: readonly ScannedBlock[],
    sizesBefore: TreeSizes,
    progress: SyncProgress,
  ): Promise<void> {
    const { noteStore } = this.#session;
    const recording = this.#leaves ?? new LeafRecording(noteStore);
    // Where the commit fails they are lost: those of blocks that the store does not have no rewind would cut away.
    this.#leaves = undefined;
    const isSettled = this.#verifier === null && blocks.some(({ height }) => noteStore.isVerified(height));
    const leaves = recording.add(blocks, sizesBefore, isSettled);
    const applied = this.#waits.committing(
      () => noteStore.apply(blocks, this.#chainTip, this.#verifier, leaves, this.#without),
      () => noteStore.commitMs,
    );
    this.#leaves = recording;
    for (const height of [...applied.contradicted, ...recording.contradicted]) this.#contradicted.add(height);
    progress.committed(blocks, applied);
    this.#work.committed(blocks);
    await this.#listener.committed(applied, this.#view(progress), blocks);
    const { received } = applied;
    if (received.length > 0 && (await this.#stop.orStopped(this.#listener.accountsFound(received))))
      throw new OtherAccounts();
  }

  #view(progress: SyncProgress): EventBody<'sync.progress'> {
    const elapsedMs = this.#elapsedMs();
    const { receivedBytes, limitedBy, boundedBy } = this.#waits;
    return {
      ...progress.view(this.#upstream.source, elapsedMs, this.#stop.isStopped),
      limited_by: limitedBy,
      bounded_by: boundedBy,
      received_bytes: receivedBytes,
      received_bytes_per_second: elapsedMs === 0 ? 0 : Math.round((receivedBytes * 1_000) / elapsedMs),
      ...this.#work.view(),
    };
  }

  /** The source whose full blocks fit their headers; a compact block's hash covers none of its outputs, whatever confirms it. */
  get #verifier(): Verifier {
    const { source, byWork } = this.#upstream;
    if (byWork === true || source === 'peers') return 'work';
    return source === 'node' ? 'node' : null;
  }

  get #blocksScanned(): number {
    return this.#progress?.blocksScanned ?? 0;
  }

  #elapsedMs(): number {
    return Math.max(0, Math.round(this.#environment.clock.now() - this.#startedAt));
  }
}

function withLastScanHeight(error: unknown, lastScanHeight: Height): unknown {
  if (!(error instanceof CompanionError)) return error;
  const { code, detail, ...more } = error.toRecord();
  return new CompanionError(code, detail, { ...more, lastScanHeight, cause: error.cause });
}

// Before scanned blocks are scanned again, their hashes are fixed: far below the tip few are kept, and a server on another
// chain would be believed between two of them (two machines behind one name, or a lie). Blocks are read up to the next kept
// one, whose link fixes each block below it, so the scan that follows accepts those blocks alone.
//
// Rejected: to keep more hashes (one in 50 of the main chain is 70,000 rows to open at each unlock), and to hold results
// back until a kept block is reached (a cancelled scan would keep nothing).

/** Throws `ChainMoved` where the server's blocks are not those that were scanned, and the errors of reading them. */
async function proveScanned(
  { chain, logFault }: WalletEnvironment,
  { noteStore }: ScannedSession,
  { start, end, before: _, next: __, afresh: ___, ...upstream }: RangeQuery,
  stop: StopSignal,
): Promise<void> {
  const run = noteStore.toProve({ start, end });
  if (run === undefined) return;
  const links: ChainLink[] = [];
  const checked = new LinkCheck(noteStore, { ...upstream, ...run });
  const { rangeId } = await stop.orStopped(chain.openRange({ ...upstream, ...run }));
  try {
    while (links.length <= run.end - run.start) {
      const batch = await stop.orStopped(chain.nextBatch({ rangeId }));
      if (batch === null || batch.blocks.length === 0) throw new ChainMoved(upstream.source);
      checked.follow(batch.blocks);
      for (const { height, hash, prevHash } of batch.blocks)
        links.push({ height, hash: copyOf(hash), prevHash: copyOf(prevHash) });
    }
  } finally {
    await chain.closeRange({ rangeId }).catch((error: unknown) => logFault('sync.close_range', error));
  }
  noteStore.prove(links);
}
