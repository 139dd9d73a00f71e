// The scan workers of all open wallets. Wallets with the same batch of blocks have it scanned in one pass, with the keys
// of all; each gets the results of its keys. The first waits for the others for a moment at most, and never
// while a worker could not have begun anyway.
//
// A wallet that leaves takes its keys along: the workers, which have data derived from them, are replaced.

import type { After } from '@wallet-companion/base/async';
import type { ServedBatch } from '@wallet-companion/chain/ports';
import { CompanionError } from '../protocol/errors.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import type { TaskPool } from './scanPool.ts';
import { type SharedKeys, wipeMemos, wipeSharedKeys } from './scanSecrets.ts';
import type { ScanAnswer, WalletTask } from './scanTask.ts';

/** Wallets that get a batch together send it within a few milliseconds, unless one is held up. */
export const TOGETHER_MS = 50;

interface HubContext {
  readonly threads: number;
  readonly openPool: () => TaskPool;
  readonly after: After;
}

/** One wallet, until it leaves. */
export class HubMember {
  isGone = false;
  /** A counter, set with every task begun. */
  servedAt = 0;
  /** Keyed by what the keys are for: each message brings another view of the same bytes. */
  readonly keys = new Map<string, SharedKeys>();
}

interface Request {
  readonly member: HubMember;
  readonly task: WalletTask;
  readonly settle: (result: Result<ScanAnswer>) => void;
}

interface Job {
  /** Set where other wallets may send the same batch. */
  readonly batch: Batch | undefined;
  requests: Request[];
  /** It begins as soon as there is a worker. */
  isRipe: boolean;
  stopWaiting: () => void;
}

interface Batch {
  /** The chain side gives the same id to the same blocks only. */
  readonly id: string;
  readonly stream: number;
  readonly height: number;
  /** How many wallets will send it, as the chain side said with this one. */
  readonly wallets: number;
}

interface OpenPool {
  readonly tasks: TaskPool;
  /** The wallets whose keys its workers have had. */
  readonly members: Set<HubMember>;
}

export class ScanHub {
  readonly #context: HubContext;
  #pool: OpenPool | undefined;
  /** Settles when the workers before have ended. */
  #exchanged: Promise<unknown> = Promise.resolve();
  #waiting: Job[] = [];
  readonly #running = new Set<Job>();
  #served = 0;

  constructor(context: HubContext) {
    this.#context = context;
  }

  /** Starts the workers, which takes part of a second, before the first task. */
  open(): OpenPool {
    this.#pool ??= { tasks: this.#context.openPool(), members: new Set() };
    return this.#pool;
  }

  /** Never rejects. */
  run(member: HubMember, task: WalletTask): Promise<Result<ScanAnswer>> {
    if (member.isGone) return Promise.resolve(gone());
    if ('keys' in task) {
      const { incoming, outgoing } = task.keys;
      member.keys.set(JSON.stringify([incoming, outgoing]), task.keys);
    }
    return new Promise((settle) => {
      this.#offer({ member, task, settle });
      this.#begin();
    });
  }

  /** Ends the wallet's open tasks; settles when no worker has anything of its keys any more. */
  async leave(member: HubMember): Promise<void> {
    member.isGone = true;
    for (const job of [...this.#waiting, ...this.#running]) {
      for (const { settle } of job.requests.filter((request) => request.member === member)) settle(gone());
      job.requests = job.requests.filter((request) => request.member !== member);
    }
    for (const job of this.#waiting) if (job.requests.length === 0) job.stopWaiting();
    this.#waiting = this.#waiting.filter(({ requests }) => requests.length > 0);
    if (this.#pool?.members.has(member)) this.#exchange();
    await this.#exchanged;
  }

  /** For a wallet whose thread is lost: no other code wipes its keys. */
  async forsake(member: HubMember): Promise<void> {
    await this.leave(member);
    for (const keys of member.keys.values()) wipeSharedKeys(keys);
  }

  #offer(request: Request): void {
    const batch = batchOf(request.task);
    const same = this.#waiting.find((job) => job.batch !== undefined && job.batch.id === batch?.id);
    if (same !== undefined) {
      same.requests.push(request);
      if (same.requests.length >= same.batch!.wallets) this.#ripen(same);
      return;
    }
    const job = jobOf(request, batch);
    this.#waiting.push(job);
    if (job.isRipe) return;
    job.stopWaiting = this.#context.after(TOGETHER_MS, () => {
      job.isRipe = true;
      this.#begin();
    });
  }

