// The queue between a companion and its fleet, as both ends use it. The implementation has the network and sees sealed
// bytes; its user has keys and no network.

/**
 * Why there is no result. `refused`: the workers gave the job up. `no workers`: no worker takes jobs. `no results`: no
 * worker has finished one for too long. `away`: the queue.
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

/** Behind all jobs that wait, or before them. */
export type QueuePlace = 'last' | 'first';

/** The companion's end. */
export interface JobQueue {
  /** How many workers would take a job now; 0 also where the queue cannot be reached. Does not reject. */
  workers(): Promise<number>;
  /** Keeps the job in the queue, also after a loss there, until its result is there. Rejects with `JobLost`. */
  run(id: string, job: Uint8Array, place?: QueuePlace): Promise<Uint8Array>;
  /** The result is no longer needed: `run` rejects. */
  drop(id: string): void;
  close(): Promise<void>;
}

/** A worker's outcome of a job: its result, or why there is none. Only these two words leave the thread with the keys. */
export type JobOutcome = Uint8Array | 'try again' | 'refused';

/** The worker's end; does not reject. */
export type WorkOnJob = (id: string, job: Uint8Array) => Promise<JobOutcome>;
