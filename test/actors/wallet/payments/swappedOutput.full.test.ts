// A compact server swaps outputs between strangers: no check of compact blocks sees it, and payments go on all the same.

import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { orchardAddress, PHRASE } from '@wallet-companion/pczt/test/spendingAccount';
import { CompactBlockSchema } from '@wallet-companion/zcash/compactProto';
import test, { type ExecutionContext } from 'ava';
import { companionWorld, ORCHARD_FIRST } from '../../../helpers/companionWorld.ts';
import { startLyingCompactServer, startLyingNode } from '../../../helpers/lyingSources.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const ZEC = 100_000_000;
const PAYMENT = { address: orchardAddress(9), amount: '0.1' };
const NO_NODE = 'http://127.0.0.1:1';

/** Two notes of 1 ZEC, and around them outputs of strangers, each of which the server swaps. Scanned from it alone. */
async function setUp(t: ExecutionContext, strangers: readonly number[]) {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  const { devnet, wallet } = bed;
  const server = await startLyingCompactServer(t, (await wallet.call('config.get')).compact_server_url);
  server.lie = (method, message) => {
    const block = method.startsWith('GetBlock') ? fromBinary(CompactBlockSchema, message) : undefined;
    if (block === undefined || !swapped.includes(Number(block.height))) return [message];
    const output = block.vtx.flatMap((transaction) => transaction.ironwoodActions)[0]!;
    output.cmx[0]! ^= 1;
    return [toBinary(CompactBlockSchema, block)];
  };
  const node = await startLyingNode(t, devnet);
  const asked: string[] = [];
  node.lie = (method, params, honest) => {
    asked.push(`${method} ${JSON.stringify(params)}`);
    return honest;
  };
  const pay = (address: string) => devnet.payTo(address, { pool: 'ironwood', zatoshi: BigInt(ZEC) });
  devnet.mineEmpty(8);
  const swapped: number[] = [];
  const last = Math.max(...strangers);
  for (let i = 0; i <= last; i++) {
    if (i === 20 || i === 400) pay(bed.address);
    else if (strangers.includes(i)) {
      pay(orchardAddress(9));
      swapped.push(devnet.tip.height);
    } else devnet.mineEmpty(1);
  }
  devnet.mineEmpty(12);
  await wallet.call('config.compact_server_url', { url: server.url });
  await wallet.call('config.node_url', { url: NO_NODE });
  await bed.sync('compact');
  const useNode = () => wallet.call('config.node_url', { url: node.url });
  return { ...bed, bed, wallet, devnet, server, node, asked, swapped, useNode };
}

const treeStates = (asked: readonly string[]) => asked.filter((one) => one.startsWith('z_gettreestate'));

test('without a node the refusal names the blocks, the server and the cure; with one the payment goes on', async (t) => {
  const { bed, wallet, server, swapped, asked, useNode } = await setUp(t, [300, 500]);
  const { code, detail } = await bed.refusal({ ...PAYMENT, source: 'compact' });
  t.is(code, 'WITNESS_MISMATCH');
  t.true(
    detail.includes(server.url) && /blocks \d+ to \d+ .*compact server alone.*Set a node/.test(detail),
    detail,
  );
  t.false(detail.includes('chain node'));
  await useNode();
  const prepared = await bed.prepare(PAYMENT);
  t.is(prepared.payments[0]!.amount_zatoshi, ZEC / 10);
  t.true(treeStates(asked).length <= 16, `${treeStates(asked).length} tree states`);
  // What was swapped was read from the node, and not all else.
  const { accounts } = await wallet.call('coverage.get');
  const read = accounts[0]!.scanned.filter(({ verified_with: by }) => by === 'node');
  for (const height of swapped)
    t.true(read.some(({ start_height: start, end_height: end }) => start <= height && height <= end));
  t.true(read.reduce((sum, { start_height: start, end_height: end }) => sum + end - start + 1, 0) < 400);
  await wallet.call('payments.discard', { payment_id: prepared.payment_id });
  t.is((await bed.prepare({ ...PAYMENT, source: 'compact' })).status, 'prepared');
});

test('an output in nearly every block takes no more questions, and none depends on the note that is spent', async (t) => {
  const strangers = Array.from({ length: 500 }, (_, i) => i).filter((i) => i % 3 === 0);
  const { bed, wallet, server, node, asked, useNode } = await setUp(t, strangers);
  await useNode();
  const config = { network: 'regtest', activation_heights: { nu6_3: 8 }, node_url: node.url } as const;
  const other = await startWallet(t, {
    config: { ...config, compact_server_url: server.url },
    seed: 'other',
  });
  t.teardown(() => other.stop());
  await other.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 });
  await other.call('sync.run', { source: 'compact' });
  const { notes } = await wallet.call('notes.list');
  const logs = [];
  for (const [i, one] of [wallet, other].entries()) {
    asked.length = 0;
    const { txid, pool, output_index } = notes[i]!;
    await one.call('notes.witness', { txid, pool, output_index });
    logs.push(asked.slice());
  }
  t.deepEqual(treeStates(logs[0]!), treeStates(logs[1]!));
  t.true(treeStates(logs[0]!).length <= 32, `${treeStates(logs[0]!).length} tree states`);
  t.is((await bed.prepare(PAYMENT)).status, 'prepared');
});

test('a node whose blocks do not fit its trees is named, and asked no further', async (t) => {
  const { bed, node, asked, useNode } = await setUp(t, [300, 500]);
  await useNode();
  node.lie = (method, params, honest) => {
    asked.push(method);
    if (method !== 'z_gettreestate') return honest;
    const state = honest as { ironwood: { commitments: { finalState: string; finalRoot: string } } };
    void params;
    const { finalState } = state.ironwood.commitments;
    const lied = finalState.replace(
      /^(01..)/,
      (head) => head.slice(0, 2) + (head.slice(2) === '00' ? '01' : '00'),
    );
    return { ...state, ironwood: { commitments: { finalState: lied } } };
  };
  const { code, detail } = await bed.refusal(PAYMENT);
  t.is(code, 'WITNESS_MISMATCH');
  t.regex(detail, /chain node/);
  t.true(asked.filter((method) => method === 'z_gettreestate').length < 60);
});
