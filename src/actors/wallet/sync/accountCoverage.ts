// The statement of coverage: what the note store can prove about the scanned blocks. A block counts only when it links
// to the known blocks beside it, and the ends of every stretch stay known, so a stretch is a chain from its first to its
// last hash. It is the chain of the node or server; for a compact server, it also states which source confirmed it.

import type { Height } from '@wallet-companion/base/values';
import { blockHashToHex } from '@wallet-companion/zcash/identifiers';
import type { Network } from '@wallet-companion/zcash/network';
import { POOL } from '@wallet-companion/zcash/pools';
import type { Output } from '../../../protocol/operations.ts';
import type { VerifiedStretch } from '../noteStore/book/scannedRanges.ts';
import type { NoteStore, NoteStoreAccount } from '../noteStore/noteStore.ts';
import { dayNear, rangesInWords } from '../noteViews/blockDates.ts';
import { scanReach } from '../noteViews/scanReach.ts';
import type { HeightRange } from '../ports/noteDatabase.ts';

type Coverage = Output<'coverage.get'>['accounts'][number];

export function accountCoverage(noteStore: NoteStore, network: Network, account: NoteStoreAccount): Coverage {
  const { index } = account;
  const stretches = noteStore.verifiedStretches(index);
  const missing = noteStore.missing(index);
  const hashAt = (height: Height) => {
    const block = noteStore.block(height);
    return block === undefined ? null : blockHashToHex(block.hash);
  };
  return {
    account: index,
    birthday_height: noteStore.floor(account),
    complete: scanReach(noteStore, index).complete,
    scanned: stretches.map(({ start, end, verifiedWith }) => ({
      start_height: start,
      start_hash: hashAt(start),
      end_height: end,
      end_hash: hashAt(end),
      verified_with: verifiedWith,
    })),
    missing: missing.map(({ start, end }) => ({
      start_height: start,
      end_height: end,
      start_date: dayNear(noteStore, network, start) ?? null,
      end_date: dayNear(noteStore, network, end) ?? null,
    })),
    statement: statement(noteStore, network, index, stretches, missing),
  };
}

/** Which blocks no account has scanned yet, in words; undefined where none is missing. */
export function notLookedAt(noteStore: NoteStore, network: Network): string | undefined {
  const lowest = noteStore.blockHeights[0] ?? Number.POSITIVE_INFINITY;
  return rangesInWords(noteStore, network, noteStore.missing(), ({ end }) => end < lowest);
}

function statement(
  noteStore: NoteStore,
  network: Network,
  account: number,
  stretches: readonly VerifiedStretch[],
  missing: readonly HeightRange[],
): string {
  const lowest = stretches[0];
  if (lowest === undefined) return 'Nothing was scanned yet.';
  const named = noteStore.scanned(account).map((range) => {
    const days = [range.start, range.end].map((height) => dayNear(noteStore, network, height));
    const [from, to] = days.map((day) => (day === undefined ? '' : ` (${day})`));
    return `${range.start}${from} to ${range.end}${to}`;
  });
  const gaps = rangesInWords(noteStore, network, missing, ({ end }) => end < lowest.start);
  const alone = stretches.filter(({ verifiedWith }) => verifiedWith === null);
  const unverified = rangesInWords(noteStore, network, alone, () => false);
  return [
    `Every block from ${named.join(', and from ')} was scanned, each linked to the one below it by its hash.`,
    ...(unverified === undefined ? [] : [`On the word of a compact server alone: ${unverified}.`]),
    ...noteStore.unsearched(account).map(({ pool, ranges }) => {
      const blocks = rangesInWords(noteStore, network, ranges, () => false);
      return `Not searched in ${POOL[pool].name}, which was empty and takes no payments any more: ${blocks}.`;
    }),
    ...(gaps === undefined ? [] : [`Not looked at yet: ${gaps}.`]),
  ].join(' ');
}
