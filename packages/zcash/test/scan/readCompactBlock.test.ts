// The reader of compact messages against a decoder that makes an object of every message.

import { concatBytes, FormatError } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { summarizeCompactBlock } from '../../src/zcash/encoding/blockSummary.ts';
import type {
  CompactAction,
  CompactBlock,
  CompactSaplingOutput,
} from '../../src/zcash/encoding/compactBlock.ts';
import { bytesField, messageField, uintField } from '../../src/zcash/encoding/protobuf.ts';
import { POOLS, type Pool, perActionPool, type TreeSizes } from '../../src/zcash/pools.ts';
import { readCompactBlock } from '../../src/zcash/scan/scanBatch.ts';
import { ShieldedParts } from '../../src/zcash/scan/shieldedParts.ts';
import type { OutputColumns } from '../../src/zcash/scan/types.ts';
import { decodeCompactBlock } from '../helpers/compactDecoder.ts';
import { readDelimited } from '../helpers/fixtures.ts';
import { poolSizes, scanHeights } from '../helpers/perPool.ts';

const HEIGHTS = scanHeights();
const START: TreeSizes = poolSizes({ sapling: 7, orchard: 2 ** 31 });

function read(...messages: readonly Uint8Array[]): { parts: ShieldedParts; times: number[] } {
  const parts = new ShieldedParts(HEIGHTS);
  const times = messages.map((message) => {
    const { height } = summarizeCompactBlock(message);
    parts.beginBlock(height, START);
    const time = readCompactBlock(message, parts);
    parts.endBlock();
    return time;
  });
  return { parts, times };
}

const ofPool = (blocks: readonly CompactBlock[], pool: Pool): (CompactAction | CompactSaplingOutput)[] =>
  blocks.flatMap(({ transactions }) =>
    transactions.flatMap(({ outputs, actions }) => [...{ sapling: outputs, ...actions }[pool]]),
  );

/** The columns that the decoded messages call for. */
function expectedColumns(blocks: readonly CompactBlock[], pool: Pool): Omit<OutputColumns, 'leadBytes'> {
  const items = ofPool(blocks, pool);
  return {
    pool,
    count: items.length,
    ephemeralKeys: concatBytes(...items.map((item) => item.ephemeralKey)),
    ciphertexts: concatBytes(...items.map((item) => item.ciphertext)),
    commitments: concatBytes(...items.map((item) => ('cmx' in item ? item.cmx : item.cmu))),
    nullifiers: concatBytes(...items.flatMap((item) => ('cmx' in item ? [item.nullifier] : []))),
    positions: Uint32Array.from(
      blocks.flatMap((block) => ofPool([block], pool).map((_, i) => START[pool] + i)),
    ),
  };
}

function expectedNullifiers({ transactions }: CompactBlock) {
  return transactions.flatMap(({ index, txid, spends, actions }) => {
    const revealed = {
      sapling: spends,
      ...perActionPool((pool) => actions[pool].map(({ nullifier }) => nullifier)),
    };
    return POOLS.filter((pool) => revealed[pool].length > 0).map((pool) => ({
      pool,
      txIndex: index,
      txid,
      nullifiers: concatBytes(...revealed[pool]),
    }));
  });
}

const fields = (...values: readonly fc.Arbitrary<Uint8Array>[]): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(...values)
    .chain((parts) => fc.shuffledSubarray(parts, { minLength: parts.length }))
    .map((parts) => concatBytes(...parts));
const unknown = fc.constantFrom(
  new Uint8Array(0),
  uintField(15, 3),
  messageField(300, new Uint8Array(40)),
  Uint8Array.of(0x8d, 0x01, 1, 2, 3, 4),
  Uint8Array.of(0x89, 0x01, 1, 2, 3, 4, 5, 6, 7, 8),
);
const bytesOf = (field: number, length: number): fc.Arbitrary<Uint8Array> =>
  // A field that is repeated counts as it was last written.
  fc
    .array(fc.uint8Array({ minLength: length, maxLength: length }), { minLength: 1, maxLength: 2 })
    .map((values) => concatBytes(...values.map((value) => messageField(field, value))));
const spend = fields(bytesOf(1, 32), unknown).map((item) => messageField(4, item));
const output = fields(bytesOf(1, 32), bytesOf(2, 32), bytesOf(3, 52), unknown).map((item) =>
  messageField(5, item),
);
const action = (field: number): fc.Arbitrary<Uint8Array> =>
  fields(bytesOf(1, 32), bytesOf(2, 32), bytesOf(3, 32), bytesOf(4, 52), unknown).map((item) =>
    messageField(field, item),
  );
const items = fc
  .array(fc.oneof(spend, output, action(6), action(9)), { maxLength: 5 })
  .map((made) => concatBytes(...made));
const transaction = fields(
  fc.nat().map((index) => uintField(1, index)),
  bytesOf(2, 32),
  items,
  unknown,
).map((made) => messageField(7, made));
const message = fields(
  fc.nat({ max: 2 ** 31 - 1 }).map((height) => uintField(2, height)),
  bytesOf(3, 32),
  fc.nat().map((time) => uintField(5, time)),
  fc.array(transaction, { maxLength: 4 }).map((made) => concatBytes(...made)),
  unknown,
);

