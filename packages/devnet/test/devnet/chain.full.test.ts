import { bytesToHex, concatBytes, equalBytes } from '@wallet-companion/base/bytes';
import {
  coinbaseHeight,
  merkleRoot,
  parseBlock,
  summarizeCompactBlock,
  summarizeRawBlock,
} from '@wallet-companion/zcash/blocks';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { txid } from '@wallet-companion/zcash/transactions';
import test from 'ava';
import { Devnet } from '../../src/devnet/devnet.ts';
import { notesOfDevnet, notesOfScan, scanDevnet } from '../helpers/scan.ts';
import { logStory, personOn, type Story, tellFork } from '../helpers/story.ts';

const withoutMemos = (notes: ReturnType<typeof notesOfScan>) =>
  notes.map((note) => ({ ...note, memo: null }));

/** Read only; tests that change a chain tell their own. */
const reported = logStory('chain');

test('the reference scanner finds exactly the notes that the devnet made', (t) => {
  const people = [reported.alice, reported.bob];
  const expected = notesOfDevnet(people);
  t.deepEqual(notesOfScan(scanDevnet(reported.devnet, people, 'raw')), expected);
  t.deepEqual(notesOfScan(scanDevnet(reported.devnet, people, 'compact')), withoutMemos(expected));
  // What the story promises is there.
  for (const pool of ['sapling', 'orchard', 'ironwood']) {
    for (const scope of ['external', 'internal']) {
      const kind = expected.filter((note) => note.pool === pool && note.scope === scope);
      t.true(kind.length > 0, `${pool} ${scope}`);
      t.true(pool === 'ironwood' || kind.some((note) => note.spentHeight !== null), `${pool} ${scope} spent`);
    }
  }
  t.true(
    expected.some((note) => note.spentHeight === note.height),
    'made and spent in one block',
  );
});

test('after a fork the same holds for the new branch', (t) => {
  const story = logStory('fork');
  const people = [story.alice, story.bob];
  tellFork(story);
  const expected = notesOfDevnet(people);
  t.deepEqual(notesOfScan(scanDevnet(story.devnet, people, 'raw')), expected);
  t.true(expected.some((note) => note.value === '2500000'));
  t.false(expected.some((note) => note.value === '3000000'));
});

test('blocks link, carry their height and commit to their transactions', (t) => {
  const { blocks } = reported.devnet.blocks;
  blocks.forEach((block, i) => {
    const { header, transactions } = parseBlock(block.bytes);
    if (i > 0) t.deepEqual(header.prevHash, blocks[i - 1]!.hash);
    t.deepEqual(header.hash, block.hash);
    t.deepEqual(header.merkleRoot, merkleRoot(transactions.map((transaction) => txid(transaction))));
    t.is(coinbaseHeight(transactions[0]!), block.height);
    const raw = summarizeRawBlock(block.bytes);
    const compact = summarizeCompactBlock(block.compact);
    t.deepEqual(compact.counts, raw.counts);
    t.deepEqual(compact.chainMetadata, block.treeSizes);
    t.deepEqual(compact.hash, raw.hash);
  });
});

test('every transaction balances: what leaves the pools is the fee, a coinbase gets subsidy and fees', (t) => {
  for (const block of reported.devnet.blocks.blocks.slice(1)) {
    const { transactions } = parseBlock(block.bytes);
    block.transactions.forEach((built, i) => {
      const { sapling, orchard, ironwood, transparent } = transactions[i]!;
      const leaving = sapling.valueBalance + orchard.valueBalance + ironwood.valueBalance;
      const fees = block.transactions.reduce((sum, { fee }) => sum + fee, 0n);
      if (i === 0 && transparent.outputCount === 0) t.is(leaving, -(312_500_000n + fees));
      else if (i === 0) t.is(leaving, 0n);
      // A transparent payer's coins are not in the transaction.
      else if (transparent.inputCount === 0) t.is(leaving, built.fee);
    });
  }
});

test('a seed and the same calls give the same bytes, another seed gives others', (t) => {
  const bytes = ({ devnet }: Story) => concatBytes(...devnet.blocks.blocks.map((block) => block.bytes));
  t.true(equalBytes(bytes(reported), bytes(logStory('chain'))));
  t.false(equalBytes(bytes(reported), bytes(logStory('other'))));
});

test('a chain may start at any height of any network, above trees that are not empty', (t) => {
  const devnet = new Devnet({ startHeight: 1_000_000, initialLeaves: { sapling: 37, orchard: 21 } });
  t.is(devnet.blocks.first.height, 999_999);
  const block = devnet.mine({ transactions: [devnet.traffic({ sapling: 2, ironwood: 3 })] });
  t.is(block.height, 1_000_000);
  t.deepEqual(block.treeSizes, { sapling: 39, orchard: 21, ironwood: 3 });
  t.throws(() => new Devnet({ initialLeaves: { sapling: 1 } }), { instanceOf: RangeError });
});

test('the note trees do not depend on when they are asked for', (t) => {
  const roots = (eager: boolean) => {
    const devnet = new Devnet({ params: regtestParameters(), seed: 'trees' });
    for (let i = 0; i < 6; i++) {
      devnet.mine({ transactions: [devnet.traffic({ sapling: 3, ironwood: 2 })] });
      if (eager) devnet.trees.sapling.rootAfter(devnet.tip);
    }
    return [devnet.trees.sapling.rootAfter(devnet.tip), devnet.trees.ironwood.rootAfter(devnet.tip)].map(
      bytesToHex,
    );
  };
  t.deepEqual(roots(true), roots(false));
});

test('impossible orders are refused', (t) => {
  const { devnet, alice, bob } = reported;
  const payments = [{ address: bob.address, pool: 'sapling', zatoshi: 10n ** 15n }] as const;
  t.throws(() => devnet.spend(alice.account, { from: 'sapling', payments }), { instanceOf: RangeError });
  t.throws(() => devnet.mine({ coinbase: { address: alice.address, pool: 'orchard' } }), {
    instanceOf: RangeError,
  });
  t.throws(() => devnet.pay([{ address: alice.address, pool: 'ironwood', zatoshi: 1 }], { version: 5 }), {
    instanceOf: RangeError,
  });
  t.throws(() => devnet.reorganise(1000), { instanceOf: RangeError });
});

test('before Canopy Sapling notes have the old format, and are found too', (t) => {
  const devnet = new Devnet({
    params: regtestParameters({ canopy: 3, nu5: 9, nu6: 9, nu6_1: 9, nu6_2: 9, nu6_3: 9 }),
  });
  const alice = personOn(devnet, 0);
  for (const memo of ['old', 'old still', 'new']) {
    devnet.payTo(alice.address, { pool: 'sapling', zatoshi: 5, memo });
  }
  const expected = notesOfDevnet([alice]);
  t.is(expected.length, 3);
  t.deepEqual(notesOfScan(scanDevnet(devnet, [alice], 'raw')), expected);
});

test('coinbases carry their height at every length of its encoding', (t) => {
  for (const height of [16, 17, 127, 128, 255, 256, 32_767, 32_768, 8_388_607, 8_388_608, 2 ** 31 - 1]) {
    t.is(summarizeRawBlock(new Devnet({ startHeight: height }).mine().bytes).height, height);
  }
});
