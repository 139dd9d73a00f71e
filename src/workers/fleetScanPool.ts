// A fleet as the wallet's scan pool: ranges that other machines scan are given out beside those of the chain side; memos,
// trees and unmined transactions stay in this process.

import type { ChainService, Upstream } from '@wallet-companion/chain/ports';
import type { FleetPool, FleetRange, OwnChain } from '@wallet-companion/fleet/pool';
import type { ScanKeys, ScanPool } from '../actors/wallet/ports/scanPool.ts';

export const fleetScanPool = (fleet: FleetPool<ScanPool>, concurrency: number): ScanPool => ({
  concurrency,
  blocksFrom: (chain, keys) => blocksFrom(fleet, chain, keys),
  scan: (batch, keys) => fleet.scan(batch, keys),
  enhance: (task, keys) => fleet.local.enhance(task, keys),
  leaves: (...task) => fleet.local.leaves(...task),
  combine: (...task) => fleet.local.combine(...task),
  readUnmined: (task, keys) => fleet.local.readUnmined(task, keys),
  close: () => fleet.close(),
});

function blocksFrom(
  fleet: FleetPool<ScanPool>,
  chain: ChainService,
  keys: ScanKeys,
): ReturnType<NonNullable<ScanPool['blocksFrom']>> {
  const ranges = new Map<number, FleetRange>();
  return {
    openRange: async (query) => {
      const { start, end, before, next: _, ...upstream } = query;
      const wanted = { start, end, ...(before && { before }) };
      const range = await fleet.open(wanted, ownChain(chain, upstream), keys);
      if (range === undefined) return chain.openRange(query);
      // The chain side counts upwards.
      const rangeId = -1 - ranges.size;
      ranges.set(rangeId, range);
      return { rangeId };
    },
    nextBatch: (query) => ranges.get(query.rangeId)?.next() ?? chain.nextBatch(query),
    closeRange: (query) => ranges.get(query.rangeId)?.close() ?? chain.closeRange(query),
  };
}

const ownChain = (chain: ChainService, upstream: Upstream): OwnChain => ({
  openRange: (range) => chain.openRange({ ...upstream, ...range }),
  nextBatch: (query) => chain.nextBatch(query),
  closeRange: (query) => chain.closeRange(query),
  tip: async () => (await chain.tip(upstream)).height,
});
