// Requests until nothing is left to scan. One without a range goes on above what was scanned and never closes what was
// skipped below, so at the tip the missing ranges are asked for by their end.

/** Resolves with what to say at the end. `sync` sends one request, `scanned` is called after each. */
export async function syncToTip(sync, scanned) {
  let gap;
  for (;;) {
    const summary = await sync(gap === undefined ? {} : { end_height: gap.end_height });
    await scanned();
    const { last_scan_height: height } = summary;
    if (summary.cancelled) return `Stopped. Scanned up to block ${height}.`;
    if (summary.caught_up && summary.missing_ranges.length === 0) return `Up to date at block ${height}.`;
    const wasGap = gap !== undefined;
    gap = summary.range_complete ? summary.missing_ranges.at(-1) : undefined;
    const madeProgress = summary.blocks_scanned > 0 || summary.reorg !== null;
    if (!madeProgress && (wasGap || gap === undefined)) {
      return `Scanned up to block ${height}. What is missing cannot be had now: try again later.`;
    }
  }
}
