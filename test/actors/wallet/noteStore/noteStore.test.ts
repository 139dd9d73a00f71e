import { runs } from '@wallet-companion/base/test/atLength';
import { asBlockHash, asNullifier, asTxId } from '@wallet-companion/zcash/identifiers';
import type { FoundNote, ScannedBlock, TxNullifiers } from '@wallet-companion/zcash/scan';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import fc from 'fast-check';
import {
  CHECKPOINT_SPACING,
  KEPT_BLOCKS,
  NEWEST_BLOCKS,
  SETTLED_SPACING,
} from '../../../../src/actors/wallet/noteStore/book/knownBlocks.ts';
import { NoteStore } from '../../../../src/actors/wallet/noteStore/noteStore.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';

const BIRTHDAY = 100;
const ACCOUNTS = [{ index: 0, birthdayHeight: BIRTHDAY }];

const bytes32 = (...numbers: number[]): Uint8Array => {
  const out = new Uint8Array(32);
  new DataView(out.buffer).setUint32(0, numbers[0] ?? 0);
  new DataView(out.buffer).setUint32(4, numbers[1] ?? 0);
  new DataView(out.buffer).setUint32(8, numbers[2] ?? 0);
  return out;
};

/** What one block of a made-up chain holds: values of notes made, and which earlier notes are spent. */
interface MadeBlock {
  readonly values: readonly number[];
  readonly spends: readonly { readonly height: number; readonly index: number }[];
}

function block(
  height: number,
  branch: number,
  made: MadeBlock,
  branchOf: (height: number) => number,
): ScannedBlock {
  const hash = asBlockHash(bytes32(1, height, branch));
  const txid = asTxId(bytes32(2, height, branch));
  const notes = made.values.map(
    (value, index): FoundNote => ({
      pool: 'orchard',
      account: 0,
      scope: 'external',
      value,
      height,
      txid,
      txIndex: 1,
      outputIndex: index,
      position: index,
      nullifier: asNullifier(bytes32(3 + index, height, branch)),
      diversifier: new Uint8Array(11),
      diversifierIndex: 0n,
      memo: new Uint8Array(512),
    }),
  );
  const nullifiers: TxNullifiers[] = made.spends.map(({ height: at, index }, i) => ({
    pool: 'orchard',
    txIndex: 2 + i,
    txid: asTxId(bytes32(1000 + i, height, branch)),
    nullifiers: bytes32(3 + index, at, branchOf(at)),
  }));
  return {
    height,
    hash,
    prevHash: asBlockHash(bytes32(1, height - 1, branchOf(height - 1))),
    time: height,
    treeSizes: EMPTY_TREES,
    outputCount: notes.length,
    notes,
    nullifiers,
  };
}

const LENGTH = 24;

/** A nullifier appears once on a valid chain. */
const unspent = (taken: Set<string>) => (spend: { height: number; index: number }) => {
  const key = `${spend.height}:${spend.index}`;
  return !taken.has(key) && taken.add(key) !== undefined;
};

const chain = fc
  .array(
    fc.record({
      values: fc.array(fc.nat(1000), { maxLength: 2 }),
      spends: fc.array(fc.tuple(fc.nat(LENGTH), fc.nat(1)), { maxLength: 2 }),
    }),
    { minLength: LENGTH, maxLength: LENGTH },
  )
  .map((blocks) => {
    const free = unspent(new Set());
    return blocks.map((made, i) => {
      // A block may spend what it or an earlier block made.
      const spends = made.spends
        .map(([back, index]) => ({ height: BIRTHDAY + Math.max(0, i - back), index }))
        .filter(free);
      return block(BIRTHDAY + i, 0, { values: made.values, spends }, () => 0);
    });
  });

const spendsOf = (scanned: ScannedBlock) =>
  scanned.nullifiers.map((n) => {
    const view = new DataView(n.nullifiers.buffer);
    return { height: view.getUint32(4), index: view.getUint32(0) - 3 };
  });

const shown = (noteStore: NoteStore) => ({
  notes: [...noteStore.notes].sort((a, b) => a.height - b.height || a.outputIndex - b.outputIndex),
  transactions: [...noteStore.transactions].map(({ txid, height }) => `${txid}@${height}`).sort(),
  last: noteStore.lastScanHeight,
  missing: noteStore.missing(),
});

const scanAll = (noteStore: NoteStore, blocks: readonly ScannedBlock[]) => noteStore.apply(blocks);

