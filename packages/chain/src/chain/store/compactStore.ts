// The compact-block store. Blocks lie in the table `compactblocks(height, data)` that other wallets' block caches use,
// one serialized CompactBlock each, so that their tools can read the file. Tables of our own hold the rest: the
// network, how each block links, which heights are stored and who gave them.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import { isKnownVersion, latestVersion } from '@wallet-companion/disk/files';
import {
  bytesColumn,
  ColumnError,
  createDatabase,
  type Database,
  type DatabaseStamp,
  guardDatabase,
  hasOurSchema,
  integerColumn,
  KeptCopies,
  migrateDatabase,
  type Row,
  type Statement,
  textColumn,
  transaction,
} from '@wallet-companion/disk/sqlite';
import { asBlockHash, type BlockHash } from '@wallet-companion/zcash/identifiers';
import type { Network } from '@wallet-companion/zcash/network';
import type {
  CompactStore,
  CompactStoreSummary,
  PrunedBlocks,
  StoredCompactBlock,
  StoredOrigin,
  StoredRange,
  StoreFootprint,
} from '../ports/compactStore.ts';
import { BLOCK_ORIGINS_SCHEMA, BlockOrigins } from './blockOrigins.ts';
import { FreeSpace } from './freeSpace.ts';
import { HeightRanges, heightRangesSchema } from './heightRanges.ts';
import type { CompactStoreStep } from './migrations/steps.ts';

/**
 * "WCcb"; the other half of the stamp holds version and network, so that both can be read before SQLite opens the file.
 */
const APPLICATION_ID = 0x57436362;
const STAMPS_PER_VERSION = 16;
/** By their number in the stamp. */
const NETWORKS: readonly Network[] = ['main', 'test', 'regtest'];

export type StampedStore =
  | { readonly kind: 'store'; readonly network: Network }
  | { readonly kind: 'newer' }
  | { readonly kind: 'other' };

export function readStamp(
  { applicationId, userVersion }: DatabaseStamp,
  steps: readonly CompactStoreStep[],
): StampedStore {
  if (applicationId !== APPLICATION_ID) return { kind: 'other' };
  const network = NETWORKS[userVersion % STAMPS_PER_VERSION];
  const isKnown = isKnownVersion(Math.floor(userVersion / STAMPS_PER_VERSION), steps);
  return isKnown && network !== undefined ? { kind: 'store', network } : { kind: 'newer' };
}

const SCHEMA = `
  CREATE TABLE compactblocks(height INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE companion_store(format INTEGER NOT NULL, network TEXT NOT NULL, genesis_hash TEXT NOT NULL);
  CREATE TABLE companion_links(
    height INTEGER PRIMARY KEY,
    hash BLOB NOT NULL,
    prev_hash BLOB NOT NULL,
    check_sum BLOB NOT NULL
  );
  CREATE TABLE companion_server(id TEXT NOT NULL);
  ${heightRangesSchema('companion_ranges')};
  ${BLOCK_ORIGINS_SCHEMA};
  ${heightRangesSchema('companion_asked')};
`;

/** Whether the file has the tables of a compact store, and nothing that acts by itself. */
export const hasCompactStoreSchema = (database: Database): boolean => hasOurSchema(database, [SCHEMA]);

export interface StoreFacts {
  readonly network: Network;
  readonly genesisHash: string;
  /** From `compactServerId`. */
  readonly serverId: string;
}

/** Creates an empty store; false when something else has been created there meanwhile. */
export function createCompactStore(
  file: string,
  { network, genesisHash, serverId }: StoreFacts,
  steps: readonly CompactStoreStep[],
): boolean {
  const version = latestVersion(steps);
  const stamp: DatabaseStamp = {
    applicationId: APPLICATION_ID,
    userVersion: version * STAMPS_PER_VERSION + NETWORKS.indexOf(network),
  };
  const facts = `
    INSERT INTO companion_store VALUES (${version}, '${network}', '${genesisHash}');
    INSERT INTO companion_server VALUES ('${serverId}')
  `;
  return createDatabase(file, stamp, `${SCHEMA}${facts}`, { givesBackRoom: true });
}

