// Requests until nothing is left to scan: the newest blocks first, so that recent money of an old phrase shows at once,
// and then what is missing below.

/** Resolves with what to say at the end. `sync` sends one request, `scanned` is called after each. */
export async function syncToTip(sync, scanned) {
  for (;;) {
    const summary = await sync({ newest_first: true });
    await scanned();
    const { last_scan_height: height } = summary;
    if (summary.cancelled) return `Stopped. Scanned up to block ${height}.`;
    if (summary.caught_up && summary.missing_ranges.length === 0) return `Up to date at block ${height}.`;
    if (summary.blocks_scanned === 0 && summary.reorg === null) {
      return `Scanned up to block ${height}. What is missing cannot be had now: try again later.`;
    }
  }
}
