// A wallet that was made here pays by itself on a real node: signed with the password by its own signer, with proofs of its own, over
// every surface and out of every pool; mined under NU7, and read by the reference's crates.

import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { toDisplayHex } from '@wallet-companion/zcash/identifiers';
import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { CHROMIUM } from '../helpers/chromium.ts';
import { koffi, missingCompiler, openLibrary } from '../helpers/companionLibrary.ts';
import { PROGRAM } from '../helpers/program.ts';
import type { Service } from '../helpers/service.ts';
import {
  NOBODY,
  ok,
  openCompanion,
  PASSWORD,
  type Payment,
  SUBSIDY,
  sync,
  untilInMempool,
  withoutSapling,
} from './payingCompanion.ts';
import { openPcztTool, type PcztTool, pcztTool } from './pcztTool.ts';
import { heightsWith, IRONWOOD_HEIGHT, startZebrad, type Zebrad } from './zebrad.ts';

/** `npm run build:prover` makes them, and what proves with them. */
const SAPLING_PARAMETERS = path.resolve('packages/prover/dist/sapling-params');
/** Before any payment. */
const NU7_HEIGHT = 30;
const BLOCKS = { sapling: 1, orchard: 3, ironwood: 5 } as const;

interface Bed {
  readonly node: Zebrad;
  readonly payer: Service;
  readonly payee: Service;
  readonly to: string;
  readonly tool: PcztTool;
}

interface Order {
  readonly zatoshi: number;
  readonly memo: string;
}

/** A surface, why it cannot be used here, and how a payment is made over it; one at a time waits to be mined. */
type Way = readonly [
  string,
  string | undefined,
  (bed: Bed, order: Order, t: ExecutionContext) => Promise<void>,
];

const crossing = (pool: string) => ({ pools: [pool], privacy: ['crossing_pools'] });

