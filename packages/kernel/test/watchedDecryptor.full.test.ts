// A build that computes wrongly loses no note: one instruction, one lane or one limb that is wrong is noticed in the batch
// itself, which another build decrypts again.

import { runs } from '@wallet-companion/base/test/atLength';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import type { Pool } from '@wallet-companion/zcash/pools';
import type { OutputColumns } from '@wallet-companion/zcash/scan';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import { BuildDecryptor } from '../src/kernel/buildDecryptor.ts';
import { createDecryptor } from '../src/kernel/kernelDecryptor.ts';
import type { KernelBinaries, KernelModule } from '../src/kernel/load/kernelModule.ts';
import { WatchedDecryptor } from '../src/kernel/watchedDecryptor.ts';
import {
  type Break,
  breaksOf,
  brokenLater,
  readBinary,
  withWrongPointsLater,
} from './support/brokenKernel.ts';
import { columnsOf, incomingKey, noteRow, otherRow } from './support/columns.ts';
import { KERNELS, loadWideKernel, watchOf } from './support/kernels.ts';

const wide = await loadWideKernel();
const [fma, portable] = [await KERNELS.fma(), await KERNELS.portable()];

interface Batch {
  readonly columns: OutputColumns;
  readonly keys: readonly IncomingKey[];
  /** As "row/key". */
  readonly notes: readonly string[];
}

/** A note of one of two keys every seven rows, so in every lane. */
function batchOf(pool: Pool, rows: number): Batch {
  const random = seededBytes(21);
  const keys = [incomingKey(pool, random), incomingKey(pool, random, undefined, 1)];
  const notes = Array.from({ length: 8 }, (_, i) => noteRow(pool, keys[i % 2]!, random));
  const foreign = Array.from({ length: 16 }, () => otherRow(pool, random));
  const all = Array.from({ length: rows }, (_, i) =>
    i % 7 === 0 ? notes[(i / 7) % 8]! : { ...foreign[i % 16]!, ciphertext: random(52) },
  );
  return {
    columns: columnsOf(pool, all),
    keys,
    notes: all.flatMap((_, i) => (i % 7 === 0 ? [`${i}/${(i / 7) % 2}`] : [])),
  };
}

const found = (decryptor: Pick<BuildDecryptor, 'decrypt'>, { columns, keys }: Batch): string[] =>
  decryptor.decrypt(columns, keys).map(({ row, keyIndex }) => `${row}/${keyIndex}`);

function seededNumbers(seed: number): () => number {
  const random = seededBytes(seed);
  return () => Buffer.from(random(4)).readUInt32LE() / 2 ** 32;
}

/** What the build finds when nobody watches it. */
function foundAlone(module: KernelModule, batch: Batch): readonly string[] | 'a failure' {
  try {
    return found(new BuildDecryptor(module), batch);
  } catch {
    return 'a failure';
  }
}

const PARTS: readonly {
  readonly pool: Pool;
  readonly part: keyof KernelBinaries;
  readonly binary: string;
}[] = [
  { pool: 'ironwood', part: 'pallas', binary: 'pallas-fma-wide' },
  { pool: 'sapling', part: 'jubjub', binary: 'jubjub-fma-wide' },
  { pool: 'orchard', part: 'symmetric', binary: 'symmetric' },
];
/** Where only some values come out wrong, chance decides when one of them is a canary. */
const MOST_BATCHES = 100;

/** `all`: in some lane no note is found. */
function harmOf(alone: ReturnType<typeof foundAlone>, { notes }: Batch): 'none' | 'some' | 'all' {
  if (alone === 'a failure') return 'all';
  const lost = notes.filter((note) => !alone.includes(note));
  const inLane = (lane: number, list: readonly string[]) =>
    list.filter((note) => Number.parseInt(note, 10) % 4 === lane).length;
  if ([0, 1, 2, 3].some((lane) => inLane(lane, lost) === inLane(lane, notes))) return 'all';
  return lost.length === 0 ? 'none' : 'some';
}

