import { asBlockHash, type BlockHash } from '@wallet-companion/zcash/identifiers';
import type { BlockBatch, FoundNote, ScannedBlock } from '@wallet-companion/zcash/scan';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';
import test from 'ava';
import { ChainMoved, type Commit, scanRange } from '../../../../src/actors/wallet/sync/rangeScan.ts';
import { ScanWaits } from '../../../../src/actors/wallet/sync/scanWaits.ts';
import { Stopped, StopSignal } from '../../../../src/actors/wallet/sync/stopSignal.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';

const START = 100;
const BLOCKS = 240;
const PER_BATCH = 40;
const PER_COMMIT = 64;
/** What is left of three batches after a commit. */
const REST = 3 * PER_BATCH - PER_COMMIT;
const WHOLE = [PER_COMMIT, PER_COMMIT, PER_COMMIT, BLOCKS - 3 * PER_COMMIT];
/** Sixteen blocks of a megabyte. */
const WHOLE_BY_BYTES = Array.from({ length: BLOCKS / 16 }, () => 16);
const CONCURRENCY = 2;

const hashOf = (height: number): BlockHash => asBlockHash(new Uint8Array(32).fill(height % 251));

const batch = (n: number, bytes: number, perBatch: number): BlockBatch => ({
  format: 'raw',
  buffer: new ArrayBuffer(0),
  blocks: Array.from({ length: perBatch }, (_, i) => {
    const height = START + n * perBatch + i;
    const hashes = { hash: hashOf(height), prevHash: hashOf(height - 1) };
    const treeSizes = poolSizes({ sapling: height });
    return { height, ...hashes, offset: 0, length: bytes, treeSizes, outputCount: 0 };
  }),
});

const OURS = { memo: null } as FoundNote;

/** `isOurs`: whether a note of ours is in the block. */
const scanned = ({ blocks }: BlockBatch, isOurs: (height: number) => boolean): ScannedBlock[] =>
  blocks.map(({ height, hash, prevHash, treeSizes, outputCount }) => {
    const notes = isOurs(height) ? [OURS] : [];
    return { height, hash, prevHash, time: height, treeSizes, outputCount, notes, nullifiers: [] };
  });

interface Faults {
  /** The first batch that does not come although nothing failed. */
  readonly endsAt?: number;
  readonly offline?: boolean;
  /** By number of the batch. */
  readonly comes?: (n: number) => Promise<unknown> | undefined;
  readonly scanned?: (n: number, blocks: ScannedBlock[]) => Promise<ScannedBlock[]>;
  readonly fits?: (n: number, isScanned: boolean) => boolean;
  readonly commits?: (n: number) => Promise<void>;
  readonly bytes?: number;
  readonly perBatch?: number;
  /** Every block, where it is left out. */
  readonly isOurs?: (height: number) => boolean;
}

