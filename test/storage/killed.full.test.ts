// Storage that is killed at any moment: before each call to the file system of one operation, and somewhere in the middle of
// many. What a process leaves is made good by the next one.

import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { oneIn } from '@wallet-companion/base/test/atLength';
import { inspectDatabase } from '@wallet-companion/disk/sqlite';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import test, { type ExecutionContext } from 'ava';
import type { NoteStoreChange } from '../../src/actors/wallet/ports/noteDatabase.ts';
import { changePassword } from '../../src/actors/wallet/session/passwordChange.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import { createCompactStores } from '../../src/storage/blocks/compactStores.ts';
import { openConfigFile } from '../../src/storage/config/configFile.ts';
import { tidyDirectories } from '../../src/storage/files/directories.ts';
import { createInvoiceFiles } from '../../src/storage/invoices/invoiceFile.ts';
import { madeUpPayment } from '../helpers/madeUpPayment.ts';
import { chain, place } from './blocks/support/compact.ts';
import { LATEST } from './notes/support/madeUpSteps.ts';
import {
  block,
  kept,
  loaded,
  MASTER_KEY,
  NoteStoreModel,
  type NoteStoreSnapshot,
  note,
  noteDatabases,
  ordered,
  sentOutput,
  state,
  transaction,
} from './notes/support/noteDatabase.ts';
import { kill, nextMessage, startChild } from './support/child.ts';
import { NEW_PASSWORD, newerNoteDatabases, newerWalletFile, type OPERATIONS } from './support/operations.ts';
import { BOOK, bytes, cheapWalletFile, HEADER, PASSWORD, secrets } from './wallet/support/wallet.ts';

/**
 * Runs the operation once, and looks at what a kill before its first file system call would have left, before its second,
 * and so on to the end (of five calls one, at length all): its process copies the folder before each.
 */
async function killAtEveryCall(
  t: ExecutionContext,
  operation: keyof typeof OPERATIONS,
  prepare: (folder: string) => unknown,
  verify: (folder: string) => unknown,
): Promise<void> {
  const folder = temporaryFolder(t);
  const album = temporaryFolder(t);
  await prepare(folder);
  const child = startChild(t, 'photographedWriter', operation, folder, album);
  t.is(await nextMessage(child), 'done');
  // A temporary file of somebody who is still there would be left alone.
  if (child.exitCode === null) await once(child, 'exit');
  const calls = fs.readdirSync(album).length;
  t.true(calls >= 3, `only ${calls} calls`);
  const photos = Array.from({ length: calls }, (_, i) => path.join(album, String(i + 1)));
  for (const left of [...oneIn(5, photos), folder]) {
    tidyDirectories({ configDir: left, dataDir: left });
    await verify(left);
  }
}

const opensWith = async (folder: string, password: Uint8Array): Promise<boolean> => {
  try {
    await cheapWalletFile(folder).open(password);
    return true;
  } catch (error) {
    if (error instanceof CompanionError && error.code === 'WRONG_PASSWORD') return false;
    throw error;
  }
};

const makeWallet = (folder: string): unknown =>
  cheapWalletFile(folder).create(HEADER, secrets(), BOOK, PASSWORD);

const SCANNED: NoteStoreChange = {
  state: state(1),
  putNotes: [note(1), note(2), note(4)],
  putSentOutputs: [sentOutput(1)],
  putTransactions: [transaction(1)],
  putBlocks: [block(1)],
  sightings: [kept(1, 9)],
};

const scanned = (): NoteStoreSnapshot => {
  const model = new NoteStoreModel();
  model.commit(SCANNED);
  return model.snapshot();
};

async function makeScannedWallet(folder: string): Promise<void> {
  const { masterKey } = await cheapWalletFile(folder).create(HEADER, secrets(), BOOK, PASSWORD);
  const store = noteDatabases(folder).open(masterKey);
  store.commit(SCANNED);
  store.close();
}

test('killed anywhere while a wallet is created: there is none, or a whole one', async (t) => {
  await killAtEveryCall(
    t,
    'wallet.create',
    () => undefined,
    async (folder) => {
      const wallet = cheapWalletFile(folder);
      t.deepEqual(fs.readdirSync(folder), wallet.exists() ? ['wallet.dat'] : []);
      if (!wallet.exists()) await makeWallet(folder);
      t.true(await opensWith(folder, PASSWORD));
    },
  );
});

test('killed anywhere while the password is changed: exactly one of the two opens', async (t) => {
  await killAtEveryCall(t, 'wallet.changePassword', makeWallet, async (folder) => {
    t.deepEqual(fs.readdirSync(folder), ['wallet.dat']);
    t.not(await opensWith(folder, PASSWORD), await opensWith(folder, NEW_PASSWORD));
  });
});

