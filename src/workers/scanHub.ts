// The scan workers that several open wallets share. Wallets with the same batch of blocks have it scanned in one pass,
// with the keys of all; each gets the results of its keys. The first waits for the others for a moment at most, and never
// while a worker could not have begun anyway.
//
// A wallet that leaves takes its keys along: the workers, which have data derived from them, are replaced.

import { isDeepStrictEqual } from 'node:util';
import type { BlockBatch } from '@wallet-companion/shielded/scan';
import type { SharedBatch } from '../actors/chain/ports/types.ts';
import type { After } from '../async/after.ts';
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

type SharedTask = Extract<WalletTask, { readonly kind: 'scan' }> & {
  readonly batch: BlockBatch & { readonly shared: SharedBatch };
};

interface Job {
  requests: Request[];
  /** It begins as soon as there is a worker. */
  isRipe: boolean;
  stopWaiting: () => void;
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
    const together = isShared(request.task) ? this.#waitingFor(request.task, request.member) : undefined;
    if (together !== undefined) {
      together.requests.push(request);
      if (together.requests.length >= wallets(together)) this.#ripen(together);
      return;
    }
    const job: Job = {
      requests: [request],
      isRipe: wallets({ requests: [request] }) === 1,
      stopWaiting: () => undefined,
    };
    this.#waiting.push(job);
    if (!job.isRipe)
      job.stopWaiting = this.#context.after(TOGETHER_MS, () => {
        job.isRipe = true;
        this.#begin();
      });
  }

  #waitingFor(task: SharedTask, member: HubMember): Job | undefined {
    return this.#waiting.find(
      ({ requests }) =>
        requests[0] !== undefined &&
        isSame(requests[0].task, task) &&
        !requests.some((request) => request.member === member),
    );
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
    const task = first?.requests[0]?.task;
    if (task === undefined || !isShared(task)) return first;
    const alike = ripe.filter(({ requests: [other] }) => other && isAlong(other.task, task));
    return alike.sort((a, b) => heightOf(a) - heightOf(b))[0];
  }

  async #work(job: Job): Promise<void> {
    while (job.requests.length > 0) {
      await this.#exchanged;
      const { requests } = job;
      if (requests.length === 0) return;
      this.#pool ??= { tasks: this.#context.openPool(), members: new Set() };
      const pool = this.#pool;
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
    const jobs = requests.map(
      (request): Job => ({ requests: [request], isRipe: true, stopWaiting: () => undefined }),
    );
    this.#waiting.unshift(...jobs);
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
  if (requests.length === 1 || !isShared(first.task)) return [await tasks.run(first.task)];
  return tasks.run({
    kind: 'shared',
    batch: first.task.batch,
    keys: requests.map(({ task }) => (task as SharedTask).keys),
  });
}

const isShared = (task: WalletTask): task is SharedTask =>
  task.kind === 'scan' && (task.batch as Partial<SharedTask['batch']>).shared !== undefined;

/** How many wallets will send the same. */
const wallets = ({ requests: [first] }: Pick<Job, 'requests'>): number =>
  first !== undefined && isShared(first.task) ? first.task.batch.shared.wallets : 1;

const servedAt = ({ requests }: Job): number => Math.min(...requests.map(({ member }) => member.servedAt));

const heightOf = ({ requests: [first] }: Job): number =>
  first !== undefined && isShared(first.task) ? first.task.batch.blocks[0]!.height : 0;

const isAlong = (a: WalletTask, b: SharedTask): boolean =>
  isShared(a) && a.batch.shared.stream === b.batch.shared.stream;

/** Compared byte by byte: one wallet's description of its batch must not decide for another's. */
function isSame(a: WalletTask, b: SharedTask): boolean {
  if (!isAlong(a, b) || !isShared(a)) return false;
  return (
    a.batch.format === b.batch.format &&
    isDeepStrictEqual(a.keys.heights, b.keys.heights) &&
    isDeepStrictEqual(a.batch.blocks, b.batch.blocks) &&
    Buffer.from(a.batch.buffer).equals(Buffer.from(b.batch.buffer))
  );
}

const gone = (): Result<never> =>
  failure(new CompanionError('THREAD_LOST', 'The wallet has left the scan workers.'));
