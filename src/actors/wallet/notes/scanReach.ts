// How far a wallet has looked: what its numbers may be believed for.

import type { HeightRange } from '../ports/storage.ts';
import type { Ledger } from './ledger.ts';

/** How far the ledger has looked, for one account or all. Where nothing was scanned, 0 would mean "nobody looked". */
export function scanReach(ledger: Ledger, account?: number) {
  const asOfHeight = ledger.scannedTop(account) ?? null;
  const missing = ledger.missing(account).map(rangeView);
  return { asOfHeight, complete: asOfHeight !== null && missing.length === 0, missing };
}

const rangeView = ({ start, end }: HeightRange) => ({ start_height: start, end_height: end });
