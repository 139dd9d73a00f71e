// Schedules that once failed, or would have: those of faults that were found, shrunk, and those that a broken product
// did not survive. They run before the random ones, through the made-up parts and through the real ones. A new failure
// prints its steps as they stand here.

import type { Interruption, Step } from './support/steps.ts';
import type { Made } from './support/world.ts';

export interface Regression {
  readonly name: string;
  readonly steps: readonly Step[];
}

const nothing: Made = { notes: [], spends: [] };
/** The kind says of which pool, on a real chain: a Sapling note's nullifier depends on where it is mined. */
const paid = (kind: number, account = 0): Made => ({ notes: [{ account, value: kind }], spends: [] });
const [sapling, orchard, ironwood] = [3, 1, 2];
/** The newest unspent note, or one below it. */
const spend = (below = 0): Made => ({ notes: [], spends: [below] });
const empty = (count: number): Made[] => Array.from({ length: count }, () => nothing);
const mine = (...blocks: Made[]): Step => ({ kind: 'mine', blocks });
const reorg = (depth: number, ...blocks: Made[]): Step => ({ kind: 'reorg', depth, blocks });
const sync = (more: Omit<Extract<Step, { kind: 'sync' }>, 'kind'> = {}): Step => ({ kind: 'sync', ...more });

/** Twenty blocks above the birthday: a note of each pool, one of them spent near the top. */
const TWENTY = mine(
  ...empty(5),
  paid(sapling),
  paid(orchard),
  paid(ironwood),
  ...empty(8),
  spend(),
  ...empty(3),
);