/** Brings an open store of an earlier version up to date. */
export function migrateCompactStore(
  file: string,
  database: Database,
  steps: readonly CompactStoreStep[],
  unknownVersion: () => CompanionError,
): void {
  const recorded = steps.map((step) => ({
    ...step,
    migrate: () => {
      step.migrate(database);
      database.prepare('UPDATE companion_store SET format = ?').run(step.to);
    },
  }));
  const format = { steps: recorded, stampsPerVersion: STAMPS_PER_VERSION, unknownVersion };
  migrateDatabase(file, database, format, undefined);
}

const CHECKSUM_SIZE = 8;
/** Blocks per query. */
const ROWS_AT_ONCE = 128;
/** What one call of `prune` deletes at most: a few milliseconds of work. */
const PRUNED_AT_ONCE = { blocks: 128, bytes: 2 ** 20 } as const;

/** A scan reads next what was just stored: so much of it is kept in memory until then. */
const FRESH_BYTES = 4 * 2 ** 20;

export class SqliteCompactStore implements CompactStore {
  readonly file: string;
  readonly #database: Database;
  readonly #keptCopies: KeptCopies;
  readonly #ranges: HeightRanges;
  readonly #origins: BlockOrigins;
  /** The heights that clients asked for: pruning of the blocks that scans stored for themselves leaves these. */
  readonly #asked: HeightRanges;
  readonly #freeSpace: FreeSpace;
  readonly #link: Statement;
  readonly #links: Statement;
  readonly #blocks: Statement;
  readonly #sizes: Statement;
  readonly #putBlock: Statement;
  readonly #putLink: Statement;
  readonly #deleteBlocks: Statement;
  readonly #deleteLinks: Statement;
  /** Consecutive blocks that were put last, until they are read or anything else is written. */
  #fresh: readonly StoredCompactBlock[] = [];

