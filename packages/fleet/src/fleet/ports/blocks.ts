// What a fleet's companion gives its pool: blocks of its own chain side, and a pool in its own process.

import type { Height } from '@wallet-companion/base/values';
import type {
  BlockBatch,
  FetchCosts,
  ScanKeys,
  ScannedBefore,
  ScannedBlock,
} from '@wallet-companion/zcash/scan';

/** Inclusive. */
export interface Heights {
  readonly start: Height;
  readonly end: Height;
}

export type BlockRange = Heights & { readonly before?: ScannedBefore };

export type TimedBatch = BlockBatch & { readonly costs?: FetchCosts };

/** The chain side, whose server is already chosen: a stream of batches for each open range, in order. */
export interface OwnChain {
  openRange(range: BlockRange): Promise<{ readonly rangeId: number }>;
  /** Null after the last. */
  nextBatch(query: { readonly rangeId: number }): Promise<TimedBatch | null>;
  closeRange(query: { readonly rangeId: number }): Promise<void>;
  /** The height of the best block. */
  tip(): Promise<Height>;
}

export interface LocalPool {
  /** Blocks of the batch in height order, notes verified. The batch's buffer is consumed. */
  scan(batch: BlockBatch, keys: ScanKeys): Promise<ScannedBlock[]>;
  close(): Promise<void>;
}
