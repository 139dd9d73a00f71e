// A worker's work on a job: opens it, reads the range from the worker's chain side, tries the keys, and seals the
// result for this job. The same job twice gives the same answer, so it does not matter which worker does it, or how
// often.

import { FormatError, wipe } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import type { PlantedOutput, ScanHeights, ScanKeys, ScannedBlock } from '@wallet-companion/zcash/scan';
import type { Heights } from '../ports/blocks.ts';
import type { WorkOnJob } from '../ports/jobQueue.ts';
import type { FleetSeal } from '../sealed/fleetSeal.ts';
import { decodeJob, isSameChain, type ScanJob } from '../sealed/scanJob.ts';
import { compareHits, encodeResult, type ReportedHit, type ScanResult } from '../sealed/scanResult.ts';

/** The companion finds out itself which diversifier a note has. */
const NO_KEY = new Uint8Array(32);

export interface ScannedBatch {
  /** Note commitment tree sizes before the first block. */
  readonly sizesBefore: TreeSizes;
  readonly blocks: readonly ScannedBlock[];
}

/**
 * Scans a range with these keys, batch by batch in the order of heights, as far as the worker's chain goes, and searches
 * the planted outputs with their blocks.
 */
export type ScanRange = (
  range: Heights,
  keys: ScanKeys,
  planted: readonly PlantedOutput[],
) => AsyncIterable<ScannedBatch>;

export interface JobWorkParts {
  /** This worker's identity: `WORKER_ID_BYTES` random bytes. */
  readonly worker: Uint8Array;
  readonly seal: FleetSeal;
  readonly scan: ScanRange;
  /** The heights of this worker's chain. */
  readonly heights: ScanHeights;
  /** Called when the highest height of a job that is done has risen. */
  readonly scannedUpTo: (height: Height) => Promise<void>;
  /** Logs jobs that are refused or fail, never their contents. */
  readonly logFault: (where: string, fault: unknown) => void;
}

export function jobWork({ worker, seal, scan, heights, scannedUpTo, logFault }: JobWorkParts): WorkOnJob {
  let highest = -1;
  return async (id, sealed) => {
    let plain: Uint8Array | undefined;
    try {
      plain = seal.open('job', id, sealed);
      const job = decodeJob(plain);
      if (!isSameChain(job.heights, heights)) throw new FormatError('a job of another chain');
      const answer = seal.seal('result', id, encodeResult({ worker, ...(await scanned(job, scan)) }));
      if (job.end > highest) {
        highest = job.end;
        await scannedUpTo(highest);
      }
      return answer;
    } catch (error) {
      logFault('fleet.job', error instanceof FormatError ? refusal(error) : error);
      return error instanceof FormatError ? 'refused' : 'try again';
    } finally {
      wipe(plain);
    }
  };
}

const refusal = ({ message }: FormatError): CompanionError =>
  new CompanionError('INVALID_REQUEST', `A job was refused: ${message}.`);

async function scanned(
  { start, end, heights, keys, planted }: ScanJob,
  scan: ScanRange,
): Promise<Omit<ScanResult, 'worker'>> {
  const scanKeys: ScanKeys = {
    // Numbered as accounts, so that a note shows which key opened it.
    incoming: keys.map((key, account) => ({ ...key, account, scope: 'external', dk: NO_KEY })),
    outgoing: [],
    heights,
  };
  const blocks: ScannedBlock[] = [];
  const hits: ReportedHit[] = [];
  let sizesBefore: TreeSizes | undefined;
  for await (const batch of scan({ start, end }, scanKeys, planted)) {
    sizesBefore ??= batch.sizesBefore;
    for (const block of batch.blocks) {
      hits.push(...hitsOf(block));
      blocks.push({ ...block, notes: [] });
    }
  }
  if (sizesBefore === undefined || blocks.length !== end - start + 1)
    throw new CompanionError('NODE_BEHIND', 'The blocks of a job are not all there yet.');
  return { sizesBefore, blocks, hits };
}

/** Opened notes are wiped: the worker does not need them. */
function hitsOf({ height, notes }: ScannedBlock): ReportedHit[] {
  for (const { memo } of notes) memo?.fill(0);
  return notes.map(({ account: key, pool, position }) => ({ height, key, pool, position })).sort(compareHits);
}
