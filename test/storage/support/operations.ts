// What the kill tests interrupt.

import { createCompactStores } from '../../../src/storage/blocks/compactStores.ts';
import { openConfigFile } from '../../../src/storage/config/configFile.ts';
import { place } from '../blocks/support/compact.ts';
import { ledgerStores, MASTER_KEY } from '../notes/support/ledger.ts';
import { bytes, cheapWalletFile, HEADER, PASSWORD, secrets, VIEW } from '../wallet/support/wallet.ts';

export const NEW_PASSWORD = bytes('a new password');

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
  'compact.open': (folder) => {
    const stores = createCompactStores();
    stores.open(undefined, place(folder));
    stores.close();
  },
};
