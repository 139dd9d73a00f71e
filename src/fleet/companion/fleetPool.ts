// A scan pool whose workers are other machines. It is both ends of a scan, the source of the blocks and the scan itself,
// since the blocks of a job are read where they are scanned. Small ranges, the transactions of memos, and unverified
// results are scanned in this process, by a pool that is opened at its first use.

import type { BlockBatch, ScannedBlock } from '@wallet-companion/shielded/scan';
import type { ChainService } from '../../actors/chain/ports/types.ts';
import type { ScanKeys, ScanPool } from '../../actors/wallet/ports/scanPool.ts';
import type { After } from '../../async/after.ts';
import type { RandomBytes } from '../../storage/sealing/sealing.ts';
import type { JobQueue } from '../ports/jobQueue.ts';
import type { FleetSeal } from '../sealed/fleetSeal.ts';
import { AskedJobs } from './askedJobs.ts';
import { verifiedBlocks } from './claimedBlocks.ts';
import { type FleetPiece, FleetRange, type RangeQuery, type Trouble } from './fleetRange.ts';
import { cutJobs, type Heights, rangesAhead } from './jobPlan.ts';
import { type BlockRanges, OwnBlocks } from './ownBlocks.ts';

/** Fewer blocks, such as new ones, are scanned here: a queue would take longer. */
const LEAST_BLOCKS = 32;
/** Jobs in the queue, or answered and not taken: enough to keep a worker busy, and half a megabyte each at most. */
const JOBS_PER_WORKER = 8;
const LEAST_AHEAD = 64;
const MOST_AHEAD = 512;
/** After this time without a following range, the jobs beyond the last one are dropped. */
const PATIENCE_MS = 60_000;

export interface FleetPoolParts {
  readonly openLocal: () => ScanPool;
  /** The number of the pool in this process. */
  readonly concurrency: number;
  readonly queue: JobQueue;
  readonly seal: FleetSeal;
  readonly randomBytes: RandomBytes;
  readonly now: () => number;
  readonly after: After;
  readonly trouble: (what: Trouble) => void;
}

export class FleetPool implements ScanPool {
  readonly concurrency: number;
  readonly #parts: FleetPoolParts;
  readonly #jobs: AskedJobs;
  readonly #pieces = new WeakMap<BlockBatch, FleetPiece>();
  readonly #subsets = new WeakMap<ScanKeys, Map<string, ScanKeys>>();
  #localPool: ScanPool | undefined;
  #rangeBefore: Heights | undefined;
  #told: Trouble | undefined;
  #callOff = (): void => undefined;

  constructor(parts: FleetPoolParts) {
    this.concurrency = parts.concurrency;
    this.#parts = parts;
    this.#jobs = new AskedJobs(parts);
  }

  blocksFrom(chain: ChainService, keys: ScanKeys): BlockRanges {
    const ranges = new Map<number, FleetRange>();
    return {
      openRange: async (query) => {
        const range = await this.#open(query, chain, keys);
        if (range === undefined) return chain.openRange(query);
        // The chain side counts upwards.
        const rangeId = -1 - ranges.size;
        ranges.set(rangeId, range);
        return { rangeId };
      },
      nextBatch: (query) => ranges.get(query.rangeId)?.next() ?? chain.nextBatch(query),
      closeRange: (query) => {
        const range = ranges.get(query.rangeId);
        return range === undefined ? chain.closeRange(query) : this.#close(range);
      },
    };
  }

