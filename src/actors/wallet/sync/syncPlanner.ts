// Plans a request over what is scanned already: which ranges, and which blocks they must link to.

import type { Height } from '@wallet-companion/base/values';
import type { ChainTip, NextBlock, ScannedBefore } from '@wallet-companion/chain/ports';
import { badField, CompanionError } from '../../../protocol/errors.ts';
import type { HandledInput } from '../../../protocol/operations.ts';
import { MAX_BLOCKS_PER_SYNC, planSync, type SyncPlan } from '../../../protocol/syncRange.ts';
import type { ScannedSession } from '../session/session.ts';
import { outputsAboveGaps, planNewestFirst } from './newestFirst.ts';

/** Above every tip: where a scan would begin before the height of the chain is known. */
const HIGHEST = Number.MAX_SAFE_INTEGER - 1;

export class SyncPlanner {
  readonly #session: ScannedSession;
  readonly #request: HandledInput<'sync.run'>;

  constructor(session: ScannedSession, request: HandledInput<'sync.run'>) {
    this.#session = session;
    this.#request = request;
  }

  /** What is left to scan after `blocksScanned` blocks of the request. Throws `NODE_BEHIND`. */
  plan(tip: ChainTip, blocksScanned: number): SyncPlan {
    const { start_height: start, end_height: end } = this.#request;
    if (start === undefined) refuseLowerChain(tip, this.#session.noteStore.lastScanHeight);
    const plan = this.#isNewestFirst(tip)
      ? this.#planNewestFirst(tip.height, blocksScanned)
      : this.#planUpTo(tip.height, blocksScanned);
    // Without the server the end of the chain is unknown: only a requested end can be reached.
    const isEndKnown = tip.offline === undefined || end !== undefined;
    return { ...plan, coversRequest: plan.coversRequest && isEndKnown };
  }

  /** A scan can begin with stored blocks: the first one shows whether they follow what was scanned below, if anything was. */
  resumeAt(blocksScanned: number): NextBlock | undefined {
    const { noteStore } = this.#session;
    const { start: height } = this.#planUpTo(HIGHEST, blocksScanned);
    const prevHash = noteStore.block(height - 1)?.hash;
    if (prevHash !== undefined) return { height, prevHash };
    return noteStore.isScanned(height - 1) ? undefined : { height };
  }

  /** The scanned block that a range from `start` has to follow, where it is known. */
  before(start: number): ScannedBefore | undefined {
    const below = this.#session.noteStore.block(start - 1);
    return below === undefined ? undefined : { hash: below.hash, treeSizes: below.treeSizes };
  }

  /** Without the server the newest blocks are unknown: stored ones are scanned in order. */
  #isNewestFirst({ offline }: ChainTip): boolean {
    return this.#request.newest_first === true && offline === undefined;
  }

  #planNewestFirst(tip: Height, blocksScanned: number): SyncPlan {
    return planNewestFirst({
      ...this.#position(tip, blocksScanned),
      outputsAboveGaps: outputsAboveGaps(this.#session.noteStore),
    });
  }

  #planUpTo(tip: Height, blocksScanned: number): SyncPlan {
    const { start_height: start, end_height: end } = this.#request;
    return planSync({ start, end }, this.#position(tip, blocksScanned));
  }

  #position(tip: Height, blocksScanned: number) {
    const { noteStore, scanKeys } = this.#session;
    return {
      lastScanHeight: noteStore.lastScanHeight,
      missing: noteStore.missing(),
      missingLater: noteStore.missingLater,
      saplingActivation: scanKeys.heights.sapling,
      tip,
      maxBlocks: Math.max(0, MAX_BLOCKS_PER_SYNC - blocksScanned),
    };
  }
}

/** A wallet that begins above the server's chain has nothing to scan there yet, but is not caught up either. */
function refuseLowerChain(tip: ChainTip, lastScanHeight: Height): void {
  if (tip.offline !== undefined || tip.height >= lastScanHeight) return;
  throw new CompanionError(
    'NODE_BEHIND',
    `The other side is at height ${tip.height}, this wallet goes on from ${lastScanHeight + 1}. Wait until it has caught up, or point to another one; where the birthday is wrong, rescan with from_height.`,
  );
}

/** Throws `INVALID_REQUEST`. */
export function refuseTwoOrders(request: HandledInput<'sync.run'>): void {
  const { newest_first: isNewestFirst, start_height: start, end_height: end } = request;
  if (isNewestFirst !== true || (start === undefined && end === undefined)) return;
  throw badField(
    'newest_first',
    'does not go with a range',
    'newest_first chooses the blocks itself: leave start_height and end_height out.',
  );
}
