// The open jobs of a companion in its fleet, each with a new identity that was unknown before. Answers come in any
// order and are taken in the order of heights; unwanted ones are dropped. They are opened on arrival: bytes that no
// worker sealed must not stay in memory until their turn.
//
// A share of the jobs goes to a second worker, chosen when the first answer is there: until then nobody can know which, not
// even a worker that reads the whole queue. (Two copies at once could be recognised by their range.) The copy goes before all
// jobs that wait, or the scan would wait for them.

import type { After } from '@wallet-companion/base/async';
import { bytesToHex } from '@wallet-companion/base/bytes';
import type { ScanKeys } from '@wallet-companion/zcash/scan';
import type { Heights } from '../ports/blocks.ts';
import { JobLost, type JobQueue, type QueuePlace } from '../ports/jobQueue.ts';
import type { RandomBytes } from '../ports/sealing.ts';
import { type FleetSeal, JOB_ID_BYTES } from '../sealed/fleetSeal.ts';
import { encodeJob } from '../sealed/scanJob.ts';
import { decodeResult, type ScanResult } from '../sealed/scanResult.ts';
import { Canaries, type Canary, randomFraction, withoutCanaries } from './canaries.ts';

interface AskedJob {
  readonly id: string;
  readonly canaries: readonly Canary[];
  readonly answer: Promise<OpenedAnswer>;
}

interface OpenJob {
  readonly first: AskedJob;
  /** Where the job was chosen for two workers. */
  second?: AskedJob;
}

interface OpenedAnswer {
  readonly plain: Uint8Array;
  readonly receivedBytes: number;
}

export interface Answer {
  /** Without canaries. */
  readonly result: ScanResult;
  readonly hasMissedCanary: boolean;
  /** Its identity, in hexadecimal digits. */
  readonly worker: string;
  /** Size as received through the queue. */
  readonly receivedBytes: number;
}

export interface TakenJob {
  readonly first: Answer;
  /** Present where the job went to two workers; `lost`: no answer came from the second. */
  readonly second?: Answer | 'lost';
}

export interface AskedJobsParts {
  readonly queue: JobQueue;
  readonly seal: FleetSeal;
  readonly randomBytes: RandomBytes;
  readonly after: After;
  /** The share of jobs that two workers do. */
  readonly doubleJobs: number;
}

export class AskedJobs {
  readonly #queue: JobQueue;
  readonly #seal: FleetSeal;
  readonly #randomBytes: RandomBytes;
  readonly #deadline: AnswerDeadline;
  readonly #doubleJobs: number;
  readonly #open = new Map<string, OpenJob>();
  readonly #canaries = new WeakMap<ScanKeys, Canaries>();
  #keys: ScanKeys | undefined;
  #isSilent = false;
  #trial: AskedJob | undefined;

  constructor({ queue, seal, randomBytes, after, doubleJobs }: AskedJobsParts) {
    this.#queue = queue;
    this.#seal = seal;
    this.#randomBytes = randomBytes;
    this.#deadline = new AnswerDeadline(after);
    this.#doubleJobs = doubleJobs;
  }

