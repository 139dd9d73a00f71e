// The operation over a wallet that scanned: what a program is told, what it is refused, and what is kept meanwhile.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import type { Devnet } from '@wallet-companion/devnet';
import { blockHashToHex } from '@wallet-companion/zcash/identifiers';
import { POOL } from '@wallet-companion/zcash/pools';
import { rootOfPath, TREE_HASH } from '@wallet-companion/zcash/trees';
import test, { type ExecutionContext } from 'ava';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import type { Output } from '../../../../src/protocol/operations.ts';
import { companionWorld } from '../../../helpers/companionWorld.ts';

/** Blocks begin right below a rounded height. */
const START = 9_999;

async function setUp(t: ExecutionContext) {
  const world = await companionWorld(t, { devnet: { startHeight: START } });
  const { devnet, wallet } = world;
  const asked: number[] = [];
  const { chain } = wallet;
  const treeStates = chain.treeStates.bind(chain);
  chain.treeStates = (query) => {
    asked.push(query.height);
    return treeStates(query);
  };
  const pay = () => world.pay(1_000);
  const named = async (index = 0) => {
    const { notes } = await wallet.call('notes.list');
    const { txid, pool, output_index } = notes[index]!;
    return { txid, pool, output_index };
  };
  return { devnet, wallet, asked, pay, named };
}

function check(t: ExecutionContext, devnet: Devnet, reported: Output<'notes.witness'>, anchor: number): void {
  const { pool, position, path, height } = reported;
  const block = devnet.blocks.at(height)!;
  t.is(reported.anchor_height, anchor);
  t.is(reported.anchor_hash, blockHashToHex(devnet.blocks.at(anchor)!.hash));
  t.is(reported.commitment, bytesToHex(block.leaves(pool)[position - block.treeSizesBefore[pool]]!));
  t.is(path.length, 32);
  const siblings = path.map(hexToBytes);
  const root = rootOfPath(TREE_HASH[POOL[pool].protocol], hexToBytes(reported.commitment), {
    position,
    siblings,
  });
  t.is(reported.root, bytesToHex(root));
  t.deepEqual(root, devnet.trees[pool].rootAfter(devnet.blocks.at(anchor)!));
}

for (const source of ['node', 'compact'] as const) {
  test(`${source}: a note's witness, at the usual anchor and at another one; trees are kept while scanning`, async (t) => {
    const { devnet, wallet, asked, pay, named } = await setUp(t);
    devnet.mineEmpty(3);
    const paid = pay();
    devnet.mineEmpty(3);
    await wallet.call('sync.run', { source });
    // The block before the first scanned one, and the rounded height.
    t.deepEqual(asked.splice(0), [START - 1, 10_000]);
    const note = await named();
    const { height: tip } = devnet.tip;
    check(t, devnet, await wallet.call('notes.witness', { ...note, source }), tip - 2);
    t.deepEqual(asked.splice(0), [tip - 2]);
    check(
      t,
      devnet,
      await wallet.call('notes.witness', { ...note, source, anchor_height: paid.height }),
      paid.height,
    );
    t.deepEqual(wallet.faults, []);
  });
}

test('what is refused, and with which code', async (t) => {
  const { devnet, wallet, pay, named } = await setUp(t);
  const none = { txid: '0'.repeat(64), pool: 'ironwood', output_index: 0 };
  t.is(await wallet.failure('notes.witness', { ...none, pool: 'sprout' }), 'INVALID_REQUEST');
  t.is(await wallet.failure('notes.witness', none), 'NOT_FOUND');
  devnet.mineEmpty(2);
  const { height } = pay();
  devnet.mineEmpty(1);
  await wallet.call('sync.run', {});
  const note = await named();
  t.is(await wallet.failure('notes.witness', { ...note, output_index: 77 }), 'NOT_FOUND');
  // The usual anchor lies below the note, the others where nothing was scanned.
  for (const anchor of [
    {},
    { anchor_height: height - 1 },
    { anchor_height: 3 },
    { anchor_height: height + 2 },
  ])
    t.is(await wallet.failure('notes.witness', { ...note, ...anchor }), 'INVALID_RANGE');
  devnet.node.misbehave({ kind: 'hang-up' });
  t.is(await wallet.failure('notes.witness', { ...note, anchor_height: height }), 'NODE_UNREACHABLE');
  devnet.node.behave();
  await wallet.call('wallet.lock');
  t.is(await wallet.failure('notes.witness', note), 'WALLET_LOCKED');
});

test('a scan goes on where no trees are known, and a witness then asks for that of its anchor', async (t) => {
  const { devnet, wallet, asked, pay, named } = await setUp(t);
  const { chain } = wallet;
  const { treeStates } = chain;
  chain.treeStates = async () => {
    throw new CompanionError('NODE_BAD_RESPONSE', 'The chain node tells no trees.');
  };
  devnet.mineEmpty(3);
  pay();
  devnet.mineEmpty(3);
  t.true((await wallet.call('sync.run', {})).caught_up);
  chain.treeStates = treeStates;
  const anchor = devnet.tip.height - 2;
  check(t, devnet, await wallet.call('notes.witness', await named()), anchor);
  // The scan has seen all leaves of the subtree, which need no tree before them.
  t.deepEqual(asked, [anchor]);
});

test('after a reorganisation paths lead to the new roots, before it was scanned to none', async (t) => {
  const { devnet, wallet, pay, named } = await setUp(t);
  devnet.mineEmpty(3);
  const first = pay();
  devnet.mineEmpty(4);
  await wallet.call('sync.run', {});
  check(t, devnet, await wallet.call('notes.witness', await named()), devnet.tip.height - 2);
  const [transaction] = first.transactions.slice(1);
  devnet.reorganise(5, [
    { transactions: [devnet.traffic({ ironwood: 3 })] },
    { transactions: [transaction!] },
    {},
    {},
    {},
    {},
  ]);
  t.is(await wallet.failure('notes.witness', await named()), 'NODE_BAD_RESPONSE');
  await wallet.call('sync.run', {});
  const reported = await wallet.call('notes.witness', await named());
  t.is(reported.height, first.height + 1);
  check(t, devnet, reported, devnet.tip.height - 2);
});
