// The recorded and made-up chains of the public test phrase: notes, positions, nullifiers, memos, spends, balances and
// sent outputs as the expected files have them, from raw and from compact blocks.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { AT_LENGTH } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import { summarizeRawBlock } from '../../src/zcash/encoding/blockSummary.ts';
import { treeSizeFromState } from '../../src/zcash/encoding/treeSize.ts';
import { asTxId, fromDisplayHex, toDisplayHex } from '../../src/zcash/identifiers.ts';
import { deriveViewingKeys, incomingKeys, outgoingKeys } from '../../src/zcash/keys/account.ts';
import type { IncomingKey, OutgoingKey } from '../../src/zcash/keys/decryptionKeys.ts';
import { type Network, networkParameters } from '../../src/zcash/network.ts';
import { POOLS, type Pool, perPool } from '../../src/zcash/pools.ts';
import { ReferenceDecryptor } from '../../src/zcash/scan/referenceDecryptor.ts';
import { scanBatch } from '../../src/zcash/scan/scanBatch.ts';
import type { FoundNote, ScanHeights, ScannedBlock } from '../../src/zcash/scan/types.ts';
import { EMPTY_TREES } from '../../src/zcash/treeSizes.ts';
import { readDelimited, readFixtureJson, readFixtureLines, readRawBlocks } from '../helpers/fixtures.ts';
import { scanHeights } from '../helpers/perPool.ts';
import { balanceAfter, packBatch, spendsOf } from '../helpers/scanning.ts';
import { readAsReference } from '../helpers/serialEnhancement.ts';

const decryptor = new ReferenceDecryptor();

interface ExpectedNote {
  pool: string;
  account: number;
  scope: string;
  value: string;
  height: number;
  txid: string;
  txIndex: number;
  outputIndex: number;
  diversifier: string;
  diversifierIndex: number | null;
  nullifier: string;
  position: number;
  memoHex: string;
  spentHeight: number | null;
  spentTxid: string | null;
}

interface Sizes {
  size: number;
}

interface Expected {
  treeStateBeforeFirstBlock?: Partial<Record<Pool, Sizes>>;
  activation: Record<string, number>;
  notes: ExpectedNote[];
  mustIgnore: { pool: string; outputIndex: number; txid: string }[];
  blocks: { height: number; hash: string; time: number; sapling: Sizes; orchard: Sizes; ironwood: Sizes }[];
  balanceAfterHeight: {
    height: number;
    accounts: Record<string, Partial<Record<Pool, string>> & { unspentNotes: number }>;
  }[];
}

interface Keys {
  network: Network;
  seedHex: string;
}

interface FixtureTransaction {
  txid: string;
  height: number | null;
  index: number;
  branch: 'main' | 'reorg';
  rawHex: string;
  sentOutputs: {
    pool: string;
    outputIndex: number;
    fromAccount: number;
    value: string;
    memoHex: string;
    rawAddress: string;
  }[];
}

const withoutTrailingZeros = (hex: string): string => hex.replace(/(00)+$/, '');

const foundView = (note: FoundNote) => ({
  pool: note.pool,
  account: note.account,
  scope: note.scope,
  value: String(note.value),
  height: note.height,
  txid: toDisplayHex(note.txid),
  outputIndex: note.outputIndex,
  position: note.position,
  nullifier: bytesToHex(note.nullifier!),
});

const expectedView = (
  note: Omit<ExpectedNote, 'txIndex' | 'diversifier' | 'diversifierIndex' | 'memoHex'>,
) => ({
  pool: note.pool,
  account: note.account,
  scope: note.scope,
  value: note.value,
  height: note.height,
  txid: note.txid,
  outputIndex: note.outputIndex,
  position: note.position,
  nullifier: note.nullifier,
});

const byPlace = (
  a: { height: number; nullifier: string },
  b: { height: number; nullifier: string },
): number => a.height - b.height || a.nullifier.localeCompare(b.nullifier);

const withoutMemos = (blocks: readonly ScannedBlock[]) =>
  blocks.map((block) => ({ ...block, notes: block.notes.map((note) => ({ ...note, memo: null })) }));

