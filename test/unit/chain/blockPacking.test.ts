import type { BlockSummary } from '@wallet-companion/zcash/blocks';
import { asBlockHash } from '@wallet-companion/zcash/identifiers';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';
import test from 'ava';
import { BlockPacker } from '#chain/source/blockPacking';

const SIZES = poolSizes({ sapling: 10, orchard: 20, ironwood: 30 });

const summaryOf = (height: number, sapling: number): BlockSummary => ({
  hash: asBlockHash(new Uint8Array(32).fill(height)),
  prevHash: asBlockHash(new Uint8Array(32).fill(height - 1)),
  time: 0,
  height,
  counts: poolSizes({ sapling }),
  txCount: 1,
});

/** Heights per batch of blocks with these lengths and output counts. */
function pack(
  limits: { blocks: number; bytes: number; outputs: number },
  blocks: readonly (readonly [length: number, outputs: number])[],
): number[][] {
  const packer = new BlockPacker('raw', limits);
  const batches = blocks.map(([length, outputs], i) =>
    packer.add(new Uint8Array(length), summaryOf(i, outputs), SIZES),
  );
  return [...batches, packer.take()].flatMap((batch) =>
    batch === null ? [] : [batch.blocks.map(({ height }) => height)],
  );
}

const WIDE = { blocks: 100, bytes: 1000, outputs: 1000 };

test('a batch ends at the number of blocks', (t) => {
  t.deepEqual(pack({ ...WIDE, blocks: 2 }, Array(5).fill([1, 1])), [[0, 1], [2, 3], [4]]);
});

test('a batch ends before the bytes or outputs would be too many', (t) => {
  t.deepEqual(
    pack({ ...WIDE, bytes: 10 }, [
      [4, 0],
      [6, 0],
      [1, 0],
    ]),
    [[0, 1], [2]],
  );
  t.deepEqual(
    pack({ ...WIDE, outputs: 10 }, [
      [1, 4],
      [1, 7],
      [1, 3],
    ]),
    [[0], [1, 2]],
  );
});

test('a block larger than the limits is a batch of its own', (t) => {
  t.deepEqual(
    pack({ ...WIDE, bytes: 10 }, [
      [1, 0],
      [50, 0],
      [1, 0],
    ]),
    [[0], [1], [2]],
  );
});

test('nothing packed is no batch', (t) => {
  t.is(new BlockPacker('raw').take(), null);
});

test('references point to the bytes', (t) => {
  const packer = new BlockPacker('compact');
  packer.add(Uint8Array.of(1, 2), summaryOf(5, 3), SIZES);
  packer.add(Uint8Array.of(3), summaryOf(6, 0), SIZES);
  const batch = packer.take()!;
  t.is(batch.format, 'compact');
  t.deepEqual(new Uint8Array(batch.buffer), Uint8Array.of(1, 2, 3));
  t.like(batch.blocks[1], { height: 6, offset: 2, length: 1, outputCount: 0, treeSizes: SIZES });
  t.is(batch.blocks[0]!.outputCount, 3);
});
