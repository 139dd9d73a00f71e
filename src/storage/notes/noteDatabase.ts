// The note store: an SQLite file with the wallet's records sealed one by one under keys derived from its master key,
// and chain data in clear. A copy of the file reveals how many notes and transactions there are, and which blocks were
// scanned last.

import path from 'node:path';
import {
  FreshRows,
  loadTable,
  type SealedTable,
  type Told,
  type WrittenRow,
} from '@wallet-companion/disk/rows';
import type { RandomBytes } from '@wallet-companion/disk/sealing';
import {
  ColumnError,
  type Database,
  guardDatabase,
  KeptCopies,
  migrateDatabase,
  putAside,
  requireWritableIfOurs,
  sqliteFault,
  transaction,
} from '@wallet-companion/disk/sqlite';
import { noteKey } from '@wallet-companion/zcash/identifiers';
import type { JournalKey, JournalPage, JournalPlace, RescanPage } from '../../actors/wallet/ports/journal.ts';
import type {
  NoteDatabase,
  NoteDatabases,
  NoteStoreChange,
  NoteStoreSlice,
  NullifierSighting,
  StoredSentOutput,
  StoredTransaction,
} from '../../actors/wallet/ports/noteDatabase.ts';
import type { KeyChange, KeyedPayment, StoredPayment } from '../../actors/wallet/ports/payment.ts';
import type { Memo, StoredNote } from '../../actors/wallet/ports/storedNote.ts';
import type { LastingChange, WitnessPart } from '../../actors/wallet/ports/witnessPart.ts';
import { CompanionError } from '../../protocol/errors.ts';
import { LEDGER_FILE, RESEALED_LEDGER_FILE, retiredLedgerFile } from '../files/dataFiles.ts';
import { NOTE_STORE_STEPS, type NoteStoreStep } from './migrations/steps.ts';
import {
  decodeHead,
  decodeMemo,
  decodeRecord,
  encodeRecord,
  encodeWithMemo,
  headOf,
  SharedTxids,
  transactionKey,
} from './noteRecords.ts';
import { dropBeside, layBeside, takeItsPlace } from './resealedStore.ts';
import {
  noteStoreDamaged,
  openStore,
  ownerProof,
  prepareFile,
  requireOwner,
  stampOf,
  unknownVersion,
} from './storeFile.ts';
import { type RecordTable, rowSumIn, StoreTables, type VouchedState } from './storeTables.ts';

/** One summary is one slice of a load: about 5 ms. */
const ROWS_PER_SUMMARY = 1_000;

export interface NoteDatabaseOptions {
  readonly dataDir: string;
  readonly randomBytes: RandomBytes;
  readonly rowsPerSummary?: number;
  /** The number of journal entries that are kept; older ones are deleted. */
  readonly keptEntries?: number;
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
      takeItsPlace(this.#dataDir, owner, steps);
      const wasThere = prepareFile(file, owner, steps);
      const database = openStore(file);
      try {
        requireOwner(database, owner);
        if (wasThere) dropBeside(this.#dataDir);
        const format = { steps, stampsPerVersion: 1, unknownVersion };
        migrateDatabase(file, database, format, { masterKey, randomBytes });
        requireWritableIfOurs(file, database, 'owner');
      } catch (error) {
        database.close();
        throw error instanceof ColumnError ? noteStoreDamaged() : error;
      }
      return openedStore(file, database, masterKey, this.#options);
    });
  }