  /** Takes over an open database that `createCompactStore` made, and closes it. */
  constructor(file: string, database: Database) {
    this.file = file;
    this.#database = database;
    this.#keptCopies = new KeptCopies(file);
    this.#ranges = new HeightRanges(database, 'companion_ranges');
    this.#origins = new BlockOrigins(database);
    this.#asked = new HeightRanges(database, 'companion_asked');
    this.#freeSpace = new FreeSpace(database);
    this.#link = database.prepare('SELECT hash FROM companion_links WHERE height = ?');
    this.#links = database.prepare(
      'SELECT height, hash, prev_hash FROM companion_links WHERE height BETWEEN ? AND ?',
    );
    this.#blocks = database.prepare(
      `SELECT height, hash, prev_hash, check_sum, data FROM companion_links JOIN compactblocks USING(height)
       WHERE height BETWEEN ? AND ? ORDER BY height LIMIT ${ROWS_AT_ONCE}`,
    );
    this.#sizes = database.prepare(
      `SELECT height, length(data) AS size FROM compactblocks
       WHERE height BETWEEN ? AND ? ORDER BY height LIMIT ${PRUNED_AT_ONCE.blocks}`,
    );
    this.#putBlock = database.prepare('INSERT OR REPLACE INTO compactblocks(height, data) VALUES (?, ?)');
    this.#putLink = database.prepare(
      'INSERT OR REPLACE INTO companion_links(height, hash, prev_hash, check_sum) VALUES (?, ?, ?, ?)',
    );
    this.#deleteBlocks = database.prepare('DELETE FROM compactblocks WHERE height BETWEEN ? AND ?');
    this.#deleteLinks = database.prepare('DELETE FROM companion_links WHERE height BETWEEN ? AND ?');
  }

  /** Throws when the file belongs to another chain than the caller expects. */
  requireGenesis(genesisHash: string): void {
    this.#guard(() => requireGenesis(this.#database, genesisHash));
  }

  /** The server whose blocks it holds. */
  serverId(): string {
    return this.#guard(() =>
      textColumn(this.#database.prepare('SELECT id FROM companion_server').get() ?? {}, 'id'),
    );
  }

  summary(): CompactStoreSummary {
    const ranges = this.#guard(() => this.#ranges.all());
    return {
      path: this.file,
      firstHeight: ranges[0]?.start ?? null,
      lastHeight: ranges.at(-1)?.end ?? null,
      blockCount: ranges.reduce((count, { start, end }) => count + end - start + 1, 0),
      missingRanges: ranges.slice(1).map((range, i) => ({ start: ranges[i]!.end + 1, end: range.start - 1 })),
    };
  }

  hashAt(height: Height): BlockHash | undefined {
    return this.#guard(() => {
      const row = this.#link.get(height);
      return row === undefined ? undefined : asBlockHash(bytesColumn(row, 'hash'));
    });
  }

  put(blocks: readonly StoredCompactBlock[], server?: string): void {
    const first = blocks[0];
    const last = blocks.at(-1);
    if (first === undefined || last === undefined) return;
    const before = this.#fresh.at(-1)?.height === first.height - 1 ? this.#fresh : [];
    this.#write(() => {
      this.#requireLinks(blocks, first.height, last.height);
      for (const block of blocks) {
        const { height, hash, prevHash, data } = block;
        this.#putBlock.run(height, data);
        this.#putLink.run(height, hash, prevHash, checksum(block));
      }
      this.#ranges.add({ start: first.height, end: last.height });
      this.#origins.set({ start: first.height, end: last.height }, server);
    });
    const fresh = [...before, ...blocks];
    const bytes = fresh.reduce((sum, { data }) => sum + data.length, 0);
    if (bytes <= FRESH_BYTES) this.#fresh = fresh;
  }

  origins(range: StoredRange): StoredOrigin[] {
    return this.#guard(() => this.#origins.within(range));
  }

  read(range: StoredRange, maxBytes: number): StoredCompactBlock[] {
    const fresh = this.#takeFresh(range, maxBytes);
    if (fresh.length > 0) return fresh;
    return this.#guard(() => {
      const blocks: StoredCompactBlock[] = [];
      const stored = this.#ranges.all().find(({ start, end }) => start <= range.start && range.start <= end);
      const end = Math.min(range.end, stored?.end ?? -1);
      let size = 0;
      for (let height = range.start; height <= end; ) {
        const rows = this.#blocks.all(height, this.#lastWithin(height, end, maxBytes - size));
        if (rows.length === 0) throw new ColumnError('a block is missing');
        for (const row of rows) {
          const block = parseBlock(row, height);
          if (blocks.length > 0 && size + block.data.length > maxBytes) return blocks;
          blocks.push(block);
          size += block.data.length;
          height++;
        }
      }
      return blocks;
    });
  }

  /** What of the range was just stored, from its start on; it is not kept any longer. */
  #takeFresh({ start, end }: StoredRange, maxBytes: number): StoredCompactBlock[] {
    if (this.#fresh[0]?.height !== start) return [];
    let count = 0;
    for (let size = 0; count < this.#fresh.length && start + count <= end; count++) {
      size += this.#fresh[count]!.data.length;
      if (count > 0 && size > maxBytes) break;
    }
    const taken = this.#fresh.slice(0, count);
    this.#fresh = this.#fresh.slice(count);
    return taken;
  }

  /** The last height whose blocks fit into so many bytes: with large blocks, a query of all rows would read a hundred too many. */
  #lastWithin(start: number, end: number, bytes: number): number {
    let last = start;
    let size = 0;
    for (const row of this.#sizes.all(start, end)) {
      size += integerColumn(row, 'size');
      if (size > bytes) break;
      last = integerColumn(row, 'height');
    }
    return last;
  }

  remove(range: StoredRange): void {
    if (range.start <= range.end) this.#write(() => this.#delete(range));
  }

  ask(range: StoredRange): void {
    const isKnown = this.asked().some(({ start, end }) => start <= range.start && range.end <= end);
    if (range.start <= range.end && !isKnown) this.#write(() => this.#asked.add(range));
  }

  asked(): StoredRange[] {
    return this.#guard(() => this.#asked.all());
  }

  prune({ start, end }: StoredRange): PrunedBlocks {
    return this.#write(() => {
      let blocks = 0;
      let bytes = 0;
      let top = end;
      for (const row of this.#sizes.all(start, end)) {
        if (bytes >= PRUNED_AT_ONCE.bytes) break;
        blocks++;
        bytes += integerColumn(row, 'size');
        top = integerColumn(row, 'height');
      }
      const pruned = { start, end: blocks === 0 ? end : top };
      this.#delete(pruned);
      this.#asked.remove(pruned);
      return { blocks, bytes };
    });
  }

  footprint(): StoreFootprint {
    return this.#guard(() => this.#freeSpace.footprint());
  }

  giveBack(keep: number): boolean {
    return this.#guard(() => {
      this.#database.useWriteAheadLog();
      return this.#freeSpace.giveBack(keep);
    });
  }

  close(): void {
    this.#database.close();
  }

  #requireLinks(blocks: readonly StoredCompactBlock[], start: number, end: number): void {
    const stored = new Map(
      this.#links.all(start - 1, end + 1).map((row) => [integerColumn(row, 'height'), row]),
    );
    let previous = stored.get(start - 1);
    let previousHash = previous === undefined ? undefined : bytesColumn(previous, 'hash');
    blocks.forEach((block, i) => {
      if (block.height !== start + i)
        throw brokenChain(`block ${start + i} was expected, block ${block.height} came`);
      if (previousHash !== undefined && !equalBytes(block.prevHash, previousHash)) {
        throw brokenChain(`block ${block.height} does not follow the block before it`);
      }
      previous = stored.get(block.height);
      if (previous !== undefined && !equalBytes(bytesColumn(previous, 'hash'), block.hash)) {
        throw brokenChain(`block ${block.height} is not the one that is stored`);
      }
      previousHash = block.hash;
    });
    const next = stored.get(end + 1);
    if (
      next !== undefined &&
      previousHash !== undefined &&
      !equalBytes(bytesColumn(next, 'prev_hash'), previousHash)
    ) {
      throw brokenChain(`the stored block ${end + 1} does not follow block ${end}`);
    }
  }

  #delete({ start, end }: StoredRange): void {
    this.#deleteBlocks.run(start, end);
    this.#deleteLinks.run(start, end);
    this.#ranges.remove({ start, end });
    this.#origins.set({ start, end }, undefined);
  }

  #write<T>(work: () => T): T {
    this.#fresh = [];
    return this.#guard(() => {
      this.#database.useWriteAheadLog();
      const result = transaction(this.#database, work);
      this.#keptCopies.afterCommit();
      return result;
    });
  }

  #guard<T>(work: () => T): T {
    return guardDatabase(
      this.file,
      () => compactStoreDamaged(this.file),
      () => {
        try {
          return work();
        } catch (error) {
          throw error instanceof ColumnError ? compactStoreDamaged(this.file) : error;
        }
      },
    );
  }
}

