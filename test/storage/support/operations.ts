// What the kill tests interrupt.

import { randomBytes } from 'node:crypto';
import { NoteStore } from '../../../src/actors/wallet/noteStore/noteStore.ts';
import { changePassword } from '../../../src/actors/wallet/session/passwordChange.ts';
import { createCompactStores } from '../../../src/storage/blocks/compactStores.ts';
import { openConfigFile } from '../../../src/storage/config/configFile.ts';
import { createInvoiceFiles } from '../../../src/storage/invoices/invoiceFile.ts';
import { createNoteDatabases } from '../../../src/storage/notes/noteDatabase.ts';
import { createWalletFile } from '../../../src/storage/wallet/walletFile.ts';
import { place } from '../blocks/support/compact.ts';
import { LATEST, placeToBeKilled, sealingStep, withSteps } from '../notes/support/madeUpSteps.ts';
import { MASTER_KEY, noteDatabases, state } from '../notes/support/noteDatabase.ts';
import { resealing } from '../wallet/support/madeUpSteps.ts';
import {
  BOOK,
  bytes,
  cheapWalletFile,
  HEADER,
  NOTHING_ELSE,
  PASSWORD,
  secrets,
} from '../wallet/support/wallet.ts';

export const NEW_PASSWORD = bytes('a new password');

const zeros = (length: number): Uint8Array => new Uint8Array(length);

/** Programs with one version more. */
export const newerWalletFile = (dataDir: string) =>
  createWalletFile({ dataDir, randomBytes: zeros, migrations: [resealing(1)] });

export const newerNoteDatabases = (dataDir: string) =>
  createNoteDatabases({
    dataDir,
    randomBytes: zeros,
    migrations: withSteps(sealingStep(LATEST, placeToBeKilled)),
  });

/** Sealing a row is a place to be killed, too. */
const killableStores = (dataDir: string) => ({
  walletFile: cheapWalletFile(dataDir),
  noteDatabases: createNoteDatabases({
    dataDir,
    randomBytes: (length) => {
      placeToBeKilled();
      return new Uint8Array(randomBytes(length));
    },
  }),
  invoiceFiles: createInvoiceFiles({ dataDir, randomBytes: (length) => new Uint8Array(randomBytes(length)) }),
});

export const OPERATIONS: Readonly<Record<string, (folder: string) => unknown>> = {
  'wallet.create': (folder) => cheapWalletFile(folder).create(HEADER, secrets(), BOOK, PASSWORD),
  'wallet.changePassword': (folder) =>
    cheapWalletFile(folder).changePassword(PASSWORD, NEW_PASSWORD, NOTHING_ELSE),
  'password.changeLocked': async (folder) => {
    const stores = killableStores(folder);
    const change = { password: PASSWORD, newPassword: NEW_PASSWORD, session: undefined };
    stores.noteDatabases.open(await changePassword(stores, change)).close();
  },
  'password.changeOpen': async (folder) => {
    const stores = killableStores(folder);
    const { masterKey } = await stores.walletFile.open(PASSWORD);
    const noteStore = new NoteStore(stores.noteDatabases.open(masterKey), [], 1);
    // What SQLite keeps beside the file must not get into the one that takes its place.
    noteStore.markExported(5);
    const session = { noteStore, masterKey };
    const next = await changePassword(stores, { password: PASSWORD, newPassword: NEW_PASSWORD, session });
    noteStore.reopen(() => stores.noteDatabases.open(next));
    noteStore.markExported(6);
    noteStore.close();
  },
  'wallet.replaceBook': async (folder) => {
    const wallet = cheapWalletFile(folder);
    const { masterKey } = await wallet.open(PASSWORD);
    await wallet.replaceBook(masterKey, { ...BOOK, nextDiversifierIndex: { 0: '99' } });
  },
  'config.update': (folder) =>
    openConfigFile({ configDir: folder }).update({ theme: 'light', last_scan_height: 2 }),
  'noteStore.open': (folder) => noteDatabases(folder).open(MASTER_KEY).close(),
  'noteStore.retire': (folder) => noteDatabases(folder).retire(),
  'wallet.migrate': (folder) => newerWalletFile(folder).open(PASSWORD),
  'noteStore.migrate': (folder) => {
    const store = newerNoteDatabases(folder).open(MASTER_KEY);
    store.commit({ state: state(2) });
    store.close();
  },
  'compact.open': (folder) => {
    const stores = createCompactStores();
    stores.open(undefined, place(folder));
    stores.close();
  },
};
