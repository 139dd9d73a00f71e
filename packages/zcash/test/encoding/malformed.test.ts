// Every input ends in a value or in a FormatError: no other exception, no hang, no allocation by a claimed count.

import { concatBytes, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { parseBlock } from '../../src/zcash/encoding/block.ts';
import { summarizeCompactBlock, summarizeRawBlock } from '../../src/zcash/encoding/blockSummary.ts';
import { parseHeader } from '../../src/zcash/encoding/header.ts';
import { parseTransaction } from '../../src/zcash/encoding/transaction.ts';
import { treeSizeFromState } from '../../src/zcash/encoding/treeSize.ts';
import { authDigest, txid } from '../../src/zcash/encoding/txid.ts';
import { readCompactBlock } from '../../src/zcash/scan/scanBatch.ts';
import { ShieldedParts } from '../../src/zcash/scan/shieldedParts.ts';
import { EMPTY_TREES } from '../../src/zcash/treeSizes.ts';
import { readDelimited, readFixtureJson, readRawBlocks } from '../helpers/fixtures.ts';
import { scanHeights } from '../helpers/perPool.ts';
import { readVectors } from '../helpers/readVectors.ts';

/** Reads a compact message as a sync does: when it comes, and when it is scanned. */
function readCompact(bytes: Uint8Array): void {
  const { height } = summarizeCompactBlock(bytes);
  const parts = new ShieldedParts(scanHeights());
  parts.beginBlock(height, EMPTY_TREES);
  readCompactBlock(bytes, parts);
}

/** Calls the parser and, when it accepts, whatever reads the views it gave. */
function parseAll(bytes: Uint8Array): void {
  const block = parseBlock(bytes);
  for (const transaction of block.transactions) {
    txid(transaction);
    authDigest(transaction);
  }
}

function endsTyped(parse: (bytes: Uint8Array) => unknown, bytes: Uint8Array): 'value' | 'error' {
  try {
    parse(bytes);
    return 'value';
  } catch (error) {
    if (error instanceof FormatError) return 'error';
    throw error;
  }
}

const recorded = readRawBlocks('known-seed', 'zebra-recorded', 'raw-blocks.hex');
const fixtureBlocks = [
  recorded[0]!,
  recorded.at(-1)!,
  readRawBlocks('known-seed', 'main', 'raw-blocks-main.hex').at(-2)!,
];
const realBlocks = readVectors<{ cases: { raw: string }[] }>('real_blocks').cases.map((c) =>
  hexToBytes(c.raw),
);
const blocks = [...fixtureBlocks, ...realBlocks];
const messages = [
  ...readDelimited('known-seed', 'main', 'compact-main.bin').slice(-6),
  ...readDelimited('known-seed', 'zebra-recorded', 'compact.bin').slice(-2),
];
const transactions = ['tx_v4_generated', 'tx_v5_generated', 'tx_v6'].flatMap((name) =>
  readFixtureJson<{ cases: { tx: string }[] }>('vectors', `${name}.json`)
    .cases.slice(0, 2)
    .map((c) => hexToBytes(c.tx)),
);

const PARSERS = [
  ['parseBlock', parseAll],
  ['parseHeader', parseHeader],
  ['summarizeRawBlock', summarizeRawBlock],
  ['parseTransaction', parseTransaction],
  ['readCompactBlock', readCompact],
  ['summarizeCompactBlock', summarizeCompactBlock],
  ['treeSizeFromState', treeSizeFromState],
] as const;

for (const [name, parse] of PARSERS) {
  test(`${name}: random bytes end typed`, (t) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4096 }), (bytes) => {
        endsTyped(parse, bytes);
      }),
      { numRuns: runs(83, 500) },
    );
    t.pass();
  });
}

test('a small block cut at every offset is refused', (t) => {
  const block = recorded[0]!;
  for (let length = 0; length < block.length; length++) {
    if (endsTyped(parseAll, block.subarray(0, length)) !== 'error') t.fail(`accepted ${length} bytes`);
    if (endsTyped(summarizeRawBlock, block.subarray(0, length)) !== 'error')
      t.fail(`summarized ${length} bytes`);
  }
  t.pass();
});

test('blocks cut at random offsets are refused', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...blocks),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (block, at) => {
        return endsTyped(parseAll, block.subarray(0, Math.floor(at * block.length))) === 'error';
      },
    ),
    { numRuns: runs(66, 400) },
  );
  t.pass();
});

test('transactions cut at random offsets are refused', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...transactions),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (bytes, at) =>
        endsTyped(parseTransaction, bytes.subarray(0, Math.floor(at * bytes.length))) === 'error',
    ),
    { numRuns: runs(66, 400) },
  );
  t.pass();
});

