// The invoices of a wallet: an SQLite file with a sealed row each, apart from the note store, which people may move away and
// scan again. Nothing on the chain gives a row back, so a sealed head states what all of them add up to.
//
// Rows are sealed with keys of the file, and those with the master key. A change of password adds a key, and a list of the
// keys sealed with the next master key; the first opening afterwards drops the other list. So a crash at any moment leaves a
// file that the wallet file's master key opens, and an earlier one opens nothing that was written later.

import fs from 'node:fs';
import path from 'node:path';
import { bytesToHex, concatBytes, hexToBytes, wipe } from '@wallet-companion/base/bytes';
import { isKnownVersion, latestVersion } from '@wallet-companion/disk/files';
import {
  EMPTY_ROW_SUM,
  NAME_SIZE,
  SealedTable,
  SUMMED_ROW,
  sealedTableSchema,
} from '@wallet-companion/disk/rows';
import {
  deriveSubkey,
  KEY_SIZE,
  type RandomBytes,
  RowPrf,
  seal,
  unseal,
} from '@wallet-companion/disk/sealing';
import {
  bytesColumn,
  ColumnError,
  createDatabase,
  type Database,
  guardDatabase,
  hasOurSchema,
  inspectDatabase,
  KeptCopies,
  migrateDatabase,
  openDatabase,
  putAside,
  requireWritableIfOurs,
  sideFilesOf,
  transaction,
} from '@wallet-companion/disk/sqlite';
import type {
  InvoiceFiles,
  InvoiceStore,
  StoredDay,
  StoredInvoice,
} from '../../actors/wallet/ports/invoice.ts';
import { CompanionError } from '../../protocol/errors.ts';
import { INVOICES_FILE, retiredInvoicesFile } from '../files/dataFiles.ts';
import { decodeRecord, encodeRecord } from '../notes/noteRecords.ts';
import { INVOICE_FILE_STEPS, type InvoiceFileKeys } from './migrations/steps.ts';

/** "WCin"; the other half of the stamp is the version. */
const APPLICATION_ID = 0x5743696e;
const STAMP = { applicationId: APPLICATION_ID, userVersion: latestVersion(INVOICE_FILE_STEPS) };
const [KEYS_TABLE, ROWS_TABLE, HEAD_TABLE] = ['keys', 'invoices', 'head'] as const;
const SCHEMA = [KEYS_TABLE, ROWS_TABLE, HEAD_TABLE].map(sealedTableSchema).join(';\n');
const SERIES_SIZE = 8;
const HEAD_KEY = 'head';
const KEYS_CONTEXT = new TextEncoder().encode('keys');

interface Head {
  readonly count: number;
  readonly sum: string;
  readonly sequence: number;
}

export interface InvoiceFilesOptions {
  /** The folder exists already. */
  readonly dataDir: string;
  readonly randomBytes: RandomBytes;
}

export const createInvoiceFiles = ({ dataDir, randomBytes }: InvoiceFilesOptions): InvoiceFiles => {
  const file = path.join(dataDir, INVOICES_FILE);
  return {
    open: (masterKey) => new InvoiceFile(file, masterKey, randomBytes),
    addKey: (masterKey, next) =>
      guarded(file, () => {
        const database = openFile(file, { masterKey, randomBytes });
        if (database === undefined) return;
        const [present, coming] = [new MasterKey(masterKey), new MasterKey(next)];
        try {
          const keys = [...openKeys(database, present), randomBytes(KEY_SIZE)];
          putKeys(database, coming, keys, randomBytes);
          wipe(...keys);
        } finally {
          present.wipe();
          coming.wipe();
          database.close();
        }
      }),
    retire: () => putAside(file, retiredInvoicesFile),
  };
};

class InvoiceFile implements InvoiceStore {
  readonly #file: string;
  readonly #masterKey: MasterKey;
  readonly #randomBytes: RandomBytes;
  readonly #keptCopies: KeptCopies;
  #open: { readonly database: Database; readonly tables: Tables } | undefined;

  constructor(file: string, masterKey: Uint8Array, randomBytes: RandomBytes) {
    this.#file = file;
    this.#masterKey = new MasterKey(masterKey);
    this.#randomBytes = randomBytes;
    this.#keptCopies = new KeptCopies(file);
    this.#guard(() => this.#openExisting(openFile(file, { masterKey, randomBytes })));
  }

  get sequence(): number {
    return this.#open?.tables.sequence ?? 0;
  }

