// What both kinds of server say about unspent outputs at addresses.

import type { UnspentOutput } from '../ports/types.ts';

/** A miner's wallet has thousands, and one transaction takes few of them. */
export const MOST_OUTPUTS = 5_000;

export const NO_ADDRESS_INDEX = 'has no index of transparent addresses; use another server';

export const mostValuable = (outputs: readonly UnspentOutput[]): UnspentOutput[] =>
  outputs.toSorted((a, b) => b.zatoshi - a.zatoshi).slice(0, MOST_OUTPUTS);
