// Which blocks were scanned, as parts of a bar: scanned, missing, and the blocks from the scanned height to the tip.

import type { Output } from '@wallet-companion/client';
import { scanTexts } from '../texts/scan.ts';
import type { Formats } from './amounts.ts';

export interface HeightRange {
  readonly start_height: number;
  readonly end_height: number;
}

export interface Reach {
  readonly birthday: number;
  /** Highest block scanned; null before the first scan. */
  readonly top: number | null;
  readonly missing: readonly HeightRange[];
  /** The last known tip; null before the first request to a server. */
  readonly tip: number | null;
}

export type Stretch = HeightRange & { readonly state: 'scanned' | 'missing' | 'ahead' };

/** All blocks from the birthday to the tip without gaps, lowest first. */
export function stretches({ birthday, top, missing, tip }: Reach): readonly Stretch[] {
  const found: Stretch[] = [];
  const add = (state: Stretch['state'], start_height: number, end_height: number): void => {
    if (start_height <= end_height) found.push({ state, start_height, end_height });
  };
  const scannedTo = top ?? birthday - 1;
  let next = birthday;
  for (const hole of [...missing].sort((a, b) => a.start_height - b.start_height)) {
    const start = Math.max(hole.start_height, birthday);
    add('scanned', next, start - 1);
    add('missing', start, hole.end_height);
    // Blocks below the birthday are not scanned.
    next = Math.max(next, hole.end_height + 1);
  }
  add('scanned', next, scannedTo);
  add('ahead', Math.max(next, scannedTo + 1), tip ?? scannedTo);
  return found;
}

export const blocksOf = (found: readonly Stretch[], ...states: readonly Stretch['state'][]): number =>
  found
    .filter(({ state }) => states.includes(state))
    .reduce((sum, { start_height, end_height }) => sum + end_height - start_height + 1, 0);

/** The scanned part of all blocks, 0 to 1; 1 where there are none to scan. */
export function scannedPart(found: readonly Stretch[]): number {
  const all = blocksOf(found, 'scanned', 'missing', 'ahead');
  return all === 0 ? 1 : blocksOf(found, 'scanned') / all;
}

/** Adds a running request: blocks up to its last commit are scanned. */
export function withProgress(
  reach: Reach,
  progress: { readonly start_height: number; readonly committed_height: number } | null,
): Reach {
  if (progress === null || progress.committed_height < progress.start_height) return reach;
  const { start_height: from, committed_height: to } = progress;
  const top = Math.max(reach.top ?? 0, to);
  const before = reach.top === null ? reach.birthday - 1 : reach.top;
  const skipped = from > before + 1 ? [{ start_height: before + 1, end_height: from - 1 }] : [];
  const missing = [...reach.missing, ...skipped].flatMap((hole) => without(hole, from, to));
  return { ...reach, top, missing };
}

function without(hole: HeightRange, from: number, to: number): readonly HeightRange[] {
  if (hole.end_height < from || hole.start_height > to) return [hole];
  return [
    { start_height: hole.start_height, end_height: from - 1 },
    { start_height: to + 1, end_height: hole.end_height },
  ].filter(({ start_height, end_height }) => start_height <= end_height);
}

export const BAR_WIDTH = 1000;
/** A gap of one block among millions must be visible. */
const THINNEST = 6;

/** Where the parts of a bar are drawn; missing ranges last, over their neighbours. */
export function barsOf(known: readonly Stretch[], whole: HeightRange) {
  const all = Math.max(1, whole.end_height - whole.start_height + 1);
  const at = (height: number): number => ((height - whole.start_height) / all) * BAR_WIDTH;
  const ordered = [...known].sort((a, b) => Number(a.state === 'missing') - Number(b.state === 'missing'));
  return ordered.map(({ state, start_height, end_height }) => {
    const width = Math.max(state === 'missing' ? THINNEST : 0, at(end_height + 1) - at(start_height));
    return { state, width, x: Math.max(0, Math.min(at(start_height), BAR_WIDTH - width)) };
  });
}

type AccountCoverage = Output<'coverage.get'>['accounts'][number];

/** What was scanned with the keys of an account, and what was not: a sentence for each stretch, lowest first. */
export function coverageTexts({ scanned, missing }: AccountCoverage, formats: Formats): readonly string[] {
  const texts = scanTexts();
  /** Noon is on the same day in nearly every time zone. What is no date stays as it came. */
  const day = (date: string) => {
    const noon = Date.parse(`${date}T12:00:00Z`);
    return Number.isNaN(noon) ? date : formats.day(noon);
  };
  const heights = ({ start_height: from, end_height: to }: HeightRange) =>
    [formats.count(from), formats.count(to)] as const;
  const stretch = (one: AccountCoverage['scanned'][number]) =>
    (one.verified_with === null ? texts.stretchOneWord : texts.stretch)(...heights(one));
  const hole = (one: AccountCoverage['missing'][number]) => {
    const { start_date: from, end_date: to } = one;
    return texts.hole(...heights(one), from === null || to === null ? '' : texts.dates(day(from), day(to)));
  };
  const sentences = [
    ...scanned.map((one) => [one.start_height, stretch(one)] as const),
    ...missing.map((one) => [one.start_height, hole(one)] as const),
  ];
  return sentences.sort(([a], [b]) => a - b).map(([, text]) => text);
}