const WAYS: readonly Way[] = [
  [
    'command line, until it is confirmed',
    undefined,
    async (bed, { zatoshi, memo }, t) => {
      const passwordFile = path.join(bed.payer.configDir, 'password');
      writeFileSync(passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
      const { pools, privacy } = crossing(existsSync(SAPLING_PARAMETERS) ? 'sapling' : 'orchard');
      const running = promisify(execFile)(process.execPath, [
        ...[PROGRAM, 'pay', '--url', bed.payer.url, '--json', '--password-file', passwordFile],
        ...['--to', bed.to, '--zatoshi', String(zatoshi), '--memo', memo],
        ...['--pools', pools.join(), '--privacy', privacy.join(), '--yes', '--wait', 'confirmed'],
      ]);
      await Promise.race([running, untilInMempool(bed, 1)]);
      await bed.node.rpc('generatetoaddress', 3, NOBODY);
      t.like(JSON.parse((await running).stdout), { status: 'confirmed' });
    },
  ],
  [
    'HTTP',
    undefined,
    async ({ payer, to }, order, t) => {
      const input = { idempotency_key: 'order-1', address: to, ...order, ...crossing('orchard') };
      const paid = ok(t, await payer.post<Payment>('/api/pay', { ...input, password: PASSWORD }));
      t.is(paid.status, 'sent');
    },
  ],
  [
    'C',
    missingCompiler ?? (koffi === undefined ? 'koffi is not installed' : undefined),
    async ({ payer, to }, order, t) => {
      const library = await openLibrary({ dataDir: payer.dataDir });
      if (!('close' in library)) return t.fail(JSON.stringify(library));
      const input = { idempotency_key: 'order-2', address: to, ...order, pools: ['ironwood'] };
      const { code, answer } = await library.call('payments.pay', { ...input, password: PASSWORD });
      await library.close();
      t.is(code, 0, JSON.stringify(answer));
      t.like(answer, { status: 'sent' });
    },
  ],
  [
    'page',
    CHROMIUM.find() === undefined ? 'Chromium is not installed' : undefined,
    async ({ payer, to }, { zatoshi, memo }, t) => {
      const browser = await CHROMIUM.start(CHROMIUM.find()!);
      t.teardown(() => browser.stop());
      const page = await browser.page();
      await page.open(`${payer.url}/#/pay`);
      await page.type('To', to);
      await page.type('Amount', String(zatoshi / 100_000_000));
      await page.type('Memo', memo);
      await page.click('Prepare');
      await page.click('It is right: go on');
      await page.type('Password', PASSWORD);
      await page.click('Sign and send');
      await page.see('The node has taken it.');
      t.deepEqual(page.complaints, []);
    },
  ],
];

const balanceOf = async (t: ExecutionContext, service: Service) =>
  ok(t, await service.get<Output<'balance.get'>>('/api/balance'));

if (!existsSync(pcztTool())) test.skip('the reference tool is not installed', () => {});
else
  test.serial(
    'a wallet made here pays by the password over every surface, and each payment is mined',
    async (t) => {
      t.timeout(3_600_000);
      const bed = await makeBed(t);
      const { node, payer, payee } = bed;
      let received = 0;
      for (const [i, [way, lacking, pay]] of WAYS.entries()) {
        if (lacking !== undefined) {
          t.log(`${way}: not paid, ${lacking}`);
          continue;
        }
        const order = { zatoshi: 10_000_000 * (i + 1), memo: `paid by ${way} 🌳` };
        const before = (await balanceOf(t, payer)).total_zatoshi;
        await pay(bed, order, t);
        const { payments } = ok(t, await payer.get<Output<'payments.list'>>('/api/payments'));
        t.is(payments.length, i + 1, way);
        const { payment_id: id, txid, fee_zatoshi: fee } = payments[0]!;
        if ((await node.rpc<string[]>('getrawmempool')).includes(txid))
          await node.rpc('generatetoaddress', 3, NOBODY);
        await sync(t, payer, 'node');
        await sync(t, payee, 'node');
        const paid = ok(t, await payer.get<Payment>(`/api/payments/${id}`));
        t.is(paid.status, 'confirmed', way);
        const block = await node.rpc<{ tx: string[] }>('getblock', String(paid.mined_height), 1);
        t.true(block.tx.includes(txid), way);
        await readByReference(t, bed, id, txid, order);
        received += order.zatoshi;
        t.is((await balanceOf(t, payee)).total_zatoshi, received, way);
        t.is((await balanceOf(t, payer)).total_zatoshi, before - order.zatoshi - fee, way);
        t.log(`${way}: ${paid.notes.map(({ pool }) => pool).join()}, mined at ${paid.mined_height}`);
      }
    },
  );

/** Of the payment whose txid was mined: the crates compute the txid, and decrypt what it pays. */
async function readByReference(
  t: ExecutionContext,
  { payer, to, tool }: Bed,
  id: string,
  txid: string,
  { zatoshi, memo }: Order,
): Promise<void> {
  const { pczt } = ok(t, await payer.get<{ pczt: string }>(`/api/payments/${id}/pczt?reader=anyone`));
  const bytes = Buffer.from(pczt, 'base64');
  t.deepEqual(tool.json('verify', bytes), { complaints: [] });
  const read = tool.json<{
    txid: string;
    fields: { ironwood: { actions: { output: { user_address: string | null; value: string } }[] } };
    outputs_checked: { pool: string; action: number; memo: string | null }[];
  }>('inspect', bytes);
  t.is(toDisplayHex(Buffer.from(read.txid, 'hex')), txid);
  const paid = read.fields.ironwood.actions.flatMap(({ output }, i) => {
    if (output.user_address === null) return [];
    const text = read.outputs_checked.find(({ pool, action }) => pool === 'ironwood' && action === i)?.memo;
    return [[output.user_address, output.value, text?.replace(/\0+$/, '')]];
  });
  t.deepEqual(paid, [[to, String(zatoshi), memo]]);
}

async function makeBed(t: ExecutionContext): Promise<Bed> {
  const config = { network: 'regtest', activation_heights: heightsWith(NU7_HEIGHT), auto_lock_seconds: 0 };
  const payer = await openCompanion(t, { ...config, sapling_params: SAPLING_PARAMETERS });
  const payee = await openCompanion(t, config);
  const addressOf = async (service: Service) =>
    ok(t, await service.get<Output<'address.get'>>('/api/address'));
  const { unified_address: own, sapling_address: sapling } = await addressOf(payer);
  const node = await startZebrad({ minerAddress: own, nu7: NU7_HEIGHT });
  t.teardown(() => node.stop());
  for (const service of [payer, payee])
    ok(t, await service.post('/api/config/node-url', { url: node.url, probe: true }));
  const tool = openPcztTool('')!;
  t.teardown(() => tool.remove());
  await node.rpc('generate', BLOCKS.orchard);
  await node.rpc('generatetoaddress', BLOCKS.sapling, sapling);
  const before = IRONWOOD_HEIGHT - BLOCKS.orchard - BLOCKS.sapling - 1;
  await node.rpc('generatetoaddress', before, NOBODY);
  await node.rpc('generate', BLOCKS.ironwood);
  // Notes need ten confirmations.
  await node.rpc('generatetoaddress', NU7_HEIGHT, NOBODY);
  for (const service of [payer, payee]) await sync(t, service, 'node');
  const { pools } = await balanceOf(t, payer);
  for (const pool of ['sapling', 'orchard', 'ironwood'] as const)
    t.is(pools[pool].total_zatoshi, BLOCKS[pool] * SUBSIDY, pool);
  return { node, payer, payee, to: withoutSapling((await addressOf(payee)).unified_address), tool };
}
