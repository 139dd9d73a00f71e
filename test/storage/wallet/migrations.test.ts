import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { contentsOf, fingerprintsOf, permissions, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import { createWalletFile } from '../../../src/storage/wallet/walletFile.ts';
import { CHEAP_KDF } from '../../helpers/cheapKdf.ts';
import { resealing, spoiling } from './support/madeUpSteps.ts';
import {
  BOOK,
  bytes,
  cheapWalletFile,
  HEADER,
  MNEMONIC,
  NOTHING_ELSE,
  PASSPHRASE,
  PASSWORD,
  secrets,
} from './support/wallet.ts';

const VERSION_3 = [resealing(1), resealing(2)];

const walletOf = (dataDir: string, migrations = VERSION_3) =>
  createWalletFile({
    dataDir,
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
    kdf: CHEAP_KDF,
    migrations,
  });

const makeWallet = (folder: string) => cheapWalletFile(folder).create(HEADER, secrets(), BOOK, PASSWORD);

const phraseOf = (folder: string) =>
  walletOf(folder).withSecrets(PASSWORD, ({ mnemonic, bip39Passphrase }) =>
    [mnemonic, bip39Passphrase].map((part) => new TextDecoder().decode(part ?? undefined)),
  );

test('an earlier file is brought up to date when its password is there, not before; the old one lies beside', async (t) => {
  const folder = temporaryFolder(t);
  const { masterKey } = await makeWallet(folder);
  const file = path.join(folder, 'wallet.dat');
  const old = fs.readFileSync(file);
  t.deepEqual(walletOf(folder).header(), HEADER);
  await failureOf(t, 'WRONG_PASSWORD', () => walletOf(folder).open(bytes('wrong')));
  t.deepEqual(contentsOf(folder), new Map([['wallet.dat', old]]));

  const opened = await walletOf(folder).open(PASSWORD);
  t.deepEqual(opened.book, BOOK);
  t.deepEqual(Buffer.from(opened.masterKey), Buffer.from(masterKey));
  t.is(fs.readFileSync(file).readUInt16LE(16), 3);
  t.deepEqual(fs.readdirSync(folder).sort(), ['wallet.dat', 'wallet.dat.v1']);
  t.deepEqual(fs.readFileSync(`${file}.v1`), old);
  if (process.platform !== 'win32') t.is(permissions(`${file}.v1`), 0o600);
  t.deepEqual(walletOf(folder).header(), HEADER);
  t.deepEqual(await phraseOf(folder), [MNEMONIC, PASSPHRASE]);
});

test('reading the phrase or changing the password brings it up to date too', async (t) => {
  const folder = temporaryFolder(t);
  await makeWallet(folder);
  t.deepEqual(await phraseOf(folder), [MNEMONIC, PASSPHRASE]);
  t.true(fs.existsSync(path.join(folder, 'wallet.dat.v1')));

  const changed = temporaryFolder(t);
  await makeWallet(changed);
  await walletOf(changed).changePassword(PASSWORD, bytes('another'), NOTHING_ELSE);
  t.deepEqual((await walletOf(changed).open(bytes('another'))).book, BOOK);
  t.deepEqual(fs.readdirSync(changed), ['wallet.dat'], 'the old password opens nothing any more');
});

test('the copy goes with the first change that was written', async (t) => {
  const folder = temporaryFolder(t);
  await makeWallet(folder);
  const wallet = walletOf(folder);
  const { masterKey } = await wallet.open(PASSWORD);
  const book = { ...BOOK, nextDiversifierIndex: { 0: '2' } };
  await wallet.replaceBook(masterKey, book);
  t.deepEqual(fs.readdirSync(folder), ['wallet.dat']);
  t.deepEqual((await walletOf(folder).open(PASSWORD)).book, book);
});

test('the copy of another wallet stays: it may be the last of it', async (t) => {
  const folder = temporaryFolder(t);
  await makeWallet(folder);
  await walletOf(folder).open(PASSWORD);
  fs.rmSync(path.join(folder, 'wallet.dat'));
  const other = { ...HEADER, createdAt: '2027-01-01T00:00:00Z' };
  await walletOf(folder).create(other, secrets(), BOOK, PASSWORD);
  await walletOf(folder).changePassword(PASSWORD, bytes('another'), NOTHING_ELSE);
  t.deepEqual(fs.readdirSync(folder).sort(), ['wallet.dat', 'wallet.dat.v1']);
});

test('calls at once bring it up to date once', async (t) => {
  const folder = temporaryFolder(t);
  await makeWallet(folder);
  const old = fs.readFileSync(path.join(folder, 'wallet.dat'));
  const wallet = walletOf(folder);
  const books = await Promise.all([1, 2, 3].map(async () => (await wallet.open(PASSWORD)).book));
  t.deepEqual(books, [BOOK, BOOK, BOOK]);
  t.deepEqual(fs.readFileSync(path.join(folder, 'wallet.dat.v1')), old);
});

test('a new file has the latest version from the start', async (t) => {
  const folder = temporaryFolder(t);
  await walletOf(folder).create(HEADER, secrets(), BOOK, PASSWORD);
  t.deepEqual((await walletOf(folder).open(PASSWORD)).book, BOOK);
  t.deepEqual(fs.readdirSync(folder), ['wallet.dat']);
});

test('a step that makes what does not open leaves the old file in use', async (t) => {
  const folder = temporaryFolder(t);
  await makeWallet(folder);
  const before = fingerprintsOf(folder);
  await failureOf(t, 'WALLET_CORRUPT', () => walletOf(folder, [spoiling(1)]).open(PASSWORD));
  t.deepEqual(fingerprintsOf(folder), before);
  t.deepEqual((await cheapWalletFile(folder).open(PASSWORD)).book, BOOK);
});

test('a newer file is refused in so many words, and not touched', async (t) => {
  const folder = temporaryFolder(t);
  await walletOf(folder).create(HEADER, secrets(), BOOK, PASSWORD);
  const before = fingerprintsOf(folder);
  const old = cheapWalletFile(folder);
  for (const use of [
    () => old.header(),
    () => old.open(PASSWORD),
    () => old.withSecrets(PASSWORD, () => 0),
    () => old.changePassword(PASSWORD, bytes('another'), NOTHING_ELSE),
  ]) {
    const error = await failureOf(t, 'WALLET_CORRUPT', use);
    t.regex(
      error.message,
      /^The wallet file has format 3, which this program does not know; .* newer program/,
    );
  }
  t.deepEqual(fingerprintsOf(folder), before);
});

test('a version that rotted is damage, not a newer one', async (t) => {
  const folder = temporaryFolder(t);
  await makeWallet(folder);
  const file = path.join(folder, 'wallet.dat');
  const contents = fs.readFileSync(file);
  for (const version of [0, 2, 4]) {
    contents.writeUInt16LE(version, 16);
    fs.writeFileSync(file, contents);
    const error = await failureOf(t, 'WALLET_CORRUPT', () => walletOf(folder).open(PASSWORD));
    t.regex(error.message, /is damaged/);
  }
});
