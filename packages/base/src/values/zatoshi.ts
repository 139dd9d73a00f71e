// The type of amounts, and amounts in ZEC as text, exactly.

import type { Marking } from './kind.ts';

/**
 * An amount in zatoshi (10^-8 ZEC); exact, since the total supply stays below 2^53. A plain number is accepted, since
 * code adds amounts; a number marked as another kind, such as a height, is not.
 */
export type Zatoshi = Marking<number, 'zatoshi'>;

const DECIMALS = 8;
const ZATOSHI_PER_ZEC = 10 ** DECIMALS;

/** An amount in ZEC with eight decimals, for columns. */
export function zecColumn(zatoshi: Zatoshi): string {
  if (zatoshi < 0) return `-${zecColumn(-zatoshi)}`;
  const whole = Math.floor(zatoshi / ZATOSHI_PER_ZEC);
  return `${whole}.${String(zatoshi % ZATOSHI_PER_ZEC).padStart(DECIMALS, '0')}`;
}

/** An amount in ZEC without trailing zeros, as ZIP 321 writes it. */
export const zecText = (zatoshi: Zatoshi): string => zecColumn(zatoshi).replace(/\.?0+$/, '');
