// The versions of the note store. Version 1 is the first; add a step here and the version rises with it
// (docs/storage.md).

import type { RandomBytes } from '@wallet-companion/disk/sealing';
import type { DatabaseStep } from '@wallet-companion/disk/sqlite';

/** What a step needs to open and seal records. */
export interface NoteStoreKeys {
  readonly masterKey: Uint8Array;
  readonly randomBytes: RandomBytes;
}

export type NoteStoreStep = DatabaseStep<NoteStoreKeys>;

export const NOTE_STORE_STEPS: readonly NoteStoreStep[] = [];
