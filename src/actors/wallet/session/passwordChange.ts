// A change of password, on disk: a new master key, and all that is sealed with it sealed anew. The note store is laid
// beside first; the wallet file, replaced in one step, decides which of the two holds; then the new store comes into its
// place, when it is next opened. So there is no moment at which the process can end and notes, or the way in, be lost.

import { setImmediate as otherWork } from 'node:timers/promises';
import { equalBytes } from '@wallet-companion/shielded/bytes';
import { CompanionError } from '../../../protocol/errors.ts';
import type { NoteStore } from '../notes/noteStore.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';

type Stores = Pick<WalletEnvironment, 'walletFile' | 'noteDatabases'>;

export interface PasswordChange {
  readonly password: Uint8Array;
  readonly newPassword: Uint8Array;
  /** If one is open. Nothing is written to its note store meanwhile. */
  readonly session: { readonly noteStore: NoteStore; readonly masterKey: Uint8Array } | undefined;
}

/** Answers with the new master key, the caller's to wipe; the note store opens with that one alone. */
export function changePassword(
  { walletFile, noteDatabases }: Stores,
  { password, newPassword, session }: PasswordChange,
): Promise<Uint8Array> {
  return walletFile.changePassword(password, newPassword, {
    prepare: async (masterKey, next) => {
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
