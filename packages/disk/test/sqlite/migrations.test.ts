import fs from 'node:fs';
import path from 'node:path';
import { CompanionError } from '@wallet-companion/client/contract';
import test, { type ExecutionContext } from 'ava';
import { createDatabase, inspectDatabase } from '../../src/disk/sqlite/databaseFile.ts';
import { type DatabaseStep, KeptCopies, migrateDatabase } from '../../src/disk/sqlite/migrations.ts';
import { type Database, openDatabase, transaction } from '../../src/disk/sqlite/sqlite.ts';
import { failureOf } from '../helpers/failing.ts';
import { fingerprintsOf, permissions, temporaryFolder } from '../helpers/folder.ts';

const APPLICATION_ID = 0x74657374;
/** The low part of the stamp, which is not the version's. */
const REST = 3;

const unknownVersion = (version: number): CompanionError =>
  new CompanionError('STORAGE_FAILED', `version ${version} is not known`);

const renaming = (from: number, more = ''): DatabaseStep<string> => ({
  from,
  to: from + 1,
  migrate: (database, key) =>
    database.exec(`UPDATE entries SET text = text || ' ${from}>${from + 1}${key}'; ${more}`),
});
const STEPS = [renaming(1, 'ALTER TABLE entries ADD COLUMN added INTEGER'), renaming(2)];
const FAILING: DatabaseStep<string> = {
  from: 3,
  to: 4,
  migrate: (database) => {
    database.exec('DELETE FROM entries');
    throw new Error('a step that fails');
  },
};

const migrate = (file: string, database: Database, steps = STEPS): void =>
  migrateDatabase(file, database, { steps, stampsPerVersion: 16, unknownVersion }, '!');

function storeOf(t: ExecutionContext, version = 1): string {
  const file = path.join(temporaryFolder(t), 'store.db');
  const stamp = { applicationId: APPLICATION_ID, userVersion: version * 16 + REST };
  createDatabase(file, stamp, "CREATE TABLE entries(text TEXT); INSERT INTO entries VALUES ('was')");
  return file;
}