  dropResealed(): void {
    dropBeside(this.#dataDir);
  }

  retire(): void {
    for (const name of [LEDGER_FILE, RESEALED_LEDGER_FILE])
      putAside(path.join(this.#dataDir, name), retiredLedgerFile);
  }
}

/** Closes the connection if it throws. */
function openedStore(
  file: string,
  database: Database,
  masterKey: Uint8Array,
  options: NoteDatabaseOptions,
): NoteDatabase {
  try {
    return new SealedNoteDatabase(file, database, masterKey, options);
  } catch (error) {
    database.close();
    throw error instanceof ColumnError ? noteStoreDamaged() : error;
  }
}

class SealedNoteDatabase implements NoteDatabase {
  readonly #file: string;
  readonly #database: Database;
  readonly #tables: StoreTables;
  readonly #options: NoteDatabaseOptions;
  readonly #rowsPerSummary: number;
  readonly #fresh: Readonly<Record<RecordTable, FreshRows>>;
  readonly #keptCopies: KeptCopies;
  /** One function per table, shared by its memos. */
  readonly #readMemos: Readonly<Record<RecordTable, (row: Uint8Array) => Uint8Array>>;
  #isOpen = true;
  #commitMs = 0;

  constructor(file: string, database: Database, masterKey: Uint8Array, options: NoteDatabaseOptions) {
    this.#file = file;
    this.#database = database;
    this.#options = options;
    this.#keptCopies = new KeptCopies(file);
    this.#tables = new StoreTables(database, masterKey, options.randomBytes, options);
    this.#rowsPerSummary = options.rowsPerSummary ?? ROWS_PER_SUMMARY;
    const freshOf = (name: RecordTable) => new FreshRows(name, this.#tables.summaries, this.#rowsPerSummary);
    this.#fresh = {
      notes: freshOf('notes'),
      sent_outputs: freshOf('sent_outputs'),
      transactions: freshOf('transactions'),
    };
    const memosOf = (name: RecordTable) => (row: Uint8Array) => this.#readMemo(name, row);
    this.#readMemos = {
      notes: memosOf('notes'),
      sent_outputs: memosOf('sent_outputs'),
      transactions: memosOf('transactions'),
    };
  }

  *load(): IterableIterator<NoteStoreSlice> {
    yield* this.#guarded(this.#slices());
  }

  get commitMs(): number {
    return this.#commitMs;
  }

  commit(change: NoteStoreChange): void {
    this.#write(() => {
      // Memos of rows that are about to be deleted must be read first.
      const notes = (change.putNotes ?? []).map((note) => [note, encodeWithMemo(note)] as const);
      const sentOutputs = (change.putSentOutputs ?? []).map(
        (output) => [output, encodeWithMemo(output)] as const,
      );
      if (change.clear === true) this.#clear();
      this.#delete(change);
      for (const [note, plain] of notes) this.#putRecord('notes', noteKey(note), plain, headOf(note));
      for (const [output, plain] of sentOutputs)
        this.#putRecord('sent_outputs', noteKey(output), plain, headOf(output));
      this.#put(change);
      this.#tables.journal.append(change.journal ?? []);
      this.#tables.seal(change.state);
    });
    for (const fresh of Object.values(this.#fresh)) fresh.summarise();
  }

  *reseal(masterKey: Uint8Array): IterableIterator<void> {
    const { randomBytes, migrations: steps = NOTE_STORE_STEPS } = this.#options;
    const folder = path.dirname(this.#file);
    const check = (file: string) => this.#readBack(file, masterKey);
    const slices = layBeside(folder, this.#tables, { masterKey, stamp: stampOf(steps), randomBytes, check });
    yield* this.#guarded(slices, path.join(folder, RESEALED_LEDGER_FILE));
  }

  /** Also makes the summaries, so that the session that continues with it need not open every row. */
  *#readBack(file: string, masterKey: Uint8Array): IterableIterator<void> {
    try {
      const store = openedStore(file, openStore(file), masterKey, this.#options);
      try {
        for (const _ of store.load()) yield;
      } finally {
        store.close();
      }
    } catch (error) {
      // The new store alone is unreadable: the present one is whole, and stays.
      const isUnreadable =
        error instanceof CompanionError ? error.code === 'WALLET_CORRUPT' : sqliteFault(error) === 'damaged';
      throw isUnreadable ? cannotReadBack() : error;
    }
  }

  findSightings(
    wanted: readonly Pick<NullifierSighting, 'pool' | 'nullifier'>[],
  ): (NullifierSighting | undefined)[] {
    return this.#guard(() => wanted.map((nullifier) => this.#tables.kept.find(nullifier)));
  }

  readJournal(after: JournalPlace | 'end' | undefined, limit: number): JournalPage | 'unknown' | 'dropped' {
    return this.#guard(() => this.#tables.journal.read(after, limit));
  }

  findReported(wanted: readonly JournalKey[]): (number | null)[] {
    return this.#guard(() => this.#tables.journal.findReported(wanted));
  }

  witnessPart(key: string): WitnessPart | undefined {
    return this.#guard(() => this.#tables.witnessParts.read(key));
  }

  keepWitnessParts(parts: readonly WitnessPart[]): void {
    this.#guard(() => this.#tables.witnessParts.put(parts));
  }

  lastingPart(key: string): Uint8Array | undefined {
    return this.#guard(() => this.#tables.witnessParts.readLasting(key));
  }

  changeLasting(change: LastingChange): void {
    this.#guard(() => {
      this.#database.useWriteAheadLog();
      transaction(this.#database, () => this.#tables.witnessParts.changeLasting(change));
    });
  }

  payments(): StoredPayment[] {
    return this.#guard(() => this.#tables.payments.all());
  }

  get paymentWrites(): number {
    return this.#guard(() => this.#tables.payments.writes);
  }

  putPayment(payment: StoredPayment, writes: number, key?: KeyChange): void {
    this.#guard(() => this.#tables.payments.put(payment, writes, key));
  }

  deletePayment(id: string, writes: number, key?: KeyChange): void {
    this.#guard(() => this.#tables.payments.delete(id, writes, key));
  }

  keyedPayment(key: string): KeyedPayment | undefined {
    return this.#guard(() => this.#tables.payments.keyed(key));
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#forgetFresh();
    this.#tables.wipe();
    this.#guard(() => this.#database.close());
  }

  /** Deletions come first, so that a record both deleted and put by one change exists afterwards. */
  #delete(change: NoteStoreChange): void {
    const { notes, sent_outputs: sentOutputs, transactions } = this.#tables.records;
    for (const note of change.deleteNotes ?? []) notes.delete(noteKey(note));
    for (const output of change.deleteSentOutputs ?? []) sentOutputs.delete(noteKey(output));
    for (const entry of change.deleteTransactions ?? []) transactions.delete(transactionKey(entry));
    for (const height of change.deleteBlocks ?? []) this.#tables.blocks.delete(height);
    if (change.deleteBlocksAbove !== undefined) {
      this.#tables.blocks.deleteAbove(change.deleteBlocksAbove);
      this.#tables.witnessParts.deleteAbove(change.deleteBlocksAbove);
    }
    for (const range of change.deleteNullifiers ?? []) this.#tables.kept.delete(range);
  }

  #clear(): void {
    this.#tables.clear();
    this.#forgetFresh();
  }

  #forgetFresh(): void {
    for (const fresh of Object.values(this.#fresh)) fresh.forget();
  }

  #putRecord(table: RecordTable, key: string, plain: Uint8Array, record: object): void {
    this.#fresh[table].add(putAndWipe(this.#tables.records[table], key, plain), record);
  }

  #put(change: NoteStoreChange): void {
    for (const entry of change.putTransactions ?? []) {
      this.#putRecord('transactions', transactionKey(entry), encodeRecord(entry), entry);
    }
    for (const page of change.putRescanPages ?? []) {
      if (page.rescanEntries.length === 0) this.#tables.rescanEntries.delete(String(page.page));
      else putAndWipe(this.#tables.rescanEntries, String(page.page), encodeRecord(page));
    }
    for (const block of change.putBlocks ?? []) this.#tables.blocks.put(block);
    this.#tables.kept.put(change.sightings ?? []);
    if (change.lasting !== undefined) this.#tables.witnessParts.changeLasting(change.lasting);
  }

  /** Transactions come first, so that notes and sent outputs can share the strings of their ids. */
  *#slices(): IterableIterator<NoteStoreSlice> {
    const sealedState = this.#tables.readState();
    if (sealedState !== undefined) yield { state: sealedState.state };
    yield { blocks: this.#tables.blocks.all() };
    this.#tables.kept.read();
    for (const plain of this.#tables.rescanEntries.contents()) {
      yield { rescanEntries: [decodeRecord<RescanPage>(plain)] };
      plain.fill(0);
    }
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
    const table = this.#tables.records[name];
    const { summaries } = this.#tables;
    const rowsPerSummary = this.#rowsPerSummary;
    return loadTable({ name, table, summaries, rowsPerSummary, vouched: rowSumIn(sealedState, name), parse });
  }

  #memo(name: RecordTable, row: string): Memo {
    return new SealedMemo(this.#readMemos[name], row);
  }

  #readMemo(name: RecordTable, row: Uint8Array): Uint8Array {
    return this.#guard(() => {
      const plain = this.#tables.records[name].find(row);
      const memo = plain === undefined ? undefined : decodeMemo(plain);
      plain?.fill(0);
      if (memo === undefined) throw noteStoreDamaged();
      return memo;
    });
  }

  /** One transaction; if it fails, the row sums too stay as they were. */
  #write(work: () => void): void {
    let undo: (() => void)[] = [];
    try {
      this.#guard(() => {
        undo = this.#tables.save();
        this.#database.useWriteAheadLog();
        transaction(this.#database, work, (ms) => {
          this.#commitMs += ms;
        });
        this.#keptCopies.afterCommit();
      });
    } catch (error) {
      for (const back of undo) back();
      this.#forgetFresh();
      throw error;
    }
  }

  *#guarded<T>(slices: Iterator<T>, file?: string): IterableIterator<T> {
    try {
      for (;;) {
        const next = this.#guard(() => slices.next(), file);
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      slices.return?.();
    }
  }

  #guard<T>(work: () => T, file: string = this.#file): T {
    return guardDatabase(file, noteStoreDamaged, () => {
      try {
        return work();
      } catch (error) {
        throw error instanceof ColumnError ? noteStoreDamaged() : error;
      }
    });
  }
}

const cannotReadBack = (): CompanionError =>
  new CompanionError(
    'STORAGE_FAILED',
    'What was written could not be read back: the disk fails. Nothing was changed; check the disk, and try again.',
  );

function putAndWipe(table: SealedTable, key: string, plain: Uint8Array): WrittenRow {
  const row = table.put(key, plain);
  plain.fill(0);
  return row;
}

/** A memo that stays in its row until it is read. */
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
