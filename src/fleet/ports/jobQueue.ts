// What both ends ask of the queue between a companion and its fleet. Whoever implements it has the network and sees
// sealed bytes; whoever uses it has keys and no network.

/**
 * Why there is no result. `refused`: the workers gave the job up. `no workers`: nobody takes jobs. `no results`: nobody
 * has finished one for too long. `away`: the queue.
 */
export type LostReason = 'refused' | 'no workers' | 'no results' | 'away' | 'closed';

export class JobLost extends Error {
  override readonly name = 'JobLost';
  readonly reason: LostReason;

  constructor(reason: LostReason) {
    super(`a job has no result: ${reason}`);
    this.reason = reason;
  }
}

/** The companion's end. */
export interface JobQueue {
  /** How many workers would take a job now; 0 as well where the queue cannot be asked. Does not reject. */
  workers(): Promise<number>;
  /** Puts the job into the queue, again where it was lost there, until a worker gave its result. Rejects with `JobLost`. */
  run(id: string, job: Uint8Array): Promise<Uint8Array>;
  /** Nobody wants its result any more. */
  drop(id: string): void;
  close(): Promise<void>;
}

/** What a worker made of a job: its result, or why there is none. Only these two words leave the thread with the keys. */
export type JobOutcome = Uint8Array | 'try again' | 'refused';

/** The worker's end; does not reject. */
export type WorkOnJob = (id: string, job: Uint8Array) => Promise<JobOutcome>;
