import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { runs } from '@wallet-companion/base/test/atLength';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { fingerprintsOf, permissions, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import fc from 'fast-check';
import { MAX_CONTACTS } from '../../../src/actors/wallet/contacts/contactList.ts';
import type { AccountBook, SealedBesides } from '../../../src/actors/wallet/ports/walletFile.ts';
import { CompanionError } from '../../../src/protocol/errors.ts';
import { createWalletFile } from '../../../src/storage/wallet/walletFile.ts';
import { encodeContainer, parseContainer } from '../../../src/storage/wallet/walletFormat.ts';
import { CHEAP_KDF } from '../../helpers/cheapKdf.ts';
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

const text = (part: Uint8Array | null): string | null =>
  part === null ? null : new TextDecoder().decode(part);

test('a wallet that was created opens with its password and gives back what went in', async (t) => {
  const folder = temporaryFolder(t);
  const created = await cheapWalletFile(folder).create(HEADER, secrets(), BOOK, PASSWORD);
  const wallet = cheapWalletFile(folder);
  t.true(wallet.exists());
  t.deepEqual(wallet.header(), HEADER);
  const opened = await wallet.open(PASSWORD);
  t.deepEqual(opened.book, BOOK);
  t.is(opened.masterKey.length, 32);
  t.deepEqual(Buffer.from(opened.masterKey), Buffer.from(created.masterKey));
  const seen = await wallet.withSecrets(PASSWORD, ({ mnemonic, bip39Passphrase }) => [
    text(mnemonic),
    text(bip39Passphrase),
  ]);
  t.deepEqual(seen, [MNEMONIC, PASSPHRASE]);
});

test('the file and only the file is left behind, for its owner alone', async (t) => {
  const folder = temporaryFolder(t);
  await cheapWalletFile(folder).create(HEADER, secrets(), BOOK, PASSWORD);
  t.deepEqual(fs.readdirSync(folder), ['wallet.dat']);
  if (process.platform !== 'win32') t.is(permissions(path.join(folder, 'wallet.dat')), 0o600);
});

test('nothing secret stands in the file, and two files of the same wallet have nothing in common', async (t) => {
  const [one, two] = [temporaryFolder(t), temporaryFolder(t)];
  const { masterKey } = await cheapWalletFile(one).create(HEADER, secrets(), BOOK, PASSWORD);
  await cheapWalletFile(two).create(HEADER, secrets(), BOOK, PASSWORD);
  const file = fs.readFileSync(path.join(one, 'wallet.dat'));
  for (const secret of [MNEMONIC.slice(0, 12), PASSPHRASE, 'uview1', PASSWORD, masterKey]) {
    t.is(file.indexOf(secret), -1);
  }
  const facts = file.indexOf('}') + 1;
  const other = fs.readFileSync(path.join(two, 'wallet.dat'));
  t.is(file.indexOf(other.subarray(facts + 12, facts + 28)), -1, 'the salt is fresh');
  t.is(file.indexOf(other.subarray(facts + 28, facts + 52)), -1, 'the nonce is fresh');
});

test('a missing wallet is NO_WALLET for everything but exists and header', async (t) => {
  const wallet = cheapWalletFile(temporaryFolder(t));
  t.false(wallet.exists());
  t.is(wallet.header(), undefined);
  await failureOf(t, 'NO_WALLET', () => wallet.open(PASSWORD));
  await failureOf(t, 'NO_WALLET', () => wallet.withSecrets(PASSWORD, () => t.fail()));
  await failureOf(t, 'NO_WALLET', () => wallet.replaceBook(new Uint8Array(32), BOOK));
  await failureOf(t, 'NO_WALLET', () => wallet.changePassword(PASSWORD, PASSWORD, NOTHING_ELSE));
});

test('an existing wallet is never overwritten, whatever is in its place', async (t) => {
  for (const occupy of [
    (file: string) => fs.writeFileSync(file, 'not a wallet'),
    (file: string) => fs.mkdirSync(file),
    (file: string) => fs.symlinkSync('/nowhere/at/all', file),
  ]) {
    const folder = temporaryFolder(t);
    occupy(path.join(folder, 'wallet.dat'));
    const before = fingerprintsOf(folder);
    const wallet = cheapWalletFile(folder);
    t.true(wallet.exists());
    await failureOf(t, 'WALLET_EXISTS', () => wallet.create(HEADER, secrets(), BOOK, PASSWORD));
    t.deepEqual(fingerprintsOf(folder), before);
    t.is(fs.readdirSync(folder).length, 1);
  }
});

test('a link to a file that is not there is a damaged wallet, for it is one that exists', async (t) => {
  const folder = temporaryFolder(t);
  fs.symlinkSync('/nowhere/at/all', path.join(folder, 'wallet.dat'));
  const wallet = cheapWalletFile(folder);
  await failureOf(t, 'WALLET_CORRUPT', () => wallet.open(PASSWORD));
  await failureOf(t, 'WALLET_CORRUPT', () => wallet.header());
});

test('of many creates at once, by several processes as it were, exactly one wins and its wallet stays', async (t) => {
  const folder = temporaryFolder(t);
  const attempts = Array.from({ length: 8 }, (_, i) =>
    cheapWalletFile(folder).create({ ...HEADER, birthdayHeight: i }, secrets(), BOOK, bytes(`password ${i}`)),
  );
  const results = await Promise.allSettled(attempts);
  const winners = results.flatMap((result, i) => (result.status === 'fulfilled' ? [i] : []));
  t.is(winners.length, 1);
  for (const result of results) {
    if (result.status === 'rejected') t.is((result.reason as CompanionError).code, 'WALLET_EXISTS');
  }
  const wallet = cheapWalletFile(folder);
  t.is(wallet.header()?.birthdayHeight, winners[0]);
  await wallet.open(bytes(`password ${winners[0]}`));
  t.deepEqual(fs.readdirSync(folder), ['wallet.dat']);
});

test('a wrong password is distinguished from a damaged file', async (t) => {
  const wallet = cheapWalletFile(temporaryFolder(t));
  await wallet.create(HEADER, secrets(), BOOK, PASSWORD);
  await failureOf(t, 'WRONG_PASSWORD', () => wallet.open(bytes('wrong')));
  await failureOf(t, 'WRONG_PASSWORD', () => wallet.withSecrets(bytes(''), () => t.fail()));
  await failureOf(t, 'WRONG_PASSWORD', () =>
    wallet.changePassword(bytes('wrong'), bytes('new'), NOTHING_ELSE),
  );
  await wallet.open(PASSWORD);
});

test('every flipped bit and every truncation is WALLET_CORRUPT, and the file stays as it is', async (t) => {
  const folder = temporaryFolder(t);
  await cheapWalletFile(folder).create(HEADER, secrets(), BOOK, PASSWORD);
  const file = path.join(folder, 'wallet.dat');
  const whole = fs.readFileSync(file);
  const damaged: Buffer[] = [];
  for (let i = 0; i < whole.length; i++) {
    const flipped = Buffer.from(whole);
    flipped[i]! ^= 1 << (i % 8);
    damaged.push(flipped, whole.subarray(0, i));
  }
  damaged.push(Buffer.concat([whole, Buffer.of(0)]));
  const wallet = cheapWalletFile(folder);
  const codes = new Set<string>();
  for (const bad of damaged) {
    fs.writeFileSync(file, bad);
    t.true(wallet.exists());
    for (const read of [() => wallet.header(), () => wallet.open(PASSWORD)]) {
      try {
        await read();
        codes.add('opened');
      } catch (error) {
        codes.add(error instanceof CompanionError ? error.code : String(error));
      }
    }
  }
  t.deepEqual([...codes], ['WALLET_CORRUPT']);
  t.deepEqual(fs.readFileSync(file), damaged.at(-1));
});

test('edits by somebody who mends the checksum are stopped by the seals', async (t) => {
  const { blake2b } = await import('@noble/hashes/blake2.js');
  const folder = temporaryFolder(t);
  await cheapWalletFile(folder).create(HEADER, secrets(), BOOK, PASSWORD);
  const file = path.join(folder, 'wallet.dat');
  const whole = fs.readFileSync(file);
  const wallet = cheapWalletFile(folder);
  const codes = new Set<string>();
  // In npm test bytes of every field, at length all.
  for (let i = 0; i < whole.length - 32; i += runs(7, 1)) {
    const body = Buffer.from(whole.subarray(0, -32));
    body[i]! ^= 1 << (i % 8);
    fs.writeFileSync(file, Buffer.concat([body, blake2b(body, { dkLen: 32 })]));
    try {
      await wallet.open(PASSWORD);
      await wallet.withSecrets(PASSWORD, () => undefined);
      codes.add(`opened at ${i}`);
    } catch (error) {
      codes.add(error instanceof CompanionError ? error.code : `${i}: ${String(error)}`);
    }
  }
  t.deepEqual([...codes].sort(), ['WALLET_CORRUPT', 'WRONG_PASSWORD']);
});

test('random bytes of any length, a huge file and a named pipe are WALLET_CORRUPT', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'wallet.dat');
  const wallet = cheapWalletFile(folder);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), fc.boolean(), async (garbage, withMagic) => {
      fs.writeFileSync(
        file,
        withMagic ? Buffer.concat([bytes('wallet-companion\u0001\0'), garbage]) : garbage,
      );
      await failureOf(t, 'WALLET_CORRUPT', () => wallet.header());
      await failureOf(t, 'WALLET_CORRUPT', () => wallet.open(PASSWORD));
    }),
    { numRuns: runs(12, 50) },
  );
  fs.truncateSync(file, 2 ** 40);
  await failureOf(t, 'WALLET_CORRUPT', () => wallet.open(PASSWORD));
  fs.rmSync(file);
  if (process.platform === 'win32') return;
  execFileSync('mkfifo', [file]);
  await failureOf(t, 'WALLET_CORRUPT', () => wallet.open(PASSWORD));
});

