// Blocks that somebody damaged or made up: a scan ends with a result or a FormatError, and ephemeral keys, commitments
// and nullifiers may be any bytes.

import { FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { parseBlock } from '../../src/zcash/encoding/block.ts';
import { txid } from '../../src/zcash/encoding/txid.ts';
import { asBlockHash, asTxId } from '../../src/zcash/identifiers.ts';
import { deriveViewingKeys, incomingKeys, outgoingKeys } from '../../src/zcash/keys/account.ts';
import { networkParameters } from '../../src/zcash/network.ts';
import { POOLS } from '../../src/zcash/pools.ts';
import { ReferenceDecryptor } from '../../src/zcash/scan/referenceDecryptor.ts';
import { scanBatch } from '../../src/zcash/scan/scanBatch.ts';
import type { BlockBatch, OutputColumns } from '../../src/zcash/scan/types.ts';
import { EMPTY_TREES } from '../../src/zcash/treeSizes.ts';
import { readDelimited, readFixtureJson, readRawBlocks } from '../helpers/fixtures.ts';
import { scanHeights } from '../helpers/perPool.ts';
import { readAsReference } from '../helpers/serialEnhancement.ts';

const HEIGHT = 3_428_160;
const heights = scanHeights({ network: 'main' });
const seed = hexToBytes(readFixtureJson<{ seedHex: string }>('known-seed', 'main', 'keys.json').seedHex);
const keys = deriveViewingKeys(seed, networkParameters('main'), 0);
const incoming = incomingKeys(keys, 0).filter(({ scope }) => scope === 'external');
const outgoing = outgoingKeys(keys, 0);
const decryptor = new ReferenceDecryptor();

function batchOf(format: BlockBatch['format'], block: Uint8Array): BlockBatch {
  const hash = asBlockHash(new Uint8Array(32));
  const treeSizes = EMPTY_TREES;
  const ref = {
    height: HEIGHT,
    hash,
    prevHash: hash,
    offset: 0,
    length: block.length,
    treeSizes,
    outputCount: 0,
  };
  return { format, buffer: Uint8Array.from(block).buffer, blocks: [ref] };
}

function endsTyped(task: () => unknown): void {
  try {
    task();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
}

// Small blocks with parts of every pool.
const raw = readRawBlocks('known-seed', 'zebra-recorded', 'raw-blocks.hex').slice(-2);
const compact = readDelimited('known-seed', 'zebra-recorded', 'compact.bin').slice(-2);
const bit = fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(7));
const bits = fc.array(bit, { minLength: 1, maxLength: 40 });

function flipped(bytes: Uint8Array, flips: readonly (readonly [number, number])[]): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (const [at, index] of flips) copy[Math.floor(at * copy.length)]! ^= 1 << index;
  return copy;
}

test('damaged raw blocks', (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...raw), bits, (block, flips) => {
      const damaged = flipped(block, flips);
      endsTyped(() => scanBatch(batchOf('raw', damaged), incoming, heights, decryptor));
      endsTyped(() =>
        readAsReference(
          { kind: 'block', bytes: damaged, height: HEIGHT, txids: [asTxId(new Uint8Array(32))] },
          { incoming, outgoing },
          heights,
          decryptor,
        ),
      );
    }),
    { numRuns: runs(12, 60) },
  );
  t.pass();
});

test('a bit flipped in whatever a txid covers is refused, be it transparent or shielded', (t) => {
  for (const block of raw) {
    for (const transaction of parseBlock(block).transactions) {
      const { transparent, sapling, orchard, ironwood } = transaction;
      for (const covered of [
        transparent.outputBytes,
        sapling.outputs.bytes,
        ...[orchard, ironwood].map((b) => b.actions.bytes),
      ]) {
        for (const at of covered.length === 0 ? [] : [0, covered.length >> 1, covered.length - 1]) {
          const damaged = Uint8Array.from(block);
          damaged[covered.byteOffset - block.byteOffset + at]! ^= 1;
          const scan = () => scanBatch(batchOf('raw', damaged), incoming, heights, decryptor);
          t.throws(scan, { instanceOf: FormatError, message: /not those that its header commits to/ });
          const read = () =>
            readAsReference(
              { kind: 'block', bytes: damaged, height: HEIGHT, txids: [txid(transaction)] },
              { incoming, outgoing },
              heights,
              decryptor,
            );
          t.throws(read, { instanceOf: FormatError });
        }
      }
    }
  }
});

test('damaged compact blocks', (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...compact), bits, (message, flips) => {
      endsTyped(() => scanBatch(batchOf('compact', flipped(message, flips)), incoming, heights, decryptor));
    }),
    { numRuns: runs(20, 100) },
  );
  t.pass();
});

test('columns of any bytes decrypt to nothing', (t) => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const columns = fc
    .tuple(fc.constantFrom(...POOLS), bytes(96), bytes(156), bytes(96), bytes(96), bytes(3))
    .map(
      ([pool, ephemeralKeys, ciphertexts, commitments, nullifiers, leadBytes]): OutputColumns => ({
        pool,
        count: 3,
        ephemeralKeys,
        ciphertexts,
        commitments,
        nullifiers: pool === 'sapling' ? new Uint8Array(0) : nullifiers,
        positions: new Uint32Array(3),
        leadBytes,
      }),
    );
  fc.assert(
    fc.property(columns, (made) => decryptor.decrypt(made, incoming).length === 0),
    { numRuns: runs(20, 100) },
  );
  t.pass();
});

/** Encodings that decoders like to get wrong, in the ephemeral key of every row. */
const TRICKY_KEYS = {
  zeros: '00'.repeat(32),
  ones: 'ff'.repeat(32),
  'zero with sign': `${'00'.repeat(31)}80`,
  'the Jubjub identity': `01${'00'.repeat(31)}`,
  'the Jubjub identity, not canonical': `01${'00'.repeat(30)}80`,
  'the Jubjub point of order two': '00000000fffffffffe5bfeff02a4bd5305d8a10908d83933487d9d2953a7ed73',
  'the Pallas base field order': `01000000ed302d991bf94c09fc984622${'00'.repeat(15)}40`,
  'the Jubjub base field order': '01000000fffffffffe5bfeff02a4bd5305d8a10908d83933487d9d2953a7ed73',
};

for (const [title, key] of Object.entries(TRICKY_KEYS)) {
  test(`ephemeral key: ${title}`, (t) => {
    for (const pool of POOLS) {
      const columns: OutputColumns = {
        pool,
        count: 1,
        ephemeralKeys: hexToBytes(key),
        ciphertexts: new Uint8Array(52),
        commitments: new Uint8Array(32),
        nullifiers: new Uint8Array(pool === 'sapling' ? 0 : 32),
        positions: new Uint32Array(1),
        leadBytes: Uint8Array.of(0b111),
      };
      t.deepEqual(decryptor.decrypt(columns, incoming), []);
    }
  });
}
