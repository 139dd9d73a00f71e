// A scan pool whose workers are other machines. It is both ends of a scan, the source of the blocks and the scan itself,
// since the blocks of a job are read where they are scanned. Small ranges, the transactions of memos, and unverified
// results are scanned in this process, by a pool that is opened at its first use.

import type { After } from '@wallet-companion/base/async';
import type { Height } from '@wallet-companion/base/values';
import type { BlockBatch, ScanKeys, ScannedBlock } from '@wallet-companion/zcash/scan';
import type { BlockRange, Heights, LocalPool, OwnChain } from '../ports/blocks.ts';
import type { JobQueue } from '../ports/jobQueue.ts';
import type { RandomBytes } from '../ports/sealing.ts';
import type { FleetSeal } from '../sealed/fleetSeal.ts';
import { AskedJobs } from './askedJobs.ts';
import { type FleetPiece, FleetRange, type Offence, type Trouble } from './fleetRange.ts';
import { cutJobs, rangesAhead } from './jobPlan.ts';
import { OwnBlocks } from './ownBlocks.ts';
import { verifiedBlocks } from './reportedHits.ts';

/** Fewer blocks, such as new ones, are scanned here: a queue would take longer. */
const LEAST_BLOCKS = 32;
/** Jobs in the queue, or answered and not taken: enough to keep a worker busy, and half a megabyte each at most. */
const JOBS_PER_WORKER = 8;
const LEAST_AHEAD = 64;
const MOST_AHEAD = 512;
/** After this time without a following range, the jobs beyond the last one are dropped. */
const PATIENCE_MS = 60_000;

export interface FleetPoolParts<Local extends LocalPool> {
  readonly openLocal: () => Local;
  /** How many blocks a request has at most. */
  readonly requestBlocks: number;
  readonly queue: JobQueue;
  readonly seal: FleetSeal;
  readonly randomBytes: RandomBytes;
  readonly now: () => number;
  readonly after: After;
  readonly trouble: (what: Trouble) => void;
  /** The share of jobs that two workers do: from 0 to 1. */
  readonly doubleJobs: number;
  readonly accuse: (accused: Accused) => void;
}

/** A worker whose answer was wrong. */
export interface Accused {
  /** Its identity, in hexadecimal digits. */
  readonly worker: string;
  readonly offence: Offence;
  /** The lowest height of this session's earlier answers under this identity, and of all; undefined: there were none. */
  readonly from: Height | undefined;
  readonly fleetFrom: Height | undefined;
}

export class FleetPool<Local extends LocalPool> {
  readonly #parts: FleetPoolParts<Local>;
  readonly #jobs: AskedJobs;
  readonly #pieces = new WeakMap<BlockBatch, FleetPiece>();
  readonly #subsets = new WeakMap<ScanKeys, Map<string, ScanKeys>>();
  #localPool: Local | undefined;
  #rangeBefore: Heights | undefined;
  #reported: Trouble | undefined;
  #callOff = (): void => undefined;
  /** For each worker, the lowest height of its answers. */
  readonly #lowest = new Map<string, Height>();
  #isDistrusted = false;

  constructor(parts: FleetPoolParts<Local>) {
    this.#parts = parts;
    this.#jobs = new AskedJobs(parts);
  }

  /** The pool in this process. */
  get local(): Local {
    this.#localPool ??= this.#parts.openLocal();
    return this.#localPool;
  }

