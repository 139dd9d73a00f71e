// The same over the gRPC of a compact-block server, and a store on disk that is filled from it.

export { CompactClient } from '../chain/compact/compactClient.ts';
export {
  CompactConnection,
  type CompactConnectionLimits,
  GrpcFailure,
} from '../chain/compact/compactConnection.ts';
export { bringUpToDate, type StoreReorg } from '../chain/compact/compactStoring.ts';
export {
  type CompactUpstream,
  compactUpstream,
  openCompactUpstream,
} from '../chain/compact/compactUpstream.ts';
export { passingBelow, prune, storedBelow } from '../chain/compact/storePruning.ts';