for (const operation of ['password.changeLocked', 'password.changeOpen'] as const) {
  test(`killed anywhere in ${operation}: one password opens, with all notes and no more, and goes on`, async (t) => {
    const outcomes = new Set<string>();
    await killAtEveryCall(t, operation, makeScannedWallet, async (folder) => {
      const [before, after] = [await opensWith(folder, PASSWORD), await opensWith(folder, NEW_PASSWORD)];
      t.not(before, after);
      const { masterKey } = await cheapWalletFile(folder).open(before ? PASSWORD : NEW_PASSWORD);
      const names = fs.readdirSync(folder);
      outcomes.add(`${before ? 'old' : 'new'}${names.includes('ledger-next.db') ? ', beside' : ''}`);
      const store = noteDatabases(folder).open(masterKey);
      t.deepEqual(ordered(loaded(store)).notes, ordered(scanned()).notes);
      t.like(loaded(store), { transactions: scanned().transactions, blocks: scanned().blocks });
      t.is(loaded(store).state?.lastScanHeight, 1);
      t.deepEqual(store.findSightings([kept(1, 9), kept(2, 9)]), [kept(1, 9), undefined]);
      store.commit({ state: state(2), putBlocks: [block(2)] });
      store.close();
      t.deepEqual(fs.readdirSync(folder).sort(), ['ledger.db', 'wallet.dat']);
      // And once more, whatever the first one left.
      const stores = {
        walletFile: cheapWalletFile(folder),
        noteDatabases: noteDatabases(folder),
        invoiceFiles: createInvoiceFiles({
          dataDir: folder,
          randomBytes: (length) => new Uint8Array(length),
        }),
      };
      const password = before ? PASSWORD : NEW_PASSWORD;
      const next = await changePassword(stores, {
        password,
        newPassword: bytes('third'),
        session: undefined,
      });
      const last = noteDatabases(folder).open(next);
      t.deepEqual(loaded(last).blocks, [block(1), block(2)]);
      last.close();
    });
    t.deepEqual(outcomes, new Set(['old', 'old, beside', 'new, beside', 'new']));
  });
}

test('killed anywhere while the book is replaced: the old or the new one is there', async (t) => {
  await killAtEveryCall(t, 'wallet.replaceBook', makeWallet, async (folder) => {
    const { book } = await cheapWalletFile(folder).open(PASSWORD);
    t.true(['1', '99'].includes(book.nextDiversifierIndex[0] ?? ''));
  });
});

test('killed anywhere while a wallet file is migrated: it is whole, in the old version or the new', async (t) => {
  const versions = new Set<number>();
  await killAtEveryCall(t, 'wallet.migrate', makeWallet, async (folder) => {
    const version = fs.readFileSync(path.join(folder, 'wallet.dat')).readUInt16LE(16);
    versions.add(version);
    // The copy is there before the new version is.
    if (version === 2) t.true(fs.existsSync(path.join(folder, 'wallet.dat.v1')));
    else t.true(await opensWith(folder, PASSWORD));
    const { book } = await newerWalletFile(folder).open(PASSWORD);
    t.deepEqual(book, BOOK);
  });
  t.deepEqual(versions, new Set([1, 2]));
});

test('killed anywhere while a note store is migrated and written to: nothing of it is lost', async (t) => {
  const prepare = (folder: string): void => {
    const store = noteDatabases(folder).open(MASTER_KEY);
    store.commit({ state: state(1), putBlocks: [block(1)] });
    store.close();
  };
  const versions = new Set<unknown>();
  await killAtEveryCall(t, 'noteStore.migrate', prepare, (folder) => {
    const file = path.join(folder, 'ledger.db');
    const found = inspectDatabase(file);
    const version = found.kind === 'database' ? found.userVersion : found.kind;
    versions.add(version);
    const stores = version === LATEST ? noteDatabases(folder) : newerNoteDatabases(folder);
    const store = stores.open(MASTER_KEY);
    const { state: at, blocks } = loaded(store);
    t.true([1, 2].includes(at?.lastScanHeight ?? 0));
    if (at?.lastScanHeight === 1 && version === LATEST + 1) t.true(fs.existsSync(`${file}.v${LATEST}`));
    t.deepEqual(blocks, [block(1)]);
    store.close();
    const newer = newerNoteDatabases(folder).open(MASTER_KEY);
    newer.commit({ state: state(3) });
    newer.close();
    t.false(fs.existsSync(`${file}.v${LATEST}`));
  });
  t.deepEqual(versions, new Set([LATEST, LATEST + 1]));
});

test('killed anywhere while config.json is written: it holds the old values or the new ones', async (t) => {
  const old = '{"theme": "dark", "last_scan_height": 1, "mine": true}';
  const prepare = (folder: string): void => fs.writeFileSync(path.join(folder, 'config.json'), old);
  await killAtEveryCall(t, 'config.update', prepare, (folder) => {
    t.deepEqual(fs.readdirSync(folder), ['config.json']);
    const { theme, last_scan_height } = openConfigFile({ configDir: folder }).get();
    t.true(['dark 1', 'light 2'].includes(`${theme} ${last_scan_height}`));
  });
});

