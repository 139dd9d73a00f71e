// The note store under another master key. A change of password writes it beside the old one (`ledger-next.db`) before the
// wallet file is replaced; it takes the old one's place afterwards. Every row is opened and sealed anew, under a new name,
// in a new file: no rows or free pages are left that the old key could open.
//
// The key of the wallet file decides which store counts. Until the wallet file is replaced, its key opens `ledger.db`, and
// the file beside is deleted; from then on its key opens the file beside, which takes the place of `ledger.db` when the
// store is opened, by this process or by the next one.

import fs from 'node:fs';
import path from 'node:path';
import { removeKeptCopies } from '@wallet-companion/disk/files';
import type { RandomBytes } from '@wallet-companion/disk/sealing';
import { type DatabaseStamp, replaceDatabase, writeDatabase } from '@wallet-companion/disk/sqlite';
import { noteKey } from '@wallet-companion/zcash/identifiers';
import { LEDGER_FILE, RESEALED_LEDGER_FILE } from '../files/dataFiles.ts';
import { journalKey } from './journal.ts';
import type { NoteStoreStep } from './migrations/steps.ts';
import { decodeRecord, rescanPageKey, transactionKey } from './noteRecords.ts';
import { CACHE, creationScript, isStoreOf, ownerProof } from './storeFile.ts';
import { RECORD_TABLES, type RecordTable, StoreTables } from './storeTables.ts';

/** Resealing a row takes some 50 microseconds. */
const ROWS_IN_A_SLICE = 100;

/** The key of a row, which only its contents give. */
const KEY_OF: Readonly<Record<RecordTable, (plain: Uint8Array) => string>> = {
  notes: (plain) => noteKey(decodeRecord(plain)),
  sent_outputs: (plain) => noteKey(decodeRecord(plain)),
  transactions: (plain) => transactionKey(decodeRecord(plain)),
};

const besideIn = (dataDir: string): string => path.join(dataDir, RESEALED_LEDGER_FILE);

interface NewStore {
  readonly masterKey: Uint8Array;
  readonly stamp: DatabaseStamp;
  readonly randomBytes: RandomBytes;
  /** Reads the file back: a disk that lost data is noticed before anything depends on it. */
  readonly check: (file: string) => Iterable<void>;
}

/**
 * Writes the store sealed with the new key beside the old one, in slices of some milliseconds; it is whole and on disk at
 * the end. Everything read is proved first, so that no row of another program is vouched for anew. Nothing may be written
 * meanwhile. Throws ColumnError where the store is not what was written.
 */
export function layBeside(
  dataDir: string,
  from: StoreTables,
  { masterKey, stamp, randomBytes, check }: NewStore,
): IterableIterator<void> {
  return writeDatabase(besideIn(dataDir), stamp, {
    *fill(database) {
      database.exec(`${CACHE}; ${creationScript(ownerProof(masterKey))}`);
      const to = new StoreTables(database, masterKey, randomBytes);
      try {
        yield* copyTables(from, to);
      } finally {
        to.wipe();
      }
    },
    check,
  });
}

function* copyTables(from: StoreTables, to: StoreTables): IterableIterator<void> {
  for (const table of RECORD_TABLES) {
    let count = 0;
    for (const plain of from.records[table].contents()) {
      to.records[table].put(KEY_OF[table](plain), plain);
      count++;
      if (count % ROWS_IN_A_SLICE === 0) yield;
    }
  }
  const pages = [
    [from.journal.table, to.journal.table, journalKey],
    [from.rescanEntries, to.rescanEntries, rescanPageKey],
  ] as const;
  for (const [before, after, keyOf] of pages) {
    for (const plain of before.contents()) {
      after.put(keyOf(plain), plain);
      yield;
    }
  }
  yield* from.payments.copyTo(to.payments);
  yield* from.witnessParts.copyLastingTo(to.witnessParts);
  to.journal.adopt(from.journal.head);
  for (const block of from.blocks.all()) to.blocks.put(block);
  yield;
  yield* to.kept.takeAll(from.kept);
  const sealedState = from.readState();
  if (sealedState !== undefined) to.seal(sealedState.state);
}

/** Puts the file beside in its place, where it belongs to this owner. For stores that are not open. */
export function takeItsPlace(dataDir: string, owner: Uint8Array, steps: readonly NoteStoreStep[]): void {
  const beside = besideIn(dataDir);
  if (!isStoreOf(owner, beside, steps)) return;
  const file = path.join(dataDir, LEDGER_FILE);
  replaceDatabase(beside, file);
  // The copies are sealed with the old key, which opens nothing any more.
  removeKeptCopies(file);
}

/** To be called where the wallet file is known to have the key of `ledger.db`. */
export function dropBeside(dataDir: string): void {
  try {
    fs.rmSync(besideIn(dataDir), { force: true });
  } catch {
    // The next one to open the store tries again.
  }
}
