// What the chain actor knows, in the shapes of the lwd operations' answers.

import type { StoreReorg } from '../../chain/compactStoring.ts';
import type { LightdInfo } from '../../chain/proto/generated/compact_pb.ts';
import { CompanionError } from '../../protocol/errors.ts';
import type { Output } from '../../protocol/operations.ts';
import type { CompactStoreSummary } from './compactStore.ts';

type InfoView = Output<'lwd.info'>;

export function infoView(
  info: LightdInfo,
  compactServerUrl: string,
  store: CompactStoreSummary | undefined,
): InfoView {
  return {
    version: info.version,
    vendor: info.vendor,
    taddr_support: info.taddrSupport,
    chain_name: info.chainName,
    sapling_activation_height: count(info.saplingActivationHeight),
    consensus_branch_id: info.consensusBranchId,
    block_height: count(info.blockHeight),
    git_commit: info.gitCommit,
    branch: info.branch,
    build_date: info.buildDate,
    build_user: info.buildUser,
    estimated_height: count(info.estimatedHeight),
    node_build: info.nodeBuild,
    node_subversion: info.nodeSubversion,
    donation_address: info.donationAddress,
    upgrade_name: info.upgradeName,
    upgrade_height: count(info.upgradeHeight),
    lightwallet_protocol_version: info.lightwalletProtocolVersion,
    compact_server_url: compactServerUrl,
    store: store === undefined ? null : storeView(store),
  };
}

const storeView = (store: CompactStoreSummary): NonNullable<InfoView['store']> => ({
  path: store.path,
  first_height: store.firstHeight,
  last_height: store.lastHeight,
  block_count: store.blockCount,
  missing_ranges: store.missingRanges.map(({ start, end }) => ({ start_height: start, end_height: end })),
});

/** Stored blocks above the wallet's; null when there are none or there is no wallet. A reorg undoes scanned blocks too. */
export function unscannedView(
  { firstHeight, lastHeight }: CompactStoreSummary,
  lastScanHeight: number | null,
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
