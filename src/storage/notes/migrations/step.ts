// One step of the note store from a version to the next.

import type { RandomBytes } from '../../sealing/sealing.ts';
import type { DatabaseStep } from '../../sqlite/migrations.ts';

/** What a step needs to open and seal records. */
export interface NoteStoreKeys {
  readonly masterKey: Uint8Array;
  readonly randomBytes: RandomBytes;
}

export type NoteStoreStep = DatabaseStep<NoteStoreKeys>;
