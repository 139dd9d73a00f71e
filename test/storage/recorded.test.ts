// Files of every version that was ever written, recorded then, opened by today's program. They open for ever.

import fs from 'node:fs';
import path from 'node:path';
import { openDatabase } from '@wallet-companion/disk/sqlite';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import test, { type ExecutionContext } from 'ava';
import { createCompactStores } from '../../src/storage/blocks/compactStores.ts';
import { openConfigFile } from '../../src/storage/config/configFile.ts';
import { createInvoiceFiles } from '../../src/storage/invoices/invoiceFile.ts';
import { createWalletFile } from '../../src/storage/wallet/walletFile.ts';
import { madeUpInvoice } from '../helpers/madeUpInvoice.ts';
import { chain, place } from './blocks/support/compact.ts';
import { loaded, NoteStoreModel, noteDatabases, ordered } from './notes/support/noteDatabase.ts';
import {
  makeFiles,
  RECORDED_BOOK,
  RECORDED_COMMITS,
  RECORDED_HEADER,
  RECORDED_INVOICES,
  RECORDED_KEPT,
  RECORDED_KEY,
  RECORDED_KINDS,
  RECORDED_MNEMONIC,
  RECORDED_PART,
  RECORDED_PASSPHRASE,
  RECORDED_PASSWORD,
  RECORDED_PAYMENT,
  RECORDED_RANGES,
  RECORDED_ROWS_PER_SUMMARY,
  RECORDED_SERVER,
  RECORDED_SETTINGS,
  type RecordedKind,
  recordedName,
  restore,
} from './recorded/contents.ts';
import { bytes, NOTHING_ELSE } from './wallet/support/wallet.ts';

const recordedKind = (wanted: RecordedKind['kind']): RecordedKind =>
  RECORDED_KINDS.find(({ kind }) => kind === wanted)!;

function folderWith(t: ExecutionContext, versions: Partial<Record<RecordedKind['kind'], number>>): string {
  const folder = temporaryFolder(t);
  for (const recorded of RECORDED_KINDS) {
    restore(recorded, versions[recorded.kind] ?? recorded.latest, folder);
  }
  return folder;
}

/** Runs for each version that the kind has ever had. */
async function eachVersion(
  t: ExecutionContext,
  kind: RecordedKind['kind'],
  check: (folder: string) => unknown,
): Promise<void> {
  for (let version = 1; version <= recordedKind(kind).latest; version++) {
    await check(folderWith(t, { [kind]: version }));
  }
}

const walletIn = (folder: string) =>
  createWalletFile({ dataDir: folder, randomBytes: (length) => new Uint8Array(length).fill(9) });

test('every version of every kind of file is recorded', (t) => {
  for (const recorded of RECORDED_KINDS) {
    for (let version = 1; version <= recorded.latest; version++) {
      t.true(fs.existsSync(recordedName(recorded, version)), recordedName(recorded, version));
    }
  }
});

test('a recorded wallet file has its facts, phrase and viewing keys, and takes a new password', async (t) => {
  await eachVersion(t, 'wallet', async (folder) => {
    t.deepEqual(walletIn(folder).header(), RECORDED_HEADER);
    t.deepEqual((await walletIn(folder).open(RECORDED_PASSWORD)).book, RECORDED_BOOK);
    await walletIn(folder).changePassword(RECORDED_PASSWORD, bytes('another password'), NOTHING_ELSE);
    const phrase = await walletIn(folder).withSecrets(
      bytes('another password'),
      ({ mnemonic, bip39Passphrase }) =>
        [mnemonic, bip39Passphrase].map((part) => new TextDecoder().decode(part ?? new Uint8Array())),
    );
    t.deepEqual(phrase, [RECORDED_MNEMONIC, RECORDED_PASSPHRASE]);
    t.deepEqual(walletIn(folder).header(), RECORDED_HEADER);
  });
});

test('a recorded note store opens with the key of the recorded wallet, has its notes and heights, and goes on', async (t) => {
  await eachVersion(t, 'ledger', async (folder) => {
    const { masterKey } = await walletIn(folder).open(RECORDED_PASSWORD);
    const model = new NoteStoreModel();
    for (const change of RECORDED_COMMITS) model.commit(change);
    const next = { ...RECORDED_COMMITS[1]!, state: { ...RECORDED_COMMITS[1]!.state, lastScanHeight: 150 } };
    for (const change of [undefined, next]) {
      const store = noteDatabases(folder, RECORDED_ROWS_PER_SUMMARY).open(masterKey);
      if (change !== undefined) {
        store.commit(change);
        model.commit(change);
      }
      const found = loaded(store);
      t.deepEqual(ordered(found), ordered(model.snapshot()));
      t.deepEqual(store.findSightings([RECORDED_KEPT]), [RECORDED_KEPT]);
      t.is(found.state?.lastScanHeight, change === undefined ? 140 : 150);
      const journal = store.readJournal(undefined, 1000);
      t.true(typeof journal === 'object' && !journal.hasMore);
      t.is(typeof journal === 'object' ? journal.entries.length : -1, 70);
      t.deepEqual([store.payments(), store.paymentWrites], [[RECORDED_PAYMENT], 3]);
      t.deepEqual(store.keyedPayment('order-1'), RECORDED_KEY);
      t.deepEqual(store.witnessPart(RECORDED_PART.key), RECORDED_PART);
      // Notes 0 to 21 without 3 and 20, of 1000 zatoshi and their number; note 4 is spent.
      const unspent = found.notes.filter(({ spent }) => spent === null);
      t.is(
        unspent.reduce((sum, { value }) => sum + value, 0),
        19_204,
      );
      store.close();
    }
  });
});

