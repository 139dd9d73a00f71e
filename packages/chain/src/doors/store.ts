// A store of compact blocks in SQLite, in a file that other wallets' tools can read; and a few such files open at a time.

export {
  compactStoreDamaged,
  createCompactStore,
  hasCompactStoreSchema,
  migrateCompactStore,
  readStamp,
  requireGenesis,
  SqliteCompactStore,
  type StampedStore,
} from '../chain/store/compactStore.ts';
export { COMPACT_STORE_STEPS, type CompactStoreStep } from '../chain/store/migrations/steps.ts';
export { PooledStore, StorePool } from '../chain/store/pooledStore.ts';
