import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import {
  type FileStep,
  isKnownVersion,
  latestVersion,
  migrateBytes,
  pendingSteps,
  removeKeptCopies,
  replaceKeepingCopy,
} from '../../src/disk/files/migrations.ts';
import { contentsOf, permissions, temporaryFolder } from '../helpers/folder.ts';

const bytes = (contents: string): Uint8Array => new TextEncoder().encode(contents);
const text = (contents: Uint8Array): string => new TextDecoder().decode(contents);

/** Appends its numbers, and what it was given. */
const appending = (from: number): FileStep<string> => ({
  from,
  to: from + 1,
  migrate: async (contents, key) => bytes(`${text(contents)} ${from}>${from + 1}${key}`),
});
const STEPS = [appending(1), appending(2), appending(3)];

test('the steps determine the latest version', (t) => {
  t.is(latestVersion([]), 1);
  t.is(latestVersion(STEPS), 4);
  t.deepEqual(
    [0, 1, 4, 5, 1.5, Number.NaN].map((version) => isKnownVersion(version, STEPS)),
    [false, true, true, false, false, false],
  );
});

test('steps that are not numbered one after the other from 1 are refused', (t) => {
  const [one, two, three] = STEPS;
  for (const steps of [[two!], [one!, three!], [two!, one!], [one!, one!], [{ ...one!, to: 3 }]]) {
    t.throws(() => latestVersion(steps), { instanceOf: RangeError });
    t.throws(() => pendingSteps(steps, 1), { instanceOf: RangeError });
  }
});

test('steps run in order, from the version that was found, each on what the one before it made', async (t) => {
  const migrated = async (version: number): Promise<string> =>
    text(await migrateBytes(STEPS, version, bytes('was'), '!'));
  t.is(await migrated(1), 'was 1>2! 2>3! 3>4!');
  t.is(await migrated(3), 'was 3>4!');
  t.is(await migrated(4), 'was');
  for (const version of [0, 5]) await t.throwsAsync(migrated(version), { instanceOf: RangeError });
});

test('the old file is kept beside the new one, for its owner alone, until it is removed', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'wallet.dat');
  for (const name of ['wallet.dat', 'wallet.dat.v1.txt', 'wallet.dat.vx', 'other.dat.v1']) {
    fs.writeFileSync(path.join(folder, name), name);
  }
  await replaceKeepingCopy(file, 12, bytes('old'), bytes('new'));
  t.is(fs.readFileSync(file, 'utf8'), 'new');
  t.is(fs.readFileSync(`${file}.v12`, 'utf8'), 'old');
  if (process.platform !== 'win32') t.is(permissions(`${file}.v12`), 0o600);

  removeKeptCopies(file, () => false);
  t.true(fs.existsSync(`${file}.v12`));
  removeKeptCopies(file);
  t.deepEqual(
    [...contentsOf(folder).keys()],
    ['other.dat.v1', 'wallet.dat', 'wallet.dat.v1.txt', 'wallet.dat.vx'],
  );
});

test('copies that cannot be removed do not make a write fail', (t) => {
  t.notThrows(() => removeKeptCopies(path.join(temporaryFolder(t), 'gone', 'wallet.dat')));
});