test('recorded invoices open with the key of the recorded wallet, have their number, and take more', async (t) => {
  await eachVersion(t, 'invoices', async (folder) => {
    const { masterKey } = await walletIn(folder).open(RECORDED_PASSWORD);
    const files = createInvoiceFiles({
      dataDir: folder,
      randomBytes: (length) => new Uint8Array(length).fill(9),
    });
    const store = files.open(masterKey);
    t.deepEqual([[...store.load()].flat(), store.sequence], [RECORDED_INVOICES, 3]);
    store.put([madeUpInvoice(5)], 5);
    store.close();
    const again = files.open(masterKey);
    t.deepEqual([[...again.load()].flat().length, again.sequence], [3, 5]);
    again.close();
  });
});

test('a recorded compact store has its blocks and their origin, and takes more', async (t) => {
  await eachVersion(t, 'compact', (folder) => {
    const stores = createCompactStores();
    const store = stores.find(undefined, place(folder))!;
    t.deepEqual(store.summary(), {
      path: path.join(folder, 'compact-main.db'),
      firstHeight: 1,
      lastHeight: 40,
      blockCount: 30,
      missingRanges: [{ start: 21, end: 30 }],
    });
    for (const stretch of RECORDED_RANGES) {
      t.deepEqual(store.read(stretch, 1e9), chain(stretch));
      t.deepEqual(store.origins(stretch), [{ ...stretch, server: RECORDED_SERVER }]);
    }
    t.deepEqual(store.asked(), [RECORDED_RANGES[1]]);
    store.put(chain({ start: 21, end: 30 }));
    t.deepEqual(store.read({ start: 1, end: 40 }, 1e9), chain({ start: 1, end: 40 }));
    stores.close();
  });
});

test('a recorded config.json has its values, and keeps what it does not know', async (t) => {
  await eachVersion(t, 'config', async (folder) => {
    const config = openConfigFile({ configDir: folder });
    t.like(config.get(), RECORDED_SETTINGS);
    await config.update({ theme: 'light' });
    const reopened = openConfigFile({ configDir: folder }).get();
    t.like(reopened, { ...RECORDED_SETTINGS, theme: 'light' });
    t.regex(fs.readFileSync(path.join(folder, 'config.json'), 'utf8'), /"mine": \{ "kept": true \}/);
  });
});

interface Schema {
  readonly stamp: unknown;
  readonly made: readonly string[];
}

/** Stamp, tables and indexes. */
function schemaOf(file: string): Schema {
  const database = openDatabase(file);
  try {
    return {
      stamp: ['application_id', 'user_version'].map((name) => database.prepare(`PRAGMA ${name}`).get()),
      made: database
        .prepare('SELECT type, name, sql FROM sqlite_master ORDER BY name')
        .all()
        .map((row) => JSON.stringify(row)),
    };
  } finally {
    database.close();
  }
}

test("what is written today is what was recorded: a format does not change under its version's number", async (t) => {
  const recorded = folderWith(t, {});
  const written = temporaryFolder(t);
  await makeFiles(written);
  const read = (folder: string, file: string): Buffer => fs.readFileSync(path.join(folder, file));
  t.is(read(written, 'config.json').toString(), read(recorded, 'config.json').toString());
  for (const file of ['ledger.db', 'compact-main.db']) {
    const [now, then] = [schemaOf(path.join(written, file)), schemaOf(path.join(recorded, file))];
    t.deepEqual(now.stamp, then.stamp, file);
    t.deepEqual(now.made, then.made, file);
  }
  const [wallet, recordedWallet] = [read(written, 'wallet.dat'), read(recorded, 'wallet.dat')];
  t.is(wallet.length, recordedWallet.length);
  // Magic, version, facts and the parameters of the key derivation.
  const clear = wallet.indexOf('}') + 1 + 12;
  t.deepEqual(wallet.subarray(0, clear), recordedWallet.subarray(0, clear));
});

/** Columns of each table and index by its name, however they came to be. */
function structureOf(file: string): Map<string, string> {
  const database = openDatabase(file);
  try {
    const names = database.prepare('SELECT type, name FROM sqlite_master').all();
    return new Map(
      names.map(({ type, name }) => [
        `${type} ${name}`,
        JSON.stringify(database.prepare(`PRAGMA ${type}_info('${name}')`).all()),
      ]),
    );
  } finally {
    database.close();
  }
}

test('a store that was brought up to date has the tables of a new one', async (t) => {
  const written = temporaryFolder(t);
  await makeFiles(written);
  const check = (folder: string, file: string): void => {
    const made = structureOf(path.join(written, file));
    for (const [name, columns] of structureOf(path.join(folder, file))) t.is(made.get(name), columns, name);
  };
  await eachVersion(t, 'ledger', async (folder) => {
    const { masterKey } = await walletIn(folder).open(RECORDED_PASSWORD);
    noteDatabases(folder).open(masterKey).close();
    check(folder, 'ledger.db');
  });
  await eachVersion(t, 'invoices', async (folder) => {
    const { masterKey } = await walletIn(folder).open(RECORDED_PASSWORD);
    createInvoiceFiles({ dataDir: folder, randomBytes: (length) => new Uint8Array(length) })
      .open(masterKey)
      .close();
    check(folder, 'invoices.db');
  });
  await eachVersion(t, 'compact', (folder) => {
    const stores = createCompactStores();
    t.truthy(stores.find(undefined, place(folder)));
    stores.close();
    check(folder, 'compact-main.db');
  });
});
