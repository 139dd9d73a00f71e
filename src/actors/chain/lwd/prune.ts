// `lwd.prune`: deletes blocks at the user's request, whether fetched on request or by a scan. No request to the server.

import type { Height } from '@wallet-companion/base/values';
import { prune, storedBelow } from '@wallet-companion/chain/compact';
import type { CompactStore, StoredRange } from '@wallet-companion/chain/ports';
import type { Input, Output } from '../../../protocol/operations.ts';
import { storeView } from './views.ts';

/** Limit of one request: front ends wait two minutes for a response. A gigabyte takes some seconds. */
const MAX_PRUNE_MS = 60_000;

interface Context {
  /** Milliseconds. */
  readonly now: () => number;
  /** Heights that scans are reading at this moment. */
  readonly held: () => readonly StoredRange[];
}

/** `store` undefined: there is none, and nothing to do. */
export async function pruneOnRequest(
  store: CompactStore | undefined,
  { below_height, keep }: Pick<Input<'lwd.prune'>, 'below_height' | 'keep'>,
  { now, held }: Context,
): Promise<Output<'lwd.prune'>> {
  const began = now();
  const end = store === undefined ? 0 : endOf(store, below_height, keep);
  const fileBytesBefore = store?.footprint().fileBytes ?? 0;
  const wanted = (): StoredRange[] => (store === undefined ? [] : storedBelow(store, end, held()));
  const mayGoOn = (): boolean => now() - began < MAX_PRUNE_MS;
  const pruned =
    store === undefined ? { blocks: 0, bytes: 0 } : await prune(store, { wanted, mayGoOn, keepRoom: 0 });
  const after = store?.footprint() ?? { fileBytes: 0, freeBytes: 0 };
  return {
    blocks_removed: pruned.blocks,
    bytes_removed: pruned.bytes,
    complete: store === undefined || (mayGoOn() && storedBelow(store, end, []).length === 0),
    file_bytes_before: fileBytesBefore,
    file_bytes_after: after.fileBytes,
    reusable_bytes: after.freeBytes,
    store: store === undefined ? null : storeView(store.summary()),
    elapsed_ms: Math.round(now() - began),
  };
}

/** The first height that stays. Decided once: while a scan adds blocks at the top, the same ones stay. */
function endOf(store: CompactStore, belowHeight: Height | undefined, keep: number | undefined): Height {
  const { lastHeight } = store.summary();
  const byTop = keep === undefined ? undefined : Math.max(0, (lastHeight ?? -1) + 1 - keep);
  return Math.min(belowHeight ?? Number.MAX_SAFE_INTEGER, byTop ?? Number.MAX_SAFE_INTEGER);
}