test('key derivation parameters from a file are capped before they are used', async (t) => {
  const folder = temporaryFolder(t);
  const absurd = { memoryKib: 2 ** 31, passes: 1, lanes: 1 };
  const wallet = createWalletFile({ dataDir: folder, randomBytes, kdf: CHEAP_KDF });
  await wallet.create(HEADER, secrets(), BOOK, PASSWORD);
  const { blake2b } = await import('@noble/hashes/blake2.js');
  const file = path.join(folder, 'wallet.dat');
  const body = Buffer.from(fs.readFileSync(file).subarray(0, -32));
  body.writeUInt32LE(absurd.memoryKib, body.indexOf('}') + 1);
  fs.writeFileSync(file, Buffer.concat([body, blake2b(body, { dkLen: 32 })]));
  await failureOf(t, 'WALLET_CORRUPT', () => wallet.open(PASSWORD));
});

test('replacing the account book needs the right master key and leaves the secrets', async (t) => {
  const folder = temporaryFolder(t);
  const wallet = cheapWalletFile(folder);
  const { masterKey } = await wallet.create(HEADER, secrets(), BOOK, PASSWORD);
  const next: AccountBook = { ...BOOK, nextDiversifierIndex: { 0: '2' } };
  await wallet.replaceBook(masterKey, next);
  t.deepEqual((await wallet.open(PASSWORD)).book, next);
  t.is(await wallet.withSecrets(PASSWORD, ({ mnemonic }) => text(mnemonic)), MNEMONIC);
  const before = fingerprintsOf(folder);
  await failureOf(t, 'WALLET_CORRUPT', () => wallet.replaceBook(new Uint8Array(32), BOOK));
  t.deepEqual(fingerprintsOf(folder), before);
});