function withDatabase<T>(file: string, work: (database: Database) => T): T {
  const database = openDatabase(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const textsIn = (file: string): unknown =>
  withDatabase(file, (database) =>
    database
      .prepare('SELECT text FROM entries')
      .all()
      .map((row) => row['text']),
  );

const namesIn = (file: string): string[] => fs.readdirSync(path.dirname(file)).sort();

test('all steps run in order, the stamp rises by the versions alone, and the old file lies beside', (t) => {
  const file = storeOf(t);
  withDatabase(file, (database) => migrate(file, database));
  t.deepEqual(textsIn(file), ['was 1>2! 2>3!']);
  t.deepEqual(inspectDatabase(file), {
    kind: 'database',
    applicationId: APPLICATION_ID,
    userVersion: 3 * 16 + REST,
  });
  t.deepEqual(namesIn(file), ['store.db', 'store.db.v1']);
  t.deepEqual(textsIn(`${file}.v1`), ['was']);
  t.deepEqual(inspectDatabase(`${file}.v1`), {
    kind: 'database',
    applicationId: APPLICATION_ID,
    userVersion: 16 + REST,
  });
  if (process.platform !== 'win32') t.is(permissions(`${file}.v1`), 0o600);
});

test('a file of today is left as it is, and one in between has only the steps that are left', (t) => {
  const file = storeOf(t, 3);
  const before = fingerprintsOf(path.dirname(file));
  withDatabase(file, (database) => migrate(file, database));
  t.deepEqual(fingerprintsOf(path.dirname(file)), before);

  const between = storeOf(t, 2);
  withDatabase(between, (database) => migrate(between, database));
  t.deepEqual(textsIn(between), ['was 2>3!']);
  t.deepEqual(namesIn(between), ['store.db', 'store.db.v2']);
});

test('a step that fails takes those before it back with it; the old program opens the file still', (t) => {
  const file = storeOf(t);
  withDatabase(file, (database) => {
    t.throws(() => migrate(file, database, [...STEPS, FAILING]), { message: 'a step that fails' });
  });
  t.deepEqual(textsIn(file), ['was']);
  t.like(inspectDatabase(file), { userVersion: 16 + REST });
  // The next attempt puts its own copy in place of the first one's.
  withDatabase(file, (database) => migrate(file, database));
  t.deepEqual(textsIn(file), ['was 1>2! 2>3!']);
  t.deepEqual(namesIn(file), ['store.db', 'store.db.v1']);
});

test('a newer version, or none, is refused and not touched', async (t) => {
  for (const version of [4, 0]) {
    const file = storeOf(t, version);
    const before = fingerprintsOf(path.dirname(file));
    await failureOf(t, 'STORAGE_FAILED', () => withDatabase(file, (database) => migrate(file, database)));
    t.deepEqual(fingerprintsOf(path.dirname(file)), before);
  }
});

/** As a killed process leaves it: what was written last stands in the log alone. */
function storeWithLog(t: ExecutionContext, sql: string): string {
  const file = storeOf(t);
  const killed = path.join(temporaryFolder(t), 'store.db');
  withDatabase(file, (database) => {
    database.useWriteAheadLog();
    transaction(database, () => database.exec(sql));
    for (const ending of ['', '-wal']) fs.copyFileSync(file + ending, killed + ending);
  });
  return killed;
}

test('what stands in a log that a killed process left is migrated, and copied, with the rest', (t) => {
  const file = storeWithLog(t, "INSERT INTO entries VALUES ('logged')");
  withDatabase(file, (database) => {
    migrate(file, database);
    // Already now: whoever looks at the header, as programs do before they open a file, must see the version.
    t.like(inspectDatabase(file), { userVersion: 3 * 16 + REST });
    t.deepEqual(namesIn(file), ['store.db', 'store.db.v1']);
  });
  t.deepEqual(textsIn(file), ['was 1>2! 2>3!', 'logged 1>2! 2>3!']);
  t.deepEqual(textsIn(`${file}.v1`), ['was', 'logged']);
});

test('the version that a log holds counts, not the one in the header', async (t) => {
  const migrated = storeWithLog(t, `PRAGMA user_version = ${3 * 16 + REST}`);
  t.like(inspectDatabase(migrated), { userVersion: 16 + REST });
  withDatabase(migrated, (database) => migrate(migrated, database));
  t.deepEqual(textsIn(migrated), ['was']);

  const newer = storeWithLog(t, `PRAGMA user_version = ${4 * 16 + REST}`);
  await failureOf(t, 'STORAGE_FAILED', () => withDatabase(newer, (database) => migrate(newer, database)));
  t.deepEqual(textsIn(newer), ['was']);
});

test('a file that another program uses with a log is not migrated', async (t) => {
  const file = storeOf(t);
  const other = openDatabase(file);
  try {
    other.useWriteAheadLog();
    transaction(other, () => other.exec("INSERT INTO entries VALUES ('other')"));
    const error = await failureOf(t, 'STORAGE_FAILED', () =>
      withDatabase(file, (database) => {
        database.exec('PRAGMA busy_timeout = 0');
        migrate(file, database);
      }),
    );
    t.regex(error.message, /^store\.db has an earlier format .* another program/);
    t.deepEqual(namesIn(file), ['store.db', 'store.db-shm', 'store.db-wal']);
  } finally {
    other.close();
  }
  t.deepEqual(textsIn(file), ['was', 'other']);
});

test('what another program wrote after the copy was made is not lost: nothing is migrated', async (t) => {
  const file = storeOf(t);
  const error = await failureOf(t, 'STORAGE_FAILED', () =>
    withDatabase(file, (database) => {
      /** Writes at the last moment. */
      const interrupted: Database = {
        prepare: (sql) => database.prepare(sql),
        useWriteAheadLog: () => database.useWriteAheadLog(),
        close: () => database.close(),
        exec: (sql) => {
          if (sql.startsWith('BEGIN')) {
            withDatabase(file, (other) => other.exec("INSERT INTO entries VALUES ('late')"));
          }
          database.exec(sql);
        },
      };
      migrate(file, interrupted);
    }),
  );
  t.regex(error.message, /^store\.db has an earlier format .* another program/);
  t.deepEqual(textsIn(file), ['was', 'late']);
  t.like(inspectDatabase(file), { userVersion: 16 + REST });
});

test('kept copies go with the first commit, those of an earlier session too', (t) => {
  const file = storeOf(t);
  withDatabase(file, (database) => migrate(file, database));
  fs.writeFileSync(`${file}.v2`, '');
  new KeptCopies(file).afterCommit();
  t.deepEqual(namesIn(file), ['store.db']);
});
