// One range of blocks that the fleet scans: answers are checked and passed on in the order of heights. Where the fleet
// gives no credible answer, the blocks come from the companion's chain side and are scanned here: a failing fleet costs
// time and nothing else.

import { equalBytes, FormatError } from '@wallet-companion/base/bytes';
import { POOL } from '@wallet-companion/zcash/pools';
import type { BlockRef, ScanKeys, ScannedBefore, ScannedBlock } from '@wallet-companion/zcash/scan';
import { equalSizes } from '@wallet-companion/zcash/trees';
import type { BlockRange, Heights, OwnChain, TimedBatch } from '../ports/blocks.ts';
import { JobLost } from '../ports/jobQueue.ts';
import { compareHits, encodeResult, type ReportedHit, type ScanResult } from '../sealed/scanResult.ts';
import type { Answer, TakenJob } from './askedJobs.ts';
import type { OwnBlocks, OwnScan } from './ownBlocks.ts';

/** As often as the wallet commits, so that a cancelled scan ends as soon as it would without a fleet. */
const BLOCKS_PER_BATCH = 64;

/** Logged by name, never with the contents of a job. */
export type Trouble =
  | 'no workers'
  | 'no results'
  | 'queue away'
  | 'job refused'
  | 'answer not believed'
  | 'fleet not trusted';

/** What shows that a worker is broken or lies. */
export type Offence = 'missed a canary' | 'differs from our own scan';

/** A part of an answer that the companion's chain side does not contradict. */
export interface FleetPiece {
  readonly batch: TimedBatch;
  readonly blocks: readonly ScannedBlock[];
  readonly hits: readonly ReportedHit[];
  readonly own: OwnBlocks;
}

export interface FleetRangeParts {
  readonly range: BlockRange;
  readonly jobs: readonly Heights[];
  readonly chain: OwnChain;
  readonly own: OwnBlocks;
  readonly take: (job: Heights) => Promise<TakenJob>;
  /** All of a job, scanned here. */
  readonly scanHere: (job: Heights) => Promise<OwnScan | undefined>;
  readonly keys: ScanKeys;
  /** An answer is passed on. */
  readonly believed: (worker: string, job: Heights) => void;
  /** The fleet is not used any more in this session. */
  readonly accuse: (worker: string, offence: Offence) => void;
  /** Whether a worker was accused, in any range. */
  readonly isDistrusted: () => boolean;
  /** A job was taken: new ones may be sent. `left`: the other jobs of this range; undefined: none is worth sending. */
  readonly taken: (left: readonly Heights[] | undefined) => void;
  readonly handOut: (piece: FleetPiece) => void;
  readonly closed: (range: FleetRange) => void;
  readonly trouble: (what: Trouble) => void;
  readonly now: () => number;
}

export class FleetRange {
  readonly #parts: FleetRangeParts;
  #left: readonly Heights[];
  #pieces: FleetPiece[] = [];
  /** A range of the chain side, in the place of a job. */
  #ownRange: { readonly rangeId: number } | undefined;
  /** The last block passed on from an answer; undefined after blocks of the chain side. */
  #last: ScannedBefore | undefined;
  #isGone = false;
  #isClosed = false;
  #close!: () => void;
  readonly #closed: Promise<null>;
  #waitedMs = 0;
  #receivedBytes = 0;

