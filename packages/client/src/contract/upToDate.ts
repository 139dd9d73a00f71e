// What remains to scan after a sync, for callers that repeat it.

import type { Output } from './operationTypes.ts';

type Summary = Pick<Output<'sync.run'>, 'caught_up' | 'range_complete' | 'missing_ranges'>;

/** Nothing is left to scan, neither above nor in the skipped ranges below. */
export const isUpToDate = ({ caught_up, missing_ranges }: Summary): boolean =>
  caught_up && missing_ranges.length === 0;

/** At the tip, the skipped blocks come next: an end alone requests all unscanned blocks up to it. */
export const gapBelow = ({
  range_complete,
  missing_ranges,
}: Summary): Summary['missing_ranges'][number] | undefined =>
  range_complete ? missing_ranges.at(-1) : undefined;
