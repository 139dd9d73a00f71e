// The note store as a file: its stamp, its tables, its owner, and the errors when one of these is wrong.

import fs from 'node:fs';
import { bytesToHex, equalBytes } from '@wallet-companion/base/bytes';
import { isKnownVersion, latestVersion } from '@wallet-companion/disk/files';
import { SUMMARIES_SCHEMA, sealedTableSchema } from '@wallet-companion/disk/rows';
import { deriveSubkey } from '@wallet-companion/disk/sealing';
import {
  bytesColumn,
  ColumnError,
  createDatabase,
  type Database,
  type DatabaseStamp,
  hasOurSchema,
  inspectDatabase,
  openDatabase,
  sideFilesOf,
  sqliteFault,
} from '@wallet-companion/disk/sqlite';
import { CompanionError } from '../../protocol/errors.ts';
import { LEDGER_FILE } from '../files/dataFiles.ts';
import { JOURNAL_TABLE } from './journal.ts';
import type { NoteStoreStep } from './migrations/steps.ts';
import { NULLIFIER_MAP_SCHEMA } from './nullifierMap.ts';
import { PAYMENT_TABLES } from './payments.ts';
import { SCANNED_BLOCKS_SCHEMA } from './scannedBlocks.ts';
import { RECORD_TABLES, RESCAN_TABLE, STATE_TABLE } from './storeTables.ts';
import { WITNESS_PARTS_SCHEMA } from './witnessParts.ts';

/** "WCld"; the other half of the stamp is the version. */
const APPLICATION_ID = 0x57436c64;

const SCHEMA = [
  'CREATE TABLE owner(proof BLOB NOT NULL)',
  ...[...RECORD_TABLES, STATE_TABLE, JOURNAL_TABLE, RESCAN_TABLE, ...PAYMENT_TABLES].map(sealedTableSchema),
  SCANNED_BLOCKS_SCHEMA,
  NULLIFIER_MAP_SCHEMA,
  SUMMARIES_SCHEMA,
  WITNESS_PARTS_SCHEMA,
].join(';\n');

/** 16 MiB of pages: the working set of a commit that keeps the nullifiers of 64 full blocks. */
export const CACHE = `PRAGMA cache_size = -${16 * 1024}`;

export const noteStoreDamaged = (): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    `The note store (${LEDGER_FILE}) is damaged, or its disk fails; it was left as it is. If it stays so, move it away, unlock and rescan: it holds what was scanned, no keys.`,
  );

export const unknownVersion = (version: number): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    `The note store (${LEDGER_FILE}) has format ${version}, which this program does not know; it was left as it is. A newer program wrote it, or a build from before the first release: use that one, or move the file away and rescan.`,
  );

export const stampOf = (steps: readonly NoteStoreStep[]): DatabaseStamp => ({
  applicationId: APPLICATION_ID,
  userVersion: latestVersion(steps),
});

/** Makes an empty store of this owner. */
export const creationScript = (owner: Uint8Array): string =>
  `${SCHEMA};\nINSERT INTO owner VALUES (x'${bytesToHex(owner)}')`;

/** Makes the file where there is none, and refuses one that is not ours. False where it was made. */
export function prepareFile(file: string, owner: Uint8Array, steps: readonly NoteStoreStep[]): boolean {
  const found = inspectDatabase(file);
  if (found.kind === 'absent') {
    // A journal without its database is worthless, and SQLite would replay it into the new one.
    for (const sideFile of sideFilesOf(file)) fs.rmSync(sideFile);
    createDatabase(file, stampOf(steps), creationScript(owner));
    return false;
  }
  if (found.kind === 'other' || found.applicationId !== APPLICATION_ID) throw noteStoreDamaged();
  // Checked before SQLite opens it, so that a file of a newer program is not touched.
  if (!isKnownVersion(found.userVersion, steps)) throw unknownVersion(found.userVersion);
  return true;
}

/** Opens a store. Throws where the tables are not ours. */
export function openStore(file: string): Database {
  const database = openDatabase(file);
  try {
    database.exec(`PRAGMA synchronous = FULL; ${CACHE}`);
    if (!hasOurSchema(database, [SCHEMA])) throw noteStoreDamaged();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Shows which wallet a store belongs to, but only to its owner. */
export const ownerProof = (masterKey: Uint8Array): Uint8Array => deriveSubkey(masterKey, 'ledger/owner/1');

export function isOwnedBy(owner: Uint8Array, database: Database): boolean {
  const row = database.prepare('SELECT proof FROM owner').get();
  if (row === undefined) throw noteStoreDamaged();
  return equalBytes(bytesColumn(row, 'proof'), owner);
}

/** Whether the file is a whole store of this owner. Not for a file that is open. */
export function isStoreOf(owner: Uint8Array, file: string, steps: readonly NoteStoreStep[]): boolean {
  const found = inspectDatabase(file);
  if (found.kind !== 'database' || found.applicationId !== APPLICATION_ID) return false;
  if (!isKnownVersion(found.userVersion, steps)) return false;
  let database: Database | undefined;
  try {
    database = openStore(file);
    return isOwnedBy(owner, database);
  } catch (error) {
    const isDamaged = error instanceof CompanionError || error instanceof ColumnError;
    if (isDamaged || sqliteFault(error) === 'damaged') return false;
    throw error;
  } finally {
    database?.close();
  }
}

export function requireOwner(database: Database, owner: Uint8Array): void {
  if (isOwnedBy(owner, database)) return;
  throw new CompanionError(
    'WALLET_CORRUPT',
    `The note store (${LEDGER_FILE}) belongs to another wallet file, or to this one from before or after a change of password; it was left as it is. Put back the wallet file it came with, or move the store away and rescan.`,
  );
}
