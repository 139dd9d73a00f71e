// What servers and scanned blocks show of this computer's clock. A block may be old, so it shows only that the clock is behind; a
// `Date` shows both ways, and may itself be wrong.

import { MAX_FUTURE_SECONDS } from '@wallet-companion/base/values';
import type { ShownTime } from '../ports/types.ts';

/** More than any slow answer takes, and less than an invoice lasts. */
const DATE_TOLERANCE_MS = 60_000;

const WHOSE = {
  node: 'the node',
  compact_server: 'the compact server',
  scan: "the wallet's scan",
} as const;

type Shows = keyof typeof WHOSE;

/** Null where the clock agrees with it. `now`: when it was shown, by the clock. */
function clockWarning(shows: Shows, { by, at }: ShownTime, now: number): string | null {
  const behind = at - now;
  if (by === 'block')
    return behind <= MAX_FUTURE_SECONDS * 1000
      ? null
      : `This computer's clock is behind by ${spanText(behind)} or more: it is before the newest block of ${WHOSE[shows]}.`;
  if (Math.abs(behind) <= DATE_TOLERANCE_MS) return null;
  const way = behind > 0 ? 'behind' : 'ahead of';
  return `This computer's clock is ${spanText(Math.abs(behind))} ${way} that of ${WHOSE[shows]}: one of the two is wrong.`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function spanText(ms: number): string {
  const [name, size] = UNITS.find(([, unit]) => ms >= unit) ?? UNITS[2];
  const count = Math.round(ms / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** Compares the clock with what one of them shows, and reports another sentence than before. */
export class ClockWatch {
  readonly #shows: Shows;
  readonly #report: (warning: string) => void;
  #warning: string | null = null;

  constructor(shows: Shows, report: (warning: string) => void) {
    this.#shows = shows;
    this.#report = report;
  }

  get warning(): string | null {
    return this.#warning;
  }

  /** `shown`: undefined where nothing is. */
  check(shown: ShownTime | undefined, now: number): void {
    const warning = shown === undefined ? null : clockWarning(this.#shows, shown, now);
    if (warning !== null && warning !== this.#warning) this.#report(warning);
    this.#warning = warning;
  }
}
