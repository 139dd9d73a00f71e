// Transactions that come to a devnet from outside, through the product's own chain side: prepared, signed and extracted for
// real but for their proofs, sent to either server, mined, found by a scan, dropped by a fork.

import { bytesToHex, concatBytes, equalBytes } from '@wallet-companion/base/bytes';
import type { Source } from '@wallet-companion/chain/ports';
import { Devnet } from '@wallet-companion/devnet';
import { callTable, Playground } from '@wallet-companion/devnet/calls';
import { RpcError } from '@wallet-companion/devnet/servers';
import { rpcCall, rpcResult } from '@wallet-companion/devnet/test/rpc';
import { notesOfDevnet, notesOfScan, scanDevnet } from '@wallet-companion/devnet/test/scan';
import { type Person, personOn, SEED } from '@wallet-companion/devnet/test/story';
import { TRANSPARENT_ADDRESS } from '@wallet-companion/pczt/test/spendingStories';
import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import type { ActionPool, Pool } from '@wallet-companion/zcash/pools';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import {
  parseTransaction,
  serializeTransaction,
  transactionContents,
  txid as txidOf,
} from '@wallet-companion/zcash/transactions';
import test, { type ExecutionContext } from 'ava';
import type { CompanionError } from '../../src/protocol/errors.ts';
import { startChainActor } from '../helpers/chainActorHere.ts';
import { type DevnetPayment, devnetPayment, type PaymentOrder } from '../helpers/devnetPayments.ts';
import { TAMPERED } from '../helpers/tamperedTransactions.ts';

const SOURCES: readonly Source[] = ['node', 'compact'];
const crossing = { consents: ['crossing_pools'] } as const;

interface Bed {
  readonly devnet: Devnet;
  readonly alice: Person;
  readonly bob: Person;
  pay(from: Person, order: Omit<PaymentOrder, 'randomBytes'>): DevnetPayment;
}

function bedOn(devnet: Devnet, seed = 1): Bed {
  const alice = personOn(devnet, 0);
  const bob = personOn(devnet, 1);
  const randomBytes = seededBytes(seed);
  return {
    devnet,
    alice,
    bob,
    pay: (from, order) => {
      const payer = { seed: SEED, index: from === alice ? 0 : 1, account: from.account };
      return devnetPayment(devnet, payer, { ...order, randomBytes });
    },
  };
}

/** Alice has a note of each size in the pool, in one block. */
const fundedBed = (t: ExecutionContext, pool: Pool, ...zatoshi: readonly number[]): Bed =>
  fundedOn(new Devnet({ seed: t.title }), t, pool, ...zatoshi);

function fundedOn(chain: Devnet, t: ExecutionContext, pool: Pool, ...zatoshi: readonly number[]): Bed {
  const bed = bedOn(chain);
  const { devnet, alice } = bed;
  t.teardown(() => devnet.close());
  devnet.mine({ transactions: [devnet.traffic({ sapling: 3, orchard: 2, ironwood: 3 })] });
  devnet.mine({
    transactions: [devnet.pay(zatoshi.map((one) => ({ address: alice.address, pool, zatoshi: one })))],
  });
  return bed;
}

async function chainOf(t: ExecutionContext, { devnet }: Bed) {
  const nodeUrl = await devnet.node.listen();
  const compactServerUrl = await devnet.compact.listen();
  const { actor } = await startChainActor(t, {
    network: 'regtest',
    activation: devnet.params.activation,
    nodeUrl,
    compactServerUrl,
  });
  return { actor, nodeUrl };
}

/** The scanner finds what there is, and the devnet's own accounts say the same. */
function checkNotes(t: ExecutionContext, { devnet, alice, bob }: Bed): void {
  const people = [alice, bob];
  const listed = notesOfDevnet(people);
  t.deepEqual(notesOfScan(scanDevnet(devnet, people, 'raw')), listed);
  const withoutMemos = listed.map((note) => ({ ...note, memo: null }));
  t.deepEqual(notesOfScan(scanDevnet(devnet, people, 'compact')), withoutMemos);
}

