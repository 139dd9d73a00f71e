// What may happen to a wallet and to the chain that it looks at, as data: schedules are drawn at random, shrunk when they
// fail, and kept in ../regressions.ts.

import fc from 'fast-check';
import type { Made } from './world.ts';

export type Step =
  | { readonly kind: 'mine'; readonly blocks: readonly Made[] }
  /** More blocks than a wallet keeps hashes of, without notes. */
  | { readonly kind: 'mine much'; readonly count: number }
  | {
      readonly kind: 'reorg';
      readonly depth: number;
      readonly blocks: readonly Made[];
      readonly empty?: number;
    }
  /** Numbers are shares of the chain, so that a range stays one when the schedule shrinks. */
  | {
      readonly kind: 'sync';
      readonly start?: number;
      readonly end?: number;
      /** The newest blocks first, whatever the range. */
      readonly newest?: boolean;
      /** At the tip before. */
      readonly again?: boolean;
      /** The node unless told; made-up chains have one source alone. */
      readonly source?: 'node' | 'compact';
      /** For this request alone the other node is asked. */
      readonly elsewhere?: boolean;
      readonly during?: Interruption;
      /** A failure of the request fails the schedule (made-up chains alone). */
      readonly succeeds?: true;
    }
  /** Asks another server, which has a branch of its own. */
  | { readonly kind: 'other server' }
  | { readonly kind: 'restart' }
  | { readonly kind: 'rescan'; readonly from?: number }
  | { readonly kind: 'edit'; readonly height: number }
  | { readonly kind: 'account'; readonly birthday: number }
  | { readonly kind: 'lock' }
  /** Whether pools that an account emptied are left out (made-up chains that have some). */
  | { readonly kind: 'skipping'; readonly on: boolean }
  /** The next page of the lists of notes and transactions, which are read while all else happens. */
  | { readonly kind: 'page' }
  /** So many commits from now fail, and as many reads of the disk after them. */
  | { readonly kind: 'disk'; readonly commits: number; readonly failures: number };

export interface Interruption {
  readonly calls: number;
  /** `other machine`: the rest of the request is answered by the other server, under the same name (made-up chains alone). */
  readonly what: 'cancel' | 'reorg' | 'mine' | 'page' | 'lock' | 'other machine';
  readonly depth: number;
  readonly blocks: readonly Made[];
}

const made: fc.Arbitrary<Made> = fc.record({
  notes: fc.array(fc.record({ account: fc.nat(1), value: fc.integer({ min: 1, max: 9 }) }), { maxLength: 2 }),
  spends: fc.array(fc.nat(3), { maxLength: 1 }),
});
const blocks = (max: number) => fc.array(made, { minLength: 1, maxLength: max });
const share = fc.integer({ min: 0, max: 100 });
const interruption: fc.Arbitrary<Interruption> = fc.record({
  calls: fc.oneof(fc.nat(5), fc.nat(14)),
  what: fc.constantFrom('cancel', 'reorg', 'reorg', 'reorg', 'mine'),
  depth: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 30 })),
  blocks: fc.oneof(blocks(4), blocks(36)),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks: blocks(12) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('reorg' as const),
      depth: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 40 })),
      blocks: fc.oneof(blocks(4), blocks(44)),
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record(
      {
        kind: fc.constant('sync' as const),
        start: share,
        end: share,
        newest: fc.boolean(),
        again: fc.boolean(),
        during: interruption,
      },
      { requiredKeys: ['kind'] },
    ),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('other server' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('rescan' as const), from: share }, { requiredKeys: ['kind'] }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), height: share }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('account' as const), birthday: share }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('disk' as const), commits: fc.nat(4), failures: fc.nat(2) }),
  },
);

const muchMining = fc.record({
  kind: fc.constant('mine much' as const),
  count: fc.integer({ min: 900, max: 2500 }),
});
const deepReorg = fc.record({
  kind: fc.constant('reorg' as const),
  depth: fc.integer({ min: 1000, max: 2400 }),
  blocks: blocks(12),
  empty: fc.constant(2400),
});

