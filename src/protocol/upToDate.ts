// What a summary of a sync leaves to do, for those who repeat it.

import type { Output } from './operations.ts';

type Summary = Pick<Output<'sync.run'>, 'caught_up' | 'range_complete' | 'missing_ranges'>;

/** Nothing is left to scan, neither above nor of what was skipped below. */
export const isUpToDate = ({ caught_up, missing_ranges }: Summary): boolean =>
  caught_up && missing_ranges.length === 0;

/** At the tip, skipped blocks come next: an end alone asks for what is not scanned yet up to there. */
export const gapBelow = ({
  range_complete,
  missing_ranges,
}: Summary): Summary['missing_ranges'][number] | undefined =>
  range_complete ? missing_ranges.at(-1) : undefined;
