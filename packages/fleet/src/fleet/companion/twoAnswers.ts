// Jobs that went to two workers: whether the answers agree, and which of them differ from what the companion finds itself.

import { equalBytes } from '@wallet-companion/base/bytes';
import { POOL } from '@wallet-companion/zcash/pools';
import type { ScanKeys } from '@wallet-companion/zcash/scan';
import { compareHits, encodeResult, type ReportedHit, type ScanResult } from '../sealed/scanResult.ts';
import type { Answer } from './askedJobs.ts';
import type { OwnScan } from './ownBlocks.ts';

/** Whether two workers, and not one twice, answered the same. */
export const isConfirmed = (first: Answer, second: Answer): boolean =>
  first.worker !== second.worker && isSame(first.result, second.result);

/** Whether an answer about the same chain says something else. One about another chain shows nothing. */
export function isRefuted({ result }: Answer, own: OwnScan, keys: ScanKeys): boolean {
  const [last, ownLast] = [result.blocks.at(-1)!, own.blocks.at(-1)!];
  if (!equalBytes(last.hash, ownLast.hash)) return false;
  return !isSame(result, { ...own, worker: result.worker, hits: hitsOf(own, keys) });
}

/** In everything that an answer has but the identity of its worker. */
const isSame = (a: ScanResult, b: ScanResult): boolean =>
  equalBytes(encodeResult(a), encodeResult({ ...b, worker: a.worker }));

/** What a worker with these keys would have reported. */
function hitsOf({ blocks }: OwnScan, { incoming }: ScanKeys): ReportedHit[] {
  const hits = blocks.flatMap(({ height, notes }) =>
    notes.map(({ pool, position, account, scope }): ReportedHit => {
      const { protocol } = POOL[pool];
      const key = incoming.findIndex(
        (one) => one.account === account && one.scope === scope && one.protocol === protocol,
      );
      return { height, key, pool, position };
    }),
  );
  return hits.sort(compareHits);
}