  /** No answer arrived within the deadline, and none since. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Sends a job only to see whether it is answered, where no such job is open. */
  tryOut(job: Heights, keys: ScanKeys): void {
    if (this.#trial !== undefined) return;
    this.#trial = this.#send(job, keys);
    const over = (): void => {
      this.#trial = undefined;
    };
    this.#trial.answer.then(over, over);
  }

  /** Sends the jobs that are not open yet, and drops all others. */
  only(jobs: readonly Heights[], keys: ScanKeys): void {
    const wanted = new Set(keys === this.#keys ? jobs.map(nameOf) : []);
    for (const name of [...this.#open.keys()]) if (!wanted.has(name)) this.#drop(name);
    this.#keys = keys;
    for (const job of jobs) this.#ask(job, keys);
  }

  /** Rejects with `JobLost`, or with `FormatError` for bytes that are no answer. Each job is taken once. */
  async take(job: Heights, keys: ScanKeys): Promise<TakenJob> {
    const open = this.#ask(job, keys);
    try {
      const first = await this.#answerTo(open.first, job, keys);
      if (open.second === undefined) return { first };
      const second = await this.#answerTo(open.second, job, keys).catch(() => 'lost' as const);
      return { first, second };
    } finally {
      this.#open.delete(nameOf(job));
    }
  }

  dropAll(): void {
    for (const name of [...this.#open.keys()]) this.#drop(name);
  }

  async #answerTo({ answer, canaries }: AskedJob, job: Heights, keys: ScanKeys): Promise<Answer> {
    try {
      const { plain, receivedBytes } = await this.#deadline.within(answer);
      const result = decodeResult(plain, { ...job, keyCount: keys.incoming.length });
      const believed = withoutCanaries(result, canaries);
      return {
        result: believed ?? result,
        hasMissedCanary: believed === undefined,
        worker: bytesToHex(result.worker),
        receivedBytes,
      };
    } catch (error) {
      if (error instanceof JobLost && error.reason === 'no results') this.#isSilent = true;
      throw error;
    }
  }

  #ask(job: Heights, keys: ScanKeys): OpenJob {
    const name = nameOf(job);
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const open: OpenJob = { first: this.#send(job, keys) };
    this.#open.set(name, open);
    const choose = (): void => {
      const isWanted = this.#open.get(name) === open;
      if (isWanted && randomFraction(this.#randomBytes) < this.#doubleJobs)
        open.second = this.#send(job, keys, 'first');
    };
    open.first.answer.then(choose, () => undefined);
    return open;
  }

  #send(job: Heights, keys: ScanKeys, place: QueuePlace = 'last'): AskedJob {
    const id = bytesToHex(this.#randomBytes(JOB_ID_BYTES));
    const canaries = this.#canariesOf(keys).of(job);
    const plain = encodeJob({ ...job, heights: keys.heights, keys: keys.incoming, planted: canaries });
    const answer = this.#queue.run(id, this.#seal.seal('job', id, plain), place).then((sealed) => {
      const opened = this.#seal.open('result', id, sealed);
      this.#isSilent = false;
      this.#deadline.answered();
      return { plain: opened, receivedBytes: sealed.length };
    });
    // It may be lost before it is taken.
    answer.catch(() => undefined);
    return { id, canaries, answer };
  }

  #canariesOf(keys: ScanKeys): Canaries {
    const canaries = this.#canaries.get(keys) ?? new Canaries(keys, this.#randomBytes);
    this.#canaries.set(keys, canaries);
    return canaries;
  }

  #drop(name: string): void {
    const open = this.#open.get(name);
    this.#open.delete(name);
    if (open === undefined) return;
    this.#queue.drop(open.first.id);
    if (open.second !== undefined) this.#queue.drop(open.second.id);
  }
}

const nameOf = ({ start, end }: Heights): string => `${start}-${end}`;

// How long to wait while no worker answers at all. Only Redis knows whether workers exist, and a connection may have a
// worker's name and do nothing; an answer that opens with the fleet's key is from a worker.

/**
 * A job is a second of a core. A job lost with its worker passes to the next after twice the 30 s of its lock, and is
 * then read again from a node that may be slow.
 */
const DEADLINE_MS = 120_000;

class AnswerDeadline {
  readonly #after: After;
  readonly #restarts = new Set<() => void>();

  constructor(after: After) {
    this.#after = after;
  }

  /** An answer to any job has arrived. */
  answered(): void {
    for (const restart of this.#restarts) restart();
  }

  /** Rejects with `JobLost` when no answer arrived for so long. */
  async within<T>(answer: Promise<T>): Promise<T> {
    let callOff = (): void => undefined;
    let restart = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      restart = () => {
        callOff();
        callOff = this.#after(DEADLINE_MS, () => reject(new JobLost('no results')));
      };
    });
    restart();
    this.#restarts.add(restart);
    try {
      return await Promise.race([answer, late]);
    } finally {
      this.#restarts.delete(restart);
      callOff();
    }
  }
}
