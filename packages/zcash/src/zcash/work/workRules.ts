// What a network asks of the work and the time of a block header: protocol specification §7.6, §7.7; ZIPs 205, 208, 218.

import type { Height } from '@wallet-companion/base/values';
import { averagingBlocksAt, blockSecondsAt, easyAfterSeconds } from '../blockSpacing.ts';
import { MAIN, type NetworkParameters, TEST } from '../network.ts';
import { compactTarget, targetOf } from './target.ts';

/** What the difficulty of later blocks depends on. */
export interface PacedHeader {
  readonly bits: number;
  /** Seconds since 1970. */
  readonly time: number;
}

export interface WorkRules {
  readonly activation: NetworkParameters['activation'];
  /** The greatest target, in compact precision. */
  readonly limit: bigint;
  /** The size of the Equihash problem; null where solutions are not looked at. */
  readonly equihash: { readonly n: number; readonly k: number } | null;
  /** False: every block has the greatest target. */
  readonly adjusts: boolean;
  /** From this height on a block that comes late may have, and must have, the greatest target. */
  readonly easyFrom: Height;
  /** From this height on a block's time is bounded from above by those before it. */
  readonly boundedFrom: Height;
}

const NEVER = Number.POSITIVE_INFINITY;
const rounded = (limit: bigint): bigint => targetOf(compactTarget(limit))!;
const PUBLIC = { equihash: { n: 200, k: 9 }, adjusts: true } as const;

export const MAIN_WORK: WorkRules = {
  ...PUBLIC,
  activation: MAIN.activation,
  limit: rounded((1n << 243n) - 1n),
  easyFrom: NEVER,
  boundedFrom: 2,
};

export const TEST_WORK: WorkRules = {
  ...PUBLIC,
  activation: TEST.activation,
  limit: rounded((1n << 251n) - 1n),
  easyFrom: 299_188,
  boundedFrom: 653_606,
};

/** An own test network with work, as nodes can be configured: its rules are those of the public one. */
export const ownWork = (
  activation: NetworkParameters['activation'],
  limit: bigint,
  equihash: WorkRules['equihash'] = PUBLIC.equihash,
): WorkRules => ({ ...TEST_WORK, activation, limit: rounded(limit), equihash });

/** Regtest, where blocks cost next to nothing. */
export const regtestWork = (activation: NetworkParameters['activation']): WorkRules => ({
  activation,
  limit: rounded(BigInt(`0x${'0f'.repeat(32)}`)),
  equihash: null,
  adjusts: false,
  easyFrom: NEVER,
  boundedFrom: NEVER,
});

/** The rules of a network by its parameters. */
export function workRules({ network, activation }: NetworkParameters): WorkRules {
  if (network === 'main') return MAIN_WORK;
  return network === 'test' ? TEST_WORK : regtestWork(activation);
}

const MEDIAN_BLOCKS = 11;
/** Seconds by which a block may be later than the median of those before it. */
const MOST_AFTER_MEDIAN = 90 * 60;

/** How many headers before one at this height its work and time depend on. */
export const headersBefore = ({ activation }: WorkRules, height: Height): number =>
  averagingBlocksAt(activation, height) + MEDIAN_BLOCKS;

/** Of an even number: the later of the two in the middle. */
function median(headers: readonly PacedHeader[]): number {
  const times = headers.map(({ time }) => time).sort((a, b) => a - b);
  return times[times.length >> 1]!;
}

/**
 * The `nBits` that a header of this time must have. `before`: the headers before it, newest first, `headersBefore` of
 * them, or all there are of a chain that began later; at least one. From Sapling on.
 */
export function expectedBits(
  rules: WorkRules,
  height: Height,
  time: number,
  before: readonly PacedHeader[],
): number {
  const { activation, limit } = rules;
  const late = height >= rules.easyFrom && time - before[0]!.time > easyAfterSeconds(activation, height);
  if (!rules.adjusts || late) return compactTarget(limit);
  const window = averagingBlocksAt(activation, height);
  const averaged = before.slice(0, window);
  const mean =
    height <= window || averaged.length < window
      ? limit
      : averaged.reduce((sum, { bits }) => sum + targetOf(bits)!, 0n) / BigInt(window);
  const older = before.slice(window, window + MEDIAN_BLOCKS);
  const start = older.length > 0 ? median(older) : before.at(-1)!.time;
  const wanted = window * blockSecondsAt(activation, height);
  const taken = median(before.slice(0, MEDIAN_BLOCKS)) - start;
  const damped = wanted + Math.trunc((taken - wanted) / 4);
  const bounded = Math.max(
    Math.floor((wanted * 84) / 100),
    Math.min(Math.floor((wanted * 132) / 100), damped),
  );
  // The division comes first: another order gives other bits.
  const target = (mean / BigInt(wanted)) * BigInt(bounded);
  return compactTarget(target < limit ? target : limit);
}

/**
 * Whether a header's time is later than the median of the eleven before it, and, where that is bounded, at most 90 minutes
 * later. `before` as for `expectedBits`.
 */
export function isTimely(
  rules: WorkRules,
  height: Height,
  time: number,
  before: readonly PacedHeader[],
): boolean {
  const least = median(before.slice(0, MEDIAN_BLOCKS));
  return time > least && (height < rules.boundedFrom || time <= least + MOST_AFTER_MEDIAN);
}
