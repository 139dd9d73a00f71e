// A compact server together with the operations between it and stores: what the chain actor needs of it.

import { Patience, queueOf } from '@wallet-companion/base/async';
import type { WayTo } from '@wallet-companion/base/proxy';
import type { Height } from '@wallet-companion/base/values';
import type { LightdInfo } from '@wallet-companion/zcash/compactProto';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { ChainSource, SourceTip, TransactionService } from '../ports/chainSource.ts';
import type { CompactStore, StoredRange } from '../ports/compactStore.ts';
import type { BlockNews, MempoolLook, MempoolQuery } from '../ports/types.ts';
import { CompactClient } from './compactClient.ts';
import { CompactConnection } from './compactConnection.ts';
import { CompactSource, type StorePlace } from './compactSource.ts';
import { bringUpToDate, type StoreUpdate } from './compactStoring.ts';

export interface CompactUpstream extends TransactionService {
  /** The server's own description; `NETWORK_MISMATCH` when it is of another network. */
  info(): Promise<LightdInfo>;
  tip(): Promise<SourceTip>;
  /** Settles when there is a block beyond `height`, or a wait is not possible. */
  newBlock(height: Height, signal: AbortSignal): Promise<BlockNews>;
  mempool(query: MempoolQuery): Promise<MempoolLook>;
  /** Undoes stale blocks, and fetches missing ones of the planned range, to stay; see `bringUpToDate`. */
  update(store: CompactStore, plan: (tip: SourceTip) => StoredRange): Promise<StoreUpdate>;
  /** Blocks for a scan, through the store. `offline`: stored blocks are returned without a request to the server. */
  source(place: StorePlace, offline: boolean): ChainSource;
  close(): void;
}

/** Errors: `INVALID_URL`. */
export function openCompactUpstream(
  url: string,
  parameters: NetworkParameters,
  wayTo?: WayTo,
): CompactUpstream {
  const connection = new CompactConnection(url, undefined, wayTo);
  return compactUpstream(new CompactClient(connection, parameters), parameters);
}

export function compactUpstream(
  server: CompactClient,
  parameters: NetworkParameters,
  patience: Patience = new Patience(),
): CompactUpstream {
  const saplingActivation = parameters.activation.sapling;
  return {
    info: () => server.info(),
    tip: () => server.tip(),
    newBlock: (height, signal) => server.newBlock(height, signal),
    mempool: (query) => server.mempool(query),
    send: (raw, txid) => server.send(raw, txid),
    transactionStatus: (txid) => server.transactionStatus(txid),
    unspentOutputs: (addresses) => server.unspentOutputs(addresses),
    update: (store, plan) =>
      queueOf(store).run(() => bringUpToDate(server, store, plan, undefined, { asked: true })),
    source: (place, offline) => new CompactSource(server, place, { offline, patience, saplingActivation }),
    close: () => server.close(),
  };
}