test('ranges scanned in any order give what scanning in order gives, also across restarts', (t) => {
  fc.assert(
    fc.property(
      chain,
      fc.array(fc.tuple(fc.nat(LENGTH - 1), fc.nat(LENGTH)), { maxLength: 12 }),
      fc.array(fc.nat(LENGTH - 1), { maxLength: 3 }),
      (blocks, ranges, restarts) => {
        const straight = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, BIRTHDAY);
        scanAll(straight, blocks);

        const store = new MemoryNoteDatabase();
        let noteStore = new NoteStore(store, ACCOUNTS, BIRTHDAY);
        ranges.forEach(([start, length], i) => {
          noteStore.apply(blocks.slice(start, start + length));
          if (restarts.includes(i)) noteStore = new NoteStore(store, ACCOUNTS, BIRTHDAY);
        });
        for (const { start, end } of noteStore.missing())
          noteStore.apply(blocks.slice(start - BIRTHDAY, end + 1 - BIRTHDAY));
        noteStore.apply(blocks.slice(noteStore.lastScanHeight + 1 - BIRTHDAY));

        t.deepEqual(shown(noteStore), shown(straight));
        t.deepEqual(noteStore.missing(), []);
        t.is(store.keptNullifierCount, 0);
        t.deepEqual(shown(new NoteStore(store, ACCOUNTS, BIRTHDAY)), shown(straight));
      },
    ),
    { numRuns: runs(60, 300) },
  );
});

test('applying blocks twice changes nothing', (t) => {
  fc.assert(
    fc.property(chain, fc.nat(LENGTH - 1), fc.nat(LENGTH), (blocks, start, length) => {
      const noteStore = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, BIRTHDAY);
      scanAll(noteStore, blocks);
      const before = shown(noteStore);
      const again = noteStore.apply(blocks.slice(start, start + length));
      t.like(again, { received: [], spent: [] });
      t.deepEqual(shown(noteStore), before);
    }),
    { numRuns: runs(20, 100) },
  );
});

test('a rewind and the other branch give what that branch alone gives', (t) => {
  fc.assert(
    fc.property(chain, chain, fc.nat(LENGTH - 1), (main, other, fork) => {
      const branchOf = (height: number) => (height > BIRTHDAY + fork ? 1 : 0);
      const free = unspent(new Set());
      main
        .slice(0, fork + 1)
        .flatMap(spendsOf)
        .filter(free);
      const branch = other.slice(fork + 1).map((made, i) => {
        const height = BIRTHDAY + fork + 1 + i;
        const spends = spendsOf(made).filter(free);
        return block(height, 1, { values: made.notes.map((note) => note.value), spends }, branchOf);
      });
      const expected = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, BIRTHDAY);
      scanAll(expected, [...main.slice(0, fork + 1), ...branch]);

      const store = new MemoryNoteDatabase();
      const noteStore = new NoteStore(store, ACCOUNTS, BIRTHDAY);
      scanAll(noteStore, main);
      noteStore.rewind(BIRTHDAY + fork);
      t.is(noteStore.lastScanHeight, BIRTHDAY + fork);
      noteStore.apply(branch);
      t.deepEqual(shown(noteStore), shown(expected));
      t.deepEqual(shown(new NoteStore(store, ACCOUNTS, BIRTHDAY)), shown(expected));
    }),
    { numRuns: runs(40, 200) },
  );
});

test('a spend in the lowest block that a rewind undoes is none, though its note is found only later', (t) => {
  const noteStore = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, BIRTHDAY);
  const EMPTY = { values: [], spends: [] };
  const made = (i: number, more: Partial<MadeBlock> = {}, branch = 0) =>
    block(BIRTHDAY + i, branch, { ...EMPTY, ...more }, () => 0);
  noteStore.apply([made(3), made(4), made(5, { spends: [{ height: BIRTHDAY + 1, index: 0 }] })]);
  noteStore.rewind(BIRTHDAY + 4);
  noteStore.apply([made(5, {}, 1)]);
  noteStore.apply([made(0), made(1, { values: [5_000_000] }), made(2)]);
  t.deepEqual(
    [...noteStore.notes].map(({ value, spent }) => [value, spent]),
    [[5_000_000, null]],
  );
  t.deepEqual(noteStore.missing(), []);
});

