// What the kill tests interrupt.

import { createCompactStores } from '../../../src/storage/blocks/compactStores.ts';
import { openConfigFile } from '../../../src/storage/config/configFile.ts';
import { createLedgerStores } from '../../../src/storage/notes/ledgerStore.ts';
import { createWalletFile } from '../../../src/storage/wallet/walletFile.ts';
import { place } from '../blocks/support/compact.ts';
import { ledgerStores, MASTER_KEY, state } from '../notes/support/ledger.ts';
import { placeToBeKilled, sealingStep } from '../notes/support/madeUpSteps.ts';
import { resealing } from '../wallet/support/madeUpSteps.ts';
import { bytes, cheapWalletFile, HEADER, PASSWORD, secrets, VIEW } from '../wallet/support/wallet.ts';

export const NEW_PASSWORD = bytes('a new password');

const zeros = (length: number): Uint8Array => new Uint8Array(length);

/** A program of which version 2 is the latest. */
export const newerWalletFile = (dataDir: string) =>
  createWalletFile({ dataDir, randomBytes: zeros, migrations: [resealing(1)] });

export const newerLedgerStores = (dataDir: string) =>
  createLedgerStores({ dataDir, randomBytes: zeros, migrations: [sealingStep(1, placeToBeKilled)] });

export const OPERATIONS: Readonly<Record<string, (folder: string) => unknown>> = {
  'wallet.create': (folder) => cheapWalletFile(folder).create(HEADER, secrets(), VIEW, PASSWORD),
  'wallet.changePassword': (folder) => cheapWalletFile(folder).changePassword(PASSWORD, NEW_PASSWORD),
  'wallet.replaceView': async (folder) => {
    const wallet = cheapWalletFile(folder);
    const { masterKey } = await wallet.open(PASSWORD);
    await wallet.replaceView(masterKey, { ...VIEW, nextDiversifierIndex: { 0: '99' } });
  },
  'config.update': (folder) =>
    openConfigFile({ configDir: folder }).update({ theme: 'light', last_scan_height: 2 }),
  'ledger.open': (folder) => ledgerStores(folder).open(MASTER_KEY).close(),
  'ledger.retire': (folder) => ledgerStores(folder).retire(),
  'wallet.migrate': (folder) => newerWalletFile(folder).open(PASSWORD),
  'ledger.migrate': (folder) => {
    const store = newerLedgerStores(folder).open(MASTER_KEY);
    store.commit({ state: state(2) });
    store.close();
  },
  'compact.open': (folder) => {
    const stores = createCompactStores();
    stores.open(undefined, place(folder));
    stores.close();
  },
};
