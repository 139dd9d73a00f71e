// The compact server as it presents itself, its tip, and the local store of its blocks.

import type { CompactUpstream } from '@wallet-companion/chain/compact';
import type { AskedServer, ChainContext } from '@wallet-companion/chain/context';
import type { ChainTip, CompactStore, CompactStoreSummary, StoredRange } from '@wallet-companion/chain/ports';
import { blockHashToHex } from '@wallet-companion/zcash/identifiers';
import { CompanionError } from '../../../protocol/errors.ts';
import type { FeatureHandlers, Input, Output } from '../../../protocol/operations.ts';
import { planSync } from '../../../protocol/syncRange.ts';
import { pruneOnRequest } from './prune.ts';
import { publicServers } from './publicServers.ts';
import { infoView, unscannedView } from './views.ts';

export function lwdHandlers(context: ChainContext): FeatureHandlers<'lwd', 'chain'> {
  const { environment, compacts, servers } = context;
  const storeAt = (input: Pick<Input<'lwd.info'>, 'db_path'>, url: string) =>
    environment.stores.find(input.db_path, context.place(url));
  return {
    'lwd.info': async (input, { byOwner }) => {
      const url = context.compactUrl(input);
      const store = storeAt(input, url);
      const info = await servers.seen({ server: 'compact_server', url, byOwner }, compacts.get(url).info());
      return infoView(info, url, store?.summary());
    },
    'lwd.chain_tip': async (input, { byOwner }) => {
      const url = context.compactUrl(input);
      const store = storeAt(input, url);
      const at = { server: 'compact_server', url, byOwner } as const;
      const { height, hash } = await servers.tip(at, compacts.get(url).tip());
      return {
        height,
        hash: blockHashToHex(hash),
        compact_server_url: url,
        stored_height: store?.summary().lastHeight ?? null,
      };
    },
    'lwd.servers': ({ try: isTried = false }) => {
      const { settings, parameters } = context.current();
      const { now, after, openCompact } = environment;
      // Connections of their own: those of the configured servers stay open.
      const open = (url: string) => openCompact(url, parameters);
      return publicServers(
        settings.network,
        settings.publicServers ?? null,
        isTried ? { open, now, after } : undefined,
      );
    },
    'lwd.sync_compact': async (input, { byOwner }) => {
      const began = environment.now();
      const url = context.compactUrl(input);
      const compact = compacts.get(url);
      const at = { server: 'compact_server', url, byOwner } as const;
      // A bad path is said before anybody is asked, and a file is made only once the server has answered.
      if (storeAt(input, url) === undefined) await servers.observed(at, compact.tip());
      const store = environment.stores.open(input.db_path, context.place(url), context.isStoreBusy);
      return context.alone(store, compact, () => syncStore(context, input, at, compact, store, began));
    },
    'lwd.prune': async (input) => {
      const store = storeAt(input, context.compactUrl(input));
      const { now } = environment;
      if (store === undefined) return pruneOnRequest(store, input, { now, held: () => [] });
      const held = () => context.heldHeights(store);
      return context.alone(store, {}, () => pruneOnRequest(store, input, { now, held }));
    },
  };
}

async function syncStore(
  context: ChainContext,
  input: Input<'lwd.sync_compact'>,
  at: AskedServer,
  compact: CompactUpstream,
  store: CompactStore,
  began: number,
): Promise<Output<'lwd.sync_compact'>> {
  const { settings, parameters } = context.current();
  const { sapling } = parameters.activation;
  let coversRequest = false;
  const plan = (tip: ChainTip): StoredRange => {
    const { lastHeight } = store.summary();
    if (input.start_height === undefined && lastHeight !== null && lastHeight > tip.height) {
      throw new CompanionError(
        'NODE_BEHIND',
        `The compact server is at height ${tip.height}, below the stored ${lastHeight}. Wait until it has caught up, or use another one.`,
      );
    }
    const top = lastHeight ?? (settings.birthdayHeight ?? sapling) - 1;
    const planned = planSync(
      { start: input.start_height, end: input.end_height },
      { lastScanHeight: top, missing: [], saplingActivation: sapling, tip: tip.height },
    );
    coversRequest = planned.coversRequest;
    return planned.ranges[0] ?? { start: planned.start, end: planned.start - 1 };
  };
  const update = await context.servers.seen(at, compact.update(store, plan));
  const { range, tip, reorg } = update;
  const summary = store.summary();
  return {
    start_height: range.start,
    end_height: range.end,
    blocks_stored: update.blocks,
    bytes: update.bytes,
    chain_tip: tip.height,
    next_start_height: range.end + 1,
    range_complete: coversRequest && !hasHoleBelow(summary, input),
    caught_up: (summary.lastHeight ?? -1) >= tip.height,
    reorg: reorg === null ? null : { fork_height: reorg.forkHeight, depth: reorg.depth },
    unscanned: unscannedView(summary, settings.lastScanHeight, reorg),
    db_path: summary.path,
    elapsed_ms: Math.round(context.environment.now() - began),
  };
}

/** An end alone asks for everything up to there, but what is fetched is what lies above the store's top. */
const hasHoleBelow = (
  { missingRanges }: CompactStoreSummary,
  { start_height: start, end_height: end }: Input<'lwd.sync_compact'>,
): boolean => start === undefined && end !== undefined && missingRanges.some((range) => range.start <= end);