  /** Batches of the range for `scan`, where other machines scan them; undefined where it is better scanned here. */
  async open(range: BlockRange, chain: OwnChain, keys: ScanKeys): Promise<FleetRange | undefined> {
    const { start, end } = range;
    if (end - start + 1 < LEAST_BLOCKS) return undefined;
    if (this.#isDistrusted) {
      this.#report('fleet not trusted');
      return undefined;
    }
    const { queue, now } = this.#parts;
    const workers = await queue.workers();
    if (workers === 0) {
      this.#report('no workers');
      return undefined;
    }
    const jobs = cutJobs({ start, end }, keys.heights, keys.incoming.length);
    if (this.#jobs.isSilent) {
      this.#report('no results');
      this.#jobs.tryOut(jobs[0]!, keys);
      return undefined;
    }
    const most = Math.min(MOST_AHEAD, Math.max(LEAST_AHEAD, JOBS_PER_WORKER * workers));
    const ahead = await this.#jobsAhead({ start, end }, chain, keys, most);
    const ask = (left: readonly Heights[] | undefined): void => {
      if (left === undefined) this.#jobs.dropAll();
      else this.#jobs.only([...left, ...ahead].slice(0, most), keys);
    };
    this.#callOff();
    ask(jobs);
    this.#rangeBefore = { start, end };
    const own = new OwnBlocks(chain);
    return new FleetRange({
      range,
      jobs,
      chain,
      own,
      take: (job) => this.#jobs.take(job, keys),
      scanHere: (job) => own.scanFrom(job, this.local, keys),
      keys,
      believed: (worker, { start: from }) =>
        this.#lowest.set(worker, Math.min(from, this.#lowest.get(worker) ?? from)),
      accuse: (worker, offence) => this.#accuse(worker, offence),
      isDistrusted: () => this.#isDistrusted,
      taken: ask,
      handOut: (piece) => {
        this.#reported = undefined;
        this.#pieces.set(piece.batch, piece);
      },
      closed: (range) => this.#closed(range),
      trouble: (what) => this.#report(what),
      now,
    });
  }

  async scan(batch: BlockBatch, keys: ScanKeys): Promise<ScannedBlock[]> {
    const piece = this.#pieces.get(batch);
    if (piece === undefined) return this.local.scan(batch, keys);
    if (piece.hits.length === 0) return [...piece.blocks];
    const verified = await verifiedBlocks(piece, this.local, (reported) => this.#subset(keys, reported));
    if (verified !== undefined) return [...verified];
    this.#report('answer not believed');
    const heights = { start: piece.blocks[0]!.height, end: piece.blocks.at(-1)!.height };
    return [...(await piece.own.scan(heights, this.local, keys))];
  }

  async close(): Promise<void> {
    this.#callOff();
    this.#jobs.dropAll();
    this.#parts.seal.close();
    await Promise.all([this.#parts.queue.close(), this.#localPool?.close()]);
  }

  /** The probable next ranges, so that a fleet has work beyond a request. */
  async #jobsAhead(now: Heights, chain: OwnChain, keys: ScanKeys, most: number): Promise<Heights[]> {
    const before = this.#rangeBefore;
    // Without the height of the chain there are no jobs beyond the request.
    const tip = await chain.tip().catch((): Height => now.end);
    const jobs: Heights[] = [];
    const { requestBlocks: request } = this.#parts;
    const course = { now, before, tip, lowest: keys.heights.sapling, request };
    for (const range of rangesAhead(course)) {
      jobs.push(...cutJobs(range, keys.heights, keys.incoming.length));
      if (jobs.length >= most) break;
    }
    return jobs;
  }

  #closed(range: FleetRange): void {
    if (!range.isDone) this.#jobs.dropAll();
    else this.#callOff = this.#parts.after(PATIENCE_MS, () => this.#jobs.dropAll());
  }

  #accuse(worker: string, offence: Offence): void {
    this.#isDistrusted = true;
    this.#jobs.dropAll();
    const all = [...this.#lowest.values()];
    const fleetFrom = all.length === 0 ? undefined : all.reduce((least, from) => Math.min(least, from));
    this.#parts.accuse({ worker, offence, from: this.#lowest.get(worker), fleetFrom });
  }

  /** Logs it once, until the fleet works again. */
  #report(what: Trouble): void {
    if (this.#reported === what) return;
    this.#reported = what;
    this.#parts.trouble(what);
  }

  /** One object for each choice of keys: the pool in this process identifies them by it. */
  #subset(keys: ScanKeys, reported: readonly number[]): ScanKeys {
    const known = this.#subsets.get(keys) ?? new Map<string, ScanKeys>();
    this.#subsets.set(keys, known);
    const name = reported.join();
    const subset = known.get(name) ?? {
      ...keys,
      incoming: reported.map((key) => keys.incoming[key]!),
      outgoing: [],
    };
    known.set(name, subset);
    return subset;
  }
}