test('an account added later has its own missing ranges until they are scanned', (t) => {
  const noteStore = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, BIRTHDAY);
  const blocks = Array.from({ length: 10 }, (_, i) =>
    block(BIRTHDAY + i, 0, { values: [5], spends: [] }, () => 0),
  );
  noteStore.apply(blocks);
  noteStore.setAccounts([...ACCOUNTS, { index: 1, birthdayHeight: BIRTHDAY + 3 }]);
  t.deepEqual(noteStore.missing(0), []);
  t.deepEqual(noteStore.missing(1), [{ start: BIRTHDAY + 3, end: BIRTHDAY + 9 }]);
  t.deepEqual(noteStore.missing(), [{ start: BIRTHDAY + 3, end: BIRTHDAY + 9 }]);
  noteStore.apply(blocks.slice(3));
  t.deepEqual(noteStore.missing(), []);
});

test('a note found below the birthday makes the blocks above it missing, since their nullifiers are gone', (t) => {
  const noteStore = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, BIRTHDAY);
  const early = block(BIRTHDAY - 5, 0, { values: [7], spends: [] }, () => 0);
  const later = block(BIRTHDAY, 0, { values: [], spends: [{ height: BIRTHDAY - 5, index: 0 }] }, () => 0);
  noteStore.apply([later]);
  noteStore.apply([early]);
  t.deepEqual(noteStore.missing(), [{ start: BIRTHDAY - 4, end: BIRTHDAY }]);
  noteStore.apply([later]);
  t.is([...noteStore.notes][0]?.spent?.height, BIRTHDAY);
});

test('a note below the birthday that is spent at once lowers the floor too, and no spend above is missed', (t) => {
  const noteStore = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, BIRTHDAY);
  const made = (height: number, spends: readonly number[], values: readonly number[] = []) =>
    block(height, 0, { values, spends: spends.map((of) => ({ height: of, index: 0 })) }, () => 0);
  const early = [made(BIRTHDAY - 8, [], [7]), made(BIRTHDAY - 7, [BIRTHDAY - 8])];
  const gap = Array.from({ length: 6 }, (_, i) => made(BIRTHDAY - 6 + i, [], i === 3 ? [5] : []));
  const later = made(BIRTHDAY, [BIRTHDAY - 3]);
  noteStore.apply([later]);
  noteStore.apply(early);
  t.is(noteStore.floor(ACCOUNTS[0]!), BIRTHDAY - 8);
  t.deepEqual(noteStore.missing(), [{ start: BIRTHDAY - 6, end: BIRTHDAY }]);
  noteStore.apply(gap);
  noteStore.apply([later]);
  t.deepEqual(noteStore.missing(), []);
  t.deepEqual(
    [...noteStore.notes].map(({ spent }) => spent?.height),
    [BIRTHDAY - 7, BIRTHDAY],
  );
  noteStore.restart();
  t.deepEqual([noteStore.lastScanHeight, noteStore.floor(ACCOUNTS[0]!)], [BIRTHDAY - 9, BIRTHDAY - 8]);
  noteStore.apply([...early, ...gap, later]);
  t.deepEqual(noteStore.missing(), []);
  // Also an account that begins lower than was scanned, as in a note store that is older than the wallet file.
  noteStore.setAccounts([{ index: 0, birthdayHeight: BIRTHDAY - 9 }]);
  t.deepEqual(noteStore.missing(), [{ start: BIRTHDAY - 9, end: BIRTHDAY - 9 }]);
});

test('an edited scan height scans again when lower and leaves a visible gap when higher', (t) => {
  const blocks = Array.from({ length: 10 }, (_, i) =>
    block(BIRTHDAY + i, 0, { values: [5], spends: [] }, () => 0),
  );
  const lower = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, BIRTHDAY);
  lower.apply(blocks);
  lower.adoptEditedScanHeight(BIRTHDAY + 4);
  t.is(lower.lastScanHeight, BIRTHDAY + 4);
  t.is([...lower.notes].length, 5);
  t.is(lower.exportedScanHeight, BIRTHDAY + 4);
  t.is(lower.floor(ACCOUNTS[0]!), BIRTHDAY);
  lower.adoptEditedScanHeight(BIRTHDAY - 5, BIRTHDAY - 2);
  t.is(lower.floor(ACCOUNTS[0]!), BIRTHDAY - 2);

  const higher = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, BIRTHDAY);
  higher.apply(blocks);
  higher.adoptEditedScanHeight(BIRTHDAY + 19);
  t.is(higher.lastScanHeight, BIRTHDAY + 19);
  t.deepEqual(higher.missing(), [{ start: BIRTHDAY + 10, end: BIRTHDAY + 19 }]);
});

