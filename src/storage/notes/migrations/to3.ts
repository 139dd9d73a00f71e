// Version 3 keeps a journal of what was said about notes. Its pages are made when the note store next changes: whoever
// has loaded the notes knows what to write there.

import type { NoteStoreStep } from './step.ts';

export const TO_3: NoteStoreStep = {
  from: 2,
  to: 3,
  migrate: (database) => {
    for (const table of ['journal', 'claims']) {
      database.exec(`CREATE TABLE ${table}(name BLOB PRIMARY KEY, sealed BLOB NOT NULL)`);
    }
  },
};