test('a transaction with a byte behind it is refused', (t) => {
  for (const bytes of transactions) {
    t.throws(() => parseTransaction(concatBytes(bytes, Uint8Array.of(0))), { instanceOf: FormatError });
  }
});

const flips = fc.array(fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(7)), {
  minLength: 1,
  maxLength: 8,
});

function flipped(bytes: Uint8Array, bits: readonly (readonly [number, number])[]): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (const [at, bit] of bits) copy[Math.floor(at * copy.length)]! ^= 1 << bit;
  return copy;
}

test('blocks with flipped bits end typed, and summary and parse agree on them', (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...blocks), flips, (block, bits) => {
      const bytes = flipped(block, bits);
      const parsed = endsTyped(parseAll, bytes);
      const summarized = endsTyped(summarizeRawBlock, bytes);
      // The summary also needs the height of the coinbase.
      return parsed === 'value' || summarized === 'error';
    }),
    { numRuns: runs(100, 600) },
  );
  t.pass();
});

test('flipped length and count bytes right behind the header end typed', (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...blocks), fc.nat(120), fc.nat(255), (block, at, byte) => {
      const copy = Uint8Array.from(block);
      const { headerLength } = parseHeader(block);
      copy[Math.min(headerLength + at, copy.length - 1)] = byte;
      endsTyped(parseAll, copy);
    }),
    { numRuns: runs(100, 600) },
  );
  t.pass();
});

test('compact messages with flipped bits or cut short end typed', (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...messages), flips, fc.nat(4000), (message, bits, length) => {
      endsTyped(readCompact, flipped(message, bits));
      endsTyped(summarizeCompactBlock, flipped(message, bits));
      endsTyped(readCompact, message.subarray(0, length));
    }),
    { numRuns: runs(100, 600) },
  );
  t.pass();
});

const HUGE = concatBytes(Uint8Array.of(0xff), new Uint8Array(8).fill(0xff));
const zeros = (length: number): Uint8Array => new Uint8Array(length);

for (const [title, bytes] of [
  ['2^64 - 1 transparent inputs', concatBytes(Uint8Array.of(1, 0, 0, 0), HUGE, zeros(64))],
  ['2^25 transparent inputs', concatBytes(Uint8Array.of(1, 0, 0, 0, 0xfe, 0, 0, 0, 2), zeros(64))],
  ['2^64 - 1 transparent outputs', concatBytes(Uint8Array.of(1, 0, 0, 0, 0), HUGE, zeros(64))],
  ['a script of 2^64 - 1 bytes', concatBytes(Uint8Array.of(1, 0, 0, 0, 1), zeros(36), HUGE, zeros(64))],
  ['2^64 - 1 JoinSplits', concatBytes(Uint8Array.of(2, 0, 0, 0, 0, 0), zeros(4), HUGE, zeros(64))],
  [
    '2^64 - 1 Orchard actions',
    concatBytes(hexToBytes('050000800a27a726'), zeros(12), Uint8Array.of(0, 0, 0, 0), HUGE, zeros(64)),
  ],
  [
    '2^64 - 1 Ironwood actions',
    concatBytes(hexToBytes('0600008098b684d8'), zeros(12), Uint8Array.of(0, 0, 0, 0, 0), HUGE, zeros(64)),
  ],
  ['a count that is not minimal', concatBytes(Uint8Array.of(1, 0, 0, 0, 0xfd, 0, 0, 0), zeros(64))],
  ['version 0', concatBytes(zeros(4), zeros(6))],
  ['an unknown overwintered version', concatBytes(hexToBytes('0700008098b684d8'), zeros(40))],
  ['a version group id of another version', concatBytes(hexToBytes('060000800a27a726'), zeros(40))],
] as const) {
  test(`a transaction with ${title} is refused without allocating`, (t) => {
    const before = process.memoryUsage().arrayBuffers;
    t.throws(() => parseTransaction(bytes), { instanceOf: FormatError });
    t.true(process.memoryUsage().arrayBuffers - before < 1 << 20);
  });
}

test('a block of 2^64 - 1 transactions, or of none, is refused', (t) => {
  const header = recorded[0]!.subarray(0, parseHeader(recorded[0]!).headerLength);
  t.throws(() => parseBlock(concatBytes(header, HUGE, zeros(100))), { instanceOf: FormatError });
  t.throws(() => parseBlock(concatBytes(header, Uint8Array.of(0))), { instanceOf: FormatError });
});

test('a block above the size limit is refused', (t) => {
  t.throws(() => parseBlock(new Uint8Array(2_000_001)), { instanceOf: FormatError });
});
