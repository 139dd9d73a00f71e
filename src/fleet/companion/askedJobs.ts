// The jobs that a companion has asked its fleet for, each under an identity of its own that nobody could have known
// before. Answers come in any order and are taken in the order of heights; what nobody will take is dropped.

import type { ScanKeys } from '../../actors/wallet/ports/scanPool.ts';
import { bytesToHex } from '../../shielded/bytes.ts';
import type { RandomBytes } from '../../storage/sealing/sealing.ts';
import type { JobQueue } from '../ports/jobQueue.ts';
import { type FleetSeal, JOB_ID_BYTES } from '../sealed/fleetSeal.ts';
import { encodeJob } from '../sealed/scanJob.ts';
import { decodeResult, type ScanResult } from '../sealed/scanResult.ts';
import type { Heights } from './jobPlan.ts';

interface AskedJob {
  readonly id: string;
  readonly answer: Promise<Uint8Array>;
}

export interface Answer {
  readonly result: ScanResult;
  /** As it came through the queue. */
  readonly receivedBytes: number;
}

export class AskedJobs {
  readonly #queue: JobQueue;
  readonly #seal: FleetSeal;
  readonly #randomBytes: RandomBytes;
  readonly #open = new Map<string, AskedJob>();
  #keys: ScanKeys | undefined;

  constructor(queue: JobQueue, seal: FleetSeal, randomBytes: RandomBytes) {
    this.#queue = queue;
    this.#seal = seal;
    this.#randomBytes = randomBytes;
  }

  /** Asks for those that were not asked for yet, and drops all others. */
  only(jobs: readonly Heights[], keys: ScanKeys): void {
    const wanted = new Set(keys === this.#keys ? jobs.map(nameOf) : []);
    for (const name of [...this.#open.keys()]) if (!wanted.has(name)) this.#drop(name);
    this.#keys = keys;
    for (const job of jobs) this.#ask(job, keys);
  }

  /** Rejects with `JobLost`, or with `FormatError` where the answer is none. Each job is taken once. */
  async take(job: Heights, keys: ScanKeys): Promise<Answer> {
    const { id, answer } = this.#ask(job, keys);
    try {
      const sealed = await answer;
      const plain = this.#seal.open('result', id, sealed);
      const result = decodeResult(plain, { ...job, keyCount: keys.incoming.length });
      return { result, receivedBytes: sealed.length };
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
    const id = bytesToHex(this.#randomBytes(JOB_ID_BYTES));
    const plain = encodeJob({ ...job, heights: keys.heights, keys: keys.incoming });
    const answer = this.#queue.run(id, this.#seal.seal('job', id, plain));
    // It may be lost before anybody takes it.
    answer.catch(() => undefined);
    const asked = { id, answer };
    this.#open.set(nameOf(job), asked);
    return asked;
  }

  #drop(name: string): void {
    const asked = this.#open.get(name);
    this.#open.delete(name);
    if (asked !== undefined) this.#queue.drop(asked.id);
  }
}

const nameOf = ({ start, end }: Heights): string => `${start}-${end}`;