test('after a change of password the new one opens, the old one does not, and the master key is another', async (t) => {
  const wallet = cheapWalletFile(temporaryFolder(t));
  const { masterKey } = await wallet.create(HEADER, secrets(), BOOK, PASSWORD);
  const next = await wallet.changePassword(PASSWORD, bytes('another'), NOTHING_ELSE);
  t.notDeepEqual(Buffer.from(next), Buffer.from(masterKey));
  t.false(wallet.sealsWith(masterKey));
  t.true(wallet.sealsWith(next));
  await failureOf(t, 'WRONG_PASSWORD', () => wallet.open(PASSWORD));
  const opened = await wallet.open(bytes('another'));
  t.deepEqual(Buffer.from(opened.masterKey), Buffer.from(next));
  t.deepEqual(opened.book, BOOK);
  t.is(await wallet.withSecrets(bytes('another'), ({ mnemonic }) => text(mnemonic)), MNEMONIC);
});

test('no part of the file from before a change of password fits the file of after it', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'wallet.dat');
  const wallet = cheapWalletFile(folder);
  await wallet.create(HEADER, secrets(), BOOK, PASSWORD);
  const before = parseContainer(fs.readFileSync(file), 1);
  await wallet.changePassword(PASSWORD, bytes('another'), NOTHING_ELSE);
  const after = parseContainer(fs.readFileSync(file), 1);
  const { kdf, salt, wrappedKey, secrets: oldSecrets, book } = before;
  const oldSlot = { kdf, salt, wrappedKey };
  const spliced = [
    [{ ...after, ...oldSlot }, PASSWORD],
    [{ ...after, ...oldSlot, book }, PASSWORD],
    [{ ...after, secrets: oldSecrets }, bytes('another')],
    [{ ...after, book, secrets: oldSecrets }, bytes('another')],
  ] as const;
  for (const [container, password] of spliced) {
    fs.writeFileSync(file, encodeContainer(container));
    await failureOf(t, 'WALLET_CORRUPT', () => wallet.withSecrets(password, () => undefined));
  }
});