for (const folder of ['main', 'regtest'] as const) {
  const { network, seedHex } = readFixtureJson<Keys>('known-seed', folder, 'keys.json');
  const main = readFixtureJson<Expected>('known-seed', folder, 'expected-main.json');
  const parameters = networkParameters(network, { nu6_3: main.activation['NU6.3']! });
  const accountKeys = [0, 1].map((account) => deriveViewingKeys(hexToBytes(seedHex), parameters, account));
  const incoming: IncomingKey[] = accountKeys.flatMap(incomingKeys);
  const outgoing: OutgoingKey[] = accountKeys.flatMap(outgoingKeys);
  const heights: ScanHeights = { network, ...parameters.activation };
  const before = main.treeStateBeforeFirstBlock!;
  const start = perPool((pool) => before[pool]?.size ?? 0);
  const transactions = readFixtureLines('known-seed', folder, 'transactions.jsonl').map(
    (line) => JSON.parse(line) as FixtureTransaction,
  );

  // Up to the fork both are one: at length on both networks.
  for (const branch of folder === 'main' || AT_LENGTH ? (['main', 'reorg'] as const) : (['main'] as const)) {
    const expected =
      branch === 'main' ? main : readFixtureJson<Expected>('known-seed', folder, 'expected-reorg.json');
    const chain = <T>(read: (name: string) => T[]): T[] => {
      const trunk = read('main');
      return branch === 'main' ? trunk : [...trunk.slice(0, 44), ...read('reorg')];
    };
    const raw = chain((name) => readRawBlocks('known-seed', folder, `raw-blocks-${name}.hex`));
    const compact = chain((name) => readDelimited('known-seed', folder, `compact-${name}.bin`));
    const scanned = scanBatch(packBatch('raw', raw, start), incoming, heights, decryptor);
    const notes = scanned.flatMap((block) => block.notes);

    test(`${folder}, ${branch} branch: raw and compact blocks give the same`, (t) => {
      const fromCompact = scanBatch(packBatch('compact', compact, start), incoming, heights, decryptor);
      t.deepEqual(fromCompact, withoutMemos(scanned));
    });

    test(`${folder}, ${branch} branch: every note with position, nullifier, diversifier and memo`, (t) => {
      t.deepEqual(notes.map(foundView).sort(byPlace), expected.notes.map(expectedView).sort(byPlace));
      for (const note of notes) {
        const known = expected.notes.find((item) => item.nullifier === bytesToHex(note.nullifier!))!;
        t.is(note.txIndex, known.txIndex);
        t.is(bytesToHex(note.diversifier), known.diversifier);
        if (known.diversifierIndex !== null) t.is(note.diversifierIndex, BigInt(known.diversifierIndex));
        t.is(withoutTrailingZeros(bytesToHex(note.memo!)), known.memoHex);
      }
    });

    test(`${folder}, ${branch} branch: nothing that must be ignored is found`, (t) => {
      for (const ignored of expected.mustIgnore) {
        t.false(
          notes.some(
            (note) =>
              note.pool === ignored.pool &&
              note.outputIndex === ignored.outputIndex &&
              toDisplayHex(note.txid) === ignored.txid,
          ),
        );
      }
    });

    test(`${folder}, ${branch} branch: spends and balances after every block`, (t) => {
      const spends = spendsOf(scanned);
      for (const note of expected.notes) {
        const spend = spends.get(`${note.pool}:${note.nullifier}`);
        t.is(spend?.height ?? null, note.spentHeight);
        t.is(spend ? toDisplayHex(spend.txid) : null, note.spentTxid);
      }
      for (const { height, accounts } of expected.balanceAfterHeight) {
        for (const [account, balance] of Object.entries(accounts)) {
          const found = balanceAfter(scanned, height, Number(account));
          for (const pool of POOLS) t.is(String(found[pool]), balance[pool] ?? '0');
          t.is(found.unspentNotes, balance.unspentNotes);
        }
      }
    });

    test(`${folder}, ${branch} branch: hashes, times and tree sizes of every block`, (t) => {
      for (const [i, block] of expected.blocks.entries()) {
        const found = scanned[scanned.length - expected.blocks.length + i]!;
        t.is(found.height, block.height);
        t.is(toDisplayHex(found.hash), block.hash);
        t.is(found.time, block.time);
        t.deepEqual(found.treeSizes, {
          sapling: block.sapling.size,
          orchard: block.orchard.size,
          ironwood: block.ironwood.size,
        });
      }
    });

    test(`${folder}, ${branch} branch: sent outputs and memos of full transactions`, (t) => {
      const externalOutgoing = outgoing.filter(({ scope }) => scope === 'external');
      const keys = { incoming, outgoing: externalOutgoing };
      for (const block of raw) {
        const { height } = summarizeRawBlock(block);
        const inBlock = transactions.filter(
          (transaction) => transaction.height === height && transaction.branch === branch,
        );
        const txids = inBlock.map(({ txid }) => asTxId(fromDisplayHex(txid)));
        const completed = readAsReference(
          { kind: 'block', bytes: block, height, txids },
          keys,
          heights,
          decryptor,
        );
        const sent = completed.flatMap((item) => item.sent);
        const expectedSent = inBlock.flatMap((item) =>
          item.sentOutputs.map((output) => ({ ...output, txid: item.txid })),
        );
        t.deepEqual(
          sent.map((output) => ({
            txid: toDisplayHex(output.txid),
            pool: output.pool,
            outputIndex: output.outputIndex,
            fromAccount: output.account,
            value: String(output.value),
            memoHex: withoutTrailingZeros(bytesToHex(output.memo)),
            rawAddress: bytesToHex(output.recipient),
          })),
          expectedSent.map(({ txid, pool, outputIndex, fromAccount, value, memoHex, rawAddress }) => ({
            txid,
            pool,
            outputIndex,
            fromAccount,
            value,
            memoHex,
            rawAddress,
          })),
        );
        const memos = completed.flatMap((item) =>
          item.memos.map(({ account: _, ...memo }) => ({ txid: toDisplayHex(item.txid), ...memo })),
        );
        const noteMemos = notes
          .filter((note) => txids.some((txid) => toDisplayHex(txid) === toDisplayHex(note.txid)))
          .map(({ txid, pool, outputIndex, memo }) => ({
            txid: toDisplayHex(txid),
            pool,
            outputIndex,
            memo,
          }));
        const order = (item: { txid: string; pool: string; outputIndex: number }) =>
          `${item.txid}${item.pool}${item.outputIndex}`;
        const sorted = <T extends { txid: string; pool: string; outputIndex: number }>(items: T[]): T[] =>
          items.sort((a, b) => order(a).localeCompare(order(b)));
        t.deepEqual(sorted(memos), sorted(noteMemos));
      }
    });
  }

  test(`${folder}: without the keys of account 1 its notes are not seen`, (t) => {
    const raw = readRawBlocks('known-seed', folder, 'raw-blocks-main.hex');
    const keys = incoming.filter(({ account }) => account === 0);
    const notes = scanBatch(packBatch('raw', raw, start), keys, heights, decryptor).flatMap(
      (block) => block.notes,
    );
    const expected = main.notes.filter(({ account }) => account === 0);
    t.deepEqual(notes.map(foundView).sort(byPlace), expected.map(expectedView).sort(byPlace));
  });

  test(`${folder}: unmined transactions can be read by themselves`, (t) => {
    const tip = main.blocks.at(-1)!.height;
    const keys = { incoming, outgoing };
    const unmined = transactions.filter(({ height, branch }) => height === null && branch === 'main');
    const completed = unmined.map(({ rawHex, txid }) => {
      const full = { kind: 'transaction', bytes: hexToBytes(rawHex), height: tip + 1 } as const;
      const txids = [asTxId(fromDisplayHex(txid))];
      return readAsReference({ ...full, txids }, keys, heights, decryptor)[0]!;
    });
    t.deepEqual(
      completed.map(({ txid }) => toDisplayHex(txid)),
      unmined.map(({ txid }) => txid),
    );
    t.true(completed.some(({ memos }) => memos.length > 0));
  });
}

