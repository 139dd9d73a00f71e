// Syncs to the chain tip, including the gaps below it, as a stream of steps. A request covers 1,000 blocks and is
// answered when it is done; the status route shows progress meanwhile.

import { CompanionError } from '../contract/errors.ts';
import type { Arguments, Input, OperationName, Output } from '../contract/operationTypes.ts';
import { gapBelow, isUpToDate } from '../contract/upToDate.ts';

export type Progress = NonNullable<Output<'sync.status'>['progress']>;

/**
 * `progress`: the state of a running request. `scanned`: a finished request; the last one is caught up or cancelled.
 */
export type SyncStep =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'scanned'; readonly summary: Output<'sync.run'> };

export interface SyncOptions extends Omit<Input<'sync.run'>, 'start_height' | 'end_height' | 'newest_first'> {
  /** Scan by ascending height. Default: the newest blocks first, which shows recent funds of an old phrase at once. */
  readonly oldestFirst?: boolean;
  /** Milliseconds between two queries of the status. Default 500. */
  readonly pollMs?: number;
  /** Resolves after so many milliseconds. Default: a timer. */
  readonly pause?: (ms: number) => Promise<void>;
}

type Call = <N extends OperationName>(name: N, ...args: Arguments<N>) => Promise<Output<N>>;

const DEFAULT_POLL_MS = 500;

const timer = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Leaving the loop early cancels the running request; scanned blocks stay scanned. A sync that another caller started
 * is followed, then continued. Rejects with the error of a failed request.
 */
export async function* syncToTip(call: Call, options: SyncOptions): AsyncGenerator<SyncStep, void, void> {
  const { pollMs = DEFAULT_POLL_MS, pause = timer, oldestFirst = false, ...input } = options;
  let blocks: Blocks = oldestFirst ? {} : { newest_first: true };
  let running = false;
  try {
    for (;;) {
      running = true;
      const run = new Settled(call('sync.run', { ...input, ...blocks }));
      while (!run.isSettled) {
        await run.settledOr(pause(pollMs));
        if (run.isSettled) break;
        // Only for display, so a failed query does not fail the sync.
        const status = await call('sync.status').catch(() => undefined);
        if (status?.progress) yield { kind: 'progress', progress: status.progress };
      }
      running = false;
      const outcome = await run.settled;
      if ('error' in outcome) {
        const whose = mayStillRun(outcome.error);
        if (whose === undefined || !(await isSyncing(call))) throw outcome.error;
        running = whose === 'ours';
        yield* follow(call, pollMs, pause);
        continue;
      }
      const summary = outcome.value;
      yield { kind: 'scanned', summary };
      if (summary.cancelled || isUpToDate(summary)) return;
      const mayBeAhead = oldestFirst && blocks.end_height === undefined;
      if (!mayBeAhead && !madeProgress(summary)) throw stuck(blocks.end_height ?? lowestUnscanned(summary));
      if (oldestFirst) blocks = { end_height: gapBelow(summary)?.end_height };
    }
  } finally {
    if (running) await call('sync.cancel').catch(() => undefined);
  }
}

/** The range of a request. */
interface Blocks {
  readonly newest_first?: true;
  readonly end_height?: number | undefined;
}

const madeProgress = ({ blocks_scanned, reorg }: Output<'sync.run'>): boolean =>
  blocks_scanned > 0 || reorg !== null;

const lowestUnscanned = ({ missing_ranges: [lowest], next_start_height }: Output<'sync.run'>): number =>
  lowest?.end_height ?? next_start_height;

const stuck = (height: number): CompanionError =>
  new CompanionError(
    'NODE_BEHIND',
    `What is missing up to height ${height} cannot be had now; try again later.`,
  );

/** Some runtimes time out after five minutes, while the companion continues. */
function mayStillRun(error: unknown): 'ours' | 'other' | undefined {
  if (!(error instanceof CompanionError)) return undefined;
  if (error.code === 'SYNC_IN_PROGRESS') return 'other';
  return error.code === 'COMPANION_UNREACHABLE' ? 'ours' : undefined;
}

async function isSyncing(call: Call): Promise<boolean> {
  return (await call('sync.status')).syncing;
}

async function* follow(
  call: Call,
  pollMs: number,
  pause: (ms: number) => Promise<void>,
): AsyncGenerator<SyncStep, void, void> {
  for (;;) {
    await pause(pollMs);
    const { syncing, progress } = await call('sync.status');
    if (!syncing) return;
    if (progress !== null) yield { kind: 'progress', progress };
  }
}

/** A promise whose completion can be tested. */
class Settled<T> {
  readonly settled: Promise<{ readonly value: T } | { readonly error: unknown }>;
  isSettled = false;
  #wake: () => void = () => undefined;

  constructor(promise: Promise<T>) {
    this.settled = promise.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    void this.settled.then(() => {
      this.isSettled = true;
      this.#wake();
    });
  }

  /** Resolves when it is settled or the pause is over. `Promise.race` would leave a reaction behind for every pause. */
  settledOr(pause: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      pause.then(resolve, reject);
      if (this.isSettled) resolve();
    });
  }
}
