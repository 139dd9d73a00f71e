// What a server's answers show of this computer's clock. A block may be old, so it shows only that the clock is behind; a
// `Date` shows both ways, and may itself be wrong.

import type { ShownTime } from '@wallet-companion/chain/ports';
import { MAX_FUTURE_SECONDS } from '@wallet-companion/shielded/blockTimes';

/** More than any slow answer takes, and less than an invoice lasts. */
const DATE_TOLERANCE_MS = 60_000;

const WHOSE = { node: 'the node', compact_server: 'the compact server' } as const;

/** Null where the clock agrees with it. `now`: when it was shown, by the clock. */
export function clockWarning(server: keyof typeof WHOSE, { by, at }: ShownTime, now: number): string | null {
  const behind = at - now;
  if (by === 'block')
    return behind <= MAX_FUTURE_SECONDS * 1000
      ? null
      : `This computer's clock is behind by ${spanText(behind)} or more: it is before the newest block of ${WHOSE[server]}.`;
  if (Math.abs(behind) <= DATE_TOLERANCE_MS) return null;
  const way = behind > 0 ? 'behind' : 'ahead of';
  return `This computer's clock is ${spanText(Math.abs(behind))} ${way} that of ${WHOSE[server]}: one of the two is wrong.`;
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
