import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { deriveSubkey, unseal } from '@wallet-companion/disk/sealing';
import { bytesColumn, inspectDatabase, openDatabase } from '@wallet-companion/disk/sqlite';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { fingerprintsOf, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import { createNoteDatabases } from '../../../src/storage/notes/noteDatabase.ts';
import { LATEST, sealingStep, withSteps } from './support/madeUpSteps.ts';
import {
  block,
  kept,
  loaded,
  MASTER_KEY,
  NoteStoreModel,
  note,
  noteDatabases,
  ordered,
  state,
  transaction,
} from './support/noteDatabase.ts';

/** What the tests' store is called when it is put aside. */
const COPY = `ledger.db.v${LATEST}`;

const newerStores = (dataDir: string, migrations = withSteps(sealingStep(LATEST), sealingStep(LATEST + 1))) =>
  createNoteDatabases({
    dataDir,
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
    migrations,
  });

const CHANGE = {
  state: state(120),
  putNotes: [note(1), note(2), note(5)],
  putTransactions: [transaction(1)],
  putBlocks: [block(120)],
  sightings: [kept(4, 120)],
};

function makeStore(folder: string): NoteStoreModel {
  const store = noteDatabases(folder).open(MASTER_KEY);
  store.commit(CHANGE);
  store.close();
  const model = new NoteStoreModel();
  model.commit(CHANGE);
  return model;
}

/** From which versions the made-up steps went, by what they sealed. */
function stepsTaken(folder: string): number[] {
  const database = openDatabase(path.join(folder, 'ledger.db'));
  try {
    const row = database.prepare('SELECT sealed FROM made_up').get()!;
    const key = deriveSubkey(MASTER_KEY, 'made-up/1');
    return [...unseal(key, bytesColumn(row, 'sealed'), new TextEncoder().encode('made up'))!];
  } finally {
    database.close();
  }
}

test('an earlier store is brought up to date when it is opened, with its keys, and loses nothing', (t) => {
  const folder = temporaryFolder(t);
  const model = makeStore(folder);
  const store = newerStores(folder).open(MASTER_KEY);
  t.deepEqual(ordered(loaded(store)), ordered(model.snapshot()));
  t.deepEqual(
    fs
      .readdirSync(folder)
      .filter((name) => !/-(?:wal|shm)$/.test(name))
      .sort(),
    ['ledger.db', COPY],
  );
  store.close();
  t.like(inspectDatabase(path.join(folder, 'ledger.db')), { userVersion: LATEST + 2 });
  t.deepEqual(stepsTaken(folder), [LATEST, LATEST + 1]);
});

test('the copy opens with the earlier program, and goes with the first commit', (t) => {
  const folder = temporaryFolder(t);
  const model = makeStore(folder);
  newerStores(folder).open(MASTER_KEY).close();
  const aside = temporaryFolder(t);
  fs.copyFileSync(path.join(folder, COPY), path.join(aside, 'ledger.db'));
  const earlier = noteDatabases(aside).open(MASTER_KEY);
  t.deepEqual(ordered(loaded(earlier)), ordered(model.snapshot()));
  earlier.close();

  // A session that only reads keeps it.
  newerStores(folder).open(MASTER_KEY).close();
  t.true(fs.existsSync(path.join(folder, COPY)));
  const store = newerStores(folder).open(MASTER_KEY);
  t.throws(() =>
    store.commit({
      state: state(121),
      putNotes: [
        {
          ...note(9),
          memo: {
            read: () => {
              throw new Error('no memo');
            },
          },
        },
      ],
    }),
  );
  t.true(fs.existsSync(path.join(folder, COPY)), 'a commit that failed is none');
  store.commit({ state: state(121) });
  t.false(fs.existsSync(path.join(folder, COPY)));
  store.close();
  t.deepEqual(fs.readdirSync(folder), ['ledger.db']);
});

test('a step that fails leaves the store to the earlier program', (t) => {
  const folder = temporaryFolder(t);
  const model = makeStore(folder);
  const failing = sealingStep(LATEST + 1, () => {
    throw new Error('a step that fails');
  });
  t.throws(() => newerStores(folder, withSteps(sealingStep(LATEST), failing)).open(MASTER_KEY), {
    message: /^ledger\.db could not be written/,
  });
  const store = noteDatabases(folder).open(MASTER_KEY);
  t.deepEqual(ordered(loaded(store)), ordered(model.snapshot()));
  store.close();
});

test('the store of another wallet, or of a newer program, is not touched', async (t) => {
  const folder = temporaryFolder(t);
  makeStore(folder);
  const before = fingerprintsOf(folder);
  await failureOf(t, 'WALLET_CORRUPT', () => newerStores(folder).open(new Uint8Array(32)));
  t.deepEqual(fingerprintsOf(folder), before);

  newerStores(folder).open(MASTER_KEY).close();
  const migrated = fingerprintsOf(folder);
  const error = await failureOf(t, 'WALLET_CORRUPT', () => noteDatabases(folder).open(MASTER_KEY));
  t.regex(
    error.message,
    new RegExp(
      `has format ${LATEST + 2}, which this program does not know; it was left as it is\\. A newer program wrote it`,
    ),
  );
  t.deepEqual(fingerprintsOf(folder), migrated);
});

test('a copy is put aside together with its store', (t) => {
  const folder = temporaryFolder(t);
  makeStore(folder);
  newerStores(folder).open(MASTER_KEY).close();
  newerStores(folder).retire();
  t.deepEqual(fs.readdirSync(folder).sort(), ['ledger-retired-1.db', `ledger-retired-1.db.v${LATEST}`]);
});

test('a new store has the latest version from the start', (t) => {
  const folder = temporaryFolder(t);
  newerStores(folder).open(MASTER_KEY).close();
  t.like(inspectDatabase(path.join(folder, 'ledger.db')), { userVersion: LATEST + 2 });
  newerStores(folder).open(MASTER_KEY).close();
  t.deepEqual(fs.readdirSync(folder), ['ledger.db']);
});