for (const { pool, part, binary } of PARTS) {
  test(`${part}: a wrong instruction, lane or limb costs no note, and the build is refused in that batch`, (t) => {
    const bytes = readBinary(binary);
    const breaks = breaksOf(bytes);
    const batch = batchOf(pool, 300);
    const tried = runs(8, 200);
    const seen = { none: 0, some: 0, all: 0 };
    for (let i = 0; i < tried; i++) {
      const broken: Break = breaks[Math.floor((i * breaks.length) / tried)]!;
      const harm = harmOf(foundAlone(brokenLater(wide, part, bytes, broken), batch), batch);
      seen[harm]++;
      const watch = watchOf(fma, portable);
      const watched = new WatchedDecryptor(brokenLater(wide, part, bytes, broken), watch, seededNumbers(i));
      if (harm === 'some') {
        let batches = 0;
        for (; watched.variant === 'wide' && batches < MOST_BATCHES; batches++) found(watched, batch);
        t.log(`${broken.what}: some values are wrong, noticed in batch ${batches}`);
        t.is(watched.variant, 'fma', broken.what);
      }
      t.deepEqual(found(watched, batch), batch.notes, broken.what);
      if (harm === 'all') t.is(watched.variant, 'fma', broken.what);
    }
    t.log(`of ${tried}: ${JSON.stringify(seen)}`);
    t.true(seen.all >= tried / 2);
  });
}

/** The middle of a binary is the multiplication. */
function harmfulBreak(module: KernelModule, binary: Uint8Array, batch: Batch): Break {
  const breaks = breaksOf(binary);
  const broken = breaks
    .slice(breaks.length / 2)
    .find(
      (one) => String(foundAlone(brokenLater(module, 'pallas', binary, one), batch)) !== batch.notes.join(),
    );
  if (broken === undefined) throw new Error('no break does harm');
  return broken;
}

test('a build that is refused in one thread is refused in all, and encryption keys come from the next one', (t) => {
  const batch = batchOf('ironwood', 300);
  const binary = readBinary('pallas-fma-wide');
  const watch = watchOf(fma, portable);
  const broken = brokenLater(wide, 'pallas', binary, harmfulBreak(wide, binary, batch));
  const [first, second] = [createDecryptor({ ...broken, watch }), createDecryptor({ ...wide, watch })];
  t.is(second.variant, 'wide');
  t.deepEqual(
    first.encryptionKeys(batch.columns, batch.keys[0]!),
    new BuildDecryptor(portable).encryptionKeys(batch.columns, batch.keys[0]!),
  );
  t.is(second.variant, 'fma');
  t.deepEqual(found(second, batch), batch.notes);
});

test('where the second build computes wrongly too, the last one takes over', (t) => {
  const batch = batchOf('ironwood', 300);
  const binary = readBinary('pallas-fma-wide');
  const broken = harmfulBreak(wide, binary, batch);
  const watch = watchOf(brokenLater({ ...wide, variant: 'fma' }, 'pallas', binary, broken), portable);
  const watched = createDecryptor({ ...brokenLater(wide, 'pallas', binary, broken), watch });
  t.deepEqual(found(watched, batch), batch.notes);
  t.is(watched.variant, 'portable');
});

test('a build that fails its self test in a thread is not used there', (t) => {
  const batch = batchOf('ironwood', 300);
  const binary = readBinary('pallas-fma-wide');
  harmfulBreak(wide, binary, batch).apply(binary);
  const modules = { ...wide.modules, pallas: new WebAssembly.Module(binary) };
  const watched = createDecryptor({ ...wide, modules, watch: watchOf(fma, portable) });
  t.deepEqual(found(watched, batch), batch.notes);
  t.is(watched.variant, 'fma');
});

test('small batches are not for the wide build', (t) => {
  const batch = batchOf('ironwood', 63);
  const binary = readBinary('pallas-fma-wide');
  const watched = createDecryptor({
    ...brokenLater(wide, 'pallas', binary, harmfulBreak(wide, binary, batch)),
    watch: watchOf(fma, portable),
  });
  t.deepEqual(found(watched, batch), batch.notes);
  t.is(watched.variant, 'wide');
});

test('a build that no longer verifies notes is noticed by known ones', (t) => {
  const batch = batchOf('ironwood', 3);
  t.deepEqual(foundAlone(withWrongPointsLater(fma), batch), []);
  const watched = createDecryptor({ ...wide, watch: watchOf(withWrongPointsLater(fma), portable) });
  const other = { ...batch, keys: [incomingKey('ironwood', seededBytes(4))] };
  for (let search = 1; search <= 255; search++) t.deepEqual(found(watched, other), []);
  t.is(watched.variant, 'wide');
  t.deepEqual(found(watched, batch), batch.notes);
  t.is(watched.variant, 'portable');
});
