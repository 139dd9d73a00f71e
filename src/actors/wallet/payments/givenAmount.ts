// Reads text fields of a request: an error names the field that cannot be read.

import { FormatError } from '@wallet-companion/shielded/bytes';
import { parseZecText } from '@wallet-companion/shielded/zip321';
import { badField } from '../../../protocol/errors.ts';

interface GivenAmount {
  /** Amount in ZEC. */
  readonly amount?: string | undefined;
  readonly zatoshi?: number | undefined;
}

/** Zatoshi, from either field; `path`: that of the amount as text. */
export function amountOf({ amount, zatoshi }: GivenAmount, path = 'amount'): number | undefined {
  if (amount === undefined) return zatoshi;
  if (zatoshi !== undefined) throw badField(path, 'cannot be given beside zatoshi');
  return refusing(path, () => parseZecText(amount));
}

export function refusing<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) throw badField(path, `is refused: ${error.message}`);
    throw error;
  }
}
