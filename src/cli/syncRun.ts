// `sync`: one request of at most 1,000 blocks, or with --to-tip one after another. Shows progress meanwhile; Ctrl-C
// stops the scan at its next commit instead of killing it.

import { CompanionError } from '../protocol/errors.ts';
import type { Output } from '../protocol/operations.ts';
import type { Result } from '../protocol/result.ts';
import { gapBelow, isUpToDate } from '../protocol/upToDate.ts';
import type { CliEnvironment, TerminalOutput } from './cliEnvironment.ts';
import { Interrupted } from './prompt.ts';

type Summary = Output<'sync.run'>;
type Status = Output<'sync.status'>;

/** Often enough to look alive; each poll is one small message. */
const POLL_INTERVAL_MS = 500;
const BAR_WIDTH = 24;
/** Without a terminal, progress is printed rarely enough for a log. */
const PLAIN_LINE_EVERY_POLLS = 20;

export interface SyncCalls {
  run(input: Readonly<Record<string, unknown>>): Promise<Result<Summary>>;
  status(): Promise<Result<Status>>;
  cancel(): Promise<unknown>;
}

type SyncEnvironment = Pick<CliEnvironment, 'stderr' | 'every' | 'onInterrupt'>;

/**
 * Runs the request and, if `toTip`, further ones until the range or the tip is reached. `report` gets each result; the
 * last one decides how the command ends.
 */
export async function runSync(
  calls: SyncCalls,
  input: Readonly<Record<string, unknown>>,
  { toTip, quiet }: { readonly toTip: boolean; readonly quiet: boolean },
  environment: SyncEnvironment,
  report: (summary: Summary) => void,
): Promise<Result<Summary>> {
  let interrupted = false;
  const stopListening = environment.onInterrupt(() => {
    interrupted = true;
    void calls.cancel();
  });
  const progress = quiet ? undefined : new Progress(environment.stderr);
  const stopPolling =
    progress === undefined ? () => {} : environment.every(POLL_INTERVAL_MS, () => void poll());
  const poll = async (): Promise<void> => {
    const status = await calls.status();
    if (status.ok) progress?.show(status.value);
  };
  try {
    let next = input;
    let fillsGap = false;
    for (;;) {
      const result = await calls.run(next);
      progress?.clear();
      if (!result.ok) return result;
      report(result.value);
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
    stopPolling();
    stopListening();
    progress?.clear();
  }
}

/** A range says itself which blocks, and so does whoever named the order. */
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

/** A bar on a terminal, otherwise a line now and then. */
class Progress {
  readonly #output: TerminalOutput;
  #polls = 0;
  #shown = 0;

  constructor(output: TerminalOutput) {
    this.#output = output;
  }

  show({ progress }: Status): void {
    if (progress === null) return;
    const line = progressLine(progress);
    if (this.#output.isTTY === true) {
      this.#output.write(`\r${line.padEnd(this.#shown)}`);
      this.#shown = line.length;
    } else if (this.#polls % PLAIN_LINE_EVERY_POLLS === 0) {
      this.#output.write(`${line}\n`);
    }
    this.#polls += 1;
  }

  clear(): void {
    if (this.#shown > 0) this.#output.write(`\r${' '.repeat(this.#shown)}\r`);
    this.#shown = 0;
  }
}

export function progressLine(progress: NonNullable<Status['progress']>): string {
  const { blocks_scanned: done, blocks_total: total } = progress;
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '#'.repeat(filled) + '.'.repeat(BAR_WIDTH - filled);
  const eta = progress.eta_seconds === null ? '' : `, ${Math.ceil(progress.eta_seconds)} s left`;
  const rates = `${Math.round(progress.blocks_per_second)} blocks/s, ${Math.round(progress.outputs_per_second)} outputs/s`;
  return `[${bar}] ${Math.floor(share * 100)} % at height ${progress.committed_height}, ${rates}, ${progress.notes_found} notes${eta}`;
}
