import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { parseBlock } from '../../src/zcash/encoding/block.ts';
import { summarizeCompactBlock, summarizeRawBlock } from '../../src/zcash/encoding/blockSummary.ts';
import { type CompactBlock, encodeCompactBlock } from '../../src/zcash/encoding/compactBlock.ts';
import { compactFromBlock } from '../../src/zcash/encoding/compactFromBlock.ts';
import { toDisplayHex } from '../../src/zcash/identifiers.ts';
import { EMPTY_TREES } from '../../src/zcash/treeSizes.ts';
import { decodeCompactBlock } from '../helpers/compactDecoder.ts';
import { readDelimited, readFixtureJson, readRawBlocks } from '../helpers/fixtures.ts';
import { readVectors } from '../helpers/readVectors.ts';

interface LightwalletdCase {
  block: number;
  hash: string;
  prev: string;
  full: string;
  compact: string;
}

/** What a server that knows no sizes sends: an empty metadata message. */

const vectors = readVectors<{ cases: LightwalletdCase[] }>('lightwalletd_compact_blocks');

for (const vector of vectors.cases) {
  test(`block ${vector.block} of an old compact server equals the compact form of its full block`, (t) => {
    const compact = decodeCompactBlock(hexToBytes(vector.compact));
    t.is(compact.height, vector.block);
    t.is(toDisplayHex(compact.hash), vector.hash);
    t.is(toDisplayHex(compact.prevHash), vector.prev);
    t.deepEqual(compact.treeSizes, EMPTY_TREES);
    // That server listed the coinbase although it has no shielded part, and sent zeros for txids.
    const shielded = compact.transactions.filter((transaction) => transaction.outputs.length > 0);
    const full = compactFromBlock(parseBlock(hexToBytes(vector.full)), vector.block, EMPTY_TREES);
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
      const { chainMetadata, txCount, ...compactSkim } = summarizeCompactBlock(message);
      const { txCount: fullCount, ...rawSkim } = summarizeRawBlock(raw[i]!);
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
