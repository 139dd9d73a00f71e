// Verifies the hits that a worker reports: the companion reads these blocks again, scans them with the reported keys, and
// counts only what it finds. A worker can hide a note; it cannot make one up.

import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { POOL } from '@wallet-companion/zcash/pools';
import type { ScanKeys, ScannedBlock } from '@wallet-companion/zcash/scan';
import { equalSizes } from '@wallet-companion/zcash/trees';
import type { Heights, LocalPool } from '../ports/blocks.ts';
import type { ReportedHit } from '../sealed/scanResult.ts';
import type { FleetPiece } from './fleetRange.ts';

/** Undefined where the worker's report is wrong. */
export async function verifiedBlocks(
  { blocks, hits, own }: FleetPiece,
  pool: LocalPool,
  keysOf: (keys: readonly number[]) => ScanKeys,
): Promise<readonly ScannedBlock[] | undefined> {
  const scanned = await Promise.all(
    runsOf(hits).map(async ({ heights, keys }) => {
      const found = await own.scan(heights, pool, keysOf(keys));
      return { heights, keys, found };
    }),
  );
  const verified = [...blocks];
  const first = blocks[0]!.height;
  for (const { heights, keys, found } of scanned) {
    if (found.length !== heights.end - heights.start + 1) return undefined;
    for (const block of found) {
      const reported = verified[block.height - first];
      if (reported === undefined || !isSame(block, reported) || !opened(block, keysOf(keys)))
        return undefined;
      verified[block.height - first] = block;
    }
  }
  return verified;
}

const isSame = (a: ScannedBlock, b: ScannedBlock): boolean =>
  equalBytes(a.hash, b.hash) && equalBytes(a.prevHash, b.prevHash) && equalSizes(a.treeSizes, b.treeSizes);

/** Whether every key opened something. */
const opened = ({ notes }: ScannedBlock, { incoming }: ScanKeys): boolean =>
  incoming.every(({ account, scope, protocol }) =>
    notes.some(
      (note) => note.account === account && note.scope === scope && POOL[note.pool].protocol === protocol,
    ),
  );

/** Neighbours that the same keys opened are read together. */
function runsOf(
  hits: readonly ReportedHit[],
): { readonly heights: Heights; readonly keys: readonly number[] }[] {
  const byHeight = new Map<Height, Set<number>>();
  for (const { height, key } of hits) byHeight.set(height, (byHeight.get(height) ?? new Set()).add(key));
  const runs: { heights: Heights; readonly keys: readonly number[] }[] = [];
  for (const [height, opened] of byHeight) {
    const keys = [...opened];
    const run = runs.at(-1);
    if (run !== undefined && run.heights.end + 1 === height && run.keys.join() === keys.join())
      run.heights = { start: run.heights.start, end: height };
    else runs.push({ heights: { start: height, end: height }, keys });
  }
  return runs;
}
