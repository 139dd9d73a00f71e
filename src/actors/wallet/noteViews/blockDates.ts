// Dates of blocks, for people: from the blocks whose hash is kept, which have their time, and on the main network from
// a table. Accurate to a few days.

import { dayText, type Height } from '@wallet-companion/base/values';
import { blockTimes, timeNear } from '@wallet-companion/zcash/blockTimes';
import type { Network } from '@wallet-companion/zcash/network';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { HeightRange } from '../ports/noteDatabase.ts';

type KeptBlocks = Pick<NoteStore, 'block'>;

const MOST_NAMED = 3;

/** Undefined where no block near it is known. */
export function dayNear(noteStore: KeptBlocks, network: Network, height: Height): string | undefined {
  const kept = noteStore.block(height) ?? noteStore.block(height + 1) ?? noteStore.block(height - 1);
  const time = kept?.time ?? timeNear(blockTimes(network) ?? [], height);
  return time === undefined ? undefined : dayText(time);
}

/**
 * Ranges as text, e.g. the missing ones: "before 2021-03-05 (blocks 419200-1163999)". Undefined where there is none.
 * `isLowest`: nothing below it is scanned either.
 */
export function rangesInWords(
  noteStore: KeptBlocks,
  network: Network,
  ranges: readonly HeightRange[],
  isLowest: (range: HeightRange) => boolean,
): string | undefined {
  if (ranges.length === 0) return undefined;
  // The newest first: they are scanned next.
  const named = [...ranges].reverse().slice(0, MOST_NAMED);
  const words = named.map((range) => rangeInWords(noteStore, network, range, isLowest(range)));
  const others = ranges.length - named.length;
  return others === 0 ? words.join('; ') : `${words.join('; ')}; and ${others} more`;
}

function rangeInWords(
  noteStore: KeptBlocks,
  network: Network,
  { start, end }: HeightRange,
  isLowest: boolean,
): string {
  const blocks = start === end ? `block ${start}` : `blocks ${start}-${end}`;
  const [from, to] = [dayNear(noteStore, network, start), dayNear(noteStore, network, end)];
  if (to === undefined) return blocks;
  if (isLowest) return `before ${to} (${blocks})`;
  if (from === undefined || from === to) return `around ${to} (${blocks})`;
  return `${from} to ${to} (${blocks})`;
}
