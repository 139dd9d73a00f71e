// The type of block heights, and how far the time of a block may be ahead of a clock.

import type { Marking } from './kind.ts';

/**
 * Height of a block. A plain number is accepted, since code counts with heights; a number marked as another kind, such
 * as an amount, is not.
 */
export type Height = Marking<number, 'height'>;

/** Nodes hold heights as signed 32-bit integers. */
export const MAX_HEIGHT: Height = 2 ** 31 - 1;

/** A node refuses a block further ahead of its clock. */
export const MAX_FUTURE_SECONDS = 2 * 3_600;
