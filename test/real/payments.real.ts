// Payments on a real node, from beginning to end: prepared by the companion from notes that it found, proved and signed by
// the reference's crates, combined, extracted and sent by the companion, mined; and what may come between. Each side of a
// payment is then looked at: by the wallet that paid, and by the one that was paid.
import { randomBytes as nodeRandomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { decodePczt, encodePczt } from '@wallet-companion/pczt/pczt';
import { extractPczt } from '@wallet-companion/pczt/pcztRoles';
import { deriveSigningKeys } from '@wallet-companion/pczt/signer';
import { ownTransparentAddresses } from '@wallet-companion/pczt/spending';
import { withSignatures } from '@wallet-companion/pczt/test/completion';
import { deriveViewingKeys, mnemonicToSeed } from '@wallet-companion/zcash/keys';
import { networkParameters } from '@wallet-companion/zcash/network';
import {
  parseTransaction,
  serializeTransaction,
  transactionContents,
} from '@wallet-companion/zcash/transactions';
import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import type { Service } from '../helpers/service.ts';
import { TAMPERED } from '../helpers/tamperedTransactions.ts';
import {
  broadcast,
  NOBODY,
  ok,
  openCompanion,
  PASSWORD,
  type Payment,
  prepare,
  SUBSIDY,
  signAndProve,
  sync,
  untilInMempool,
  withoutSapling,
} from './payingCompanion.ts';
import { openPcztTool, type PcztTool, pcztTool } from './pcztTool.ts';
import { heightsWith, IRONWOOD_HEIGHT, startZebrad, type Zebrad } from './zebrad.ts';

const ORCHARD_BLOCKS = 3;
const SAPLING_BLOCKS = 1;
const IRONWOOD_BLOCKS = 5;
/** After the first payment; the others are made under it. */
const NU7_HEIGHT = 45;

const randomBytes = (length: number): Uint8Array => Uint8Array.from(nodeRandomBytes(length));

type Problem = { readonly code: string; readonly detail: string };

interface Bed {
  readonly node: Zebrad;
  /** By JSON-RPC. */
  readonly payer: Service;
  /** The same phrase, by the node's compact service. */
  readonly twin: Service;
  readonly payee: Service;
  readonly payeeAddress: string;
  readonly tool: PcztTool;
  /** The payer's. */
  readonly seed: Uint8Array;
}

const totalOf = async (t: ExecutionContext, service: Service): Promise<number> =>
  ok(t, await service.get<Output<'balance.get'>>('/api/balance')).total_zatoshi;

const saplingOf = async (t: ExecutionContext, service: Service): Promise<number> =>
  ok(t, await service.get<Output<'balance.get'>>('/api/balance')).pools.sapling.total_zatoshi;

const paymentOf = async (t: ExecutionContext, service: Service, id: string): Promise<Payment> =>
  ok(t, await service.get<Payment>(`/api/payments/${id}`));

async function untilMempoolIsEmpty({ node }: Bed): Promise<void> {
  while ((await node.rpc<string[]>('getrawmempool')).length > 0);
}

const mine = ({ node }: Bed, blocks = 1) => node.rpc<string[]>('generatetoaddress', blocks, NOBODY);

/** Prepared, signed, proved, sent, mined, and seen by both sides. */
async function pay(
  t: ExecutionContext,
  bed: Bed,
  what: string,
  wanted: object,
  expected: { readonly fee: number; readonly received: number; readonly source?: 'node' | 'compact' },
): Promise<Payment> {
  const { payer, payee } = bed;
  const source = expected.source ?? 'node';
  const before = [await totalOf(t, payer), await totalOf(t, payee)] as const;
  const prepared = await prepare(t, payer, { source, ...wanted });
  t.is(prepared.fee_zatoshi, expected.fee, what);
  t.is(
    prepared.reserved_zatoshi,
    prepared.notes.reduce((sum, note) => sum + note.value_zatoshi, 0),
  );
  await signAndProve(t, bed, payer, prepared);
  const sent = ok(t, await broadcast(payer, prepared, source));
  t.like(sent.last_sent, { source, outcome: 'accepted' }, what);
  await untilInMempool(bed, 1);
  ok(t, await payer.post('/api/mempool', {}));
  t.is((await paymentOf(t, payer, prepared.payment_id)).status, 'in_mempool');
  await mine(bed);
  await sync(t, payer, 'node');
  await sync(t, payee, 'node');
  const mined = await paymentOf(t, payer, prepared.payment_id);
  t.is(mined.status, 'confirmed', what);
  t.is(mined.reserved_zatoshi, 0);
  t.is(await totalOf(t, payee), before[1] + expected.received, what);
  const paid = prepared.payments.reduce((sum, { amount_zatoshi }) => sum + amount_zatoshi, 0);
  t.is(await totalOf(t, payer), before[0] - paid - expected.fee, what);
  t.log(`${what}: mined at ${mined.mined_height}`);
  return mined;
}

if (!existsSync(pcztTool())) test.skip('the reference tool is not installed', () => {});
else
  test.serial('payments, prepared here and signed elsewhere, on a real node', async (t) => {
    t.timeout(3_600_000);
    const bed = await makeBed(t);
    const { payer, twin, payee, payeeAddress } = bed;

    const first = await pay(
      t,
      bed,
      'Ironwood to Ironwood with a memo',
      { address: payeeAddress, zatoshi: 100_000_000, memo: 'for tests 🌳', pools: ['ironwood'] },
      { fee: 10_000, received: 100_000_000 },
    );
    t.like(ok(t, await payee.get<Output<'notes.list'>>('/api/notes?limit=1000')).notes.at(0), {
      pool: 'ironwood',
      value_zatoshi: 100_000_000,
      memo: { text: 'for tests 🌳' },
    });

    await reorganised(t, bed, first);
    await acrossNu7(t, bed);
    await sameTable(t, bed);

    const { status, body } = await payer.post<Problem>('/api/payments/prepare', {
      address: payeeAddress,
      zatoshi: 50_000_000,
      confirmations: 1,
      pools: ['orchard'],
    });
    t.deepEqual([status, body.code], [409, 'CONSENT_NEEDED'], JSON.stringify(body));
    const crossing = { privacy: ['crossing_pools'] };
    await pay(
      t,
      bed,
      'Orchard to Ironwood, change kept in Orchard',
      { ...crossing, address: payeeAddress, zatoshi: 50_000_000, pools: ['orchard'], change: 'kept' },
      { fee: 20_000, received: 50_000_000, source: 'compact' },
    );
    await pay(
      t,
      bed,
      'Orchard to Ironwood, change moved to Ironwood',
      { ...crossing, address: payeeAddress, zatoshi: 40_000_000, pools: ['orchard'], change: 'moved' },
      { fee: 20_000, received: 40_000_000 },
    );
    await pay(
      t,
      bed,
      'Ironwood to a transparent address',
      {
        address: NOBODY,
        amount: '0.3',
        pools: ['ironwood'],
        privacy: ['crossing_pools', 'transparent_recipients'],
      },
      { fee: 15_000, received: 0 },
    );
    await pay(
      t,
      bed,
      'Sapling to Ironwood',
      { ...crossing, uri: `zcash:${withoutSapling(payeeAddress)}?amount=0.2`, pools: ['sapling'] },
      { fee: 20_000, received: 20_000_000 },
    );

    await twoAtOnce(t, bed);
    await expired(t, bed);
    await conflicting(t, bed);

    await shielded(t, bed);

    // What Sapling has left is not spent: the reference does not know internal addresses.
    const [left, kept] = await Promise.all([totalOf(t, payer), saplingOf(t, payer)]);
    const everything = await prepare(t, payer, {
      address: payeeAddress,
      everything: true,
      pools: ['orchard', 'ironwood'],
      privacy: ['crossing_pools'],
    });
    const [{ amount_zatoshi: all }] = everything.payments as [Payment['payments'][0]];
    t.is(all + everything.fee_zatoshi, left - kept);
    const had = await totalOf(t, payee);
    await signAndProve(t, bed, payer, everything);
    ok(t, await broadcast(payer, everything, 'node'));
    await untilInMempool(bed, 1);
    await mine(bed);
    for (const service of [payer, payee]) await sync(t, service, 'node');
    await sync(t, twin, 'compact');
    t.deepEqual([await totalOf(t, payer), await totalOf(t, twin)], [kept, kept]);
    t.is(await totalOf(t, payee), had + all);
  });

async function makeBed(t: ExecutionContext): Promise<Bed> {
  const config = { network: 'regtest', activation_heights: heightsWith(NU7_HEIGHT) };
  const payer = await openCompanion(t, config);
  const backup = ok(
    t,
    await payer.post<Output<'wallet.backup'>>('/api/wallet/backup', { password: PASSWORD }),
  );
  const { mnemonic } = backup;
  const [twin, payee] = [await openCompanion(t, config, mnemonic), await openCompanion(t, config)];
  const addressOf = async (service: Service) =>
    ok(t, await service.get<Output<'address.get'>>('/api/address'));
  const { unified_address: own, sapling_address: sapling } = await addressOf(payer);
  const node = await startZebrad({ minerAddress: own, nu7: NU7_HEIGHT });
  t.teardown(() => node.stop());
  for (const service of [payer, twin, payee]) {
    ok(t, await service.post('/api/config/node-url', { url: node.url, probe: true }));
    ok(t, await service.post('/api/config/compact-server-url', { url: node.compactUrl }));
  }
  const tool = openPcztTool(mnemonic)!;
  t.teardown(() => tool.remove());
  await node.rpc('generate', ORCHARD_BLOCKS);
  await node.rpc('generatetoaddress', SAPLING_BLOCKS, sapling);
  await node.rpc('generatetoaddress', IRONWOOD_HEIGHT - ORCHARD_BLOCKS - SAPLING_BLOCKS - 1, NOBODY);
  await node.rpc('generate', IRONWOOD_BLOCKS);
  await node.rpc('generatetoaddress', 4, NOBODY);
  await sync(t, payer, 'node');
  await sync(t, twin, 'compact');
  await sync(t, payee, 'node');
  const mined = (ORCHARD_BLOCKS + SAPLING_BLOCKS + IRONWOOD_BLOCKS) * SUBSIDY;
  t.deepEqual([await totalOf(t, payer), await totalOf(t, twin), await totalOf(t, payee)], [mined, mined, 0]);
  return {
    node,
    payer,
    twin,
    payee,
    payeeAddress: (await addressOf(payee)).unified_address,
    tool,
    seed: mnemonicToSeed(mnemonic, ''),
  };
}

/** The branch with the payment is given up for a longer one; the transaction still fits there, and is mined again. */
async function reorganised(t: ExecutionContext, bed: Bed, payment: Payment): Promise<void> {
  const { node, payer, payee } = bed;
  const before = payment.mined_height! - 1;
  const raw = await node.rpc<string>('getrawtransaction', payment.txid);
  await untilMempoolIsEmpty(bed);
  await node.rpc('invalidateblock', await node.rpc('getblockhash', payment.mined_height));
  await mine(bed, 2);
  await sync(t, payer, 'node');
  const waiting = await paymentOf(t, payer, payment.payment_id);
  t.is(waiting.mined_height, null);
  t.true(['sent', 'in_mempool'].includes(waiting.status), waiting.status);
  t.true(waiting.reserved_zatoshi > 0);
  // Whoever has it may send it; the companion does with the next call.
  const again = ok(t, await broadcast(payer, payment, 'compact'));
  t.is(again.txid, payment.txid);
  await untilInMempool(bed, 1);
  t.is(await node.rpc<string>('getrawtransaction', payment.txid), raw, 'byte for byte the same');
  await mine(bed);
  for (const service of [payer, payee]) await sync(t, service, 'node');
  const mined = await paymentOf(t, payer, payment.payment_id);
  t.like(mined, { status: 'confirmed', mined_height: before + 3 });
  t.log('reorganised away and mined again');
}

/** Made for the rules before it: its signature does not survive. */
async function acrossNu7(t: ExecutionContext, bed: Bed): Promise<void> {
  const { node, payer, payeeAddress } = bed;
  const prepared = await prepare(t, payer, {
    address: payeeAddress,
    zatoshi: 10_000_000,
    pools: ['ironwood'],
  });
  t.true(prepared.expiry_height > NU7_HEIGHT);
  await signAndProve(t, bed, payer, prepared);
  // The next block is the first one under NU7.
  await mine(bed, NU7_HEIGHT - 1 - (await node.rpc<number>('getblockcount')));
  await sync(t, payer, 'node');
  const over = await paymentOf(t, payer, prepared.payment_id);
  t.like(over, { status: 'expired', reserved_zatoshi: 0 });
  const { body } = await broadcast(payer, prepared, 'node');
  t.like(body, { code: 'PAYMENT_STATE' });
  t.log('prepared before NU7, and over with it');
}

/** What the devnet refuses a real node refuses as well, and in the same words; and takes what it takes. */
async function sameTable(t: ExecutionContext, bed: Bed): Promise<void> {
  const { node, payer, payee, payeeAddress } = bed;
  const prepared = await prepare(t, payer, {
    address: payeeAddress,
    zatoshi: 10_000_000,
    pools: ['ironwood'],
  });
  await signAndProve(t, bed, payer, prepared);
  const whole = ok(t, await payer.get<Output<'payments.pczt'>>(`/api/payments/${prepared.payment_id}/pczt`));
  const extracted = extractPczt(decodePczt(Buffer.from(whole.pczt, 'base64')).pczt, randomBytes);
  if (!extracted.ok) return t.fail('it is not complete');
  const contents = transactionContents(parseTransaction(extracted.bytes));
  const others: string[] = [];
  for (const [what, tamper, code, words] of TAMPERED) {
    const raw = bytesToHex(serializeTransaction(tamper(contents)));
    const output = await node.rpc('sendrawtransaction', raw).then(
      () => 'taken',
      (error: Error) => error.message,
    );
    if (!output.includes(`"code":${code}`) || !words.test(output)) others.push(`${what}: ${output}`);
  }
  t.deepEqual(others, []);
  t.log(`${TAMPERED.length} refused as the devnet refuses them`);
  ok(t, await broadcast(payer, prepared, 'node'));
  await untilInMempool(bed, 1);
  await mine(bed);
  for (const service of [payer, payee]) await sync(t, service, 'node');
}

async function twoAtOnce(t: ExecutionContext, bed: Bed): Promise<void> {
  const { payer, payee, payeeAddress } = bed;
  const had = await totalOf(t, payee);
  const wanted = { address: payeeAddress, zatoshi: 10_000_000, pools: ['ironwood'] };
  const both = await Promise.all([prepare(t, payer, wanted), prepare(t, payer, wanted)]);
  const notes = both.flatMap((one) => one.notes.map(({ txid, output_index }) => `${txid}:${output_index}`));
  t.is(new Set(notes).size, notes.length, 'no note is in both');
  for (const one of both) await signAndProve(t, bed, payer, one);
  for (const one of both) ok(t, await broadcast(payer, one, 'node'));
  await untilInMempool(bed, 2);
  await mine(bed);
  for (const service of [payer, payee]) await sync(t, service, 'node');
  for (const { payment_id } of both) t.is((await paymentOf(t, payer, payment_id)).status, 'confirmed');
  t.is(await totalOf(t, payee), had + 20_000_000);
  t.log('two at once');
}

async function expired(t: ExecutionContext, bed: Bed): Promise<void> {
  const { node, payer, payeeAddress } = bed;
  const tip = await node.rpc<number>('getblockcount');
  const prepared = await prepare(t, payer, {
    address: payeeAddress,
    zatoshi: 10_000_000,
    expiry_height: tip + 4,
    pools: ['ironwood'],
  });
  await signAndProve(t, bed, payer, prepared);
  await mine(bed, 5);
  await sync(t, payer, 'node');
  const over = await paymentOf(t, payer, prepared.payment_id);
  t.like(over, { status: 'expired', reserved_zatoshi: 0 });
  const { status, body } = await payer.post<Problem>(`/api/payments/${prepared.payment_id}/broadcast`, {});
  t.deepEqual([status, body.code], [409, 'PAYMENT_STATE'], JSON.stringify(body));
  t.log(`expired: ${body.detail}`);
}

/** A miner's rewards, once a hundred blocks are on them; the reference's finalizer and the node's interpreter read the scripts. */
async function shielded(t: ExecutionContext, bed: Bed): Promise<void> {
  const { node, payer, seed } = bed;
  const params = networkParameters('regtest');
  const { transparent } = deriveViewingKeys(seed, params, 0);
  const [first, second] = ownTransparentAddresses(transparent, 'external', { start: 2, count: 2 }, params);
  await node.rpc('generatetoaddress', 2, first!.address);
  await node.rpc('generatetoaddress', 1, second!.address);
  await mine(bed, 96);
  await sync(t, payer, 'node');
  const young = await payer.post<Problem>('/api/payments/shield', {});
  t.deepEqual([young.status, young.body.code], [409, 'INSUFFICIENT_FUNDS'], JSON.stringify(young.body));
  await mine(bed, 3);
  for (const source of ['node', 'compact'] as const) {
    await sync(t, payer, 'node');
    const before = await totalOf(t, payer);
    const prepared = ok(t, await payer.post<Output<'payments.shield'>>('/api/payments/shield', { source }));
    const count = source === 'node' ? 2 : 1;
    t.deepEqual(
      prepared.inputs.map(({ address }) => address),
      Array<string>(count).fill(source === 'node' ? first!.address : second!.address),
    );
    t.is(prepared.fee_zatoshi, 5_000 * (count + 2));
    const path = `/api/payments/${prepared.payment_id}`;
    const { pczt } = decodePczt(Buffer.from(prepared.pczt, 'base64'));
    const signed = Buffer.from(
      encodePczt(withSignatures(pczt, deriveSigningKeys(seed, params, 0), randomBytes).pczt, 2),
    );
    t.deepEqual(bed.tool.json('verify', signed), { complaints: [] });
    const combined = await payer.post<Output<'payments.combine'>>(`${path}/combine`, {
      pczt: signed.toString('base64'),
    });
    t.is(ok(t, combined).signatures_added, count);
    const proved = bed.tool.run('prove', [signed]);
    const both = bed.tool.run('finalize', [proved]);
    const raw = bed.tool.run('extract', [both]).toString('utf8').trim();
    const done = ok(t, await payer.post<Payment>(`${path}/prove`, {}));
    t.deepEqual([done.status, done.missing], ['complete', []]);
    const scripts = transactionContents(parseTransaction(Buffer.from(raw, 'hex'))).inputs;
    ok(t, await broadcast(payer, prepared, source));
    await untilInMempool(bed, 1);
    const sent = await node.rpc<string>('getrawtransaction', prepared.txid);
    const { inputs } = transactionContents(parseTransaction(Buffer.from(sent, 'hex')));
    t.deepEqual(inputs, scripts, "scripts are those of the reference's finalizer");
    await mine(bed, 3);
    await sync(t, payer, 'node');
    t.is((await paymentOf(t, payer, prepared.payment_id)).status, 'confirmed');
    t.is(await totalOf(t, payer), before + prepared.change!.amount_zatoshi);
    t.log(`shielded ${count} rewards, found by the ${source}`);
  }
}

/** Two wallets with one key know nothing of what the other one has reserved. */
async function conflicting(t: ExecutionContext, bed: Bed): Promise<void> {
  const { payer, twin, payee, payeeAddress } = bed;
  for (const source of ['node', 'compact'] as const) await sync(t, source === 'node' ? payer : twin, source);
  const had = await totalOf(t, payee);
  const wanted = { address: payeeAddress, zatoshi: 12_000_000, pools: ['ironwood'] };
  const [mine1, theirs] = [
    await prepare(t, payer, wanted),
    await prepare(t, twin, { ...wanted, source: 'compact', memo: randomUUID() }),
  ];
  t.deepEqual(mine1.notes, theirs.notes);
  await signAndProve(t, bed, payer, mine1);
  await signAndProve(t, bed, twin, theirs);
  ok(t, await broadcast(twin, theirs, 'compact'));
  await untilInMempool(bed, 1);
  const refused = await payer.post<Problem>(`/api/payments/${mine1.payment_id}/broadcast`, {});
  t.deepEqual(
    [refused.status, refused.body.code],
    [502, 'TRANSACTION_REFUSED'],
    JSON.stringify(refused.body),
  );
  await mine(bed);
  for (const service of [payer, payee]) await sync(t, service, 'node');
  await sync(t, twin, 'compact');
  t.is((await paymentOf(t, payer, mine1.payment_id)).status, 'conflicted');
  t.is((await paymentOf(t, twin, theirs.payment_id)).status, 'confirmed');
  t.is(await totalOf(t, payee), had + 12_000_000);
  t.log(`conflicting: ${refused.body.detail}`);
}
