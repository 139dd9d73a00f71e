import test from 'ava';
import {
  bytesToHex,
  concatBytes,
  FormatError,
  hexToBytes,
  toDisplayHex,
} from '../../../src/shielded/bytes.ts';
import { parseBlock } from '../../../src/shielded/chain/block.ts';
import {
  type CompactBlock,
  decodeCompactBlock,
  encodeCompactBlock,
} from '../../../src/shielded/chain/compactBlock.ts';
import { compactFromBlock } from '../../../src/shielded/chain/compactFromBlock.ts';
import { bytesField, messageField, uintField } from '../../../src/shielded/chain/protobuf.ts';
import { skimCompactBlock, skimRawBlock } from '../../../src/shielded/chain/skim.ts';
import { readDelimited, readFixtureJson, readRawBlocks } from '../../helpers/fixtures.ts';
import { readVectors } from '../../helpers/shared.ts';

interface LightwalletdCase {
  block: number;
  hash: string;
  prev: string;
  full: string;
  compact: string;
}

/** What a server that knows no sizes sends: an empty metadata message. */
const UNSET = { sapling: 0, orchard: 0, ironwood: 0 };

const vectors = readVectors<{ cases: LightwalletdCase[] }>('lightwalletd_compact_blocks');
if (!vectors) test.skip('compact blocks: the published vectors are not beside this checkout', () => {});

for (const vector of vectors?.cases ?? []) {
  test(`block ${vector.block} of an old compact server equals the compact form of its full block`, (t) => {
    const compact = decodeCompactBlock(hexToBytes(vector.compact));
    t.is(compact.height, vector.block);
    t.is(toDisplayHex(compact.hash), vector.hash);
    t.is(toDisplayHex(compact.prevHash), vector.prev);
    t.deepEqual(compact.treeSizes, UNSET);
    // That server listed the coinbase although it has no shielded part, and sent zeros for txids.
    const shielded = compact.transactions.filter((transaction) => transaction.outputs.length > 0);
    const full = compactFromBlock(parseBlock(hexToBytes(vector.full)), vector.block, UNSET);
    const transactions = full.transactions.map((transaction) => ({
      ...transaction,
      txid: new Uint8Array(32),
    }));
    t.deepEqual({ ...compact, transactions: shielded }, { ...full, transactions });
    t.deepEqual(decodeCompactBlock(encodeCompactBlock(compact)), compact);
  });
}

const CHAINS = [
  ['main', 'raw-blocks-main.hex', 'compact-main.bin'],
  ['main', 'raw-blocks-reorg.hex', 'compact-reorg.bin'],
  ['regtest', 'raw-blocks-main.hex', 'compact-main.bin'],
  ['regtest', 'raw-blocks-reorg.hex', 'compact-reorg.bin'],
  ['zebra-recorded', 'raw-blocks.hex', 'compact.bin'],
] as const;

for (const [folder, rawFile, compactFile] of CHAINS) {
  test(`${folder}/${compactFile}: decoding, encoding and skimming agree with the full blocks`, (t) => {
    const raw = readRawBlocks('known-seed', folder, rawFile);
    const messages = readDelimited('known-seed', folder, compactFile);
    t.is(messages.length, raw.length);
    for (const [i, message] of messages.entries()) {
      const compact = decodeCompactBlock(message);
      t.deepEqual(compact, compactFromBlock(parseBlock(raw[i]!), compact.height, compact.treeSizes));
      t.deepEqual(decodeCompactBlock(encodeCompactBlock(compact)), compact);
      const { chainMetadata, txCount, ...compactSkim } = skimCompactBlock(message);
      const { txCount: fullCount, ...rawSkim } = skimRawBlock(raw[i]!);
      t.deepEqual(compactSkim, rawSkim);
      t.deepEqual(chainMetadata, compact.treeSizes);
      t.true(txCount <= fullCount);
    }
  });
}

test('the synthetic chain: compact messages are the compact form of the raw blocks', (t) => {
  type Block = { height: number; raw: string; compact: string; tree_sizes_after: object };
  const chain = readFixtureJson<{ blocks: Block[]; reorg_blocks: Block[] }>(
    'vectors',
    'synthetic_chain.json',
  );
  for (const block of [...chain.blocks, ...chain.reorg_blocks]) {
    const compact = decodeCompactBlock(hexToBytes(block.compact));
    t.deepEqual(compact.treeSizes, block.tree_sizes_after as CompactBlock['treeSizes']);
    t.deepEqual(
      compact,
      compactFromBlock(parseBlock(hexToBytes(block.raw)), block.height, compact.treeSizes),
    );
    t.is(bytesToHex(encodeCompactBlock(compact)), block.compact);
  }
});

const hash = new Uint8Array(32).fill(7);
const header = concatBytes(uintField(2, 5), bytesField(3, hash), bytesField(4, hash), uintField(5, 9));
const blockWith = (field: number, item: Uint8Array): Uint8Array =>
  concatBytes(header, messageField(7, concatBytes(bytesField(2, hash), messageField(field, item))));
const parts = (...lengths: number[]): Uint8Array =>
  concatBytes(...lengths.map((length, i) => messageField(i + 1, new Uint8Array(length))));

test('items of the right lengths are decoded, also with fields nobody knows yet', (t) => {
  const unknown = concatBytes(
    uintField(15, 3),
    messageField(16, hash),
    Uint8Array.of(0x8d, 0x01, 1, 2, 3, 4),
  );
  const block = decodeCompactBlock(
    concatBytes(blockWith(9, concatBytes(parts(32, 32, 32, 52), unknown)), unknown),
  );
  t.is(block.transactions[0]!.ironwoodActions.length, 1);
});

for (const [title, message] of [
  ['a spend with a short nullifier', blockWith(4, parts(31))],
  ['a spend without a nullifier', blockWith(4, parts())],
  ['an output with a long commitment', blockWith(5, parts(33, 32, 52))],
  ['an output with a short ephemeral key', blockWith(5, parts(32, 0, 52))],
  ['an output with a full ciphertext', blockWith(5, parts(32, 32, 580))],
  ['an output without a ciphertext', blockWith(5, parts(32, 32))],
  ['an action with a short ciphertext', blockWith(6, parts(32, 32, 32, 51))],
  ['an Ironwood action without an ephemeral key', blockWith(9, parts(32, 32))],
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
    t.throws(() => decodeCompactBlock(message), { instanceOf: FormatError });
  });
}
