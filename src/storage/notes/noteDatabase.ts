// The note store: an SQLite file with the wallet's records sealed one by one under keys derived from its master key,
// and chain data in clear. A copy of the file reveals how many notes and transactions there are, and which blocks were
// scanned last.

import fs from 'node:fs';
import path from 'node:path';
import type {
  Memo,
  NoteDatabase,
  NoteDatabases,
  NoteStoreChange,
  NoteStoreSlice,
  NullifierSighting,
  StoredNote,
  StoredSentOutput,
  StoredTransaction,
} from '../../actors/wallet/ports/storage.ts';
import { CompanionError } from '../../protocol/errors.ts';
import { bytesToHex, equalBytes } from '../../shielded/bytes.ts';
import { LEDGER_FILE, retiredLedgerFile } from '../files/dataFiles.ts';
import { storageFailed } from '../files/failures.ts';
import { isKnownVersion, keptCopiesOf, latestVersion } from '../files/migrations.ts';
import { RowPrf } from '../sealing/rowPrf.ts';
import { deriveSubkey, type RandomBytes } from '../sealing/sealing.ts';
import { createDatabase, inspectDatabase, sideFilesOf } from '../sqlite/databaseFile.ts';
import { guardDatabase } from '../sqlite/guardDatabase.ts';
import { KeptCopies, migrateDatabase } from '../sqlite/migrations.ts';
import { hasOurSchema } from '../sqlite/schemaCheck.ts';
import { bytesColumn, ColumnError, type Database, openDatabase, transaction } from '../sqlite/sqlite.ts';
import { KeptProofs } from './keptProofs.ts';
import { EARLIER_NOTE_STORE_SCHEMA, NOTE_STORE_STEPS, type NoteStoreStep } from './migrations/steps.ts';
import {
  decodeHead,
  decodeMemo,
  decodeRecord,
  encodeRecord,
  encodeWithMemo,
  noteKey,
  SharedTxids,
  sentOutputKey,
  transactionKey,
} from './noteRecords.ts';
import { KEPT_TALLIES_TABLE, NULLIFIER_MAP_SCHEMA, NullifierMap } from './nullifierMap.ts';
import { SCANNED_BLOCKS_SCHEMA, ScannedBlocks } from './scannedBlocks.ts';
import { SealedTable, sealedTableSchema } from './sealedTable.ts';
import { SUMMARIES_SCHEMA, Summaries, type Told } from './summaries.ts';
import { loadTable } from './tableLoad.ts';
import { TALLIED_ROW, type Tally } from './tally.ts';
import { tallyIn, type VouchedState, vouched } from './vouchedState.ts';

/** "WCld"; the other half of the stamp is the version. */
const APPLICATION_ID = 0x57436c64;

/** Tables whose rows the state vouches for. */
const RECORD_TABLES = ['notes', 'sent_outputs', 'transactions'] as const;
type RecordTable = (typeof RECORD_TABLES)[number];
const STATE_TABLE = 'state';
const STATE_KEY = 'state';

const SCHEMA = [
  'CREATE TABLE owner(proof BLOB NOT NULL)',
  ...[...RECORD_TABLES, STATE_TABLE].map(sealedTableSchema),
  SCANNED_BLOCKS_SCHEMA,
  NULLIFIER_MAP_SCHEMA,
].join(';\n');

/** One summary is one slice of a load: about 5 ms. */
const ROWS_PER_SUMMARY = 1_000;

/** 16 MiB of pages: the working set of a commit that keeps the nullifiers of 64 full blocks. */
const CACHE_KIB = 16 * 1024;

export interface NoteDatabaseOptions {
  readonly dataDir: string;
  readonly randomBytes: RandomBytes;
  readonly rowsPerSummary?: number;
  readonly migrations?: readonly NoteStoreStep[];
}

/** The note stores of an existing data directory. */
export function createNoteDatabases(options: NoteDatabaseOptions): NoteDatabases {
  return new SealedNoteDatabases(options);
}

class SealedNoteDatabases implements NoteDatabases {
  readonly #dataDir: string;
  readonly #options: NoteDatabaseOptions;

  constructor(options: NoteDatabaseOptions) {
    this.#dataDir = options.dataDir;
    this.#options = options;
  }