/** Reads only what every version has, so that the store of another chain is refused before it is migrated. */
export function requireGenesis(database: Database, genesisHash: string): void {
  const row = database.prepare('SELECT genesis_hash FROM companion_store').get();
  if (row?.['genesis_hash'] === genesisHash) return;
  throw new CompanionError(
    'NETWORK_MISMATCH',
    'The compact store belongs to another chain; it was left as it is.',
  );
}

export const compactStoreDamaged = (file: string): CompanionError =>
  new CompanionError(
    'STORAGE_FAILED',
    `The compact store ${path.basename(file)} is damaged; it was left as it is. Delete it: its blocks can be fetched again.`,
  );

const brokenChain = (what: string): CompanionError =>
  new CompanionError(
    'COMPACT_SERVER_BAD_RESPONSE',
    `The blocks of the compact-block server do not form a chain: ${what}. Nothing of them was kept; try again.`,
  );

function parseBlock(row: Row, height: Height): StoredCompactBlock {
  const block: StoredCompactBlock = {
    height: integerColumn(row, 'height'),
    hash: asBlockHash(bytesColumn(row, 'hash')),
    prevHash: asBlockHash(bytesColumn(row, 'prev_hash')),
    data: bytesColumn(row, 'data'),
  };
  if (block.height !== height) throw new ColumnError(`block ${height} is missing`);
  if (!equalBytes(bytesColumn(row, 'check_sum'), checksum(block)))
    throw new ColumnError(`block ${height} is damaged`);
  return block;
}

/** Detects damage on disk and rows that another program changed; not secret. */
function checksum({ height, hash, prevHash, data }: StoredCompactBlock): Uint8Array {
  const digest = createHash('sha256')
    .update(`${height}:`)
    .update(hash)
    .update(prevHash)
    .update(data)
    .digest();
  return new Uint8Array(digest.subarray(0, CHECKSUM_SIZE));
}
