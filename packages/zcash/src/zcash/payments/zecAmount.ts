// Amounts in ZEC as ZIP 321 writes them.

import { FormatError } from '@wallet-companion/base/bytes';
import type { Zatoshi } from '@wallet-companion/base/values';
import { MAX_MONEY } from '../network.ts';

const DECIMALS = 8;

/** ZIP 321, "Transfer amount". FormatError for other text, and above 21 million. */
export function parseZecText(text: string): Zatoshi {
  const [, whole = '', fraction = ''] = /^([0-9]+)(?:\.([0-9]{1,8}))?$/.exec(text) ?? [];
  if (whole === '') throw new FormatError('an amount is a decimal number with at most 8 decimals');
  const zatoshi = BigInt(whole + fraction.padEnd(DECIMALS, '0'));
  if (zatoshi > MAX_MONEY) throw new FormatError('the amount is above 21,000,000 ZEC');
  return Number(zatoshi);
}