/** How many blocks each commit had, how it ended, and how often the range was closed. */
async function run(faults: Faults, stop = new StopSignal()) {
  const committed: number[] = [];
  let [came, taken, furthest, closed] = [0, 0, 0, 0];
  const { perBatch = PER_BATCH } = faults;
  const batchAt = (height: number): number => Math.floor((height - START) / perBatch);
  const chain = {
    openRange: async () => ({ rangeId: 7 }),
    nextBatch: async ({ rangeId }: { rangeId: number }) => {
      if (rangeId !== 7 || closed > 0) throw new Error('no such range');
      if (came * perBatch === BLOCKS || came === faults.endsAt) return null;
      await faults.comes?.(came);
      furthest = Math.max(furthest, came - taken + 1);
      return batch(came++, faults.bytes ?? 1, perBatch);
    },
    closeRange: async () => {
      closed++;
    },
  };
  const session = {
    noteStore: {
      block: () => undefined,
      fits: (blocks: readonly { height: number }[]) =>
        faults.fits?.(batchAt(blocks[0]!.height), blocks.length === 1) ?? true,
    },
    pool: {
      concurrency: CONCURRENCY,
      scan: async (given: BlockBatch) => {
        const blocks = scanned(given, faults.isOurs ?? (() => true));
        const done = await (faults.scanned?.(batchAt(blocks[0]!.height), blocks) ?? blocks);
        taken++;
        return done;
      },
    },
    scanKeys: {},
  };
  const commit: Commit = async (blocks, sizesBefore): Promise<void> => {
    await faults.commits?.(committed.length);
    if (sizesBefore.sapling !== blocks[0]?.height) throw new Error('tree sizes of another block');
    committed.push(blocks.length);
  };
  const { offline = false } = faults;
  const query = { source: 'compact', offline, start: START, end: START + BLOCKS - 1 } as const;
  const environment = { chain, clock: { now: () => 0 }, logFault: () => undefined };
  let failure: unknown;
  try {
    await scanRange(
      environment as never,
      session as never,
      query,
      stop,
      new ScanWaits(() => 0, CONCURRENCY),
      commit,
    );
  } catch (error) {
    failure = error;
  }
  return { committed, failure, closed, furthest };
}

const broken = new CompanionError('UPSTREAM_TIMEOUT', 'It fell silent.');
const at = (wanted: number, n: number, error: unknown) =>
  n === wanted ? Promise.reject(error) : Promise.resolve();

test('a range is committed in order and in pieces, with a bounded number of batches under way', async (t) => {
  t.deepEqual(await run({}), { committed: WHOLE, failure: undefined, closed: 1, furthest: 1 });
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = run({
    comes: async (n) => {
      if (n === CONCURRENCY) setImmediate(release);
    },
    scanned: (_n, blocks) => gate.then(() => blocks),
  });
  t.deepEqual(await held, { committed: WHOLE, failure: undefined, closed: 1, furthest: 2 * CONCURRENCY });
});

test('large blocks make small commits', async (t) => {
  t.deepEqual((await run({ bytes: 2 ** 20 })).committed, new Array(15).fill(16));
});

test('a batch of many blocks makes commits of the same size, and who stops has the next one alone', async (t) => {
  t.deepEqual((await run({ perBatch: BLOCKS })).committed, WHOLE);
  const stop = new StopSignal();
  const commits = async (n: number): Promise<void> => {
    if (n === 1) stop.stop();
  };
  const { committed, closed } = await run({ perBatch: BLOCKS, commits }, stop);
  t.deepEqual([committed, closed], [[PER_COMMIT, PER_COMMIT], 1]);
});

test('between two commits of a batch others have their turn, and may stop it', async (t) => {
  let turns = 0;
  const turnsBefore: number[] = [];
  const counted = async (): Promise<void> => {
    turnsBefore.push(turns);
    setImmediate(() => turns++);
  };
  await run({ perBatch: BLOCKS, commits: counted });
  t.deepEqual(turnsBefore, [0, 1, 2, 3]);
  const stop = new StopSignal();
  const commits = async (): Promise<void> => {
    setImmediate(() => stop.stop());
  };
  t.deepEqual((await run({ perBatch: BLOCKS, commits }, stop)).committed, [PER_COMMIT]);
});

const ENDINGS: readonly (readonly [string, Faults])[] = [
  ['a batch that does not come', { comes: (n) => at(3, n, broken) }],
  ['a batch that is not scanned', { scanned: (n, blocks) => at(3, n, broken).then(() => blocks) }],
];
for (const [what, faults] of ENDINGS) {
  test(`${what} fails the range, and what came before it is committed`, async (t) => {
    const { committed, failure, closed } = await run(faults);
    t.deepEqual({ committed, closed }, { committed: [PER_COMMIT, REST], closed: 1 });
    t.is(failure, broken);
  });
}