for (const source of SOURCES) {
  test(`through the ${source}: sent, waiting, mined, found, and what it left spent again`, async (t) => {
    const bed = fundedBed(t, 'ironwood', 40_000_000, 60_000_000);
    const { devnet, alice, bob } = bed;
    const { actor, nodeUrl } = await chainOf(t, bed);
    const memo = new TextEncoder().encode('for the bread');
    const { raw, txid } = bed.pay(alice, { address: bob.address, zatoshi: 75_000_000, memo });
    const rival = bed.pay(alice, { address: bob.address, zatoshi: 90_000_000 });
    const hex = txIdToHex(txid);
    const status = () => Promise.all(SOURCES.map((from) => actor.transactionStatus({ source: from, txid })));
    const known = { kind: 'unknown' } as const;

    t.deepEqual(await status(), [known, known]);
    t.deepEqual(await actor.sendTransaction({ source, raw, txid }), { kind: 'accepted' });
    t.deepEqual(await status(), [{ kind: 'mempool' }, { kind: 'mempool' }]);
    t.deepEqual(await rpcResult(nodeUrl, 'getrawmempool'), [hex]);
    t.is(await rpcResult(nodeUrl, 'getrawtransaction', hex, 0), bytesToHex(raw));
    t.is(devnet.tip.height, 2);
    for (const again of SOURCES) {
      t.deepEqual(await actor.sendTransaction({ source: again, raw, txid }), { kind: 'known' });
      t.like(await actor.sendTransaction({ source: again, ...rival }), {
        kind: 'refused',
        reason: 'conflict',
      });
    }

    const height = devnet.mine().height;
    t.deepEqual(await status(), [
      { kind: 'mined', height },
      { kind: 'mined', height },
    ]);
    t.is(devnet.mempool.size, 0);
    t.deepEqual(await actor.sendTransaction({ source, raw, txid }), { kind: 'known' });
    t.like(await actor.sendTransaction({ source, ...rival }), { kind: 'refused', reason: 'conflict' });
    checkNotes(t, bed);
    t.is(bob.account.balance(), 75_000_000n);
    t.is(alice.account.balance(), 24_990_000n);
    t.is(Buffer.from(bob.account.notes()[0]!.note.memo).toString().slice(0, 13), 'for the bread');

    // The tree has its leaves: a witness of the change leads to an anchor.
    const next = bed.pay(alice, { address: bob.address, zatoshi: 1_000_000 });
    t.deepEqual(await actor.sendTransaction({ source, ...next }), { kind: 'accepted' });
    devnet.mine();
    checkNotes(t, bed);
    t.is(alice.account.balance(), 23_980_000n);
  });
}

const OTHER_PAYMENTS: readonly (readonly [
  name: string,
  pool: Pool,
  order: (bed: Bed) => Omit<PaymentOrder, 'randomBytes'>,
])[] = [
  [
    'Orchard into Ironwood, change kept',
    'orchard',
    ({ bob }) => ({ address: bob.address, zatoshi: 5_000_000, options: crossing }),
  ],
  [
    'Sapling into Ironwood, everything',
    'sapling',
    ({ bob }) => ({ address: bob.address, options: crossing }),
  ],
  [
    'Ironwood to a transparent address',
    'ironwood',
    () => ({
      address: TRANSPARENT_ADDRESS,
      zatoshi: 5_000_000,
      options: { consents: ['transparent_recipients'] },
    }),
  ],
];

for (const [name, pool, order] of OTHER_PAYMENTS) {
  test(`${name}: taken, mined, and found`, (t) => {
    const bed = fundedBed(t, pool, 30_000_000);
    const { devnet, alice } = bed;
    const { raw, txid, proposal } = bed.pay(alice, order(bed));
    t.true(equalBytes(devnet.send(raw), txid));
    const block = devnet.mine();
    t.is(block.transactions.length, 2);
    t.is(block.transactions[1]!.fee, BigInt(proposal.fee));
    checkNotes(t, bed);
  });
}