function agrees(t: ExecutionContext, messages: readonly Uint8Array[]): void {
  const blocks = messages.map(decodeCompactBlock);
  const { parts, times } = read(...messages);
  t.deepEqual(
    times,
    blocks.map(({ time }) => time),
  );
  for (const pool of POOLS) {
    const { leadBytes, ...columns } = parts.columns(pool);
    t.deepEqual(columns, expectedColumns(blocks, pool));
    t.is(leadBytes.length, columns.count);
    let row = 0;
    for (const [block, { transactions }] of blocks.entries()) {
      for (const { index, txid, outputs, actions } of transactions) {
        const made = { sapling: outputs, ...actions }[pool].length;
        for (let i = 0; i < made; i++, row++) {
          const found = parts.transactionOf(pool, row);
          t.deepEqual([found.block, found.txIndex, found.txid], [block, index, txid]);
          t.is(row - found.before.outputs[pool], i);
        }
      }
    }
  }
  t.deepEqual(parts.revealedNullifiers(), blocks.map(expectedNullifiers));
}

test('fields in any order, repeated or unknown, of several blocks', (t) => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 3 }), (messages) => agrees(t, messages)),
    { numRuns: runs(40, 200) },
  );
});

for (const [folder, file] of [
  ['main', 'compact-main.bin'],
  ['main', 'compact-reorg.bin'],
  ['regtest', 'compact-main.bin'],
  ['zebra-recorded', 'compact.bin'],
] as const) {
  test(`${folder}/${file}`, (t) => agrees(t, readDelimited('known-seed', folder, file)));
}

test('a damaged message is refused by both or read alike by both', (t) => {
  const outcome = (parse: () => unknown): 'value' | 'refused' => {
    try {
      parse();
      return 'value';
    } catch (error) {
      if (error instanceof FormatError) return 'refused';
      throw error;
    }
  };
  fc.assert(
    fc.property(message, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), (bytes, damage) => {
      const damaged = Uint8Array.from(bytes);
      for (const [at, value] of damage) damaged[at % damaged.length] = value;
      const decoded = outcome(() => decodeCompactBlock(damaged));
      t.is(
        outcome(() => read(damaged)),
        decoded,
      );
      if (decoded === 'value') agrees(t, [damaged]);
    }),
    { numRuns: runs(200, 1000) },
  );
});

const hash = new Uint8Array(32).fill(7);
const header = concatBytes(uintField(2, 5), bytesField(3, hash), bytesField(4, hash), uintField(5, 9));
const blockWith = (field: number, item: Uint8Array): Uint8Array =>
  concatBytes(header, messageField(7, concatBytes(bytesField(2, hash), messageField(field, item))));
const itemOf = (...lengths: number[]): Uint8Array =>
  concatBytes(...lengths.map((length, i) => messageField(i + 1, new Uint8Array(length))));

test('items of the right lengths are decoded, also with unknown fields', (t) => {
  const unknown = concatBytes(
    uintField(15, 3),
    messageField(16, hash),
    Uint8Array.of(0x8d, 0x01, 1, 2, 3, 4),
  );
  const { parts } = read(concatBytes(blockWith(9, concatBytes(itemOf(32, 32, 32, 52), unknown)), unknown));
  t.is(parts.columns('ironwood').count, 1);
});

for (const [title, message] of [
  ['a spend with a short nullifier', blockWith(4, itemOf(31))],
  ['a spend without a nullifier', blockWith(4, itemOf())],
  ['an output with a long commitment', blockWith(5, itemOf(33, 32, 52))],
  ['an output with a short ephemeral key', blockWith(5, itemOf(32, 0, 52))],
  ['an output with a full ciphertext', blockWith(5, itemOf(32, 32, 580))],
  ['an output without a ciphertext', blockWith(5, itemOf(32, 32))],
  ['an action with a short ciphertext', blockWith(6, itemOf(32, 32, 32, 51))],
  ['an Ironwood action without an ephemeral key', blockWith(9, itemOf(32, 32))],
  ['a transaction without a txid', concatBytes(header, messageField(7, uintField(1, 3)))],
  ['a block without a hash', uintField(2, 5)],
  ['a block hash of 31 bytes', bytesField(3, hash.subarray(1))],
  ['a height beyond 2^31', concatBytes(header, uintField(2, 2 ** 31))],
  ['a height sent as bytes', concatBytes(header, bytesField(2, hash))],
  ['a varint without an end', concatBytes(header, new Uint8Array(11).fill(0xff))],
  [
    'a length of 2^64 - 1',
    concatBytes(header, Uint8Array.of(0x3a), new Uint8Array(9).fill(0xff), Uint8Array.of(1)),
  ],
  ['a group', concatBytes(header, Uint8Array.of(0x7b))],
  ['field number 0', concatBytes(header, Uint8Array.of(0x00, 0x00))],
] as const) {
  test(`malformed: ${title}`, (t) => {
    t.throws(() => read(message), { instanceOf: FormatError });
  });
}
