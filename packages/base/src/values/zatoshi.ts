// The type of amounts.

import type { Marking } from './kind.ts';

/**
 * An amount in zatoshi (10^-8 ZEC); exact, since the total supply stays below 2^53. A plain number is accepted, since
 * code adds amounts; a number marked as another kind, such as a height, is not.
 */
export type Zatoshi = Marking<number, 'zatoshi'>;