test('what else is sealed goes first, and a file that is not replaced is left as it was', async (t) => {
  const folder = temporaryFolder(t);
  const wallet = cheapWalletFile(folder);
  await wallet.create(HEADER, secrets(), BOOK, PASSWORD);
  const before = fingerprintsOf(folder);
  const reported: string[] = [];
  const full = new CompanionError('STORAGE_FAILED', 'full');
  const sealed: SealedBesides = {
    prepare: async () => {
      reported.push('prepare');
      throw full;
    },
    abandon: () => reported.push('abandon'),
  };
  const thrown = await failureOf(t, 'STORAGE_FAILED', () =>
    wallet.changePassword(PASSWORD, bytes('another'), sealed),
  );
  t.is(thrown, full);
  t.deepEqual(reported, ['prepare', 'abandon']);
  t.deepEqual(fingerprintsOf(folder), before);
  await failureOf(t, 'WRONG_PASSWORD', () => wallet.changePassword(bytes('wrong'), PASSWORD, sealed));
  t.deepEqual(reported, ['prepare', 'abandon']);
});

test('changes asked for at the same time all take effect', async (t) => {
  const wallet = cheapWalletFile(temporaryFolder(t));
  const { masterKey } = await wallet.create(HEADER, secrets(), BOOK, PASSWORD);
  const next: AccountBook = { ...BOOK, accounts: BOOK.accounts.slice(0, 1) };
  await Promise.all([
    wallet.changePassword(PASSWORD, bytes('another'), NOTHING_ELSE),
    wallet.replaceBook(masterKey, next),
  ]);
  t.deepEqual((await wallet.open(bytes('another'))).book, next);
});

test('secrets are wiped after use, also when the use fails, and the account book may be replaced during it', async (t) => {
  const wallet = cheapWalletFile(temporaryFolder(t));
  const { masterKey } = await wallet.create(HEADER, secrets(), BOOK, PASSWORD);
  let kept: Uint8Array | null = null;
  await wallet.withSecrets(PASSWORD, async ({ mnemonic }) => {
    kept = mnemonic;
    await wallet.replaceBook(masterKey, BOOK);
    t.is(text(mnemonic), MNEMONIC);
  });
  t.deepEqual(Buffer.from(kept ?? []), Buffer.alloc(MNEMONIC.length));
  await t.throwsAsync(
    wallet.withSecrets(PASSWORD, ({ bip39Passphrase }) => {
      kept = bip39Passphrase;
      throw new Error('in use');
    }),
    { message: 'in use' },
  );
  t.deepEqual(Buffer.from(kept ?? []), Buffer.alloc(PASSPHRASE.length));
});

test('a watch-only wallet has no phrase', async (t) => {
  const wallet = cheapWalletFile(temporaryFolder(t));
  const header = { ...HEADER, network: 'regtest', watchOnly: true } as const;
  await wallet.create(header, { mnemonic: null, bip39Passphrase: new Uint8Array(0) }, BOOK, PASSWORD);
  t.deepEqual(wallet.header(), header);
  t.true(await wallet.withSecrets(PASSWORD, ({ mnemonic }) => mnemonic === null));
});

test('a folder that cannot be written is STORAGE_FAILED', async (t) => {
  const folder = path.join(temporaryFolder(t), 'missing');
  const wallet = cheapWalletFile(folder);
  t.false(wallet.exists());
  const error = await failureOf(t, 'STORAGE_FAILED', () => wallet.create(HEADER, secrets(), BOOK, PASSWORD));
  t.regex(error.message, /wallet\.dat could not be written \(ENOENT\)/);
});

test('as many labels and contacts as a wallet may have fit into the file, however long they are', async (t) => {
  const wallet = cheapWalletFile(temporaryFolder(t));
  const { masterKey } = await wallet.create(HEADER, secrets(), BOOK, PASSWORD);
  const wide = (length: number) => '\u{20000}'.repeat(length);
  const full: AccountBook = {
    ...BOOK,
    labels: Array.from({ length: 3_000 }, () => ({
      account: 2 ** 31 - 1,
      diversifierIndex: '309485009821345068724781055',
      text: wide(256),
    })),
    contacts: Array.from({ length: MAX_CONTACTS }, () => ({
      name: wide(256),
      address: 'u'.repeat(1024),
      note: wide(500),
    })),
  };
  await wallet.replaceBook(masterKey, full);
  t.deepEqual((await wallet.open(PASSWORD)).book, full);
});
