// A till gives back by itself what was paid too much: its hook has a grant, the companion only watches, and the allowance signer is a
// process of its own. All three are real.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FINGERPRINT, keysOf, PARAMS } from '@wallet-companion/pczt/test/spendingAccount';
import { encodeUnifiedViewingKey, firstAddress } from '@wallet-companion/zcash/addresses';
import test from 'ava';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import type { Input, OperationName, Output } from '../../src/protocol/operations.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { ZEC } from '../helpers/allowanceBed.ts';
import { startDevnetService } from '../helpers/devnetService.ts';
import { makeSigner } from '../helpers/signerProcess.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { until } from '../helpers/until.ts';

const PASSWORD = 'of the companion alone';

/** What a shop writes: more than the amount came, so the rest goes back to the address in the memo. */
const HOOK = `
import { appendFileSync, readFileSync } from 'node:fs';
const [settings, report] = process.argv.slice(2);
const { data: invoice } = JSON.parse(readFileSync(0, 'utf8'));
const over = invoice.received_zatoshi - invoice.amount_zatoshi;
if (invoice.state !== 'confirmed' || over <= 0 || invoice.refunds.length > 0) process.exit();
const { url, token } = JSON.parse(readFileSync(settings, 'utf8'));
const call = async (path, body) => {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + token };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (response.ok) return answer;
  appendFileSync(report, answer.code + '\\n');
  process.exit();
};
const [address] = invoice.payments.flatMap(({ refund_addresses = [] }) => refund_addresses);
const { payment_id } = await call('/api/payments/refund', { invoice_id: invoice.invoice_id, address, zatoshi: over });
for (const step of ['sign', 'prove', 'broadcast']) await call('/api/payments/' + payment_id + '/' + step, {});
appendFileSync(report, 'refunded ' + over + '\\n');
`;

test('the hook of a till refunds through the allowance signer, within its policy, and no further', async (t) => {
  const signer = await makeSigner(t, { payment_zatoshi: ZEC, payees: null });
  await signer.start();
  const folder = temporaryFolder(t);
  const [hook, settings, report] = ['hook.mjs', 'settings.json', 'report'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  writeFileSync(hook, HOOK);
  writeFileSync(report, '');
  const { devnet, service } = await startDevnetService(t, {
    seed: t.title,
    ironwoodFrom: 1,
    config: {
      auto_lock_seconds: 0,
      anonymous_access: 'none',
      signer: { socket: signer.socket },
      on_event: [
        { name: 'till', events: ['invoice.changed'], command: [process.execPath, hook, settings, report] },
      ],
    },
  });
  const owner = createSocketLink(socketPath(service.dataDir));
  t.teardown(() => owner.close());
  const call = async <N extends OperationName>(name: N, input: Input<N>): Promise<Output<N>> =>
    unwrap(await owner.dispatch(name, input, { requestId: 'owner' }));
  await call('wallet.import_viewing_key', {
    password: PASSWORD,
    viewing_key: encodeUnifiedViewingKey(keysOf(0), PARAMS),
    account_index: 0,
    seed_fingerprint: Buffer.from(FINGERPRINT).toString('hex'),
    birthday_height: 1,
  });
  const customer = firstAddress(keysOf(5), PARAMS, 0n).unifiedAddress;
  const { token } = await call('grants.create', {
    name: 'till',
    scopes: ['invoice', 'prepare', 'send'],
    payees: [customer],
  });
  writeFileSync(settings, JSON.stringify({ url: service.url, token }), { mode: 0o600 });
  const ofTill = async <T>(route: string, body: object): Promise<T> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const response = await fetch(service.url + route, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    t.is(response.status, 200);
    return (await response.json()) as T;
  };
  const { address: own } = await call('address.get', {}).then(({ unified_address: address }) => ({
    address,
  }));
  for (let i = 0; i < 2; i++) devnet.payTo(own, { pool: 'ironwood', zatoshi: 5 * ZEC });
  devnet.mineEmpty(12);
  await call('sync.run', {});
  /** Reports so far, once there are so many. */
  const reports = async (count: number): Promise<readonly string[]> => {
    const lines = () => readFileSync(report, 'utf8').split('\n').filter(Boolean);
    await until(() => lines().length >= count);
    return lines();
  };
  const overpaid = async (zatoshi: number) => {
    const invoice = await ofTill<Output<'invoices.create'>>('/api/invoices', {
      amount_zatoshi: ZEC,
      confirmations: 1,
    });
    devnet.payTo(invoice.address, { pool: 'ironwood', zatoshi, memo: `Reply-To: ${customer}` });
    await call('sync.run', {});
    return invoice.invoice_id;
  };

  const first = await overpaid(1.4 * ZEC);
  t.deepEqual(await reports(1), [`refunded ${0.4 * ZEC}`]);
  t.is(devnet.mempool.size, 1);
  devnet.mine();
  await call('sync.run', {});
  const { refunds } = await call('invoices.get', { invoice_id: first });
  t.like(refunds, { 0: { status: 'mined', amount_zatoshi: 0.4 * ZEC }, length: 1 });
  const [payment] = (await call('payments.list', {})).payments;
  t.like(payment, { refund_of: first, payments: [{ address: customer, amount_zatoshi: 0.4 * ZEC }] });
  const log = JSON.parse(await signer.command('log', '--json')) as { day_zatoshi: number };
  t.is(log.day_zatoshi, 0.4 * ZEC + payment!.fee_zatoshi);

  // More than the signer allows: it stays prepared, for a person.
  const second = await overpaid(3 * ZEC);
  t.deepEqual(await reports(2), [`refunded ${0.4 * ZEC}`, 'ALLOWANCE_LIMIT']);
  t.is(devnet.mempool.size, 0);
  t.is((await call('invoices.get', { invoice_id: second })).refunds[0]!.status, 'prepared');
});
