// Transparent funds of the wallet, received by another wallet with its keys: found by a server's index, shielded by a signed
// payment, and what a server or the chain can do on the way.

import { inTurn } from '@wallet-companion/base/test/atLength';
import type { ChainService, UnspentOutput } from '@wallet-companion/chain/ports';
import { RpcError } from '@wallet-companion/devnet/servers';
import { decodePczt } from '@wallet-companion/pczt/pczt';
import { deriveSigningKeys } from '@wallet-companion/pczt/signer';
import { ownTransparentAddresses } from '@wallet-companion/pczt/spending';
import { withSignatures } from '@wallet-companion/pczt/test/completion';
import { SEED } from '@wallet-companion/pczt/test/spendingAccount';
import { encodeUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { deriveViewingKeys } from '@wallet-companion/zcash/keys';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import {
  parseTransaction,
  serializeTransaction,
  transactionContents,
} from '@wallet-companion/zcash/transactions';
import test, { type ExecutionContext } from 'ava';
import type { Input, Output } from '../../../../src/protocol/operations.ts';
import { keystoneAnswer } from '../../../devices/mockKeystone.ts';
import { SOURCES, type StoryOptions, startPaymentStory } from '../../../helpers/paymentStoryBed.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const ZEC = 100_000_000;
/** What a miner gets on the devnet. */
const REWARD = 312_500_000;
const PARAMS = regtestParameters();
const KEYS = deriveSigningKeys(SEED, PARAMS, 0);

const addressAt = (index: number, scope: 'external' | 'internal' = 'external', account = 0): string => {
  const { transparent } = deriveViewingKeys(SEED, PARAMS, account);
  return ownTransparentAddresses(transparent, scope, { start: index, count: 1 }, PARAMS)[0]!.address;
};

async function startShielding(t: ExecutionContext, options: StoryOptions = {}) {
  const bed = await startPaymentStory(t, { notes: [], ...options });
  const { devnet, source } = bed;
  return Object.assign(bed, {
    pay: (address: string, zatoshi: number) =>
      devnet.mine({ transactions: [devnet.pay([{ address, pool: 'transparent', zatoshi }])] }),
    reward: (address: string) => devnet.mine({ coinbase: { address, pool: 'transparent' } }),
    shield: async (more: Input<'payments.shield'> = {}): Promise<Output<'payments.shield'>> => {
      await bed.sync();
      return bed.wallet.call('payments.shield', { source, ...more });
    },
    refusal: async (more: Input<'payments.shield'> = {}) => {
      await bed.sync();
      const input = { source, ...more };
      await bed.wallet.failure('payments.shield', input);
      const result = await bed.wallet.link.dispatch('payments.shield', input, { requestId: 'test' });
      if (result.ok) throw new Error('it was prepared');
      return result.error;
    },
  });
}

let place = 0;
for (const source of SOURCES) {
  const story = (what: string, body: (t: ExecutionContext) => Promise<void>): void => {
    if (inTurn(SOURCES, place++).includes(source)) test(`${source}: ${what}`, body);
  };

  test(`${source}: found, signed, proved, sent, mined, and then the wallet's own`, async (t) => {
    const bed = await startShielding(t, { source });
    const [first, second] = [addressAt(1), addressAt(0, 'internal')];
    bed.pay(first, ZEC);
    bed.pay(first, 2 * ZEC);
    bed.pay(second, ZEC / 2);
    const prepared = await bed.shield();
    const id = prepared.payment_id;
    t.is(prepared.fee_zatoshi, 20_000);
    t.deepEqual(prepared.change, { pool: 'ironwood', amount_zatoshi: 3 * ZEC - 20_000, notes: 1 });
    t.deepEqual(
      prepared.inputs.map(({ address, value_zatoshi }) => [address, value_zatoshi]),
      [
        [first, 2 * ZEC],
        [first, ZEC],
      ],
    );
    t.deepEqual([prepared.payments, prepared.notes, prepared.reserved_zatoshi], [[], [], 0]);
    t.deepEqual(prepared.becomes_public, [
      { consent: 'transparent_senders', pool: null, address: first, amount_zatoshi: 3 * ZEC },
    ]);
    t.deepEqual(prepared.left, { zatoshi: ZEC / 2, payments: 1 });
    t.deepEqual(prepared.missing, [
      { pool: 'transparent', signatures: 2, proofs: false, signer_keys: false },
      { pool: 'ironwood', signatures: 0, proofs: true, signer_keys: false },
    ]);
    t.is(await bed.total(), 0);
    bed.reported();
    const completed = await bed.complete(id);
    t.is(completed.status, 'complete');
    const sent = await bed.broadcast(id);
    t.like(sent, { status: 'sent', last_sent: { outcome: 'accepted' } });
    t.is(bed.devnet.mempool.size, 1);
    await bed.look();
    t.is((await bed.get(id)).status, 'in_mempool');
    await bed.mine();
    const height = bed.devnet.tip.height;
    t.like(await bed.get(id), { status: 'mined', mined_height: height });
    t.is(await bed.total(), 3 * ZEC - 20_000);
    t.is(Number(bed.account.balance('ironwood')), 3 * ZEC - 20_000);
    await bed.mine(2);
    t.is((await bed.get(id)).status, 'confirmed');
    t.deepEqual(bed.reported(), ['complete', 'sent', 'in_mempool', `mined ${height}`, `confirmed ${height}`]);
    const rest = await bed.shield();
    t.deepEqual(
      rest.inputs.map(({ address }) => address),
      [second],
    );
    const paid = await bed.prepare({ zatoshi: ZEC });
    t.is(paid.notes.length, 1, 'and what was shielded pays');
  });

  story('a reward once a hundred blocks are on it, and in the mempool it is not in doubt', async (t) => {
    const bed = await startShielding(t, { source });
    bed.reward(addressAt(0));
    const { height } = bed.devnet.tip;
    bed.pay(addressAt(0), 30_000);
    t.deepEqual(
      (await bed.shield()).inputs.map(({ value_zatoshi: value }) => value),
      [30_000],
      'young coins of others can be spent',
    );
    const refused = await bed.refusal();
    t.is(refused.code, 'INSUFFICIENT_FUNDS');
    t.is(
      refused.detail,
      `There is nothing to shield at the transparent addresses of the account, 20 of each kind from ${addressAt(0)} on. 3.125 ZEC is a miner's reward, which can be spent after block ${height + 99}. 0.0003 ZEC is reserved by a payment, until it is mined, expires or is discarded.`,
    );
    bed.devnet.mineEmpty(97);
    t.is((await bed.refusal()).code, 'INSUFFICIENT_FUNDS', 'a block too early');
    bed.devnet.mineEmpty(1);
    t.is(bed.devnet.tip.height, height + 99);
    const prepared = await bed.shield({ join_addresses: true });
    t.like(prepared.change, { amount_zatoshi: REWARD - 15_000 }, 'the other payment keeps what it takes');
    await bed.complete(prepared.payment_id);
    await bed.broadcast(prepared.payment_id);
    await bed.mine();
    t.is((await bed.get(prepared.payment_id)).status, 'mined');
  });
}

test('addresses are looked for as long as there are funds within twenty', async (t) => {
  const bed = await startShielding(t);
  bed.pay(addressAt(19), ZEC);
  bed.pay(addressAt(39), ZEC);
  bed.pay(addressAt(60), ZEC);
  bed.pay(addressAt(3, 'internal'), ZEC);
  const { inputs } = await bed.shield({ join_addresses: true });
  t.deepEqual(
    inputs.map(({ address }) => address).sort(),
    [addressAt(19), addressAt(39), addressAt(3, 'internal')].sort(),
  );
  const behind = await bed.shield({ first_index: 60 });
  t.deepEqual(
    behind.inputs.map(({ address }) => address),
    [addressAt(60)],
  );
  t.is((await bed.refusal({ first_index: 2 ** 31 - 1 })).code, 'INSUFFICIENT_FUNDS');
});

test('addresses for change are looked for by themselves', async (t) => {
  const bed = await startShielding(t);
  const [near, far] = [addressAt(19, 'internal'), addressAt(39, 'internal')];
  bed.pay(near, ZEC);
  bed.pay(far, 2 * ZEC);
  const { inputs } = await bed.shield({ join_addresses: true });
  t.deepEqual(
    inputs.map(({ address }) => address),
    [far, near],
  );
});

test('a server that finds funds everywhere, and each of them twice, is asked no further', async (t) => {
  const asked: number[] = [];
  const bed = await startShielding(t, {
    aroundChain: (chain) =>
      new Proxy(chain, {
        get: (target, name) => {
          if (name !== 'unspentOutputs')
            return (target[name as keyof ChainService] as () => unknown).bind(target);
          return async ({ addresses }: Parameters<ChainService['unspentOutputs']>[0]) => {
            asked.push(addresses.length);
            const real = await target.unspentOutputs({ source: 'node', addresses: [addressAt(0)] });
            return addresses.flatMap((address, i) =>
              real.map((one) => ({
                ...one,
                address,
                index: i % 20 === 0 ? one.index : 1000 + i,
                zatoshi: one.zatoshi,
              })),
            );
          };
        },
      }),
  });
  bed.pay(addressAt(0), ZEC);
  t.is((await bed.refusal()).code, 'NODE_BAD_RESPONSE');
  t.is(asked.length, 100, '50 windows, in each of two calls');
});

test('two at once take outputs of their own, and what was given up is free again', async (t) => {
  const bed = await startShielding(t);
  bed.pay(addressAt(0), ZEC);
  bed.pay(addressAt(0), 2 * ZEC);
  await bed.sync();
  const [one, two] = await Promise.all(
    [1, 2].map(() => bed.wallet.call('payments.shield', { max_inputs: 1 })),
  );
  t.deepEqual([...one!.inputs, ...two!.inputs].map(({ value_zatoshi: value }) => value).sort(), [
    ZEC,
    2 * ZEC,
  ]);
  t.is((await bed.refusal()).code, 'INSUFFICIENT_FUNDS');
  await bed.wallet.call('payments.discard', { payment_id: two!.payment_id });
  const again = await bed.shield();
  t.deepEqual(again.inputs, two!.inputs);
  t.is((await bed.get(one!.payment_id)).status, 'prepared');
  t.is((await bed.get(two!.payment_id)).status, 'discarded');
});

test('a reorganisation takes the output away: the node refuses, and it can be prepared anew', async (t) => {
  const bed = await startShielding(t);
  bed.pay(addressAt(0), ZEC);
  const prepared = await bed.shield();
  await bed.complete(prepared.payment_id);
  bed.devnet.reorganise(1);
  await bed.sync();
  t.is(
    await bed.wallet.failure('payments.broadcast', { payment_id: prepared.payment_id }),
    'TRANSACTION_REFUSED',
  );
  t.is((await bed.refusal()).code, 'INSUFFICIENT_FUNDS');
});

test('a reorganisation between signature and proof costs new proofs, and no new signature', async (t) => {
  const bed = await startShielding(t);
  bed.pay(addressAt(0), ZEC);
  bed.devnet.mineEmpty(6);
  const { payment_id: id, txid } = await bed.shield();
  await bed.complete(id);
  const { devnet } = bed;
  devnet.rewindTo(devnet.tip.height - 5);
  devnet.mine({ transactions: [devnet.traffic({ ironwood: 2 })] });
  devnet.mineEmpty(6);
  await bed.sync();
  t.like(await bed.get(id), {
    status: 'prepared',
    missing: [{ pool: 'ironwood', signatures: 0, proofs: true, signer_keys: false }],
  });
  const proved = await bed.wallet.call('payments.prove', { payment_id: id });
  t.like(proved, { status: 'complete', anchored_again: true, txid });
  await bed.broadcast(id);
  await bed.mine();
  t.is((await bed.get(id)).status, 'mined');
});

test('a payment goes on where its companion was killed, and what it takes stays reserved', async (t) => {
  const bed = await startShielding(t);
  bed.pay(addressAt(0), ZEC);
  const { payment_id: id, inputs } = await bed.shield();
  await bed.killed();
  t.deepEqual((await bed.get(id)).inputs, inputs);
  t.is((await bed.refusal()).code, 'INSUFFICIENT_FUNDS');
  await bed.complete(id);
  await bed.broadcast(id);
  await bed.mine();
  t.is((await bed.get(id)).status, 'mined');
});

// ---------------------------------------------------------------------------------------------------------------------
// Servers

const LIES: readonly (readonly [title: string, lie: (one: UnspentOutput) => UnspentOutput])[] = [
  ['another amount', (one) => ({ ...one, zatoshi: one.zatoshi + 1 })],
  ['another output', (one) => ({ ...one, index: one.index + 1 })],
  ['a transaction that is not there', (one) => ({ ...one, txid: one.txid.toReversed() as typeof one.txid })],
  ['another of our addresses', (one) => ({ ...one, address: addressAt(5) })],
];

for (const source of SOURCES)
  for (const [title, lie] of inTurn(LIES, source.length))
    test(`${source}: a server that lists ${title} is not believed`, async (t) => {
      const bed = await startShielding(t, {
        source,
        aroundChain: (chain) => listing(chain, lie),
      });
      bed.pay(addressAt(0), ZEC);
      t.is(
        (await bed.refusal()).code,
        source === 'node' ? 'NODE_BAD_RESPONSE' : 'COMPACT_SERVER_BAD_RESPONSE',
      );
      t.deepEqual((await bed.wallet.call('payments.list')).payments, []);
    });

test('outputs at addresses that were never requested do not count', async (t) => {
  const bed = await startShielding(t, {
    aroundChain: (chain) => listing(chain, (one) => ({ ...one, address: addressAt(0, 'external', 1) })),
  });
  bed.pay(addressAt(0), ZEC);
  t.is((await bed.refusal()).code, 'INSUFFICIENT_FUNDS');
});

/** The service with another answer about unspent outputs. */
const listing = (chain: ChainService, change: (one: UnspentOutput) => UnspentOutput): ChainService =>
  new Proxy(chain, {
    get: (target, name) => {
      if (name === 'unspentOutputs')
        return async (query: Parameters<ChainService['unspentOutputs']>[0]) =>
          (await target.unspentOutputs(query)).map(change);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

test('a server without an index of addresses says so', async (t) => {
  const node = await startShielding(t);
  node.devnet.node.misbehave({ kind: 'error', method: 'getaddressutxos' });
  const refused = await node.refusal();
  t.is(refused.code, 'NODE_BAD_RESPONSE');
  t.regex(refused.detail, /no index of transparent addresses/);
  const compact = await startShielding(t, { source: 'compact' });
  compact.devnet.compact.misbehave({ kind: 'not-offered', method: 'GetAddressUtxos' });
  const other = await compact.refusal();
  t.is(other.code, 'COMPACT_SERVER_BAD_RESPONSE');
  t.regex(other.detail, /no index of transparent addresses/);
});

// ---------------------------------------------------------------------------------------------------------------------
// Nodes

test('a node takes no script that is not right, and no output twice', async (t) => {
  const bed = await startShielding(t);
  bed.pay(addressAt(0), ZEC);
  const { payment_id: id } = await bed.shield();
  await bed.complete(id);
  let raw = new Uint8Array(0);
  const send = bed.devnet.send.bind(bed.devnet);
  bed.devnet.send = (bytes) => {
    raw = Uint8Array.from(bytes);
    return send(bytes);
  };
  await bed.broadcast(id);
  bed.devnet.mempool.drop(bed.devnet.mempool.transactions[0]!.txid);
  const contents = transactionContents(parseTransaction(raw));
  const withScript = (change: (script: Uint8Array) => Uint8Array): Uint8Array =>
    serializeTransaction({
      ...contents,
      inputs: contents.inputs.map((input) => ({ ...input, scriptSig: change(input.scriptSig) })),
    });
  const refused = (bytes: Uint8Array, why: RegExp) =>
    t.regex(t.throws(() => send(bytes), { instanceOf: RpcError })!.message, why);
  refused(
    withScript(() => new Uint8Array(0)),
    /script/,
  );
  refused(
    withScript((script) => script.with(10, script[10]! ^ 1)),
    /script/,
  );
  refused(
    withScript((script) => script.with(-1, script.at(-1)! ^ 1)),
    /script/,
  );
  send(raw);
  refused(raw, /already exists/);
  bed.devnet.mine();
  refused(raw, /committed to the best chain/);
  bed.devnet.mempool.drop(bed.devnet.tip.transactions[1]!.txid);
  bed.devnet.mineEmpty(1);
  const another = await bed.refusal();
  t.is(another.code, 'INSUFFICIENT_FUNDS');
});

// ---------------------------------------------------------------------------------------------------------------------
// Wallets

test('a wallet without a transparent part of its key knows no addresses; with it a Keystone signs', async (t) => {
  const bed = await startShielding(t);
  bed.pay(addressAt(0), ZEC);
  const { node_url: nodeUrl } = await bed.wallet.call('config.get');
  const { transparent: _, ...shielded } = deriveViewingKeys(SEED, PARAMS, 0);
  const other = await startWallet(t, {
    config: {
      network: 'regtest',
      node_url: nodeUrl,
      compact_server_url: 'http://127.0.0.1:1',
      auto_lock_seconds: 0,
    },
  });
  t.teardown(() => other.stop());
  await other.call('wallet.import_viewing_key', {
    viewing_key: encodeUnifiedViewingKey(shielded, PARAMS),
    password: PASSWORD,
    birthday_height: 1,
  });
  await other.call('sync.run', { source: 'node' });
  t.is(await other.failure('payments.shield', {}), 'INVALID_REQUEST');
  await bed.sync();
  await bed.wallet.call('wallet.device', { device: 'keystone', device_version: '3.0.2', password: PASSWORD });
  const keystone = await bed.shield();
  const given = await bed.signerView(keystone.payment_id);
  const answer = keystoneAnswer(Buffer.from(given.pczt, 'base64'), { seed: SEED, params: PARAMS });
  const combined = await bed.combine(keystone.payment_id, decodePczt(answer).pczt);
  t.deepEqual(
    [combined.signatures_added, combined.missing],
    [1, [{ pool: 'ironwood', signatures: 0, proofs: true, signer_keys: false }]],
  );
});

test('a Ledger signs ten inputs and no more, and only where their paths are known', async (t) => {
  const bed = await startShielding(t);
  for (let count = 0; count < 11; count++) bed.pay(addressAt(0), ZEC);
  await bed.wallet.call('wallet.device', { device: 'ledger', device_version: '3.9.2', password: PASSWORD });
  const limit = await bed.refusal();
  t.is(limit.code, 'DEVICE_LIMIT');
  t.regex(limit.detail, /11 transparent outputs; Ledger's Zcash app signs for 10. Set max_inputs to 10/);
  t.is((await bed.shield({ max_inputs: 10 })).inputs.length, 10);
  t.is((await bed.shield({ try_anyway: true })).inputs.length, 1, 'what the first one left');
});

test('a program signs with bare signatures, and without the password none of them leaves', async (t) => {
  const answers: string[] = [];
  const bed = await startShielding(t, {
    config: { broadcast_needs_password: true },
    signer: {
      sign: async (bytes) => {
        const { pczt } = decodePczt(bytes);
        const { transparent } = withSignatures(pczt, KEYS, seededBytes(1)).pczt;
        const [[, signature] = []] = transparent.inputs[0]!.partialSignatures;
        const hex = Buffer.from(signature!).toString('hex');
        const wrong = { pool: 'transparent', index: 1, signature: hex };
        const answer = answers.length === 0 ? wrong : { ...wrong, index: 0 };
        answers.push(hex);
        return new TextEncoder().encode(JSON.stringify({ signatures: [answer] }));
      },
    },
  });
  bed.pay(addressAt(0), ZEC);
  const { payment_id: id } = await bed.shield();
  t.is(await bed.wallet.failure('payments.sign', { payment_id: id }), 'SIGNER_FAILED');
  t.is((await bed.wallet.call('payments.sign', { payment_id: id })).signatures_added, 1);
  t.is((await bed.wallet.call('payments.prove', { payment_id: id })).status, 'complete');
  for (const reader of ['anyone', 'signer', 'prover'] as const) {
    const given = await bed.wallet.call('payments.pczt', { payment_id: id, reader });
    const { inputs } = decodePczt(Buffer.from(given.pczt, 'base64')).pczt.transparent;
    t.deepEqual([inputs[0]!.partialSignatures.size, inputs[0]!.scriptSig], [0, undefined], reader);
  }
  t.is(await bed.wallet.failure('payments.broadcast', { payment_id: id }), 'INVALID_REQUEST');
  t.is((await bed.broadcast(id, { password: PASSWORD })).status, 'sent');
});
