// Amounts, as a type of its own.

import type { Marking } from './kind.ts';

/**
 * An amount in zatoshi (10^-8 ZEC); exact, since all there can ever be is below 2^53. A plain number passes for one,
 * since amounts are summed up; another kind of number, a height for instance, does not.
 */
export type Zatoshi = Marking<number, 'zatoshi'>;
