// The chain actor's data in the form of the responses of the lwd operations.

import type { Height } from '@wallet-companion/base/values';
import type { StoreReorg } from '@wallet-companion/chain/compact';
import type { CompactStoreSummary } from '@wallet-companion/chain/ports';
import type { LightdInfo } from '@wallet-companion/zcash/compactProto';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Output } from '../../../protocol/operations.ts';

type InfoView = Output<'lwd.info'>;

export function infoView(
  info: LightdInfo,
  compactServerUrl: string,
  store: CompactStoreSummary | undefined,
): InfoView {
  return {
    version: text(info.version),
    vendor: text(info.vendor),
    taddr_support: info.taddrSupport,
    chain_name: text(info.chainName),
    sapling_activation_height: count(info.saplingActivationHeight),
    consensus_branch_id: text(info.consensusBranchId),
    block_height: count(info.blockHeight),
    git_commit: text(info.gitCommit),
    branch: text(info.branch),
    build_date: text(info.buildDate),
    build_user: text(info.buildUser),
    estimated_height: count(info.estimatedHeight),
    node_build: text(info.nodeBuild),
    node_subversion: text(info.nodeSubversion),
    donation_address: text(info.donationAddress),
    upgrade_name: text(info.upgradeName),
    upgrade_height: count(info.upgradeHeight),
    lightwallet_protocol_version: text(info.lightwalletProtocolVersion),
    compact_server_url: compactServerUrl,
    store: store === undefined ? null : storeView(store),
  };
}

/** Names and versions are short; megabytes from a server are cut. */
const MAX_TEXT = 256;
const text = (value: string): string => value.slice(0, MAX_TEXT);

export const storeView = (store: CompactStoreSummary): NonNullable<InfoView['store']> => ({
  path: store.path,
  first_height: store.firstHeight,
  last_height: store.lastHeight,
  block_count: store.blockCount,
  missing_ranges: store.missingRanges.map(({ start, end }) => ({ start_height: start, end_height: end })),
});

/**
 * Stored blocks above the wallet's; null when there are none or there is no wallet. A reorg undoes scanned blocks too.
 */
export function unscannedView(
  { firstHeight, lastHeight }: CompactStoreSummary,
  lastScanHeight: Height | null,
  reorg: StoreReorg | null,
): Output<'lwd.sync_compact'>['unscanned'] {
  if (lastScanHeight === null || firstHeight === null || lastHeight === null) return null;
  const scanned = Math.min(lastScanHeight, reorg?.forkHeight ?? lastScanHeight);
  const start = Math.max(firstHeight, scanned + 1);
  return start > lastHeight ? null : { start_height: start, end_height: lastHeight };
}

function count(value: bigint): number {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  throw new CompanionError('COMPACT_SERVER_BAD_RESPONSE', 'The compact server gave a number out of range.');
}