export const schedules = fc.array(step, { minLength: 4, maxLength: 24 });

const anyRange = fc.record(
  { kind: fc.constant('sync' as const), start: share, end: share },
  { requiredKeys: ['kind'] },
);

export interface EmptiedSchedule {
  readonly steps: readonly Step[];
  /** From there on Orchard only pays out. */
  readonly withdrawOnlyFrom: number;
}

const emptied = (steps: fc.Arbitrary<Step[]>, max: number): fc.Arbitrary<EmptiedSchedule> =>
  fc.record({ steps, withdrawOnlyFrom: fc.integer({ min: 1, max }) });

/** Where pools that were emptied are left out. */
export const emptiedSchedules = emptied(
  fc.array(
    fc.oneof(
      { weight: 3, arbitrary: step },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks: blocks(12) }) },
      { weight: 4, arbitrary: anyRange },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('skipping' as const), on: fc.boolean() }) },
    ),
    { minLength: 4, maxLength: 30 },
  ),
  16,
);

/** Chains longer, and reorganisations deeper, than what a wallet keeps. */
export const longSchedules = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: step },
    { weight: 2, arbitrary: muchMining },
    { weight: 1, arbitrary: deepReorg },
  ),
  { minLength: 6, maxLength: 18 },
);

/** Long stretches without notes, and a few blocks with some after each. */
const longChain: fc.Arbitrary<Step[]> = fc
  .array(fc.tuple(fc.integer({ min: 50, max: 700 }), blocks(12)), { minLength: 2, maxLength: 5 })
  .map((pieces) =>
    pieces.flatMap(([count, made]): Step[] => [
      { kind: 'mine much', count },
      { kind: 'mine', blocks: made },
    ]),
  );
const other: Step = { kind: 'other server' };
const again: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('sync' as const),
      start: share,
      end: share,
      during: fc.record({
        calls: fc.oneof(fc.nat(6), fc.nat(60)),
        what: fc.constantFrom('other machine' as const, 'other machine' as const, 'cancel' as const),
        depth: fc.constant(1),
        blocks: fc.constant([]),
      }),
    }),
  },
  { weight: 3, arbitrary: anyRange },
  { weight: 2, arbitrary: step },
);

/**
 * Two chains behind one name, both far longer than what a wallet keeps of the newest hashes, and ranges in their depths
 * that are scanned again.
 */
export const twoChainSchedules: fc.Arbitrary<Step[]> = fc
  .tuple(longChain, longChain, longChain, fc.array(again, { minLength: 2, maxLength: 8 }))
  .map(([past, there, here, then]) => [
    ...past,
    other,
    ...there,
    other,
    ...here,
    ...Array.from({ length: 9 }, (): Step => ({ kind: 'sync' })),
    ...then,
  ]);

export const emptiedTwoChainSchedules = emptied(twoChainSchedules, 900);

/** With what only the real parts have. They take longer, so there is more to each schedule. */
const companionStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 14, arbitrary: step },
  {
    weight: 8,
    arbitrary: fc.record(
      {
        kind: fc.constant('sync' as const),
        start: share,
        end: share,
        newest: fc.boolean(),
        again: fc.boolean(),
        source: fc.constantFrom('node' as const, 'compact' as const),
        elsewhere: fc.constantFrom(true, false, false),
        during: fc.record({
          calls: fc.nat(60),
          what: fc.constantFrom('cancel', 'reorg', 'reorg', 'reorg', 'mine', 'page', 'lock'),
          depth: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 30 })),
          blocks: fc.oneof(blocks(4), blocks(36)),
        }),
      },
      { requiredKeys: ['kind', 'source'] },
    ),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('page' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lock' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('other server' as const) }) },
);

export const companionSchedules = fc.array(companionStep, { minLength: 6, maxLength: 24 });
