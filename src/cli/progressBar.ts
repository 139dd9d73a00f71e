// One line on the terminal that is redrawn in place, and never so long that it wraps: a carriage return does not reach
// the wrapped part. Without a terminal: an occasional line.

import type { TerminalOutput } from '../terminal/streams.ts';
import { cut, displayWidth, pad } from '../terminal/terminalText.ts';
import type { SyncStatus } from './syncState.ts';

const USUAL_COLUMNS = 80;
const WIDEST_BAR = 24;
const NARROWEST_BAR = 8;
/** Without a terminal, progress is printed rarely enough for a log. */
const PLAIN_LINE_EVERY = 20;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export class ProgressBar {
  readonly #output: TerminalOutput;
  #calls = 0;
  #shown = 0;

  constructor(output: TerminalOutput) {
    this.#output = output;
  }

  show(status: SyncStatus): void {
    if (this.#output.isTTY === true) this.#draw(status);
    else if (this.#calls % PLAIN_LINE_EVERY === 0) this.#output.write(`${plainLine(status)}\n`);
    this.#calls += 1;
  }

  clear(): void {
    if (this.#shown > 0) this.#output.write(`\r${' '.repeat(Math.min(this.#shown, this.#room()))}\r`);
    this.#shown = 0;
  }

  #draw(status: SyncStatus): void {
    const line = cut(barLine(status, this.#room()), this.#room());
    this.#output.write(`\r${pad(line, Math.min(this.#shown, this.#room()))}`);
    this.#shown = displayWidth(line);
  }

  /** The last column stays empty: some terminals wrap as soon as it is written to. */
  #room(): number {
    return Math.max(1, (this.#output.columns || USUAL_COLUMNS) - 1);
  }
}

const number = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Rounded down: unfinished work is never shown as 100 %. */
const percent = ({ part }: SyncStatus): string => `${Math.floor(part * 100)} %`;

const WAITS = { network: 'waits for the network', cpu: undefined, disk: 'waits for the disk' } as const;

/** The texts beside the bar, each with a rank: when space is short, the highest rank is removed first. */
function parts(status: SyncStatus): readonly { readonly text: string; readonly rank: number }[] {
  const { done, total, notesFound, etaSeconds, boundedBy } = status;
  const waits = WAITS[boundedBy ?? 'cpu'];
  return [
    { text: percent(status), rank: 0 },
    { text: `${number(done)} of ${number(total)} blocks`, rank: 2 },
    { text: `${number(status.blocksPerSecond)} blocks/s`, rank: 4 },
    { text: `${number(status.outputsPerSecond)} outputs/s`, rank: 5 },
    { text: `${number(notesFound)} note${notesFound === 1 ? '' : 's'}`, rank: 3 },
    ...(!(status.bytesPerSecond > 0) ? [] : [{ text: bytes(status.bytesPerSecond), rank: 6 }]),
    ...(waits === undefined ? [] : [{ text: waits, rank: 7 }]),
    ...(etaSeconds === null ? [] : [{ text: `${duration(etaSeconds)} left`, rank: 1 }]),
  ];
}

const LEAST_IMPORTANT = 7;

const bytes = (perSecond: number): string =>
  perSecond < 1e6 ? `${Math.ceil(perSecond / 1e3)} kB/s` : `${(perSecond / 1e6).toFixed(1)} MB/s`;

const plainLine = (status: SyncStatus): string =>
  parts(status)
    .map(({ text }) => text)
    .join(', ');

export function barLine(status: SyncStatus, room: number): string {
  const all = parts(status);
  // The width depends only on the terminal: a bar that changes its length with the texts beside it would jump.
  const width = Math.max(NARROWEST_BAR, Math.min(WIDEST_BAR, Math.floor(room / 5)));
  for (let rank = LEAST_IMPORTANT; rank >= 0; rank -= 1) {
    const text = all
      .filter((part) => part.rank <= rank)
      .map((part) => part.text)
      .join(', ');
    const line = `${bar(status, width)} ${text}`;
    if (displayWidth(line) <= room) return line;
  }
  return percent(status);
}

function bar({ part }: SyncStatus, width: number): string {
  const filled = Math.floor(part * width);
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}]`;
}

/** The two largest units: an estimate is not more precise. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min ${whole % MINUTE} s`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`;
  return `${Math.floor(whole / DAY)} d ${Math.floor((whole % DAY) / HOUR)} h`;
}
