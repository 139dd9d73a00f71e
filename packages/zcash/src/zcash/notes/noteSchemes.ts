// The note scheme of each pool, for code that works on any pool.
import type { PerPool } from '../pools.ts';
import type { NoteScheme } from './noteScheme.ts';
import { IRONWOOD, ORCHARD } from './orchardScheme.ts';
import { SAPLING } from './saplingScheme.ts';

/** Points and scalars belong to one scheme: pass them only to the scheme that made them. */
export type AnyNoteScheme = NoteScheme<unknown, unknown>;

export const NOTE_SCHEMES: PerPool<AnyNoteScheme> = {
  sapling: SAPLING,
  orchard: ORCHARD,
  ironwood: IRONWOOD,
};
