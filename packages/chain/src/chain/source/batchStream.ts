// A range of blocks as both sources open it: packed ahead of the scan, and no wait continues after it is closed.

import { prefetch } from '@wallet-companion/base/async';
import { CompanionError } from '@wallet-companion/client/contract';
import type { BlockBatch } from '@wallet-companion/zcash/scan';
import type { BlockStream } from '../ports/chainSource.ts';

/** Batches packed ahead of the scan (at most 4 MiB each). */
const BATCHES_AHEAD = 2;

export function openBatchStream(batches: (signal: AbortSignal) => AsyncIterable<BlockBatch>): BlockStream {
  const abort = new AbortController();
  return prefetch(batches(abort.signal), {
    capacity: BATCHES_AHEAD,
    onClose: () => abort.abort(new CompanionError('BUSY', 'The block range was closed.')),
  });
}
