// A step that no program has: what a real one would have to do, for the tests of what runs it.

import fs from 'node:fs';
import { concatBytes } from '@wallet-companion/base/bytes';
import { latestVersion } from '@wallet-companion/disk/files';
import { deriveSubkey, seal, unseal } from '@wallet-companion/disk/sealing';
import { bytesColumn } from '@wallet-companion/disk/sqlite';
import { NOTE_STORE_STEPS, type NoteStoreStep } from '../../../../src/storage/notes/migrations/steps.ts';

/** The version that the program has without made-up steps. */
export const LATEST = latestVersion(NOTE_STORE_STEPS);

/** A program of later versions. */
export const withSteps = (...steps: readonly NoteStoreStep[]): readonly NoteStoreStep[] => [
  ...NOTE_STORE_STEPS,
  ...steps,
];

/** Of a sealed row: what was written there counts the migrations. */
const LABEL = new TextEncoder().encode('made up');

/** Adds a sealed row, so that it needs the keys, and rewrites all notes. */
export const sealingStep = (from: number, meanwhile: () => void = () => undefined): NoteStoreStep => ({
  from,
  to: from + 1,
  migrate: (database, { masterKey, randomBytes }) => {
    const key = deriveSubkey(masterKey, 'made-up/1');
    database.exec('CREATE TABLE IF NOT EXISTS made_up(sealed BLOB NOT NULL)');
    const row = database.prepare('SELECT sealed FROM made_up').get();
    const before = row === undefined ? new Uint8Array() : unseal(key, bytesColumn(row, 'sealed'), LABEL)!;
    database.exec('DELETE FROM made_up');
    meanwhile();
    const sealed = seal(key, concatBytes(before, Uint8Array.of(from)), LABEL, randomBytes);
    database.prepare('INSERT INTO made_up VALUES (?)').run(sealed);
    database.exec('UPDATE notes SET sealed = sealed');
    meanwhile();
  },
});

/** For `photographedWriter`: does nothing but a call before which a kill is tried. */
export const placeToBeKilled = (): void => fs.rmSync('/nonexistent', { force: true });