test('what config.json was set to is known at once, and kept with the next blocks or when that is asked for', (t) => {
  const store = new MemoryNoteDatabase();
  const commit = store.commit.bind(store);
  let commits = 0;
  store.commit = (change) => {
    commits++;
    commit(change);
  };
  const noteStore = new NoteStore(store, ACCOUNTS, BIRTHDAY);
  const reported = ({ exportedScanHeight, exportCount }: NoteStore) => [exportedScanHeight, exportCount];
  const kept = () => reported(new NoteStore(store, ACCOUNTS, BIRTHDAY));
  const empty = (height: number) => block(height, 0, { values: [], spends: [] }, () => 0);
  noteStore.apply([empty(BIRTHDAY)]);
  noteStore.markExported(1, 'later');
  t.deepEqual([reported(noteStore), kept(), commits], [[BIRTHDAY, 1], [BIRTHDAY - 1, 0], 1]);
  noteStore.apply([empty(BIRTHDAY + 1)]);
  t.deepEqual([kept(), commits], [[BIRTHDAY, 1], 2]);
  noteStore.markExported(2, 'later');
  noteStore.keepExport();
  t.deepEqual([reported(noteStore), kept(), commits], [[BIRTHDAY + 1, 2], [BIRTHDAY + 1, 2], 3]);
  noteStore.keepExport();
  noteStore.markExported(2);
  t.is(commits, 3);
  noteStore.markExported(3, 'later');
  store.commit = () => {
    throw new Error('disk full');
  };
  t.throws(() => noteStore.apply([empty(BIRTHDAY + 2)]));
  store.commit = commit;
  noteStore.apply([empty(BIRTHDAY + 2)]);
  t.deepEqual(kept(), [BIRTHDAY + 1, 3]);
  noteStore.markExported(4, 'later');
  noteStore.adoptEditedScanHeight(BIRTHDAY + 1);
  noteStore.keepExport();
  t.deepEqual(kept(), [BIRTHDAY + 1, 3], 'an edit is what config.json says by then');
});

test('a commit that fails leaves memory as the disk is', (t) => {
  const store = new MemoryNoteDatabase();
  const noteStore = new NoteStore(store, ACCOUNTS, BIRTHDAY);
  noteStore.apply([block(BIRTHDAY, 0, { values: [5], spends: [] }, () => 0)]);
  const before = shown(noteStore);
  const commit = store.commit.bind(store);
  store.commit = () => {
    throw new Error('disk full');
  };
  t.throws(() =>
    noteStore.apply([
      block(BIRTHDAY + 1, 0, { values: [6], spends: [{ height: BIRTHDAY, index: 0 }] }, () => 0),
    ]),
  );
  store.commit = commit;
  t.deepEqual(shown(noteStore), before);
});

test('a commit that takes effect and reports a failure is shown as the disk has it', (t) => {
  const store = new MemoryNoteDatabase();
  const noteStore = new NoteStore(store, ACCOUNTS, BIRTHDAY);
  noteStore.apply([block(BIRTHDAY, 0, { values: [5], spends: [] }, () => 0)]);
  const commit = store.commit.bind(store);
  store.commit = (change) => {
    commit(change);
    throw new Error('the disk did not say that it was done');
  };
  t.throws(() => noteStore.restart());
  t.deepEqual(shown(noteStore), shown(new NoteStore(store, ACCOUNTS, BIRTHDAY)));
  t.is([...noteStore.notes].length, 0);
});

test('block hashes are kept for the deepest reorganisation a node makes, and no further', (t) => {
  const store = new MemoryNoteDatabase();
  const noteStore = new NoteStore(store, ACCOUNTS, BIRTHDAY);
  const length = 2 * CHECKPOINT_SPACING + KEPT_BLOCKS;
  const blocks = Array.from({ length }, (_, i) =>
    block(BIRTHDAY + i, 0, { values: [], spends: [] }, () => 0),
  );
  for (let i = 0; i < length; i += 700) noteStore.apply(blocks.slice(i, i + 700));
  const top = BIRTHDAY + length - 1;
  const window = Array.from({ length: KEPT_BLOCKS }, (_, i) => top - KEPT_BLOCKS + 1 + i);
  // The first block of a stretch is what a block below it must link to; the others are where a rescan can begin.
  const kept = [BIRTHDAY, CHECKPOINT_SPACING, 2 * CHECKPOINT_SPACING, ...window];
  t.deepEqual(noteStore.blockHeights, kept);
  t.deepEqual(
    [...store.load()].flatMap(({ blocks: known = [] }) => known).map(({ height }) => height),
    kept,
  );
});