test('version 5 before Ironwood, and not after', (t) => {
  const params = regtestParameters({ nu6_3: 6 });
  const bed = bedOn(new Devnet({ seed: t.title, params }));
  const { devnet, alice, bob } = bed;
  t.teardown(() => devnet.close());
  devnet.payTo(alice.address, { pool: 'orchard', zatoshi: 9_000_000 });
  const { raw } = bed.pay(alice, { address: bob.address, zatoshi: 1_000_000 });
  t.is(parseTransaction(raw).version, 5);
  devnet.send(raw);
  devnet.mineEmpty(3);
  t.is(devnet.mempool.size, 1);
  // The next block is of another branch id, with which it was not signed.
  devnet.mineEmpty(1);
  t.is(devnet.mempool.size, 0);
  const refusal = t.throws<RpcError>(() => devnet.send(raw), { instanceOf: RpcError });
  t.regex(refusal.message, /consensus branch id/);
});

test('what has expired is refused, and vanishes where it waits', async (t) => {
  const bed = fundedBed(t, 'ironwood', 40_000_000);
  const { devnet, alice, bob } = bed;
  const { actor } = await chainOf(t, bed);
  const options = { expiryHeight: devnet.tip.height + 4 };
  const { raw, txid } = bed.pay(alice, { address: bob.address, zatoshi: 1_000_000, options });
  devnet.send(raw);
  devnet.mineEmpty(3);
  t.is(devnet.mempool.size, 1);
  devnet.mineEmpty(1);
  t.is(devnet.mempool.size, 0);
  for (const source of SOURCES) {
    t.like(await actor.sendTransaction({ source, raw, txid }), { kind: 'refused', reason: 'expired' });
    t.deepEqual(await actor.transactionStatus({ source, txid }), { kind: 'unknown' });
  }
  t.is(alice.account.balance(), 40_000_000n);
});

test('each thing that a node refuses is refused with its words, by both servers, and nothing waits', async (t) => {
  const bed = fundedBed(t, 'ironwood', 40_000_000);
  const { devnet, alice, bob } = bed;
  const { actor, nodeUrl } = await chainOf(t, bed);
  const { raw } = bed.pay(alice, { address: bob.address, zatoshi: 1_000_000 });
  const contents = transactionContents(parseTransaction(raw));
  for (const [what, tamper, code, words] of TAMPERED) {
    const bytes = serializeTransaction(tamper(contents));
    const { text } = await rpcCall(nodeUrl, 'sendrawtransaction', [bytesToHex(bytes)]);
    const { error } = JSON.parse(text) as { error?: { code: number; message: string } };
    t.is(error?.code, code, what);
    t.regex(error?.message ?? '', words, what);
    if (code === -22) continue;
    const txid = txidOf(parseTransaction(bytes));
    const outcome = await actor.sendTransaction({ source: 'compact', raw: bytes, txid });
    t.is(outcome.kind, 'refused', what);
  }
  for (const params of [
    [bytesToHex(raw.subarray(0, -1))],
    [bytesToHex(concatBytes(raw, Uint8Array.of(0)))],
    [bytesToHex(raw).slice(1)],
    ['zz'],
    [''],
    [bytesToHex(new Uint8Array(2_000_001))],
  ]) {
    const { text } = await rpcCall(nodeUrl, 'sendrawtransaction', params);
    t.is((JSON.parse(text) as { error: { code: number } }).error.code, -22);
  }
  const { text } = await rpcCall(nodeUrl, 'sendrawtransaction', []);
  t.is((JSON.parse(text) as { error: { code: number } }).error.code, -1);
  t.is(devnet.mempool.size, 0);
  // The untouched one is right.
  devnet.send(raw);
});

test('an anchor of any block of the best chain will do, one of another branch not', (t) => {
  const bed = fundedBed(t, 'ironwood', 40_000_000);
  const { devnet, alice, bob } = bed;
  const old = bed.pay(alice, { address: bob.address, zatoshi: 1_000_000 });
  devnet.mine({ transactions: [devnet.traffic({ ironwood: 3 })] });
  const young = bed.pay(alice, { address: bob.address, zatoshi: 2_000_000 });
  devnet.reorganise(1);
  t.throws(() => devnet.send(young.raw), { message: /unknown Ironwood anchor/ });
  devnet.send(old.raw);
  devnet.mine();
  checkNotes(t, bed);
});

