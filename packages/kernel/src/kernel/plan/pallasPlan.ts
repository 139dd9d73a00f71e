// Plans [ivk] P on Pallas for several viewing keys at once. The ring Z[w] with w^2 = -1 - w acts on points by
// (x, y) -> (zeta x, y), so a 255-bit scalar becomes a + b w of half the length; its base-2 expansion is read from the
// low end, so that the doublings 2^i P are shared by all keys, and each nonzero digit u*r_c adds u*2^i P to bucket c.
//
// Digit set: six units times eight representatives of the odd classes modulo 8 ("width 3"), which gives 0.30 nonzero
// digits per position and 42 to 44 additions per key. Width 2 needs 55, width 4 needs 72 because of its merge.

import { PALLAS_LAMBDA, PALLAS_ORDER } from './curveConstants.ts';
import { type Eisenstein, multiplyEisenstein, PI, shortenScalar } from './eisenstein.ts';
import { PointTracker } from './pointTracker.ts';
import type { ScalarPlan, Unit } from './steps.ts';

const UNITS: readonly { readonly unit: Unit; readonly a: number; readonly b: number }[] = [
  { unit: { power: 0, negative: false }, a: 1, b: 0 },
  { unit: { power: 1, negative: false }, a: 0, b: 1 },
  { unit: { power: 2, negative: false }, a: -1, b: -1 },
  { unit: { power: 0, negative: true }, a: -1, b: 0 },
  { unit: { power: 1, negative: true }, a: 0, b: -1 },
  { unit: { power: 2, negative: true }, a: 1, b: 1 },
];

/** r_0 = 1 and seven more, each the sum of unit multiples of two earlier ones (`MERGE`). */
const REPRESENTATIVES: readonly (readonly [number, number])[] = [
  [1, 0],
  [-2, -1],
  [-3, -2],
  [-3, -1],
  [-3, -3],
  [-4, -3],
  [-4, -1],
  [-5, -3],
];

interface Term {
  readonly class: number;
  readonly unit: Unit;
}

const term = (classIndex: number, power: 0 | 1 | 2, negative: boolean): Term => ({
  class: classIndex,
  unit: { power, negative },
});

/** r_c as a sum of two terms. Read backwards it empties bucket c into two others; bucket 0 ends as the result. */
const MERGE: ReadonlyMap<number, readonly [Term, Term]> = new Map([
  [1, [term(0, 0, true), term(0, 2, false)]],
  [2, [term(1, 0, false), term(0, 2, false)]],
  [3, [term(1, 0, false), term(0, 0, true)]],
  [4, [term(1, 0, false), term(1, 2, true)]],
  [5, [term(2, 0, false), term(0, 2, false)]],
  [6, [term(2, 0, false), term(1, 1, true)]],
  [7, [term(2, 0, false), term(1, 0, false)]],
]);

interface Digit {
  readonly class: number;
  readonly unit: Unit;
  readonly a: number;
  readonly b: number;
}

const DIGITS: readonly Digit[] = REPRESENTATIVES.flatMap(([ra, rb], classIndex) =>
  UNITS.map(({ unit, a, b }) => ({
    class: classIndex,
    unit,
    a: a * ra - b * rb,
    b: a * rb + b * ra - b * rb,
  })),
);

/** Digit of each odd residue modulo 8. */
const DIGIT_OF_RESIDUE: readonly (Digit | undefined)[] = (() => {
  const table: (Digit | undefined)[] = new Array<Digit | undefined>(64).fill(undefined);
  for (const digit of DIGITS) table[(digit.a & 7) * 8 + (digit.b & 7)] = digit;
  return table;
})();

/**
 * The cost of one more doubling (7 multiplications for all keys together) in additions of one key (6 multiplications).
 */
const DOUBLING_COST = 7 / 6;

interface PlacedDigit {
  readonly level: number;
  readonly digit: Digit;
}