export const regressions: readonly Regression[] = [
  {
    name: 'a note of an account that is added later, in a block above the end of the search for accounts',
    steps: [
      mine(...empty(4)),
      sync({ source: 'node' }),
      { kind: 'other server' },
      mine(...empty(2), paid(orchard, 1)),
      sync({ source: 'node' }),
      { kind: 'page' },
      sync(),
      { kind: 'account', birthday: 0 },
      sync({ source: 'node' }),
    ],
  },
  {
    name: 'two stretches on two branches, of which the upper one is of the new one',
    steps: [
      TWENTY,
      sync({ end: 40 }),
      reorg(16, ...empty(4), paid(orchard), ...empty(14)),
      sync({ start: 70 }),
    ],
  },
  {
    name: 'two stretches of a branch that is gone, of which the upper one alone is scanned again',
    steps: [
      TWENTY,
      sync({ end: 40 }),
      sync({ start: 70 }),
      reorg(18, ...empty(4), paid(orchard), ...empty(16)),
      sync(),
    ],
  },
  {
    name: 'a range that closes a gap between blocks of two branches',
    steps: [
      TWENTY,
      sync({ end: 30 }),
      sync({ start: 80 }),
      reorg(12, ...empty(13)),
      sync({ start: 35, end: 75 }),
    ],
  },
  {
    name: 'a range scanned again while the chain under it is exchanged',
    steps: [
      TWENTY,
      sync(),
      sync({
        start: 30,
        end: 60,
        during: { calls: 3, what: 'reorg', depth: 14, blocks: [spend(), ...empty(16)] },
      }),
      sync({ start: 30, end: 60, source: 'compact' }),
    ],
  },
  ...[1, 2, 3, 4, 5, 6, 7].map((calls) => ({
    name: `a range scanned again of which another branch took the place after ${calls} answers`,
    steps: [
      TWENTY,
      sync(),
      sync({
        start: 50,
        end: 60,
        during: {
          calls,
          what: 'reorg' as const,
          depth: 14,
          // Nothing new, which would make what lies above it unknown: the payment that was further below before.
          blocks: [...empty(3), paid(orchard), ...empty(11)],
        },
      }),
    ],
  })),
  {
    name: 'a spend seen above a gap, before its note',
    steps: [TWENTY, sync({ start: 75 }), sync({ end: 50 }), sync()],
  },
  {
    name: 'a spend seen above a gap on a branch that is gone',
    steps: [TWENTY, sync({ start: 75 }), reorg(6, ...empty(8)), sync({ start: 75 }), sync({ end: 100 })],
  },
  {
    name: 'a spend seen above a gap, the companion started again, and then its note',
    steps: [TWENTY, sync({ start: 75 }), { kind: 'restart' }, sync({ end: 50 }), { kind: 'restart' }, sync()],
  },
  {
    name: 'a note below the birthday, found when the nullifiers of its spend were dropped',
    steps: [
      mine(nothing, paid(orchard), ...empty(10), spend(), ...empty(4)),
      sync(),
      sync({ start: 0, end: 20 }),
    ],
  },
  {
    name: 'an account added late, with notes that were spent before it was there',
    steps: [
      mine(...empty(5), paid(orchard, 1), paid(sapling, 1), ...empty(4), spend(1), spend(), ...empty(4)),
      sync(),
      { kind: 'account', birthday: 20 },
      sync(),
      sync({ end: 100 }),
    ],
  },
  {
    name: 'an account added late whose birthday lies above its notes, while the first one has a gap',
    steps: [
      mine(...empty(5), paid(orchard, 1), paid(ironwood), ...empty(6), spend(1), ...empty(8)),
      sync({ start: 60 }),
      { kind: 'account', birthday: 50 },
      sync({ end: 100 }),
      sync({ start: 0, end: 50 }),
    ],
  },
  {
    name: 'the same transaction mined again at another height, and its spend',
    steps: [
      mine(...empty(5), paid(sapling), nothing, spend(), nothing),
      sync(),
      reorg(4, nothing, nothing, paid(sapling), nothing, spend(), nothing),
      sync({ source: 'compact' }),
      reorg(2, ...empty(4)),
    ],
  },
  {
    name: 'a spend that a reorganisation takes back',
    steps: [TWENTY, sync(), reorg(5, ...empty(6)), sync(), { kind: 'restart' }],
  },
  {
    name: 'a commit that fails, and what is read and scanned after it',
    steps: [
      TWENTY,
      sync({ end: 40 }),
      { kind: 'disk', commits: 0, failures: 1 },
      sync(),
      sync(),
      { kind: 'disk', commits: 1, failures: 0 },
      reorg(6, ...empty(8)),
      sync(),
    ],
  },
  {
    name: 'a scan height edited below and above what was scanned',
    steps: [
      TWENTY,
      sync(),
      { kind: 'edit', height: 30 },
      sync({ end: 60 }),
      { kind: 'edit', height: 90 },
      mine(spend(1), ...empty(3)),
      sync(),
    ],
  },
  {
    name: 'a rescan from within a stretch, from within a gap, and from the birthday',
    steps: [
      TWENTY,
      sync({ end: 40 }),
      sync({ start: 70 }),
      { kind: 'rescan', from: 85 },
      sync(),
      { kind: 'rescan', from: 55 },
      sync(),
      { kind: 'rescan' },
      sync({ source: 'compact' }),
    ],
  },
  {
    name: 'a fork in a gap, and one below the birthday',
    steps: [TWENTY, sync({ start: 80 }), reorg(8, ...empty(9)), sync(), reorg(20, ...empty(24)), sync()],
  },
  {
    name: 'two servers on two branches in turn, from both sources, and one asked for a single range',
    steps: [
      TWENTY,
      sync({ source: 'compact' }),
      { kind: 'other server' },
      mine(...empty(6), paid(orchard), ...empty(8)),
      sync({ source: 'compact' }),
      { kind: 'other server' },
      mine(...empty(8), spend()),
      sync({ source: 'compact' }),
      sync({ start: 40, end: 60, elsewhere: true }),
      sync(),
    ],
  },
  {
    name: 'a range that is empty while the disk does not answer',
    steps: [
      mine(nothing, nothing),
      { kind: 'disk', commits: 4, failures: 1 },
      sync({ start: 0 }),
      mine(paid(1), spend(), nothing),
      sync({ source: 'compact' }),
      sync(),
      mine(nothing),
      { kind: 'page' },
      sync({ end: 0, again: true }),
      sync(),
    ],
  },
  {
    name: 'a disk that fails between the last block and what was noted of it',
    steps: [
      { kind: 'disk', commits: 1, failures: 1 },
      mine(paid(1), nothing, spend()),
      sync({ start: 0 }),
      sync(),
    ],
  },
  {
    name: 'a server of one request whose chain moves under it',
    steps: [
      TWENTY,
      { kind: 'other server' },
      mine(...empty(20), paid(orchard)),
      { kind: 'other server' },
      ...[2, 4, 6, 8, 10, 12].map((calls) =>
        sync({
          elsewhere: true,
          during: { calls, what: 'reorg', depth: 12, blocks: [paid(sapling)] },
        }),
      ),
      sync(),
    ],
  },
  {
    name: 'a compact store whose upper half belongs to a branch that is gone',
    steps: [
      TWENTY,
      sync({ source: 'compact' }),
      reorg(6, spend(), ...empty(7)),
      { kind: 'rescan' },
      sync({ source: 'compact' }),
      sync({
        start: 20,
        source: 'compact',
        during: { calls: 25, what: 'reorg', depth: 9, blocks: [paid(sapling), ...empty(10)] },
      }),
    ],
  },
  {
    name: 'pages turned while blocks are scanned, undone and scanned again',
    steps: [
      mine(...empty(4), ...[0, 1, 2, 3, 4, 5, 6].map((kind) => paid(kind))),
      sync(),
      { kind: 'page' },
      mine(paid(orchard), spend(2), nothing),
      sync({ during: { calls: 4, what: 'page', depth: 1, blocks: [nothing] } }),
      { kind: 'page' },
      reorg(5, paid(ironwood), ...empty(6)),
      sync({ source: 'compact' }),
      { kind: 'page' },
      { kind: 'restart' },
      { kind: 'page' },
    ],
  },
  {
    name: 'notes that events reported before a reorganisation, a cancelled scan and a lock',
    steps: [
      TWENTY,
      sync({ during: { calls: 12, what: 'cancel', depth: 1, blocks: [nothing] } }),
      sync({ during: { calls: 9, what: 'lock', depth: 1, blocks: [nothing] } }),
      sync(),
      reorg(15, paid(orchard), paid(sapling), spend(), ...empty(14)),
      sync({ end: 60 }),
      sync(),
    ],
  },
  {
    name: 'leaves of blocks whose commit failed, where another branch has its own below the birthday',
    steps: [
      { kind: 'disk', commits: 0, failures: 0 },
      sync({ during: { calls: 0, what: 'reorg', depth: 1, blocks: [...empty(3), paid(orchard)] } }),
      reorg(2, paid(orchard, 1), nothing),
      sync(),
      reorg(1, nothing),
      sync(),
      sync(),
    ],
  },
  {
    name: 'leaves of a branch that is gone, below what is scanned of the other one',
    steps: [
      mine(paid(orchard), nothing, nothing, spend(), nothing),
      sync(),
      reorg(4, paid(orchard), nothing),
      sync(),
      { kind: 'edit', height: 50 },
    ],
  },
  {
    name: 'leaves of a branch that is gone, and an account from a later birthday',
    steps: [
      mine(...empty(3), paid(6, 1), nothing),
      sync({ source: 'node' }),
      reorg(3, paid(sapling), nothing),
      mine(nothing),
      mine(nothing),
      { kind: 'account', birthday: 59 },
      sync(),
      sync({ source: 'node' }),
    ],
  },
  {
    name: 'an account that a scan found below its birthday, and another one that is added from further below',
    steps: [
      mine(paid(orchard, 1), nothing, paid(orchard, 1)),
      sync({ start: 50 }),
      { kind: 'account', birthday: 0 },
      mine(nothing),
      sync(),
    ],
  },
  {
    name: 'a note of the account that is looked for, above where the search ended, in blocks that are scanned again',
    steps: [
      reorg(1, nothing, paid(orchard), nothing),
      sync({
        start: 0,
        during: { calls: 1, what: 'reorg', depth: 1, blocks: [nothing, paid(orchard, 1), nothing] },
      }),
      sync(),
      { kind: 'rescan' },
      sync({ source: 'compact' }),
    ],
  },
  {
    name: 'a note below the birthday from a compact block, whose spend is in a block that was scanned in full',
    steps: [
      mine(paid(orchard), nothing, nothing, nothing),
      sync({ during: { calls: 0, what: 'reorg', depth: 1, blocks: [spend(), nothing] } }),
      sync({ start: 0, source: 'compact' }),
      { kind: 'lock' },
      { kind: 'page' },
      sync({ source: 'node' }),
      { kind: 'page' },
      sync(),
    ],
  },
  {
    name: 'a note that the new branch has further below, in a gap that is scanned before the fork is seen',
    steps: [
      reorg(1, nothing, nothing, nothing, paid(ironwood), nothing),
      reorg(1, nothing),
      sync({ source: 'node' }),
      sync({ start: 0, during: { calls: 1, what: 'reorg', depth: 4, blocks: [paid(ironwood)] } }),
      mine(nothing),
      sync(),
      sync({ source: 'node' }),
    ],
  },
];