test('killed anywhere while a note store is made: the next one opens it or makes it', async (t) => {
  await killAtEveryCall(
    t,
    'noteStore.open',
    () => undefined,
    (folder) => {
      const store = noteDatabases(folder).open(MASTER_KEY);
      store.commit({ state: state(1) });
      t.deepEqual(loaded(store).state, state(1));
      store.close();
      t.deepEqual(fs.readdirSync(folder), ['ledger.db']);
    },
  );
});

test('killed anywhere while a note store is put aside: a new one can be made', async (t) => {
  const prepare = (folder: string): void => {
    const store = noteDatabases(folder).open(new Uint8Array(32));
    store.commit({ state: state(5) });
    for (const name of fs.readdirSync(folder))
      fs.copyFileSync(path.join(folder, name), path.join(folder, `${name}~`));
    store.close();
    for (const name of fs.readdirSync(folder).filter((copy) => copy.endsWith('~'))) {
      fs.renameSync(path.join(folder, name), path.join(folder, name.slice(0, -1)));
    }
  };
  await killAtEveryCall(t, 'noteStore.retire', prepare, (folder) => {
    const stores = noteDatabases(folder);
    stores.retire();
    const store = stores.open(MASTER_KEY);
    t.is(loaded(store).state, undefined);
    store.close();
  });
});

test('killed anywhere while a compact store is made: the next one opens it or makes it', async (t) => {
  await killAtEveryCall(
    t,
    'compact.open',
    () => undefined,
    (folder) => {
      const stores = createCompactStores();
      const store = stores.open(undefined, place(folder));
      store.put(chain({ start: 1, end: 3 }));
      t.is(store.summary().blockCount, 3);
      stores.close();
      t.deepEqual(fs.readdirSync(folder), ['compact-main.db']);
    },
  );
});

/** Starts the writer and kills it while it is at its work after some steps. Returns the last step it told of. */
async function runAndKill(
  t: ExecutionContext,
  writer: Parameters<typeof startChild>[1],
  folder: string,
  steps: number,
): Promise<number> {
  const child = startChild(t, writer, folder);
  let last = 0;
  for (let i = 0; i < steps; i++) {
    const message = await nextMessage(child);
    if (typeof message !== 'number') throw new Error(`the writer ended: ${JSON.stringify(message)}`);
    last = message;
  }
  // A few more steps may be under way before the signal arrives: the writer is never waiting for us.
  child.on('message', (step) => {
    last = Number(step);
  });
  await kill(child);
  return last;
}

test('killed while it commits, the note store has every commit that returned, and no half one', async (t) => {
  const folder = temporaryFolder(t);
  let least = 0;
  for (const steps of oneIn(2, [1, 3, 7, 12, 5])) {
    least = Math.max(least, await runAndKill(t, 'noteStoreWriter', folder, steps));
    const store = noteDatabases(folder).open(MASTER_KEY);
    const { state: found, notes, blocks } = loaded(store);
    const n = found?.lastScanHeight ?? 0;
    t.true(n >= least, `commit ${least} returned, the store is at ${n}`);
    t.deepEqual(found, state(n));
    t.is(notes.length, n);
    t.true(notes.every(({ value }) => value === n));
    t.deepEqual(blocks.at(-1), block(n));
    t.deepEqual(store.findSightings([kept(n * 50 + 49, n)]), [kept(n * 50 + 49, n)]);
    t.deepEqual(store.findSightings([kept((n + 1) * 50, n + 1)]), [undefined]);
    store.close();
  }
});

test('killed while it keeps payments, the note store has every one that returned, whole', async (t) => {
  const folder = temporaryFolder(t);
  let least = 0;
  for (const steps of oneIn(2, [1, 2, 5, 9, 3])) {
    least = Math.max(least, await runAndKill(t, 'paymentWriter', folder, steps));
    const store = noteDatabases(folder).open(MASTER_KEY);
    const payments = store.payments().sort((a, b) => a.createdAt - b.createdAt);
    t.true(payments.length >= least, `payment ${least} returned, ${payments.length} are there`);
    for (const [i, payment] of payments.entries()) {
      const n = i + 1;
      const whole = madeUpPayment(n, { pczt: new Uint8Array(20_000).fill(n) });
      const isHalfDone = n === payments.length && n > least && payment.pczt.length < 20_000;
      // The runner's comparison looks at each of the bytes as an object's field.
      t.true(isDeepStrictEqual(payment, isHalfDone ? madeUpPayment(n) : whole), `payment ${n}`);
    }
    store.close();
  }
});

test('killed while it stores and undoes blocks, the compact store is a chain without a hidden gap', async (t) => {
  const folder = temporaryFolder(t);
  for (const steps of oneIn(2, [1, 4, 5, 9, 14])) {
    await runAndKill(t, 'compactWriter', folder, steps);
    const stores = createCompactStores();
    const store = stores.find(undefined, place(folder));
    const summary = store?.summary();
    const top = summary?.lastHeight ?? 0;
    t.deepEqual(summary?.missingRanges, []);
    t.is(summary?.blockCount, top);
    t.is(top % 5, 0);
    t.deepEqual(store?.read({ start: 1, end: top }, 1e9), chain({ start: 1, end: top }));
    stores.close();
  }
});
