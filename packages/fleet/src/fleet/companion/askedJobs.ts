// The open jobs of a companion in its fleet, each with a new identity that was unknown before. Answers come in any
// order and are taken in the order of heights; unwanted ones are dropped. They are opened on arrival: bytes that no
// worker sealed must not stay in memory until their turn.

import { bytesToHex } from '@wallet-companion/shielded/bytes';
import type { ScanKeys } from '@wallet-companion/shielded/scan';
import type { After } from '../ports/after.ts';
import type { Heights } from '../ports/blocks.ts';
import { JobLost, type JobQueue } from '../ports/jobQueue.ts';
import type { RandomBytes } from '../ports/sealing.ts';
import { type FleetSeal, JOB_ID_BYTES } from '../sealed/fleetSeal.ts';
import { encodeJob } from '../sealed/scanJob.ts';
import { decodeResult, type ScanResult } from '../sealed/scanResult.ts';
import { AnswerDeadline } from './answerDeadline.ts';

interface AskedJob {
  readonly id: string;
  readonly answer: Promise<OpenedAnswer>;
}

interface OpenedAnswer {
  readonly plain: Uint8Array;
  readonly receivedBytes: number;
}

export interface Answer {
  readonly result: ScanResult;
  /** Size as received through the queue. */
  readonly receivedBytes: number;
}

export interface AskedJobsParts {
  readonly queue: JobQueue;
  readonly seal: FleetSeal;
  readonly randomBytes: RandomBytes;
  readonly after: After;
}

export class AskedJobs {
  readonly #queue: JobQueue;
  readonly #seal: FleetSeal;
  readonly #randomBytes: RandomBytes;
  readonly #deadline: AnswerDeadline;
  readonly #open = new Map<string, AskedJob>();
  #keys: ScanKeys | undefined;
  #isSilent = false;
  #trial: AskedJob | undefined;

  constructor({ queue, seal, randomBytes, after }: AskedJobsParts) {
    this.#queue = queue;
    this.#seal = seal;
    this.#randomBytes = randomBytes;
    this.#deadline = new AnswerDeadline(after);
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
  async take(job: Heights, keys: ScanKeys): Promise<Answer> {
    const { answer } = this.#ask(job, keys);
    try {
      const { plain, receivedBytes } = await this.#deadline.within(answer);
      return { result: decodeResult(plain, { ...job, keyCount: keys.incoming.length }), receivedBytes };
    } catch (error) {
      if (error instanceof JobLost && error.reason === 'no results') this.#isSilent = true;
      throw error;
    } finally {
      this.#open.delete(nameOf(job));
    }
  }

  dropAll(): void {
    for (const name of [...this.#open.keys()]) this.#drop(name);
  }

  #ask(job: Heights, keys: ScanKeys): AskedJob {
    const known = this.#open.get(nameOf(job));
    if (known !== undefined) return known;
    const asked = this.#send(job, keys);
    this.#open.set(nameOf(job), asked);
    return asked;
  }

  #send(job: Heights, keys: ScanKeys): AskedJob {
    const id = bytesToHex(this.#randomBytes(JOB_ID_BYTES));
    const plain = encodeJob({ ...job, heights: keys.heights, keys: keys.incoming });
    const answer = this.#queue.run(id, this.#seal.seal('job', id, plain)).then((sealed) => {
      const opened = this.#seal.open('result', id, sealed);
      this.#isSilent = false;
      this.#deadline.answered();
      return { plain: opened, receivedBytes: sealed.length };
    });
    // It may be lost before it is taken.
    answer.catch(() => undefined);
    return { id, answer };
  }

  #drop(name: string): void {
    const asked = this.#open.get(name);
    this.#open.delete(name);
    if (asked !== undefined) this.#queue.drop(asked.id);
  }
}

const nameOf = ({ start, end }: Heights): string => `${start}-${end}`;