/** Chains longer than what a wallet keeps of them: for the made-up parts, where a block costs nothing. */
/** Everything is scanned; the other machine's chain has these blocks 2,400 below the tip. */
const twoChains = (...others: Made[]): Step[] => [
  TWENTY,
  { kind: 'mine much', count: 100 },
  { kind: 'other server' },
  mine(...others),
  { kind: 'mine much', count: 2_400 },
  { kind: 'other server' },
  { kind: 'mine much', count: 2_400 },
  sync(),
  sync(),
  sync(),
];
/** Nothing that the other machine did is in the way of what the right one has. */
const HONEST = sync({ succeeds: true });
const answers = (calls: number): Interruption => ({ calls, what: 'other machine', depth: 0, blocks: [] });

export const longRegressions: readonly Regression[] = [
  {
    name: 'a fork deeper than what is kept, and a rescan from above it',
    steps: [
      TWENTY,
      { kind: 'mine much', count: 2_400 },
      sync(),
      sync(),
      sync(),
      { kind: 'reorg', depth: 1_700, blocks: [paid(orchard)], empty: 1_800 },
      sync(),
      { kind: 'rescan', from: 60 },
      sync(),
    ],
  },
  {
    name: 'a fork among blocks that were read to prove others, and are to be scanned again for a note below the birthday',
    steps: [
      mine(paid(orchard)),
      { kind: 'mine much', count: 2_550 },
      sync(),
      sync(),
      sync({ start: 0 }),
      sync(),
      { kind: 'reorg', depth: 1_503, blocks: [], empty: 2_400 },
    ],
  },
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap((calls) => [
    {
      name: `a range far below the tip, of which another machine gives a spend from answer ${calls} on`,
      steps: [...twoChains(spend(1)), sync({ start: 2, end: 3, during: answers(calls) }), HONEST],
    },
    {
      name: `a range far below the tip, of which another machine gives a note from answer ${calls} on`,
      steps: [...twoChains(paid(orchard)), sync({ start: 2, end: 3, during: answers(calls) }), HONEST],
    },
  ]),
  ...[2, 4, 6, 8, 10, 12].map((calls) => ({
    name: `an account added later, whose past another machine gives from answer ${calls} on`,
    steps: [
      ...twoChains(paid(orchard), paid(ironwood, 1)),
      { kind: 'account' as const, birthday: 0 },
      sync({ end: 3, during: answers(calls) }),
      HONEST,
    ],
  })),
];
