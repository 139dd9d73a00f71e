// A worker's work on a job: opens it, reads the range from the worker's chain side, tries the keys, and seals the
// result for this job. The same job twice gives the same answer, so it does not matter which worker does it, or how
// often.

import { FormatError, wipe } from '@wallet-companion/shielded/bytes';
import type { TreeSizes } from '@wallet-companion/shielded/pools';
import type { BlockBatch, ScanHeights, ScannedBlock } from '@wallet-companion/shielded/scan';
import type { ChainService, Source } from '../../actors/chain/ports/types.ts';
import type { ScanKeys, ScanPool } from '../../actors/wallet/ports/scanPool.ts';
import { mapInOrder } from '../../async/inOrder.ts';
import { CompanionError } from '../../protocol/errors.ts';
import type { WorkOnJob } from '../ports/jobQueue.ts';
import type { FleetSeal } from '../sealed/fleetSeal.ts';
import { decodeJob, isSameChain, type ScanJob } from '../sealed/scanJob.ts';
import { type Claim, encodeResult, type ScanResult } from '../sealed/scanResult.ts';

/** The companion finds out itself which diversifier a note has. */
const NO_KEY = new Uint8Array(32);

export interface JobWorkParts {
  readonly seal: FleetSeal;
  readonly chain: ChainService;
  readonly source: Source;
  readonly pool: ScanPool;
  /** The heights of this worker's chain. */
  readonly heights: ScanHeights;
  /** Logs jobs that are refused or fail, never their contents. */
  readonly logFault: (where: string, fault: unknown) => void;
}

export function jobWork({ seal, chain, source, pool, heights, logFault }: JobWorkParts): WorkOnJob {
  let highest = -1;
  return async (id, sealed) => {
    let plain: Uint8Array | undefined;
    try {
      plain = seal.open('job', id, sealed);
      const job = decodeJob(plain);
      if (!isSameChain(job.heights, heights)) throw new FormatError('a job of another chain');
      const answer = seal.seal('result', id, encodeResult(await scanned(job, chain, source, pool)));
      if (job.end > highest) {
        highest = job.end;
        // So that the compact store keeps its tail and not the whole chain.
        await chain.walletScanned({ lastScanHeight: highest });
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

interface ScannedBatch {
  readonly sizesBefore: TreeSizes;
  readonly blocks: readonly ScannedBlock[];
}

async function scanned(
  { start, end, heights, keys }: ScanJob,
  chain: ChainService,
  source: Source,
  pool: ScanPool,
): Promise<ScanResult> {
  const scanKeys: ScanKeys = {
    // Numbered as accounts, so that a note shows which key opened it.
    incoming: keys.map((key, account) => ({ ...key, account, scope: 'external', dk: NO_KEY })),
    outgoing: [],
    heights,
  };
  const blocks: ScannedBlock[] = [];
  const claims: Claim[] = [];
  let sizesBefore: TreeSizes | undefined;
  const { rangeId } = await chain.openRange({ source, start, end });
  try {
    const scan = async (batch: BlockBatch): Promise<ScannedBatch> => ({
      sizesBefore: batch.blocks[0]!.treeSizes,
      blocks: await pool.scan(batch, scanKeys),
    });
    for await (const batch of mapInOrder(batchesOf(chain, rangeId), pool.concurrency + 1, scan)) {
      sizesBefore ??= batch.sizesBefore;
      for (const block of batch.blocks) {
        const claim = claimOf(block);
        if (claim !== undefined) claims.push(claim);
        blocks.push({ ...block, notes: [] });
      }
    }
  } finally {
    pool.forget?.(scanKeys);
    await chain.closeRange({ rangeId });
  }
  if (sizesBefore === undefined || blocks.length !== end - start + 1)
    throw new CompanionError('NODE_BEHIND', 'The blocks of a job are not all there yet.');
  return { sizesBefore, blocks, claims };
}

async function* batchesOf(chain: ChainService, rangeId: number): AsyncGenerator<BlockBatch, void, void> {
  for (;;) {
    const batch = await chain.nextBatch({ rangeId });
    if (batch === null || batch.blocks.length === 0) return;
    yield batch;
  }
}

/** Opened notes are wiped: the worker does not need them. */
function claimOf({ height, notes }: ScannedBlock): Claim | undefined {
  if (notes.length === 0) return undefined;
  for (const { memo } of notes) memo?.fill(0);
  return { height, keys: [...new Set(notes.map(({ account }) => account))].sort((a, b) => a - b) };
}