  constructor(parts: FleetRangeParts) {
    this.#parts = parts;
    this.#left = parts.jobs;
    this.#last = parts.range.before;
    this.#closed = new Promise((resolve) => {
      this.#close = () => resolve(null);
    });
  }

  /** Whether every job was taken. */
  get isDone(): boolean {
    return this.#left.length === 0;
  }

  async next(): Promise<TimedBatch | null> {
    const { chain, handOut } = this.#parts;
    while (!this.#isClosed) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        handOut(piece);
        return piece.batch;
      }
      if (this.#ownRange !== undefined) {
        const batch = await chain.nextBatch(this.#ownRange);
        if (batch !== null && batch.blocks.length > 0) return batch;
        await this.#closeOwn();
        continue;
      }
      const [job, ...left] = this.#left;
      if (job === undefined) return null;
      const pieces = this.#isUseless ? undefined : await this.#piecesOf(job);
      if (this.#isClosed) return null;
      this.#left = left;
      this.#parts.taken(this.#isUseless ? undefined : left);
      if (pieces !== undefined) this.#pieces = pieces;
      else await this.#readOwn(job);
    }
    return null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#close();
    this.#parts.closed(this);
    await this.#closeOwn();
  }

  /** Each other job would take the same wait, or nothing is believed. */
  get #isUseless(): boolean {
    return this.#isGone || this.#parts.isDistrusted();
  }

  async #readOwn(job: Heights): Promise<void> {
    const before = this.#last;
    this.#last = undefined;
    this.#ownRange = await this.#parts.chain.openRange({ ...job, ...(before && { before }) });
    // Closed while it was opened: no other code closes it.
    if (this.#isClosed) await this.#closeOwn();
  }

  async #closeOwn(): Promise<void> {
    const range = this.#ownRange;
    this.#ownRange = undefined;
    if (range !== undefined) await this.#parts.chain.closeRange(range);
  }

  /** Undefined where the blocks have to be scanned here. */
  async #piecesOf(job: Heights): Promise<FleetPiece[] | undefined> {
    const taken = await this.#take(job);
    if (taken === undefined) return undefined;
    const { first, second } = taken;
    const answers = second === undefined || second === 'lost' ? [first] : [first, second];
    for (const { receivedBytes } of answers) this.#receivedBytes += receivedBytes;
    const broken = answers.filter(({ hasMissedCanary }) => hasMissedCanary);
    for (const { worker } of broken) this.#parts.accuse(worker, 'missed a canary');
    if (broken.length > 0) return undefined;
    const { result } = first;
    if (!this.#continues(result) || !(await this.#isKnownHere(job, result))) {
      this.#parts.trouble('answer not believed');
      return undefined;
    }
    if (second !== undefined && (second === 'lost' || !isConfirmed(first, second)))
      return this.#scannedHere(job, answers);
    this.#parts.believed(first.worker, job);
    return this.#cut(result);
  }

  /** The companion believes itself where two answers differ, or come from one worker. */
  async #scannedHere(job: Heights, answers: readonly Answer[]): Promise<FleetPiece[] | undefined> {
    const { scanHere, keys, accuse } = this.#parts;
    const own = await scanHere(job);
    const isComplete = own?.blocks.length === job.end - job.start + 1;
    // The chain has moved, or moves.
    if (own === undefined || !isComplete || !this.#continues(own)) return undefined;
    for (const answer of answers)
      if (isRefuted(answer, own, keys)) accuse(answer.worker, 'differs from our own scan');
    return this.#cut({ ...own, hits: [] });
  }

  async #take(job: Heights): Promise<TakenJob | undefined> {
    const { take, trouble, now } = this.#parts;
    const startedAt = now();
    try {
      return (await Promise.race([take(job), this.#closed])) ?? undefined;
    } catch (error) {
      if (error instanceof FormatError) trouble('answer not believed');
      else if (!(error instanceof JobLost)) throw error;
      else if (error.reason === 'refused') trouble('job refused');
      else {
        this.#isGone = true;
        const { reason } = error;
        trouble(reason === 'no workers' || reason === 'no results' ? reason : 'queue away');
      }
      return undefined;
    } finally {
      this.#waitedMs += now() - startedAt;
    }
  }

  #continues({ blocks, sizesBefore }: OwnScan): boolean {
    const last = this.#last;
    if (last === undefined) return true;
    return equalBytes(blocks[0]!.prevHash, last.hash) && equalSizes(sizesBefore, last.treeSizes);
  }

  /** Whether the companion's chain side has the job's last block at that height, with trees of the same sizes. */
  async #isKnownHere(job: Heights, { blocks, sizesBefore }: ScanResult): Promise<boolean> {
    const own = await this.#parts.own.refOf(job.end);
    const last = blocks.at(-1)!;
    if (own === undefined || own.height !== last.height) return false;
    const before = blocks.at(-2)?.treeSizes ?? sizesBefore;
    return (
      equalBytes(own.hash, last.hash) &&
      equalBytes(own.prevHash, last.prevHash) &&
      equalSizes(own.treeSizes, before) &&
      own.outputCount === last.outputCount
    );
  }

  #cut({ blocks, sizesBefore, hits }: Omit<ScanResult, 'worker'>): FleetPiece[] {
    const { own } = this.#parts;
    const { hash, treeSizes } = blocks.at(-1)!;
    this.#last = { hash, treeSizes };
    const pieces: FleetPiece[] = [];
    let before = sizesBefore;
    for (let from = 0; from < blocks.length; from += BLOCKS_PER_BATCH) {
      const some = blocks.slice(from, from + BLOCKS_PER_BATCH);
      const refs = some.map(({ height, hash, prevHash, outputCount, treeSizes }): BlockRef => {
        const ref = { height, hash, prevHash, offset: 0, length: 0, treeSizes: before, outputCount };
        before = treeSizes;
        return ref;
      });
      const [first, last] = [some[0]!.height, some.at(-1)!.height];
      const batch: TimedBatch = {
        format: 'compact',
        buffer: new ArrayBuffer(0),
        blocks: refs,
        // The wait counts as computing, although other machines did it.
        costs: { receivedBytes: this.#receivedBytes, networkMs: 0, diskMs: 0, busyMs: this.#waitedMs },
      };
      const ours = hits.filter(({ height }) => height >= first && height <= last);
      pieces.push({ batch, blocks: some, hits: ours, own });
    }
    return pieces;
  }
}

// Jobs that went to two workers: whether the answers agree, and which of them differ from what the companion finds itself.

/** Whether two workers, and not one twice, answered the same. */
const isConfirmed = (first: Answer, second: Answer): boolean =>
  first.worker !== second.worker && isSame(first.result, second.result);

/** Whether an answer about the same chain says something else. One about another chain shows nothing. */
function isRefuted({ result }: Answer, own: OwnScan, keys: ScanKeys): boolean {
  const [last, ownLast] = [result.blocks.at(-1)!, own.blocks.at(-1)!];
  if (!equalBytes(last.hash, ownLast.hash)) return false;
  return !isSame(result, { ...own, worker: result.worker, hits: hitsOf(own, keys) });
}

/** In everything that an answer has but the identity of its worker. */
const isSame = (a: ScanResult, b: ScanResult): boolean =>
  equalBytes(encodeResult(a), encodeResult({ ...b, worker: a.worker }));

/** What a worker with these keys would have reported. */
function hitsOf({ blocks }: OwnScan, { incoming }: ScanKeys): ReportedHit[] {
  const hits = blocks.flatMap(({ height, notes }) =>
    notes.map(({ pool, position, account, scope }): ReportedHit => {
      const { protocol } = POOL[pool];
      const key = incoming.findIndex(
        (one) => one.account === account && one.scope === scope && one.protocol === protocol,
      );
      return { height, key, pool, position };
    }),
  );
  return hits.sort(compareHits);
}
