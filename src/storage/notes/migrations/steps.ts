// The versions of the note store. Version 1 is the first; add a step here and the version rises with it
// (docs/storage.md).

import type { NoteStoreStep } from './step.ts';
import { TO_2 } from './to2.ts';
import { TO_3 } from './to3.ts';

/** Tables of earlier versions that today's has otherwise, or not at all. */
export const EARLIER_NOTE_STORE_SCHEMA = [
  `CREATE TABLE kept_transactions(
    id INTEGER PRIMARY KEY,
    height INTEGER NOT NULL,
    tx_index INTEGER NOT NULL,
    txid BLOB NOT NULL,
    UNIQUE(height, tx_index)
  )`,
  'CREATE TABLE kept_times(height INTEGER PRIMARY KEY, time INTEGER NOT NULL)',
];

export const NOTE_STORE_STEPS: readonly NoteStoreStep[] = [TO_2, TO_3];
