// When notes, transactions and payments look final: as deep as this wallet spends a note by its own rule (ZIP 315: 3 blocks for
// what it made itself, 10 for what others sent), or as config.json says, if that is more.

import type { Note } from './funds.ts';

/** As `DEFAULT_CONFIRMATIONS` of the protocol package, whose door is too much to load here; a test compares them. */
export const CONFIRMATIONS = { change: 3, received: 10 };

/** `least`: `min_confirmations`. Undefined: nothing is waited for. */
export function waitingText(confirmations: number, isOwn: boolean, least: number): string | undefined {
  const needed = Math.max(isOwn ? CONFIRMATIONS.change : CONFIRMATIONS.received, least);
  return confirmations < needed ? `${confirmations} of ${needed} confirmations` : undefined;
}

export const noteWaits = ({ confirmations, scope }: Note, least: number): string | undefined =>
  waitingText(confirmations, scope === 'internal', least);

/** Unspent, and not spendable yet. */
export const waitingZatoshi = (notes: readonly Note[], least: number): number =>
  notes
    .filter((note) => note.spent === null && noteWaits(note, least) !== undefined)
    .reduce((sum, { value_zatoshi }) => sum + value_zatoshi, 0);
