// Before scanned blocks are scanned again, their hashes are fixed: far below the tip few are kept, and a server on another
// chain would be believed between two of them (two machines behind one name, or a lie). Blocks are read up to the next kept
// one, whose link fixes each block below it, so the scan that follows accepts those blocks alone.
//
// Rejected: to keep more hashes (one in 50 of the main chain is 70,000 rows to open at each unlock), and to hold results
// back until a kept block is reached (a cancelled scan would keep nothing).

import { copyOf } from '@wallet-companion/zcash/identifiers';
import type { ChainLink } from '../noteStore/book/knownBlocks.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { ScannedSession } from '../session/session.ts';
import { ChainMoved, LinkCheck, type RangeQuery } from './rangeScan.ts';
import type { StopSignal } from './stopSignal.ts';

/** Throws `ChainMoved` where the server's blocks are not those that were scanned, and the errors of reading them. */
export async function proveScanned(
  { chain, logFault }: WalletEnvironment,
  { noteStore }: ScannedSession,
  { start, end, before: _, next: __, afresh: ___, ...upstream }: RangeQuery,
  stop: StopSignal,
): Promise<void> {
  const run = noteStore.toProve({ start, end });
  if (run === undefined) return;
  const links: ChainLink[] = [];
  const checked = new LinkCheck(noteStore, { ...upstream, ...run });
  const { rangeId } = await stop.orStopped(chain.openRange({ ...upstream, ...run }));
  try {
    while (links.length <= run.end - run.start) {
      const batch = await stop.orStopped(chain.nextBatch({ rangeId }));
      if (batch === null || batch.blocks.length === 0) throw new ChainMoved(upstream.source);
      checked.follow(batch.blocks);
      for (const { height, hash, prevHash } of batch.blocks)
        links.push({ height, hash: copyOf(hash), prevHash: copyOf(prevHash) });
    }
  } finally {
    await chain.closeRange({ rangeId }).catch((error: unknown) => logFault('sync.close_range', error));
  }
  noteStore.prove(links);
}
