// The end-to-end vector (its txids are in wire order): both Sapling lead bytes, traps of all kinds, spends, sent notes
// and a reorganisation.

import { bytesToHex, concatBytes, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { parseBlock } from '../../src/zcash/encoding/block.ts';
import { merkleRoot } from '../../src/zcash/encoding/merkleRoot.ts';
import { txid } from '../../src/zcash/encoding/txid.ts';
import { toDisplayHex } from '../../src/zcash/identifiers.ts';
import { deriveViewingKeys, incomingKeys, outgoingKeys } from '../../src/zcash/keys/account.ts';
import { regtestParameters, type Scope } from '../../src/zcash/network.ts';
import { parseMemo } from '../../src/zcash/notes/memo.ts';
import { POOLS, type Pool, perPool } from '../../src/zcash/pools.ts';
import { ReferenceDecryptor } from '../../src/zcash/scan/referenceDecryptor.ts';
import { scanBatch } from '../../src/zcash/scan/scanBatch.ts';
import type { FoundNote, ScanHeights, ScannedBlock } from '../../src/zcash/scan/types.ts';
import { EMPTY_TREES } from '../../src/zcash/treeSizes.ts';
import { readFixtureJson } from '../helpers/fixtures.ts';
import { balanceAfter, packBatch, spendsOf } from '../helpers/scanning.ts';
import { readAsReference } from '../helpers/serialEnhancement.ts';

interface Block {
  height: number;
  hash: string;
  txids: string[];
  tree_sizes_after: Record<Pool, number>;
  raw: string;
  compact: string;
}

interface Place {
  height: number;
  tx_index: number;
  pool: Pool;
  output_index: number;
}

interface ReceivedNote extends Place {
  account: number;
  scope: Scope;
  txid: string;
  value: string;
  memo_text: string | null;
  raw_address: string;
  diversifier_index: string | null;
  position: number;
  nullifier: string;
}

interface Outcome {
  received_notes: ReceivedNote[];
  spends: { height: number; txid: string; pool: Pool; nullifier: string }[];
  sent_notes_recoverable_with_external_ovk: (Place & {
    value: string;
    memo_text: string | null;
    raw_address: string;
    from_account: number;
  })[];
  must_not_be_detected: Place[];
  balance_after_each_block: Record<string, string | number>[];
}

interface Chain {
  meta: { seed: string };
  blocks: Block[];
  reorg_blocks: Block[];
  expected: Outcome;
  expected_after_reorg: Outcome;
}

const chain = readFixtureJson<Chain>('vectors', 'synthetic_chain.json');
const parameters = regtestParameters();
const heights: ScanHeights = { network: 'regtest', ...parameters.activation };
const accountKeys = [0, 1].map((account) =>
  deriveViewingKeys(hexToBytes(chain.meta.seed), parameters, account),
);
const incoming = accountKeys.flatMap(incomingKeys);
const outgoing = accountKeys.flatMap(outgoingKeys).filter(({ scope }) => scope === 'external');
const decryptor = new ReferenceDecryptor();

const memoText = (memo: Uint8Array): string | null => {
  const parsed = parseMemo(memo);
  return parsed.kind === 'text' ? parsed.text : null;
};
const place = (note: FoundNote): string => `${note.height}:${note.txIndex}:${note.pool}:${note.outputIndex}`;
const expectedPlace = (note: Place): string =>
  `${note.height}:${note.tx_index}:${note.pool}:${note.output_index}`;

const firstOther = chain.reorg_blocks[0]!.height;
for (const [title, blocks, expected] of [
  ['the chain', chain.blocks, chain.expected],
  [
    'the chain after the reorganisation',
    [...chain.blocks.filter(({ height }) => height < firstOther), ...chain.reorg_blocks],
    chain.expected_after_reorg,
  ],
] as const) {
  const raw = blocks.map((block) => hexToBytes(block.raw));
  const scanned = scanBatch(packBatch('raw', raw, EMPTY_TREES), incoming, heights, decryptor);
  const notes = scanned.flatMap((block) => block.notes);

  test(`${title}: hashes, txids, merkle roots and tree sizes`, (t) => {
    for (const [i, block] of blocks.entries()) {
      const { header, transactions } = parseBlock(raw[i]!);
      t.is(toDisplayHex(header.hash), block.hash);
      t.deepEqual(
        transactions.map((transaction) => bytesToHex(txid(transaction))),
        block.txids,
      );
      t.deepEqual(merkleRoot(transactions.map((transaction) => txid(transaction))), header.merkleRoot);
      t.deepEqual(scanned[i]!.treeSizes, block.tree_sizes_after);
    }
  });

  test(`${title}: received notes`, (t) => {
    t.deepEqual(notes.map(place).sort(), expected.received_notes.map(expectedPlace).sort());
    for (const known of expected.received_notes) {
      const note = notes.find((item) => place(item) === expectedPlace(known))!;
      t.is(note.account, known.account);
      t.is(note.scope, known.scope);
      t.is(String(note.value), known.value);
      t.is(note.position, known.position);
      t.is(bytesToHex(note.txid), known.txid);
      t.is(bytesToHex(note.nullifier!), known.nullifier);
      t.is(bytesToHex(note.diversifier), known.raw_address.slice(0, 22));
      t.is(memoText(note.memo!), known.memo_text);
      if (known.diversifier_index !== null) t.is(String(note.diversifierIndex), known.diversifier_index);
    }
  });

  test(`${title}: compact blocks give the same`, (t) => {
    const compact = blocks.map((block) => hexToBytes(block.compact));
    t.deepEqual(
      scanBatch(packBatch('compact', compact, EMPTY_TREES), incoming, heights, decryptor),
      scanned.map((block) => ({ ...block, notes: block.notes.map((note) => ({ ...note, memo: null })) })),
    );
  });

  test(`${title}: traps stay unseen`, (t) => {
    const found = new Set(notes.map(place));
    for (const trap of expected.must_not_be_detected) t.false(found.has(expectedPlace(trap)));
  });

  test(`${title}: spends and balances`, (t) => {
    const spends = spendsOf(scanned);
    const own = notes.flatMap((note) => {
      const nullifier = bytesToHex(note.nullifier!);
      const spend = spends.get(`${note.pool}:${nullifier}`);
      return spend
        ? [{ height: spend.height, txid: bytesToHex(spend.txid), pool: note.pool, nullifier }]
        : [];
    });
    const order = (a: { nullifier: string }, b: { nullifier: string }) =>
      a.nullifier.localeCompare(b.nullifier);
    t.deepEqual(
      own.sort(order),
      expected.spends
        .map(({ height, txid: id, pool, nullifier }) => ({ height, txid: id, pool, nullifier }))
        .sort(order),
    );
    for (const balance of expected.balance_after_each_block) {
      for (const account of [0, 1]) {
        const found = balanceAfter(scanned, Number(balance['height']), account);
        for (const pool of POOLS) t.is(String(found[pool]), String(balance[`account${account}_${pool}`]));
      }
    }
  });

  test(`${title}: sent outputs`, (t) => {
    const sent = raw.flatMap((block, i) => {
      const { transactions } = parseBlock(block);
      const keys = { incoming: [], outgoing };
      const height = blocks[i]!.height;
      const txids = transactions.map((transaction) => txid(transaction));
      return readAsReference({ kind: 'block', bytes: block, height, txids }, keys, heights, decryptor);
    });
    t.deepEqual(
      sent
        .flatMap((transaction) => transaction.sent)
        .map((output) => ({
          height: output.height,
          tx_index: output.txIndex,
          pool: output.pool,
          output_index: output.outputIndex,
          value: String(output.value),
          memo_text: memoText(output.memo),
          raw_address: bytesToHex(output.recipient),
          from_account: output.account,
        })),
      expected.sent_notes_recoverable_with_external_ovk,
    );
  });
}

test('one batch or a batch per block: the same result', (t) => {
  const raw = chain.blocks.map((block) => hexToBytes(block.raw));
  const whole = scanBatch(packBatch('raw', raw, EMPTY_TREES), incoming, heights, decryptor);
  let before = EMPTY_TREES as Record<Pool, number>;
  const single = raw.flatMap((block) => {
    const scanned = scanBatch(packBatch('raw', [concatBytes(block)], before), incoming, heights, decryptor);
    before = { ...scanned[0]!.treeSizes };
    return scanned;
  });
  // The leaves of a batch come with its first block.
  t.deepEqual(
    perPool((pool) => concatBytes(...single.map(({ leaves }) => leaves![pool]))),
    whole[0]!.leaves,
  );
  const others = (blocks: readonly ScannedBlock[]) => blocks.map(({ leaves: _, ...block }) => block);
  t.deepEqual(others(single), others(whole));
});