test('far below the tip one hash in fifty is kept, and each one where a reorganisation may reach', (t) => {
  const store = new MemoryNoteDatabase();
  const noteStore = new NoteStore(store, ACCOUNTS, BIRTHDAY);
  const top = BIRTHDAY + 2_499;
  const blocks = Array.from({ length: top - BIRTHDAY + 1 }, (_, i) =>
    block(BIRTHDAY + i, 0, { values: [], spends: [] }, () => 0),
  );
  const expectKept = (tip: number) => {
    const kept = blocks
      .map(({ height }) => height)
      .filter(
        (height) =>
          height === BIRTHDAY ||
          height > top - NEWEST_BLOCKS ||
          height % CHECKPOINT_SPACING === 0 ||
          (height > top - KEPT_BLOCKS && height % SETTLED_SPACING === 0) ||
          height > tip - KEPT_BLOCKS,
      );
    t.deepEqual(noteStore.blockHeights, kept);
  };
  const far = top + 5_000;
  const tip = top + 200;
  for (let i = 0; i < blocks.length; i += 64) noteStore.apply(blocks.slice(i, i + 64), far);
  expectKept(far);
  noteStore.rewind(BIRTHDAY);
  for (let i = 1; i < blocks.length; i += 64) noteStore.apply(blocks.slice(i, i + 64), tip);
  expectKept(tip);
  const next = block(top + 1, 0, { values: [], spends: [] }, () => 0);
  t.true(noteStore.fits([next]));
  noteStore.apply([next], tip);
  t.deepEqual(
    [...store.load()].flatMap(({ blocks: known = [] }) => known).map(({ height }) => height),
    [...noteStore.blockHeights],
  );
  t.is(noteStore.stretches.length, 1);
});

test('a rewind ends with a block that is known, or below all that was scanned without a break', (t) => {
  const noteStore = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, BIRTHDAY);
  const length = CHECKPOINT_SPACING + KEPT_BLOCKS + 500;
  const blocks = Array.from({ length }, (_, i) =>
    block(BIRTHDAY + i, 0, { values: [], spends: [] }, () => 0),
  );
  for (let i = 0; i < length; i += 700) noteStore.apply(blocks.slice(i, i + 700));
  const top = BIRTHDAY + length - 1;
  t.is(noteStore.rewindTarget(top - 5), top - 5);
  t.is(noteStore.rewindTarget(CHECKPOINT_SPACING + 7), CHECKPOINT_SPACING);
  t.is(noteStore.rewindTarget(CHECKPOINT_SPACING - 1), BIRTHDAY);
  t.is(noteStore.rewindTarget(BIRTHDAY - 5), BIRTHDAY - 5);
  t.is(noteStore.rewindTarget(top + 9), top + 9);
});

test('blocks that link to nothing known on either side of a gap close it, others do not fit', (t) => {
  const noteStore = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, BIRTHDAY);
  const length = 3 * KEPT_BLOCKS;
  const blocks = Array.from({ length }, (_, i) =>
    block(BIRTHDAY + i, 0, { values: [], spends: [] }, () => 0),
  );
  const gap = blocks.slice(100, 200);
  const others = gap.map(({ height }) => block(height, 1, { values: [], spends: [] }, () => 1));
  noteStore.apply(blocks.slice(0, 100));
  noteStore.apply(blocks.slice(200, 1500));
  noteStore.apply(blocks.slice(1500));
  t.true(noteStore.fits(gap));
  t.false(noteStore.fits(others));
  t.false(noteStore.fits(others.slice(0, 1)));
  t.false(noteStore.fits(others.slice(-1)));
  t.true(noteStore.fits(others.slice(1, -1)));
});