/** Expansion by the forced digit of each odd residue; undefined when it does not end within `limit` positions. */
function expand(value: Eisenstein, limit: number): PlacedDigit[] | undefined {
  const placed: PlacedDigit[] = [];
  let { a, b } = value;
  for (let level = 0; a !== 0n || b !== 0n; level++) {
    if (level > limit) return undefined;
    if (((a | b) & 1n) === 1n) {
      const digit = finalDigit(a, b) ?? DIGIT_OF_RESIDUE[Number(a & 7n) * 8 + Number(b & 7n)]!;
      placed.push({ level, digit });
      a -= BigInt(digit.a);
      b -= BigInt(digit.b);
    }
    a >>= 1n;
    b >>= 1n;
  }
  return placed;
}

/** A value that is a digit itself ends the expansion. */
function finalDigit(a: bigint, b: bigint): Digit | undefined {
  if (a > 8n || a < -8n || b > 8n || b < -8n) return undefined;
  const [x, y] = [Number(a), Number(b)];
  return DIGITS.find((digit) => digit.a === x && digit.b === y);
}

/** 169 candidates take 2 to 5 ms per key, once, and save one addition in 43 compared to 25 candidates. */
const EQUIVALENT_RADIUS = 6;
const LENGTH_LIMIT = 131;

/** The cheapest expansion among scalar + s*pi for small s, when `keys` keys share the doublings. */
function cheapestExpansion(scalar: bigint, keys: number): PlacedDigit[] {
  const short = shortenScalar(scalar);
  let best: PlacedDigit[] = [];
  let bestCost = Number.POSITIVE_INFINITY;
  for (let sa = -EQUIVALENT_RADIUS; sa <= EQUIVALENT_RADIUS; sa++) {
    for (let sb = -EQUIVALENT_RADIUS; sb <= EQUIVALENT_RADIUS; sb++) {
      const multiple = multiplyEisenstein({ a: BigInt(sa), b: BigInt(sb) }, PI);
      const placed = expand({ a: short.a + multiple.a, b: short.b + multiple.b }, LENGTH_LIMIT);
      if (placed === undefined) continue;
      const cost = placed.length + (DOUBLING_COST / keys) * (placed.at(-1)?.level ?? 0);
      if (cost < bestCost) {
        best = placed;
        bestCost = cost;
      }
    }
  }
  return best;
}

/**
 * Empties every key's buckets 7..1 into bucket 0. Buckets of one key that do not depend on each other are emptied in
 * one round.
 */
function merge(tracker: PointTracker, buckets: readonly (readonly number[])[]): void {
  const open = buckets.map((slots) => ({
    slots,
    steps: [...MERGE].flatMap(([from, terms]) => terms.map((to) => ({ from, to }))),
  }));
  while (open.some(({ steps }) => steps.length > 0)) {
    for (const key of open) {
      const started = new Set<number>();
      for (const step of [...key.steps].sort((x, y) => y.from - x.from)) {
        const complete = !key.steps.some((other) => other.to.class === step.from);
        const destination = key.slots[step.to.class]!;
        if (!complete || started.has(step.to.class) || started.has(step.from)) continue;
        tracker.add(destination, key.slots[step.from]!, step.to.unit);
        started.add(step.to.class);
        key.steps.splice(key.steps.indexOf(step), 1);
      }
    }
    tracker.endRound();
  }
}

/** Plans the multiples of one base point by every scalar (0 <= scalar < q). */
export function planPallas(scalars: readonly bigint[]): ScalarPlan {
  const tracker = new PointTracker(PALLAS_ORDER, PALLAS_LAMBDA);
  const buckets = scalars.map(() => REPRESENTATIVES.map(() => tracker.newSlot()));
  const expansions = scalars.map((scalar) => cheapestExpansion(scalar, scalars.length));
  const length = Math.max(0, ...expansions.map((placed) => (placed.at(-1)?.level ?? -1) + 1));
  const byLevel = expansions.map((placed) => new Map(placed.map(({ level, digit }) => [level, digit])));
  for (let level = 0; level < length; level++) {
    if (level + 1 < length) tracker.double(0);
    byLevel.forEach((digits, key) => {
      const digit = digits.get(level);
      if (digit !== undefined) tracker.add(buckets[key]![digit.class]!, 0, digit.unit);
    });
    tracker.endRound();
  }
  merge(tracker, buckets);
  return {
    rounds: tracker.rounds,
    results: buckets.map((slots) => (tracker.scalar(slots[0]!) === undefined ? undefined : slots[0]!)),
    slots: tracker.slots,
  };
}
