import { asBlockHash } from '@wallet-companion/zcash/identifiers';
import { MAIN } from '@wallet-companion/zcash/network';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';
import test from 'ava';
import { RequestWork, WorkPace } from '../../../../src/actors/wallet/sync/requestWork.ts';
import { WorkLeft } from '../../../../src/actors/wallet/sync/scanWork.ts';

const MAIN_HEIGHTS = { network: 'main', ...MAIN.activation } as const;
const TEST_HEIGHTS = { ...MAIN_HEIGHTS, network: 'test', sapling: 1000 } as const;

interface Scanned {
  readonly missing?: readonly { readonly start: number; readonly end: number }[];
  readonly lastScanHeight: number;
  /** Known heights of each stretch, and how many outputs there are up to each. */
  readonly stretches?: Readonly<Record<number, number>>[];
}

const noteStore = ({ missing = [], lastScanHeight, stretches = [] }: Scanned) => {
  const sizes = new Map(
    stretches.flatMap((stretch) => Object.entries(stretch)).map(([h, n]) => [Number(h), n]),
  );
  const hash = asBlockHash(new Uint8Array(32));
  return {
    missing: () => [...missing],
    lastScanHeight,
    stretches: stretches.map((stretch) => Object.keys(stretch).map(Number)),
    block: (height: number) => {
      const sapling = sizes.get(height);
      return sapling === undefined
        ? undefined
        : { height, hash, prevHash: hash, time: 0, treeSizes: poolSizes({ sapling }) };
    },
  };
};

test('before the first scan, half of the blocks of the main chain are nothing and the floods are nearly all', (t) => {
  const at = (lastScanHeight: number) =>
    new WorkLeft(
      noteStore({ lastScanHeight, stretches: [{ 419200: 0, [lastScanHeight]: 0 }] }),
      MAIN_HEIGHTS,
      3_444_780,
    );
  const start = new WorkLeft(noteStore({ lastScanHeight: 419_199 }), MAIN_HEIGHTS, 3_444_780);
  t.is(start.now.done, 0);
  // 124 million outputs, and two for each of 3,025,581 blocks.
  t.true(Math.abs(start.total - (124.4e6 + 6.05e6)) < 0.1e6, `${start.total}`);
  t.true(at(1_690_000).left / start.total > 0.95);
});

test('what was scanned is done by its tree sizes, and gaps are left', (t) => {
  // Blocks 1000 to 1999 have one output each; 2500 to 2999 ten; between them lies a gap of 3,000 outputs.
  const work = new WorkLeft(
    noteStore({
      missing: [{ start: 2000, end: 2499 }],
      lastScanHeight: 2999,
      stretches: [
        { 1000: 1, 1999: 1000 },
        { 2500: 4010, 2999: 9000 },
      ],
    }),
    TEST_HEIGHTS,
    2999,
  );
  // The gap's outputs are told by both sides of it, but for the block right above.
  t.is(work.now.total, 9000 + 2 * 2000);
  const between = 3010 * (500 / 501);
  t.is(work.now.done, 13_000 - Math.round(between + 2 * 500));
  t.is(work.newPart([{ start: 2000, end: 2499 }]), 1);
  t.is(work.newPart([{ start: 1000, end: 1999 }]), 0);
  t.is(work.newPart([]), 0);
});

test('a wallet that has caught up has nothing left, one behind its birthday neither', (t) => {
  const caughtUp = noteStore({ lastScanHeight: 1999, stretches: [{ 1000: 1, 1999: 1000 }] });
  t.deepEqual(new WorkLeft(caughtUp, TEST_HEIGHTS, 1999).now, { done: 3000, total: 3000 });
  t.deepEqual(new WorkLeft(noteStore({ lastScanHeight: 5000 }), TEST_HEIGHTS, 1999).now, {
    done: 0,
    total: 0,
  });
});

test('a request that scans again what was scanned makes no progress', (t) => {
  const store = noteStore({
    missing: [{ start: 1500, end: 1999 }],
    lastScanHeight: 1999,
    stretches: [{ 1000: 0, 1499: 0 }],
  });
  let now = 0;
  const work = new RequestWork(new WorkPace(), () => now);
  const session = { noteStore: store, scanKeys: { heights: TEST_HEIGHTS }, pool: {} };
  const blocks = Array.from({ length: 250 }, () => ({ outputCount: 0 }));
  work.plan(session as never, 1999, [{ start: 1250, end: 1749 }]);
  t.like(work.view(), { work_done: 1000, work_total: 2000, work_eta_seconds: null });
  now += 5_000;
  work.committed(blocks);
  // Half of what it scans is new.
  t.like(work.view(), { work_done: 1250, work_total: 2000, work_eta_seconds: 7.5 });
  work.plan(session as never, 1999, [{ start: 1000, end: 1499 }]);
  work.committed(blocks);
  t.is(work.view().work_done, 1000);
  work.plan(session as never, 1999, [{ start: 1500, end: 1999 }]);
  for (let commit = 0; commit < 4; commit++) work.committed(blocks);
  t.is(work.view().work_done, 2000, 'never more than there is');
});

test('the pace is that of the last minutes, over all requests', (t) => {
  const pace = new WorkPace();
  t.is(pace.secondsFor(100), undefined);
  pace.add(1_000, 1_000);
  t.is(pace.secondsFor(100), undefined, 'too early');
  pace.add(1_000, 1_000);
  pace.add(1_000, 1_000);
  t.true(Math.abs(pace.secondsFor(500)! - 0.5) < 0.01);
  // Ten times as slow from now on.
  for (let second = 0; second < 600; second++) pace.add(100, 1_000);
  t.true(Math.abs(pace.secondsFor(500)! - 5) < 0.1, `${pace.secondsFor(500)}`);
  // Nothing comes at all: what is left takes ever longer.
  pace.add(0, 60_000);
  t.true(pace.secondsFor(500)! > 8);
});
