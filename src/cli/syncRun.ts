// `sync`: one request of at most 1,000 blocks, or with --to-tip one after another. Shows progress meanwhile; Ctrl-C
// stops the scan at its next commit instead of killing it.

import { gapBelow, isUpToDate } from '@wallet-companion/client/contract';
import { CompanionError } from '../protocol/errors.ts';
import type { Output } from '../protocol/operations.ts';
import type { Result } from '../protocol/result.ts';
import { Interrupted } from '../terminal/prompt.ts';
import type { CliEnvironment } from './cliEnvironment.ts';
import type { CliSession } from './cliSession.ts';
import { ProgressBar } from './progressBar.ts';
import { type Coverage, type Extent, SyncState } from './syncState.ts';

type Summary = Output<'sync.run'>;
type Status = Output<'sync.status'>;

/** Often enough to look alive; each poll is one small message. */
const POLL_INTERVAL_MS = 500;

export interface SyncCalls {
  run(input: Readonly<Record<string, unknown>>): Promise<Result<Summary>>;
  status(): Promise<Result<Status>>;
  /** The scanned height and the gaps; undefined where the companion does not report them. */
  coverage(): Promise<Coverage | undefined>;
  cancel(): Promise<unknown>;
}

export const syncCalls = (session: CliSession): SyncCalls => ({
  run: (next) => session.call('sync.run', { ...next }),
  status: () => session.dispatch('sync.status', {}),
  coverage: async () => {
    const balance = await session.dispatch('balance.get', {});
    return balance.ok ? balance.value : undefined;
  },
  cancel: () => session.dispatch('sync.cancel', {}),
});

/**
 * Runs the request and, if `toTip`, further ones until the range or the tip is reached; the last one decides how the
 * command ends. `report` receives each result if `quiet` (programs read), else only their sum, also after a failure.
 */
export async function runSync(
  calls: SyncCalls,
  input: Readonly<Record<string, unknown>>,
  { toTip, quiet }: { readonly toTip: boolean; readonly quiet: boolean },
  environment: CliEnvironment,
  report: (summary: Summary) => void,
): Promise<Result<Summary>> {
  let interrupted = false;
  const stopListening = environment.onInterrupt(() => {
    interrupted = true;
    void calls.cancel();
  });
  const progress = quiet ? undefined : new Progress(calls, input, toTip, environment);
  let total: Summary | undefined;
  try {
    let next = input;
    let fillsGap = false;
    for (;;) {
      const result = await calls.run(next);
      if (!result.ok) return result;
      if (quiet) report(result.value);
      else total = addSummaries(total, result.value);
      progress?.finished(result.value);
      if (!toTip || isFinished(result.value, input)) return result;
      // Ctrl-C came between two requests: there was no scan to cancel, and none must be started.
      if (interrupted) throw new Interrupted();
      const gap: Summary['missing_ranges'][number] | undefined = fillsGap
        ? result.value.missing_ranges.at(-1)
        : gapBelow(result.value);
      if (input['newest_first'] === true) {
        if (!madeProgress(result.value)) throw stuck(result.value);
        continue;
      }
      // At the tip without progress: skipped blocks come next, once.
      if (!madeProgress(result.value) && (gap === undefined || fillsGap)) throw stuck(result.value);
      fillsGap = gap !== undefined;
      next =
        gap === undefined
          ? followUp(input, result.value)
          : { ...input, start_height: undefined, end_height: gap.end_height };
    }
  } finally {
    stopListening();
    progress?.end();
    if (total !== undefined) report(total);
  }
}

/** An input with a range, or with an explicit order, stays as it is. */
export const newestFirst = (input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...(['start_height', 'end_height', 'newest_first'].some((key) => input[key] !== undefined)
    ? {}
    : { newest_first: true }),
  ...input,
});

function isFinished(summary: Summary, { end_height: end }: Readonly<Record<string, unknown>>): boolean {
  return summary.cancelled || isUpToDate(summary) || (end !== undefined && summary.range_complete);
}

const madeProgress = (summary: Summary): boolean => summary.blocks_scanned > 0 || summary.reorg !== null;

const stuck = ({ next_start_height: height }: Summary): CompanionError =>
  new CompanionError('NODE_BEHIND', `The scan does not get past height ${height}; try again later.`);

/** A requested range continues where it was cut; without a start, the companion knows where to continue. */
function followUp(
  input: Readonly<Record<string, unknown>>,
  summary: Summary,
): Readonly<Record<string, unknown>> {
  return input['start_height'] === undefined ? input : { ...input, start_height: summary.next_start_height };
}

/** The progress bar of the whole command, updated by polling. */
class Progress {
  readonly #calls: SyncCalls;
  readonly #state: SyncState;
  readonly #bar: ProgressBar;
  readonly #stopPolling: () => void;
  #polling = false;
  #ended = false;

  constructor(
    calls: SyncCalls,
    input: Readonly<Record<string, unknown>>,
    toTip: boolean,
    environment: CliEnvironment,
  ) {
    this.#calls = calls;
    this.#state = new SyncState(extentOf(input, toTip));
    this.#bar = new ProgressBar(environment.stderr);
    this.#stopPolling = environment.every(POLL_INTERVAL_MS, () => void this.#poll());
  }

  finished(summary: Summary): void {
    this.#state.finished(summary);
  }

  end(): void {
    this.#ended = true;
    this.#stopPolling();
    this.#bar.clear();
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    try {
      const [status, coverage] = await Promise.all([this.#calls.status(), this.#calls.coverage()]);
      // An answer that arrives after the end must not draw below the table.
      if (this.#ended || !status.ok) return;
      const progress = this.#state.at({ status: status.value, coverage });
      if (progress !== undefined) this.#bar.show(progress);
    } finally {
      this.#polling = false;
    }
  }
}

function extentOf(input: Readonly<Record<string, unknown>>, toTip: boolean): Extent {
  if (!toTip) return { kind: 'request' };
  const end = typeof input['end_height'] === 'number' ? input['end_height'] : undefined;
  return { kind: input['start_height'] === undefined ? 'missing' : 'range', end };
}

/** As if the requests were one. */
function addSummaries(before: Summary | undefined, next: Summary): Summary {
  if (before === undefined) return next;
  const ranges = [before, next].filter(({ start_height: start, end_height: end }) => start <= end);
  const both = (count: (summary: Summary) => number): number => count(before) + count(next);
  return {
    ...next,
    start_height: Math.min(...(ranges.length === 0 ? [next] : ranges).map((range) => range.start_height)),
    end_height: Math.max(...(ranges.length === 0 ? [next] : ranges).map((range) => range.end_height)),
    blocks_scanned: both((summary) => summary.blocks_scanned),
    outputs_scanned: both((summary) => summary.outputs_scanned),
    notes_found: both((summary) => summary.notes_found),
    notes_new: both((summary) => summary.notes_new),
    notes_spent: both((summary) => summary.notes_spent),
    elapsed_ms: both((summary) => summary.elapsed_ms),
    reorg: next.reorg ?? before.reorg,
    // Gaps lie below the scanned height: one request would continue above all of it.
    next_start_height:
      next.reorg === null
        ? Math.max(before.next_start_height, next.next_start_height)
        : next.next_start_height,
    verified_with: next.verified_with ?? before.verified_with,
  };
}