test('a fork unmines what was sent, and drops what the new branch cannot have', (t) => {
  const bed = fundedBed(t, 'ironwood', 40_000_000);
  const { devnet, alice, bob } = bed;
  const first = bed.pay(alice, { address: bob.address, zatoshi: 5_000_000 });
  devnet.send(first.raw);
  devnet.mine();
  // Spends what the first one left.
  const second = bed.pay(alice, { address: bob.address, zatoshi: 1_000_000 });
  devnet.send(second.raw);
  devnet.mine();
  t.is(bob.account.balance(), 6_000_000n);
  devnet.reorganise(2);
  t.is(bob.account.balance(), 0n);
  t.is(alice.account.balance(), 40_000_000n);
  t.deepEqual(
    devnet.mempool.transactions.map(({ txid }) => txIdToHex(txid)),
    [txIdToHex(first.txid)],
  );
  // Another fork leaves it where it waits.
  devnet.reorganise(1);
  t.is(devnet.mempool.size, 1);
  devnet.mine();
  t.is(bob.account.balance(), 5_000_000n);
  checkNotes(t, bed);
  // What waits is checked against the new branch too.
  const third = bed.pay(alice, { address: bob.address, zatoshi: 1_000_000 });
  devnet.send(third.raw);
  devnet.reorganise(1);
  t.deepEqual(
    devnet.mempool.transactions.map(({ txid }) => txIdToHex(txid)),
    [txIdToHex(first.txid)],
  );
});

test('what the devnet itself spends in a block comes before what was sent', (t) => {
  const bed = fundedBed(t, 'ironwood', 40_000_000);
  const { devnet, alice, bob } = bed;
  const { raw } = bed.pay(alice, { address: bob.address, zatoshi: 5_000_000 });
  devnet.send(raw);
  const own = devnet.spend(alice.account, { from: 'ironwood', payments: [] });
  t.deepEqual(devnet.mine({ transactions: [own] }).transactions.length, 2);
  t.is(devnet.mempool.size, 0);
  t.throws(() => devnet.send(raw), { message: /duplicate nullifier/ });
  checkNotes(t, bed);
});

test('an answer that is lost: the transaction is there, and sending it again shows that', async (t) => {
  const bed = fundedBed(t, 'ironwood', 40_000_000);
  const { devnet, alice, bob } = bed;
  const { actor } = await chainOf(t, bed);
  devnet.node.misbehave({ kind: 'hang-up', method: 'sendrawtransaction', times: 1 });
  devnet.compact.misbehave({ kind: 'lost', method: 'SendTransaction', times: 1 });
  for (const [source, code] of [
    ['node', 'NODE_UNREACHABLE'],
    ['compact', 'COMPACT_SERVER_UNREACHABLE'],
  ] as const) {
    const { raw, txid } = bed.pay(alice, { address: bob.address, zatoshi: 5_000_000 });
    const error = await t.throwsAsync<CompanionError>(actor.sendTransaction({ source, raw, txid }));
    t.is(error.code, code);
    for (const asked of SOURCES)
      t.deepEqual(await actor.transactionStatus({ source: asked, txid }), { kind: 'mempool' });
    t.deepEqual(await actor.sendTransaction({ source, raw, txid }), { kind: 'known' });
    devnet.mine();
  }
  t.is(devnet.node.callCount('sendrawtransaction'), 2);
  t.is(devnet.compact.callCount('SendTransaction'), 2);
  t.is(bob.account.balance(), 10_000_000n);
});

test('a page instead of an answer is no verdict either', async (t) => {
  const bed = fundedBed(t, 'ironwood', 40_000_000);
  const { actor } = await chainOf(t, bed);
  const { raw, txid } = bed.pay(bed.alice, { address: bed.bob.address, zatoshi: 5_000_000 });
  for (const kind of ['garbage', 'truncated', 'http-500', 'no-result', 'wrong-result'] as const) {
    bed.devnet.node.misbehave({ kind, method: 'sendrawtransaction', times: 1 });
    const error = await t.throwsAsync<CompanionError>(actor.sendTransaction({ source: 'node', raw, txid }));
    t.is(error.code, 'NODE_BAD_RESPONSE', kind);
  }
  t.deepEqual(await actor.transactionStatus({ source: 'node', txid }), { kind: 'mempool' });
});