test('blocks that do not follow each other are a bad answer, after what came before them', async (t) => {
  const others: readonly ((blocks: ScannedBlock[]) => ScannedBlock[])[] = [
    (blocks) => blocks.slice(1),
    (blocks) =>
      blocks.map((block, i) => (i === 5 ? { ...block, prevHash: asBlockHash(new Uint8Array(32)) } : block)),
  ];
  for (const other of others) {
    const ended = await run({ scanned: async (n, blocks) => (n === 3 ? other(blocks) : blocks) });
    t.like(ended.failure, { code: 'COMPACT_SERVER_BAD_RESPONSE' });
    t.deepEqual([ended.committed, ended.closed], [[PER_COMMIT, REST], 1]);
    t.false(ended.failure instanceof ChainMoved);
  }
  const first = await run({ scanned: async (n, blocks) => (n === 0 ? blocks.slice(1) : blocks) });
  t.like(first.failure, { code: 'COMPACT_SERVER_BAD_RESPONSE' });
  t.deepEqual([first.committed, first.closed], [[], 1]);
});

for (const [when, onlyScanned] of [
  ['when it comes', false],
  ['when it was scanned', true],
] as const) {
  test(`a block of another branch, seen ${when}, takes what is not committed with it`, async (t) => {
    const ended = await run({ fits: (n, isScanned) => n !== 3 || isScanned !== onlyScanned });
    t.deepEqual([ended.committed, ended.closed], [[PER_COMMIT], 1]);
    t.true(ended.failure instanceof ChainMoved);
  });
}

test('a range that ends too early is of a chain that has moved; a store without its server has what it has', async (t) => {
  const ended = await run({ endsAt: 3 });
  t.deepEqual([ended.committed, ended.closed], [[PER_COMMIT], 1]);
  t.true(ended.failure instanceof ChainMoved);
  const away = await run({ endsAt: 3, offline: true });
  t.deepEqual([away.committed, away.failure], [[PER_COMMIT, REST], undefined]);
});

test('a commit that fails is not tried again, and nothing follows it', async (t) => {
  const full = new CompanionError('STORAGE_FAILED', 'The disk is full.');
  let commits = 0;
  const { committed, failure, closed } = await run({ commits: () => at(1, commits++, full) });
  t.is(failure, full);
  t.deepEqual([committed, closed], [[PER_COMMIT], 1]);
});

test('a stopped scan keeps what was scanned up to the next commit, and does not wait for the other side', async (t) => {
  const stop = new StopSignal();
  const never = new Promise<void>(() => undefined);
  const silent = await run(
    {
      comes: (n) => {
        if (n !== 2 * CONCURRENCY) return undefined;
        setImmediate(() => stop.stop());
        return never;
      },
    },
    stop,
  );
  t.deepEqual([silent.committed, silent.failure, silent.closed], [[PER_COMMIT], undefined, 1]);
  const before = new StopSignal();
  before.stop();
  const { committed, failure, closed } = await run({}, before);
  t.true(failure instanceof Stopped);
  t.deepEqual([committed, closed], [[], 1]);
});

test('blocks with nothing of ours are committed with the batch in which there are enough of them', async (t) => {
  const committed = async (faults: Faults) => (await run(faults)).committed;
  const isOurs = () => false;
  t.deepEqual(await committed({ isOurs }), [80, 80, 80]);
  t.deepEqual(await committed({ isOurs, perBatch: 120 }), [120, 120]);
  t.deepEqual(await committed({ isOurs, perBatch: 240 }), [240]);
  // From a note on it is as ever; before it, what is there goes with it.
  const from = (height: number) => ({ perBatch: 240, isOurs: (at: number) => at === START + height });
  t.deepEqual(await committed(from(0)), [64, 176]);
  t.deepEqual(await committed(from(100)), [101, 139]);
  t.deepEqual(await committed(from(239)), [240]);
  t.deepEqual(await committed({ isOurs, perBatch: 240, bytes: 2 ** 20 }), WHOLE_BY_BYTES);
});