  open(masterKey: Uint8Array): NoteDatabase {
    const file = path.join(this.#dataDir, LEDGER_FILE);
    const owner = ownerProof(masterKey);
    const { randomBytes, migrations: steps = NOTE_STORE_STEPS } = this.#options;
    return guardDatabase(file, noteStoreDamaged, () => {
      prepareFile(file, owner, steps);
      const database = openDatabase(file);
      try {
        database.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE_KIB}`);
        const schema = [SCHEMA, SUMMARIES_SCHEMA, ...EARLIER_NOTE_STORE_SCHEMA];
        if (!hasOurSchema(database, schema)) throw noteStoreDamaged();
        requireOwner(database, owner);
        const format = { steps, stampsPerVersion: 1, unknownVersion };
        migrateDatabase(file, database, format, { masterKey, randomBytes });
        return new SealedNoteDatabase(file, database, masterKey, this.#options);
      } catch (error) {
        database.close();
        throw error instanceof ColumnError ? noteStoreDamaged() : error;
      }
    });
  }

  retire(): void {
    const file = path.join(this.#dataDir, LEDGER_FILE);
    try {
      if (fs.lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
      const aside = this.#freeName();
      const beside = [...sideFilesOf(file), ...keptCopiesOf(file)];
      fs.renameSync(file, aside);
      for (const other of beside) fs.renameSync(other, aside + other.slice(file.length));
    } catch (error) {
      throw storageFailed('written', file, error);
    }
  }

  #freeName(): string {
    for (let number = 1; ; number++) {
      const candidate = path.join(this.#dataDir, retiredLedgerFile(number));
      if (fs.lstatSync(candidate, { throwIfNoEntry: false }) === undefined) return candidate;
    }
  }
}

const noteStoreDamaged = (): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    `The note store (${LEDGER_FILE}) is damaged, or its disk fails; it was left as it is. If it stays so, move it away, unlock and rescan: it holds what was scanned, no keys.`,
  );

const unknownVersion = (version: number): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    `The note store (${LEDGER_FILE}) has format ${version}, which this program does not know; it was left as it is. Use the newer program, or move the file away and rescan.`,
  );

function prepareFile(file: string, owner: Uint8Array, steps: readonly NoteStoreStep[]): void {
  const found = inspectDatabase(file);
  if (found.kind === 'absent') {
    // A journal without its database is worthless, and SQLite would replay it into the new one.
    for (const sideFile of sideFilesOf(file)) fs.rmSync(sideFile);
    const stamp = { applicationId: APPLICATION_ID, userVersion: latestVersion(steps) };
    createDatabase(file, stamp, `${SCHEMA};\nINSERT INTO owner VALUES (x'${bytesToHex(owner)}')`);
    return;
  }
  if (found.kind === 'other' || found.applicationId !== APPLICATION_ID) throw noteStoreDamaged();
  // Checked before SQLite opens it, so that a file of a newer program is not touched.
  if (!isKnownVersion(found.userVersion, steps)) throw unknownVersion(found.userVersion);
}

/** Shows which wallet a store belongs to, but only to its owner. */
const ownerProof = (masterKey: Uint8Array): Uint8Array => deriveSubkey(masterKey, 'ledger/owner/1');

function requireOwner(database: Database, owner: Uint8Array): void {
  const row = database.prepare('SELECT proof FROM owner').get();
  if (row === undefined) throw noteStoreDamaged();
  if (equalBytes(bytesColumn(row, 'proof'), owner)) return;
  throw new CompanionError(
    'WALLET_CORRUPT',
    `The note store (${LEDGER_FILE}) belongs to another wallet; it was left as it is. Put back the wallet file it came with, or move the store away and rescan.`,
  );
}

class SealedNoteDatabase implements NoteDatabase {
  readonly #file: string;
  readonly #database: Database;
  readonly #sealingKey: Uint8Array;
  readonly #namingKey: Uint8Array;
  readonly #proofKey: Uint8Array;
  readonly #prfs: RowPrf[] = [];
  readonly #keptProofs: KeptProofs;
  readonly #tables: Readonly<Record<RecordTable, SealedTable>>;
  readonly #state: SealedTable;
  /** All that the state vouches for, by table. */
  readonly #tallies: Readonly<Record<string, Tally>>;
  readonly #blocks: ScannedBlocks;
  readonly #kept: NullifierMap;
  readonly #summaries: Summaries;
  readonly #keptCopies: KeptCopies;
  readonly #rowsPerSummary: number;
  /** One for each table, shared by its memos. */
  readonly #readMemos: Readonly<Record<RecordTable, (row: Uint8Array) => Uint8Array>>;
  #isOpen = true;

  constructor(
    file: string,
    database: Database,
    masterKey: Uint8Array,
    { randomBytes, rowsPerSummary = ROWS_PER_SUMMARY }: NoteDatabaseOptions,
  ) {
    this.#rowsPerSummary = rowsPerSummary;
    this.#file = file;
    this.#keptCopies = new KeptCopies(file);
    this.#database = database;
    this.#sealingKey = deriveSubkey(masterKey, 'ledger/seal/1');
    this.#namingKey = deriveSubkey(masterKey, 'ledger/name/1');
    this.#proofKey = deriveSubkey(masterKey, 'ledger/blocks/1');
    this.#keptProofs = new KeptProofs(masterKey);
    const prf = (table: string): RowPrf => {
      const made = new RowPrf(deriveSubkey(masterKey, `ledger/tally/2/${table}`), TALLIED_ROW);
      this.#prfs.push(made);
      return made;
    };
    const table = (name: string): SealedTable => {
      const keys = { sealing: this.#sealingKey, naming: this.#namingKey, tally: prf(name) };
      return new SealedTable(database, name, keys, randomBytes);
    };
    this.#tables = {
      notes: table('notes'),
      sent_outputs: table('sent_outputs'),
      transactions: table('transactions'),
    };
    this.#state = table(STATE_TABLE);
    this.#blocks = new ScannedBlocks(database, this.#proofKey, prf('blocks'));
    this.#kept = new NullifierMap(database, table(KEPT_TALLIES_TABLE), this.#keptProofs, randomBytes);
    this.#tallies = {
      notes: this.#tables.notes.tally,
      sent_outputs: this.#tables.sent_outputs.tally,
      transactions: this.#tables.transactions.tally,
      blocks: this.#blocks.tally,
      [KEPT_TALLIES_TABLE]: this.#kept.table.tally,
    };
    this.#summaries = new Summaries(database, this.#sealingKey, randomBytes);
    const memosOf = (name: RecordTable) => (row: Uint8Array) => this.#readMemo(name, row);
    this.#readMemos = {
      notes: memosOf('notes'),
      sent_outputs: memosOf('sent_outputs'),
      transactions: memosOf('transactions'),
    };
    this.#adoptTallies(this.#readState());
  }

  *load(): IterableIterator<NoteStoreSlice> {
    const slices = this.#slices();
    for (;;) {
      const next = this.#guard(() => slices.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  commit(change: NoteStoreChange): void {
    this.#write(() => {
      // Memos of rows that are about to be deleted must be read first.
      const notes = (change.putNotes ?? []).map((note) => [noteKey(note), encodeWithMemo(note)] as const);
      const sentOutputs = (change.putSentOutputs ?? []).map(
        (output) => [sentOutputKey(output), encodeWithMemo(output)] as const,
      );
      if (change.clear === true) this.#clear();
      this.#delete(change);
      for (const [key, plain] of notes) this.#tables.notes.put(key, plain);
      for (const [key, plain] of sentOutputs) this.#tables.sent_outputs.put(key, plain);
      this.#put(change);
      this.#kept.seal();
      this.#state.put(STATE_KEY, encodeRecord(vouched(change.state, this.#tallies)));
    });
  }

  findSightings(
    wanted: readonly Pick<NullifierSighting, 'pool' | 'nullifier'>[],
  ): (NullifierSighting | undefined)[] {
    return this.#guard(() => wanted.map((nullifier) => this.#kept.find(nullifier)));
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const key of [this.#sealingKey, this.#namingKey, this.#proofKey]) key.fill(0);
    for (const keyed of [...this.#prfs, this.#keptProofs]) keyed.wipe();
    this.#guard(() => this.#database.close());
  }

  #clear(): void {
    for (const name of RECORD_TABLES) this.#tables[name].clear();
    this.#state.clear();
    this.#summaries.clear();
    this.#blocks.deleteAbove(-1);
    this.#kept.clear();
  }

  /** Deletions come first, so that a record both deleted and put by one change exists afterwards. */
  #delete(change: NoteStoreChange): void {
    const { notes, sent_outputs: sentOutputs, transactions } = this.#tables;
    for (const note of change.deleteNotes ?? []) notes.delete(noteKey(note));
    for (const output of change.deleteSentOutputs ?? []) sentOutputs.delete(sentOutputKey(output));
    for (const entry of change.deleteTransactions ?? []) transactions.delete(transactionKey(entry));
    for (const height of change.deleteBlocks ?? []) this.#blocks.delete(height);
    if (change.deleteBlocksAbove !== undefined) this.#blocks.deleteAbove(change.deleteBlocksAbove);
    if (change.deleteNullifiersUpTo !== undefined) this.#kept.deleteUpTo(change.deleteNullifiersUpTo);
    if (change.deleteNullifiersAbove !== undefined) this.#kept.deleteAbove(change.deleteNullifiersAbove);
  }

  #put(change: NoteStoreChange): void {
    const { transactions } = this.#tables;
    for (const entry of change.putTransactions ?? []) {
      transactions.put(transactionKey(entry), encodeRecord(entry));
    }
    for (const block of change.putBlocks ?? []) this.#blocks.put(block);
    this.#kept.put(change.sightings ?? []);
  }

  /** Transactions come first, so that notes and sent outputs can share the strings of their ids. */
  *#slices(): IterableIterator<NoteStoreSlice> {
    const sealedState = this.#readState();
    if (sealedState !== undefined) yield { state: { ...UNCOUNTED, ...sealedState.state } };
    yield { blocks: this.#blocks.all() };
    this.#kept.read();
    const txids = new SharedTxids();
    for (const rows of this.#rows('transactions', sealedState, decodeRecord<StoredTransaction>)) {
      yield { transactions: rows.map(({ record }) => txids.transaction(record)) };
    }
    for (const rows of this.#rows('notes', sealedState, decodeHead<StoredNote>)) {
      yield {
        notes: rows.map(({ name, record }) =>
          txids.note(record, record.memo === null ? null : this.#memo('notes', name)),
        ),
      };
    }
    for (const rows of this.#rows('sent_outputs', sealedState, decodeHead<StoredSentOutput>)) {
      yield {
        sentOutputs: rows.map(({ name, record }) =>
          txids.sentOutput(record, this.#memo('sent_outputs', name)),
        ),
      };
    }
  }

  #rows<T>(
    name: RecordTable,
    sealedState: VouchedState | undefined,
    parse: (plain: Uint8Array) => T,
  ): IterableIterator<readonly Told<T>[]> {
    const table = this.#tables[name];
    const summaries = this.#summaries;
    const rowsPerSummary = this.#rowsPerSummary;
    return loadTable({ name, table, summaries, rowsPerSummary, vouched: tallyIn(sealedState, name), parse });
  }

  #memo(name: RecordTable, row: string): Memo {
    return new SealedMemo(this.#readMemos[name], row);
  }

  #readState(): VouchedState | undefined {
    const [row] = this.#state.rowsFrom(0);
    if (row === undefined) return undefined;
    const plain = this.#state.open(row);
    if (plain === undefined) throw noteStoreDamaged();
    return decodeRecord<VouchedState>(plain);
  }

  #readMemo(name: RecordTable, row: Uint8Array): Uint8Array {
    return this.#guard(() => {
      const plain = this.#tables[name].find(row);
      const memo = plain === undefined ? undefined : decodeMemo(plain);
      if (memo === undefined) throw noteStoreDamaged();
      return memo;
    });
  }

  #adoptTallies(sealedState: VouchedState | undefined): void {
    for (const [name, tally] of Object.entries(this.#tallies)) tally.reset(tallyIn(sealedState, name));
  }

  /** One transaction; if it fails, the tallies too stay as they were. */
  #write(work: () => void): void {
    let undo: (() => void)[] = [];
    try {
      this.#guard(() => {
        undo = [this.#kept.save(), ...Object.values(this.#tallies).map((tally) => tally.save())];
        this.#database.useWriteAheadLog();
        transaction(this.#database, work);
        this.#keptCopies.afterCommit();
      });
    } catch (error) {
      for (const back of undo) back();
      throw error;
    }
  }

  #guard<T>(work: () => T): T {
    return guardDatabase(this.#file, noteStoreDamaged, () => {
      try {
        return work();
      } catch (error) {
        throw error instanceof ColumnError ? noteStoreDamaged() : error;
      }
    });
  }
}

/** Stays in its row until somebody reads it. */
class SealedMemo implements Memo {
  readonly #read: (row: Uint8Array) => Uint8Array;
  /** Name of the row, one character per byte: an array would take five times the memory. */
  readonly #row: string;

  constructor(read: (row: Uint8Array) => Uint8Array, row: string) {
    this.#read = read;
    this.#row = row;
  }

  read(): Uint8Array {
    return this.#read(Buffer.from(this.#row, 'latin1'));
  }
}
/** Values for what stores of earlier versions do not hold. */
const UNCOUNTED = { exportCount: 0 };
