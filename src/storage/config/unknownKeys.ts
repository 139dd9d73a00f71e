// Keys of config.json that change nothing. They are kept, because another version of the program may know them; but a
// user who misspelt a known key believes that the setting is in force.

import { MOST_SLIPS, slipsBetween } from '@wallet-companion/base/values';
import type { JsonMember } from '@wallet-companion/disk/json';
import { CONFIG_FILE } from '../files/dataFiles.ts';

/** A key longer than this is no misspelling. */
const LONGEST = 64;

/** One sentence per key. */
export function unknownKeys(members: ReadonlyMap<string, JsonMember>, known: readonly string[]): string[] {
  return [...members].flatMap(([key, { line }]) => {
    if (known.includes(key)) return [];
    const meant = meantBy(key, known);
    const end = meant === undefined ? '.' : `; did you mean "${meant}"?`;
    return [
      `${CONFIG_FILE}, line ${line}: "${key.slice(0, LONGEST)}" is no setting and changes nothing${end}`,
    ];
  });
}

function meantBy(key: string, known: readonly string[]): string | undefined {
  if (key.length > LONGEST) return undefined;
  const plain = plainly(key);
  const [nearest] = known
    .map((word) => ({ word, slips: slipsBetween(plain, plainly(word)) }))
    .filter(({ word, slips }) => slips <= Math.min(MOST_SLIPS, Math.floor(word.length / 3)))
    .sort((a, b) => a.slips - b.slips);
  return nearest?.word;
}

/** `minConfirmations` and `min-confirmations` are meant for `min_confirmations`. */
const plainly = (key: string): string => key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
