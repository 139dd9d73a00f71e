// The scheme of each pool's notes, for code that works on any pool.
import type { PerPool } from '../pools.ts';
import type { NoteScheme } from './noteScheme.ts';
import { IRONWOOD, ORCHARD } from './orchardScheme.ts';
import { SAPLING } from './saplingScheme.ts';

/** Points and scalars are the scheme's own: what one scheme made goes back to the same one. */
export type AnyNoteScheme = NoteScheme<unknown, unknown>;

export const NOTE_SCHEMES: PerPool<AnyNoteScheme> = {
  sapling: SAPLING,
  orchard: ORCHARD,
  ironwood: IRONWOOD,
};