test('a note is one note, whatever transaction a server says it is of', (t) => {
  const right = block(BIRTHDAY, 0, { values: [5, 7], spends: [] }, () => 0);
  const wrong = {
    ...right,
    notes: right.notes.map((note) => ({
      ...note,
      txid: asTxId(bytes32(77)),
      outputIndex: note.outputIndex + 3,
    })),
  };
  for (const nullifiers of [true, false]) {
    const of = (from: ScannedBlock): ScannedBlock =>
      nullifiers ? from : { ...from, notes: from.notes.map((note) => ({ ...note, nullifier: null })) };
    const store = new MemoryNoteDatabase();
    const noteStore = new NoteStore(store, ACCOUNTS, BIRTHDAY);
    t.is(noteStore.apply([of(wrong)]).received.length, 2);
    t.like(noteStore.apply([of(right)]), { found: 2, received: [] });
    const straight = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, BIRTHDAY);
    straight.apply([of(right)]);
    t.deepEqual(shown(noteStore), shown(straight));
    t.deepEqual(shown(new NoteStore(store, ACCOUNTS, BIRTHDAY)), shown(straight));
  }
});

test('a note that a server had left out makes the blocks above it missing: their nullifiers are gone', (t) => {
  const noteStore = new NoteStore(new MemoryNoteDatabase(), ACCOUNTS, BIRTHDAY);
  const whole = block(BIRTHDAY, 0, { values: [7], spends: [] }, () => 0);
  const spending = block(BIRTHDAY + 1, 0, { values: [], spends: [{ height: BIRTHDAY, index: 0 }] }, () => 0);
  noteStore.apply([{ ...whole, notes: [] }, spending]);
  t.deepEqual(noteStore.missing(), []);
  noteStore.apply([whole]);
  t.deepEqual(noteStore.missing(), [{ start: BIRTHDAY + 1, end: BIRTHDAY + 1 }]);
  noteStore.apply([spending]);
  t.deepEqual(noteStore.missing(), []);
  t.is([...noteStore.notes][0]?.spent?.height, BIRTHDAY + 1);
});

test('a spend seen long before its note keeps the time of its block', (t) => {
  const store = new MemoryNoteDatabase();
  let noteStore = new NoteStore(store, ACCOUNTS, BIRTHDAY);
  const spending = block(BIRTHDAY + 1, 0, { values: [], spends: [{ height: BIRTHDAY, index: 0 }] }, () => 0);
  noteStore.apply([spending]);
  const far = BIRTHDAY + 2 * KEPT_BLOCKS;
  noteStore.apply([far, far + 1].map((height) => block(height, 0, { values: [], spends: [] }, () => 0)));
  noteStore.apply([block(BIRTHDAY + 2, 0, { values: [], spends: [] }, () => 0)]);
  t.is(noteStore.block(BIRTHDAY + 1)?.time, BIRTHDAY + 1);
  for (let height = BIRTHDAY + 3; height < BIRTHDAY + 20; height++)
    noteStore.apply([block(height, 0, { values: [], spends: [] }, () => 0)]);
  noteStore = new NoteStore(store, ACCOUNTS, BIRTHDAY);
  noteStore.apply([block(BIRTHDAY, 0, { values: [5], spends: [] }, () => 0)]);
  const spend = [...noteStore.transactions].find(({ height }) => height === BIRTHDAY + 1);
  t.is(spend?.time, BIRTHDAY + 1);
});

for (const [what, change] of [
  [
    'a first commit',
    (noteStore: NoteStore) => noteStore.apply([block(BIRTHDAY, 0, { values: [5], spends: [] }, () => 0)]),
  ],
  ['a rewind', (noteStore: NoteStore) => noteStore.rewind(BIRTHDAY - 1)],
  ['a rescan', (noteStore: NoteStore) => noteStore.restart()],
  ['an edit', (noteStore: NoteStore) => noteStore.adoptEditedScanHeight(BIRTHDAY - 1)],
] as const) {
  test(`${what} that fails, and a disk that does not answer afterwards, change nothing`, (t) => {
    const store = new MemoryNoteDatabase();
    const noteStore = new NoteStore(store, ACCOUNTS, BIRTHDAY);
    if (what !== 'a first commit')
      noteStore.apply([block(BIRTHDAY, 0, { values: [9], spends: [] }, () => 0)]);
    const before = shown(noteStore);
    const { commit, load } = store;
    store.commit = () => {
      throw new Error('disk full');
    };
    store.load = () => {
      throw new Error('input/output error');
    };
    t.throws(() => change(noteStore), { message: 'disk full' });
    t.deepEqual(shown(noteStore), before);
    t.throws(() => change(noteStore), { message: 'input/output error' });
    t.deepEqual(shown(noteStore), before);
    store.load = load;
    store.commit = commit;
    change(noteStore);
    t.deepEqual(shown(noteStore), shown(new NoteStore(store, ACCOUNTS, BIRTHDAY)));
    t.notDeepEqual(shown(noteStore), before);
  });
}
