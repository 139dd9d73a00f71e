// A change of password, on disk: a new master key, and everything sealed with it is sealed again. First a copy of the
// note store is written beside it; the wallet file, replaced in one step, decides which of the two holds; the next open
// moves the new store into place. So the process can end at any moment without a loss of notes or of access.

import { setImmediate as otherWork } from 'node:timers/promises';
import { equalBytes } from '@wallet-companion/base/bytes';
import { CompanionError } from '../../../protocol/errors.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';

type Stores = Pick<WalletEnvironment, 'walletFile' | 'noteDatabases' | 'invoiceFiles'>;

export interface PasswordChange {
  readonly password: Uint8Array;
  readonly newPassword: Uint8Array;
  /** The open session, if any. Its note store must not change meanwhile. */
  readonly session: { readonly noteStore: NoteStore; readonly masterKey: Uint8Array } | undefined;
}

/** Returns the new master key, which the caller wipes; only this key opens the note store. */
export function changePassword(
  { walletFile, noteDatabases, invoiceFiles }: Stores,
  { password, newPassword, session }: PasswordChange,
): Promise<Uint8Array> {
  return walletFile.changePassword(password, newPassword, {
    prepare: async (masterKey, next) => {
      invoiceFiles.addKey(masterKey, next);
      if (session !== undefined) {
        if (!equalBytes(masterKey, session.masterKey)) throw exchanged();
        return session.noteStore.reseal(next);
      }
      const store = noteDatabases.open(masterKey);
      try {
        for (const _ of store.reseal(next)) await otherWork();
      } finally {
        store.close();
      }
    },
    abandon: () => noteDatabases.dropResealed(),
  });
}

const exchanged = (): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    'The wallet file is not the one that was opened. Nothing was changed, and the wallet is locked: unlock the file that is there now.',
  );
