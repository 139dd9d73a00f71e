// Folders of wallets beside the default one: closed to others, never links, never more than a bounded number.

import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { isOwnFileName } from '../../../src/storage/files/dataFiles.ts';
import {
  dropEmptyWalletFolder,
  MOST_WALLETS,
  makeWalletFolder,
  renameWalletFolder,
  requirePrivateWallet,
  tidyWalletFolders,
  walletFolder,
  walletNames,
} from '../../../src/storage/files/walletFolders.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';

function make(dataDir: string, name: string): string {
  makeWalletFolder(dataDir, name);
  const folder = walletFolder(dataDir, name);
  writeFileSync(path.join(folder, 'wallet.dat'), '');
  return folder;
}

const modeOf = (folder: string): number => statSync(folder).mode & 0o777;
const refusal = { code: 'STORAGE_FAILED' } as const;

function setUp(t: ExecutionContext): string {
  return temporaryFolder(t);
}

test('a folder is made for its owner alone, and listed once a wallet is in it', (t) => {
  const dataDir = setUp(t);
  t.deepEqual(walletNames(dataDir), ['default']);
  makeWalletFolder(dataDir, 'empty');
  make(dataDir, 'savings');
  make(dataDir, 'books');
  t.deepEqual(walletNames(dataDir), ['default', 'books', 'savings']);
  for (const folder of [path.join(dataDir, 'wallets'), walletFolder(dataDir, 'books')])
    t.is(modeOf(folder), 0o700);
  dropEmptyWalletFolder(dataDir, 'empty');
  dropEmptyWalletFolder(dataDir, 'books');
  dropEmptyWalletFolder(dataDir, 'never');
  t.false(existsSync(walletFolder(dataDir, 'empty')));
  t.deepEqual(walletNames(dataDir), ['default', 'books', 'savings']);
});

test('what is open to others is closed, and a link or a file is refused', (t) => {
  const dataDir = setUp(t);
  const folder = make(dataDir, 'savings');
  for (const wide of [folder, path.join(dataDir, 'wallets')]) chmodSync(wide, 0o777);
  requirePrivateWallet(dataDir, 'savings');
  for (const wide of [folder, path.join(dataDir, 'wallets')]) t.is(modeOf(wide), 0o700);
  symlinkSync(folder, walletFolder(dataDir, 'linked'));
  writeFileSync(walletFolder(dataDir, 'plain'), '');
  for (const name of ['linked', 'plain']) {
    t.throws(() => requirePrivateWallet(dataDir, name), refusal);
    t.throws(() => makeWalletFolder(dataDir, name), refusal);
  }
  t.deepEqual(walletNames(dataDir), ['default', 'savings']);
});

test('a folder of wallets that is a link has none', (t) => {
  const dataDir = setUp(t);
  const elsewhere = path.join(dataDir, 'elsewhere');
  make(elsewhere, 'savings');
  symlinkSync(path.join(elsewhere, 'wallets'), path.join(dataDir, 'wallets'));
  t.deepEqual(walletNames(dataDir), ['default']);
  t.throws(() => requirePrivateWallet(dataDir, 'savings'), refusal);
});

test('there are so many and no more, and other things of a person do not count', (t) => {
  const dataDir = setUp(t);
  for (let i = 0; i < MOST_WALLETS; i++) makeWalletFolder(dataDir, `w${i}`);
  for (const name of ['.git', 'Backup', 'default', 'con']) mkdirSync(path.join(dataDir, 'wallets', name));
  t.throws(() => makeWalletFolder(dataDir, 'one-more'), { code: 'INVALID_REQUEST' });
  makeWalletFolder(dataDir, 'w1');
  rmSync(walletFolder(dataDir, 'w0'), { recursive: true });
  makeWalletFolder(dataDir, 'one-more');
  t.deepEqual(walletNames(dataDir), ['default']);
});

test('a killed process leaves nothing half-written in them, and what cannot be tidied stops no start', (t) => {
  const dataDir = setUp(t);
  const folder = make(dataDir, 'savings');
  const temporary = path.join(folder, `.wallet.dat.${process.pid}.0123456789ab.tmp`);
  writeFileSync(temporary, '');
  symlinkSync('/nowhere', walletFolder(dataDir, 'linked'));
  tidyWalletFolders(dataDir);
  t.false(existsSync(temporary));
  t.true(existsSync(path.join(folder, 'wallet.dat')));
});

test('no compact store comes to lie among them', (t) => {
  for (const name of ['wallets', 'Wallets', 'WALLETS']) t.true(isOwnFileName(name), name);
});

test('a folder takes a name that nothing has, and what cannot be looked at counts as taken', (t) => {
  const dataDir = setUp(t);
  make(dataDir, 'savings');
  make(dataDir, 'books');
  t.throws(() => renameWalletFolder(dataDir, 'savings', 'books'), { code: 'WALLET_EXISTS' });
  t.throws(() => renameWalletFolder(dataDir, 'savings', 'x'.repeat(300)), { code: 'WALLET_EXISTS' });
  t.throws(() => renameWalletFolder(dataDir, 'never', 'new'), refusal);
  renameWalletFolder(dataDir, 'savings', 'new');
  t.deepEqual(walletNames(dataDir), ['default', 'books', 'new']);
});

test('a file in the place of all folders is a failure, not a data directory without wallets', (t) => {
  const dataDir = setUp(t);
  writeFileSync(path.join(dataDir, 'wallets'), '');
  t.throws(() => walletNames(dataDir), { ...refusal, message: /^wallets could not be read/ });
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;

asRoot("another user's folder is refused, and left as it is when the others are tidied", (t) => {
  const dataDir = setUp(t);
  const folder = make(dataDir, 'theirs');
  const temporary = path.join(folder, `.wallet.dat.${process.pid}.0123456789ab.tmp`);
  writeFileSync(temporary, '');
  chmodSync(folder, 0o755);
  chownSync(folder, 12_345, 12_345);
  t.throws(() => requirePrivateWallet(dataDir, 'theirs'), { ...refusal, message: /belongs to another user/ });
  tidyWalletFolders(dataDir);
  t.true(existsSync(temporary));
  t.is(modeOf(folder), 0o755);
});