  async scan(batch: BlockBatch, keys: ScanKeys): Promise<ScannedBlock[]> {
    const piece = this.#pieces.get(batch);
    if (piece === undefined) return this.#local.scan(batch, keys);
    if (piece.claims.length === 0) return [...piece.blocks];
    const verified = await verifiedBlocks(piece, this.#local, (claimed) => this.#subset(keys, claimed));
    if (verified !== undefined) return [...verified];
    this.#tell('answer not believed');
    const heights = { start: piece.blocks[0]!.height, end: piece.blocks.at(-1)!.height };
    return piece.own.scan(heights, this.#local, keys);
  }

  readonly enhance: ScanPool['enhance'] = (task, keys) => this.#local.enhance(task, keys);
  readonly leaves: ScanPool['leaves'] = (...task) => this.#local.leaves(...task);
  readonly combine: ScanPool['combine'] = (...task) => this.#local.combine(...task);
  readonly readUnmined: ScanPool['readUnmined'] = (task, keys) => this.#local.readUnmined(task, keys);

  async close(): Promise<void> {
    this.#callOff();
    this.#jobs.dropAll();
    this.#parts.seal.close();
    await Promise.all([this.#parts.queue.close(), this.#localPool?.close()]);
  }

  get #local(): ScanPool {
    this.#localPool ??= this.#parts.openLocal();
    return this.#localPool;
  }

  /** Undefined where the range is better scanned here. */
  async #open(query: RangeQuery, chain: ChainService, keys: ScanKeys): Promise<FleetRange | undefined> {
    const { start, end } = query;
    if (end - start + 1 < LEAST_BLOCKS) return undefined;
    const { queue, now } = this.#parts;
    const workers = await queue.workers();
    if (workers === 0) {
      this.#tell('no workers');
      return undefined;
    }
    const jobs = cutJobs({ start, end }, keys.heights, keys.incoming.length);
    if (this.#jobs.isSilent) {
      this.#tell('no results');
      this.#jobs.tryOut(jobs[0]!, keys);
      return undefined;
    }
    const { before: _, ...upstream } = query;
    const most = Math.min(MOST_AHEAD, Math.max(LEAST_AHEAD, JOBS_PER_WORKER * workers));
    const ahead = await this.#jobsAhead(query, chain, keys, most);
    const ask = (left: readonly Heights[] | undefined): void => {
      if (left === undefined) this.#jobs.dropAll();
      else this.#jobs.only([...left, ...ahead].slice(0, most), keys);
    };
    this.#callOff();
    ask(jobs);
    this.#rangeBefore = { start, end };
    return new FleetRange({
      query,
      jobs,
      chain,
      own: new OwnBlocks(chain, upstream),
      take: (job) => this.#jobs.take(job, keys),
      taken: ask,
      handOut: (piece) => {
        this.#told = undefined;
        this.#pieces.set(piece.batch, piece);
      },
      trouble: (what) => this.#tell(what),
      now,
    });
  }

  /** The probable next ranges, so that a fleet has work beyond a request of 1,000 blocks. */
  async #jobsAhead(now: RangeQuery, chain: ChainService, keys: ScanKeys, most: number): Promise<Heights[]> {
    const before = this.#rangeBefore;
    const { before: _, start, end, ...upstream } = now;
    // Without the height of the chain there are no jobs beyond the request.
    const tip = await chain.tip(upstream).then(
      ({ height }) => height,
      () => end,
    );
    const jobs: Heights[] = [];
    const course = { now: { start, end }, before, tip, lowest: keys.heights.sapling };
    for (const range of rangesAhead(course)) {
      jobs.push(...cutJobs(range, keys.heights, keys.incoming.length));
      if (jobs.length >= most) break;
    }
    return jobs;
  }

  async #close(range: FleetRange): Promise<void> {
    if (!range.isDone) this.#jobs.dropAll();
    else this.#callOff = this.#parts.after(PATIENCE_MS, () => this.#jobs.dropAll());
    await range.close();
  }

  /** Logs it once, until the fleet works again. */
  #tell(what: Trouble): void {
    if (this.#told === what) return;
    this.#told = what;
    this.#parts.trouble(what);
  }

  /** One object for each choice of keys: the pool in this process identifies them by it. */
  #subset(keys: ScanKeys, claimed: readonly number[]): ScanKeys {
    const known = this.#subsets.get(keys) ?? new Map<string, ScanKeys>();
    this.#subsets.set(keys, known);
    const name = claimed.join();
    const subset = known.get(name) ?? {
      ...keys,
      incoming: claimed.map((key) => keys.incoming[key]!),
      outgoing: [],
    };
    known.set(name, subset);
    return subset;
  }
}