const recordedParameters = networkParameters('regtest', { nu6_3: 20 });
const recordedSeed = hexToBytes(readFixtureJson<Keys>('known-seed', 'regtest', 'keys.json').seedHex);
const recordedKeys = [0, 1].flatMap((account) =>
  incomingKeys(deriveViewingKeys(recordedSeed, recordedParameters, account), account),
);
const recordedHeights = scanHeights({ nu6_3: 20 });
const recordedRaw = readRawBlocks('known-seed', 'zebra-recorded', 'raw-blocks.hex');
const recordedScan = scanBatch(
  packBatch('raw', recordedRaw, EMPTY_TREES),
  recordedKeys,
  recordedHeights,
  decryptor,
);

test('the recorded chain of a real node: notes, positions, nullifiers and spends', (t) => {
  const expected = readFixtureLines('known-seed', 'zebra-recorded', 'expected-notes.jsonl').map(
    (line) => JSON.parse(line) as ExpectedNote,
  );
  const notes = recordedScan.flatMap((block) => block.notes);
  t.deepEqual(notes.map(foundView).sort(byPlace), expected.map(expectedView).sort(byPlace));
  const spends = spendsOf(recordedScan);
  for (const note of expected) {
    const spend = spends.get(`${note.pool}:${note.nullifier}`);
    t.is(spend?.height ?? null, note.spentHeight);
    t.is(spend ? toDisplayHex(spend.txid) : null, note.spentTxid);
  }
});

test('the recorded chain of a real node: its compact blocks give the same', (t) => {
  const compact = readDelimited('known-seed', 'zebra-recorded', 'compact.bin');
  const scanned = scanBatch(
    packBatch('compact', compact, EMPTY_TREES),
    recordedKeys,
    recordedHeights,
    decryptor,
  );
  t.deepEqual(scanned, withoutMemos(recordedScan));
});

test('the recorded chain of a real node: tree sizes agree with its tree states', (t) => {
  type TreeState = Partial<Record<Pool, { commitments: { finalState: string } }>>;
  const states = readFixtureJson<Record<string, TreeState & { height: number }>>(
    'known-seed',
    'zebra-recorded',
    'treestates.json',
  );
  for (const state of Object.values(states)) {
    const block = recordedScan.find(({ height }) => height === state.height)!;
    for (const pool of POOLS) {
      const finalState = state[pool]?.commitments.finalState;
      if (finalState !== undefined) t.is(treeSizeFromState(hexToBytes(finalState)), block.treeSizes[pool]);
    }
  }
});
