import type { ChainTip } from '@wallet-companion/chain/ports';
import test from 'ava';
import { KEPT_BLOCKS } from '../../../../src/actors/wallet/noteStore/book/knownBlocks.ts';
import { NoteStore } from '../../../../src/actors/wallet/noteStore/noteStore.ts';
import { findFork } from '../../../../src/actors/wallet/sync/reorg.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';
import { Blocks, World } from '../../../truth/support/world.ts';

const BIRTHDAY = 1;
const UPSTREAM = { source: 'node' } as const;

const empty = (count: number) => Array.from({ length: count }, () => ({ notes: [], spends: [] }));

function setUp(height: number, birthday = BIRTHDAY) {
  const world = new World(new Blocks());
  world.mine(empty(height));
  const noteStore = new NoteStore(
    new MemoryNoteDatabase(),
    [{ index: 0, birthdayHeight: birthday }],
    birthday,
  );
  const scan = (start: number, end: number, tip?: number) => {
    for (let from = start; from <= end; from += 64)
      noteStore.apply(
        world.chain.slice(from - 1, Math.min(end, from + 63)).map(({ scanned }) => scanned),
        tip,
      );
  };
  const fork = () => {
    const tip: ChainTip = { height: world.tip, hash: world.at(world.tip)!.scanned.hash };
    const chain = {
      blockHash: async ({ height: at }: { readonly height: number }) => world.at(at)?.scanned.hash ?? null,
    };
    return findFork(noteStore, chain, UPSTREAM, tip);
  };
  return { world, noteStore, scan, fork };
}

test('a chain that goes on has no fork', async (t) => {
  const { world, scan, fork } = setUp(50);
  scan(1, 50);
  t.is(await fork(), undefined);
  world.mine(empty(5));
  t.is(await fork(), undefined);
});

test('every depth that is kept is found', async (t) => {
  for (const depth of [1, 2, 17, 600, KEPT_BLOCKS - 1]) {
    const { world, scan, fork } = setUp(KEPT_BLOCKS + 300);
    scan(1, KEPT_BLOCKS + 300);
    world.reorganise(depth, empty(depth + 1));
    t.is(await fork(), KEPT_BLOCKS + 300 - depth);
  }
});

test('far below the tip, the last common block that is known is gone back to', async (t) => {
  const { world, scan, fork } = setUp(5_000);
  scan(1, 2_345, 5_000);
  world.reorganise(5_000 - 2_222, empty(5_000 - 2_222 + 1));
  t.is(await fork(), 2_200);
  world.reorganise(5_001 - 1_320, empty(5_001 - 1_320 + 1));
  t.is(await fork(), 1_300);
  world.reorganise(5_002 - 1_100, empty(5_002 - 1_100 + 1));
  const refused = await t.throwsAsync(fork(), { code: 'REORG_TOO_DEEP' });
  t.regex(refused?.message ?? '', /from_height 1001 or lower/);
});

test('the lower of two stretches is compared too, though the upper one is of the new branch', async (t) => {
  const { world, scan, fork } = setUp(60);
  scan(1, 20);
  world.reorganise(45, empty(50));
  scan(40, 60);
  t.is(await fork(), 15);
});

test('a reorganisation right below the birthday, or in a gap, undoes what was scanned above it and nothing else', async (t) => {
  const young = setUp(102, 100);
  young.scan(100, 102);
  young.world.reorganise(5, empty(6));
  t.is(await young.fork(), 99);

  const gap = setUp(5060);
  gap.scan(1, 40);
  gap.scan(5000, 5060);
  gap.world.reorganise(70, empty(71));
  t.is(await gap.fork(), 4999);
});

test('deeper than what is kept says from where to rescan, and a rescan from above it does not hide it', async (t) => {
  const { world, noteStore, scan, fork } = setUp(3500);
  scan(1, 3500);
  world.reorganise(1700, empty(1701));
  const refused = await t.throwsAsync(fork(), { instanceOf: CompanionError, code: 'REORG_TOO_DEEP' });
  t.regex(refused?.message ?? '', /from_height 1001 or lower/);

  noteStore.rewind(noteStore.rewindTarget(2500));
  t.is(noteStore.lastScanHeight, 2500);
  await t.throwsAsync(fork(), { code: 'REORG_TOO_DEEP' });
  noteStore.rewind(noteStore.rewindTarget(2100));
  t.is(noteStore.lastScanHeight, 2000);
  await t.throwsAsync(fork(), { code: 'REORG_TOO_DEEP' });
  noteStore.rewind(noteStore.rewindTarget(1000));
  t.is(await fork(), undefined);
});

test('a chain lower than the wallet is behind, whatever branch it is of', async (t) => {
  const { world, scan, fork } = setUp(50);
  scan(1, 50);
  world.reorganise(10, empty(5));
  await t.throwsAsync(fork(), { code: 'NODE_BEHIND' });
});