test('over HTTP: a call that fails loses nothing that was sent, and a fork gives it back', (t) => {
  const playground = new Playground({ seed: t.title, activation: {} });
  const bed = bedOn(playground.devnet);
  const { devnet, alice, bob } = bed;
  playground.mine([
    () => ({
      transactions: [devnet.pay([{ address: alice.address, pool: 'ironwood', zatoshi: 40_000_000 }])],
    }),
  ]);
  const { raw, txid } = bed.pay(alice, { address: bob.address, zatoshi: 5_000_000 });
  devnet.send(raw);
  const fail = () => {
    throw new RangeError('no');
  };
  const calls = callTable(playground, () => ({}));
  calls.run(calls.find('POST', '/mine')!, { blocks: 2, takes_sent: false });
  t.is(devnet.mempool.size, 1);
  t.throws(() => playground.mine([() => ({}), fail]), { message: 'no' });
  t.is(devnet.mempool.size, 1);
  t.is(devnet.tip.height, 3);
  playground.mine([() => ({})]);
  t.is(bob.account.balance(), 5_000_000n);
  t.throws(() => playground.reorganise(1, [fail]), { message: 'no' });
  t.is(devnet.mempool.size, 0);
  t.is(bob.account.balance(), 5_000_000n);
  playground.reorganise(1, [() => ({}), () => ({})]);
  t.is(bob.account.balance(), 0n);
  t.deepEqual(
    devnet.mempool.transactions.map((one) => txIdToHex(one.txid)),
    [txIdToHex(txid)],
  );
  playground.mine([() => ({})]);
  t.is(bob.account.balance(), 5_000_000n);
});

test('while proofs are verified calls are answered, each transaction is verified once, and 25 at a time', async (t) => {
  let answer: (pools: readonly ActionPool[]) => void = () => undefined;
  const verified = new Promise<readonly ActionPool[]>((resolve) => {
    answer = resolve;
  });
  let calls = 0;
  const findWrongProofs = () => {
    calls++;
    return verified;
  };
  const bed = fundedOn(new Devnet({ seed: t.title, findWrongProofs }), t, 'ironwood', 40_000_000);
  const { devnet, alice, bob } = bed;
  const url = await devnet.node.listen();
  const rivals = Array.from({ length: 26 }, (_, i) =>
    bytesToHex(bed.pay(alice, { address: bob.address, zatoshi: 1_000_000 + i }).raw),
  );
  const send = async (raw: string | undefined) => (await rpcCall(url, 'sendrawtransaction', [raw])).text;
  const first = send(rivals[0]);
  // The one after it is in the queue when it is answered.
  while (calls === 0) await rpcResult(url, 'getblockcount');
  t.regex(await send(rivals[0]), /already queued/);
  const others = rivals.slice(1, 25).map(send);
  while (calls < 25) t.is(await rpcResult(url, 'getblockcount'), devnet.tip.height);
  t.regex(await send(rivals[25]), /queue is full/);
  t.is(devnet.mempool.size, 0);
  answer([]);
  t.regex(await first, /"result"/);
  for (const other of others) t.regex(await other, /already spent/);
  t.regex(await send(rivals[25]), /already spent/);
  t.is(calls, 25);
  t.is(devnet.mempool.size, 1);
});

test('a transaction with a wrong proof is refused by both servers', async (t) => {
  const findWrongProofs = async () => ['ironwood'] as const;
  const bed = fundedOn(new Devnet({ seed: t.title, findWrongProofs }), t, 'ironwood', 40_000_000);
  const { actor } = await chainOf(t, bed);
  const payment = bed.pay(bed.alice, { address: bed.bob.address, zatoshi: 1_000_000 });
  for (const source of SOURCES)
    t.like(await actor.sendTransaction({ source, ...payment }), { kind: 'refused' });
  t.is(bed.devnet.mempool.size, 0);
});
