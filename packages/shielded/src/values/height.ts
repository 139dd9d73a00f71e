// Heights of blocks, as a type of its own.

import type { Marking } from './kind.ts';

/**
 * Height of a block. A plain number passes for one, since heights are counted with; another kind of number, an amount
 * for instance, does not.
 */
export type Height = Marking<number, 'height'>;

/** Nodes hold heights as signed 32-bit integers. */
export const MAX_HEIGHT: Height = 2 ** 31 - 1;