  get series(): string | null {
    return this.#open?.tables.series ?? null;
  }

  *load(): IterableIterator<readonly StoredInvoice[]> {
    const rows = this.#open?.tables.load();
    for (;;) {
      const next = this.#guard(() => rows?.next());
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  }

  days(): readonly StoredDay[] {
    return this.#open?.tables.days ?? [];
  }

  put(invoices: readonly StoredInvoice[], sequence: number, day?: StoredDay): void {
    this.#guard(() => {
      if (this.#open === undefined) this.#create();
      const { database, tables } = this.#open!;
      database.useWriteAheadLog();
      const undo = tables.save();
      try {
        transaction(database, () => tables.put(invoices, sequence, day));
      } catch (error) {
        undo();
        throw error;
      }
      tables.sequence = sequence;
      if (day !== undefined) tables.days[day.number - 1] = day;
      this.#keptCopies.afterCommit();
    });
  }

  close(): void {
    this.#masterKey.wipe();
    this.#open?.tables.wipe();
    this.#open?.database.close();
    this.#open = undefined;
  }

  #create(): void {
    for (const sideFile of sideFilesOf(this.#file)) fs.rmSync(sideFile);
    const keys = [this.#randomBytes(KEY_SIZE)];
    const [name, sealed] = sealedKeys(this.#masterKey, keys, this.#randomBytes).map(bytesToHex);
    wipe(...keys);
    createDatabase(
      this.#file,
      STAMP,
      `${SCHEMA};\nINSERT INTO ${KEYS_TABLE}(name, sealed) VALUES (x'${name}', x'${sealed}')`,
    );
    this.#openExisting(openFile(this.#file));
  }

  #openExisting(database: Database | undefined): void {
    if (database === undefined) return;
    try {
      const keys = openKeys(database, this.#masterKey);
      // The wallet file decides which master key holds: the other one is that of a change of password, before or after it.
      const { name } = this.#masterKey;
      const others = database.prepare(`SELECT 1 FROM ${KEYS_TABLE} WHERE name <> ?`).get(name);
      if (others !== undefined) database.prepare(`DELETE FROM ${KEYS_TABLE} WHERE name <> ?`).run(name);
      this.#open = { database, tables: new Tables(database, keys, this.#randomBytes) };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  #guard<T>(work: () => T): T {
    return guarded(this.#file, work);
  }
}

/** The rows and what they add up to. */
class Tables {
  readonly #keys: readonly Uint8Array[];
  readonly #prf: RowPrf;
  readonly #rows: SealedTable;
  readonly #head: SealedTable;
  readonly series: string;
  /** By number. */
  readonly days: StoredDay[] = [];
  sequence: number;

  /** Takes the keys over. Throws ColumnError where the head does not open. */
  constructor(database: Database, keys: readonly Uint8Array[], randomBytes: RandomBytes) {
    const [first] = keys;
    const naming = deriveSubkey(first!, 'invoices/name/1');
    this.#keys = [...keys, naming];
    this.series = bytesToHex(deriveSubkey(first!, 'invoices/series/1').subarray(0, SERIES_SIZE));
    this.#prf = new RowPrf(deriveSubkey(first!, 'invoices/row_sum/1'), SUMMED_ROW);
    const sealed = { sealing: keys.at(-1)!, earlier: keys.slice(0, -1), naming, rowSum: this.#prf };
    this.#rows = new SealedTable(database, ROWS_TABLE, sealed, randomBytes);
    this.#head = new SealedTable(database, HEAD_TABLE, sealed, randomBytes);
    const [row] = this.#head.rowsFrom(0);
    const plain = row && this.#head.open(row);
    if (row !== undefined && plain === undefined) throw new ColumnError('the head does not open');
    const head = plain && decodeRecord<Head>(plain);
    this.#rows.rowSum.reset(head ? { count: head.count, sum: hexToBytes(head.sum) } : EMPTY_ROW_SUM);
    this.sequence = head?.sequence ?? 0;
  }

  *load(): IterableIterator<readonly StoredInvoice[]> {
    let slice: StoredInvoice[] = [];
    for (const plain of this.#rows.contents()) {
      const record = decodeRecord<StoredInvoice | StoredDay>(plain);
      if ('openedAt' in record) this.days[record.number - 1] = record;
      else slice.push(record);
      wipe(plain);
      if (slice.length < 100) continue;
      yield slice;
      slice = [];
    }
    yield slice;
  }

  save(): () => void {
    return this.#rows.save();
  }

  put(invoices: readonly StoredInvoice[], sequence: number, day?: StoredDay): void {
    if (day !== undefined) this.#rows.put(`day ${day.number}`, encodeRecord(day));
    for (const invoice of invoices) {
      const plain = encodeRecord(invoice);
      this.#rows.put(invoice.id, plain);
      wipe(plain);
    }
    const { count, sum } = this.#rows.rowSum.value();
    this.#head.put(HEAD_KEY, encodeRecord({ count, sum: bytesToHex(sum), sequence } satisfies Head));
  }

  wipe(): void {
    wipe(...this.#keys);
    this.#prf.wipe();
  }
}

/** What a master key is here: the name and the seal of its list of keys. */
class MasterKey {
  readonly name: Uint8Array;
  readonly sealing: Uint8Array;

  constructor(masterKey: Uint8Array) {
    this.name = deriveSubkey(masterKey, 'invoices/owner/1').subarray(0, NAME_SIZE);
    this.sealing = deriveSubkey(masterKey, 'invoices/keys/1');
  }

  wipe(): void {
    wipe(this.sealing);
  }
}

function sealedKeys(
  { name, sealing }: MasterKey,
  keys: readonly Uint8Array[],
  randomBytes: RandomBytes,
): [Uint8Array, Uint8Array] {
  const plain = concatBytes(...keys);
  const sealed = seal(sealing, plain, KEYS_CONTEXT, randomBytes);
  wipe(plain);
  return [name, sealed];
}

function putKeys(
  database: Database,
  masterKey: MasterKey,
  keys: readonly Uint8Array[],
  randomBytes: RandomBytes,
): void {
  database
    .prepare(`INSERT OR REPLACE INTO ${KEYS_TABLE}(name, sealed) VALUES (?, ?)`)
    .run(...sealedKeys(masterKey, keys, randomBytes));
}

function openKeys(database: Database, { name, sealing }: MasterKey): Uint8Array[] {
  const row = database.prepare(`SELECT sealed FROM ${KEYS_TABLE} WHERE name = ?`).get(name);
  if (row === undefined) throw foreign();
  const plain = unseal(sealing, bytesColumn(row, 'sealed'), KEYS_CONTEXT);
  if (plain === undefined || plain.length === 0 || plain.length % KEY_SIZE !== 0) throw damaged();
  const keys = Array.from({ length: plain.length / KEY_SIZE }, (_, i) =>
    plain.slice(i * KEY_SIZE, (i + 1) * KEY_SIZE),
  );
  wipe(plain);
  return keys;
}

/** Undefined where there is no file. Refuses one that is not ours before SQLite opens it. `keys`: for one of an earlier version. */
function openFile(file: string, keys?: InvoiceFileKeys): Database | undefined {
  const found = inspectDatabase(file);
  if (found.kind === 'absent') return undefined;
  if (found.kind === 'other' || found.applicationId !== APPLICATION_ID) throw damaged();
  if (!isKnownVersion(found.userVersion, INVOICE_FILE_STEPS)) throw unknownVersion(found.userVersion);
  const database = openDatabase(file);
  try {
    database.exec('PRAGMA synchronous = FULL');
    if (!hasOurSchema(database, [SCHEMA])) throw damaged();
    const format = { steps: INVOICE_FILE_STEPS, stampsPerVersion: 1, unknownVersion };
    if (keys !== undefined) migrateDatabase(file, database, format, keys);
    requireWritableIfOurs(file, database, KEYS_TABLE);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function guarded<T>(file: string, work: () => T): T {
  return guardDatabase(file, damaged, () => {
    try {
      return work();
    } catch (error) {
      throw error instanceof ColumnError ? damaged() : error;
    }
  });
}

const WHAT_TO_DO =
  'it was left as it is. Put back a copy of it, or move it away: the notes stay, but nobody knows any more which address belongs to which invoice.';

const damaged = (): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    `The invoices (${INVOICES_FILE}) are damaged, or their disk fails; ${WHAT_TO_DO}`,
  );

const foreign = (): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    `The invoices (${INVOICES_FILE}) belong to another wallet file, or to this one from before or after a change of password; ${WHAT_TO_DO}`,
  );

const unknownVersion = (version: number): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    `The invoices (${INVOICES_FILE}) have format ${version}, which this program does not know; ${WHAT_TO_DO}`,
  );