  #ripen(job: Job): void {
    job.stopWaiting();
    job.isRipe = true;
  }

  #begin(): void {
    while (this.#running.size < this.#context.threads) {
      const job = this.#next();
      if (job === undefined) return;
      this.#ripen(job);
      this.#waiting.splice(this.#waiting.indexOf(job), 1);
      this.#running.add(job);
      this.#served += 1;
      for (const { member } of job.requests) member.servedAt = this.#served;
      void this.#work(job).finally(() => {
        this.#running.delete(job);
        this.#begin();
      });
    }
  }

  /**
   * The wallet that has waited longest is next. Among blocks that several read, the lowest come first: a wallet that is
   * behind catches up with the others, and from then on they are scanned in one pass.
   */
  #next(): Job | undefined {
    const ripe = this.#waiting.filter(({ isRipe }) => isRipe);
    const [first] = [...ripe].sort((a, b) => servedAt(a) - servedAt(b));
    if (first?.batch === undefined) return first;
    const { stream } = first.batch;
    const alike = ripe.filter(({ batch }) => batch?.stream === stream);
    return alike.sort((a, b) => a.batch!.height - b.batch!.height)[0];
  }

  async #work(job: Job): Promise<void> {
    while (job.requests.length > 0) {
      await this.#exchanged;
      const { requests } = job;
      if (requests.length === 0) return;
      const pool = this.open();
      for (const { member } of requests) pool.members.add(member);
      let answers: readonly ScanAnswer[];
      try {
        answers = await answersOf(pool.tasks, requests);
      } catch (thrown) {
        // Its workers were replaced meanwhile: runs again, for the remaining wallets.
        if (pool !== this.#pool) continue;
        if (job.requests.length === 1) job.requests[0]?.settle(failure(thrown));
        else this.#singly(job);
        return;
      }
      requests.forEach((request, i) => {
        if (request.member.isGone) wipeMemos(answers[i]!);
        else request.settle(ok(answers[i]!));
      });
      return;
    }
  }

  /** A failure of one need not be a failure of the others. */
  #singly({ requests }: Job): void {
    this.#waiting.unshift(...requests.map((request) => jobOf(request)));
  }

  #exchange(): void {
    const pool = this.#pool;
    this.#pool = undefined;
    this.#exchanged = Promise.allSettled([this.#exchanged, pool?.tasks.close()]);
  }
}

async function answersOf(tasks: TaskPool, requests: readonly Request[]): Promise<readonly ScanAnswer[]> {
  const [first] = requests;
  if (first === undefined) return [];
  if (requests.length === 1) return [await tasks.run(first.task)];
  const { batch } = first.task as ScanOf;
  return tasks.run({ kind: 'shared', batch, keys: requests.map(({ task }) => (task as ScanOf).keys) });
}

type ScanOf = Extract<WalletTask, { readonly kind: 'scan' }>;

const jobOf = (request: Request, batch?: Batch): Job => ({
  batch,
  requests: [request],
  isRipe: (batch?.wallets ?? 1) === 1,
  stopWaiting: () => undefined,
});

function batchOf(task: WalletTask): Batch | undefined {
  if (task.kind !== 'scan') return undefined;
  const { shared, blocks } = task.batch as ServedBatch;
  return shared && { ...shared, height: blocks[0]!.height };
}

const servedAt = ({ requests }: Job): number => Math.min(...requests.map(({ member }) => member.servedAt));

const gone = (): Result<never> =>
  failure(new CompanionError('THREAD_LOST', 'The wallet has left the scan workers.'));
