// The program is killed before each write of a call that pays, by the kernel and in the middle of its own calls. Another process on the
// same files goes on with the same key: the payment is sent once, and no other one is prepared.

import { runs } from '@wallet-companion/base/test/atLength';
import { Devnet } from '@wallet-companion/devnet';
import anyTest from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { startService } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { CHANGES, FaultyFiles, faultyEnvironment } from './support/faultyFiles.ts';
import { notHere as reason } from './support/faultyProgram.ts';

const PASSWORD = 'lime-harbour-Zvoneček-8841';
const ZATOSHI = 100_000;
/** Of the writes, evenly spread. */
const MOST = runs(4, 8, 'WALLET_COMPANION_KILLED_PAYS');

const title = 'killed before each write of a call that pays, another process pays once';
const test = reason === undefined ? anyTest : anyTest.skip;

test(reason === undefined ? title : `${title} (skipped: ${reason})`, async (t) => {
  const devnet = new Devnet({ seed: title });
  t.teardown(() => devnet.close());
  const config = { network: 'regtest', node_url: await devnet.node.listen(), auto_lock_seconds: 0 };
  const environment = await faultyEnvironment(temporaryFolder(t));
  const files = new FaultyFiles(environment);
  const within = (command: readonly string[]) => [
    'env',
    ...Object.entries(environment).map((each) => each.join('=')),
    ...command,
  ];
  let service = await startService(t, { config, within });
  const { folder } = service;
  const { body } = await service.post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
  const address = String(body['unified_address']);
  for (let i = 0; i <= MOST; i++) devnet.payTo(address, { pool: 'ironwood', zatoshi: 1_000_000n });
  devnet.mineEmpty(12);
  // One call reads a part of many blocks.
  const sync = async () => {
    let answer = await service.post('/api/sync', {});
    while (answer.body['caught_up'] === false) answer = await service.post('/api/sync', {});
    t.is(answer.status, 200, JSON.stringify(answer.body));
  };
  await sync();
  const total = async () => (await service.get<Output<'balance.get'>>('/api/balance')).body.total_zatoshi;
  const before = await total();
  const pay = (key: string) =>
    service.post<Output<'payments.pay'>>('/api/pay', {
      ...{ idempotency_key: key, address, zatoshi: ZATOSHI, password: PASSWORD, memo: 'by the same key' },
    });

  files.watch(folder);
  files.count(CHANGES);
  const undisturbed = await pay('undisturbed');
  t.is(undisturbed.body.status, 'sent', JSON.stringify(undisturbed.body));
  const changes = files.off().length;
  t.true(changes > 10, `${changes} writes`);
  const stride = Math.ceil(changes / MOST);
  let tried = 0;
  let killed = 0;
  for (let number = 1; number <= changes; number += stride) {
    const name = `before write ${number} of ${changes}`;
    tried++;
    files.kill(number);
    const key = `order-${number}`;
    const answer = await pay(key).catch(() => undefined);
    files.off();
    // The next pays may write less than the first.
    if (answer === undefined) killed++;
    await service.kill();
    service = await startService(t, { folder, within });
    const paid = await pay(key);
    t.is(paid.body.status, 'sent', `${name}: ${JSON.stringify(paid.body)}`);
    t.deepEqual((await pay(key)).body, { ...paid.body, repeated: true }, name);
    const { payments } = (await service.get<Output<'payments.list'>>('/api/payments')).body;
    t.is(payments.length, devnet.mempool.size, name);
    t.is(new Set(payments.map(({ txid }) => txid)).size, payments.length, name);
  }
  t.true(killed > tried / 2, `${killed} of ${tried} killed`);
  const sent = devnet.mempool.size;
  devnet.mine();
  await sync();
  const { payments } = (await service.get<Output<'payments.list'>>('/api/payments')).body;
  t.is(payments.filter(({ status }) => status === 'mined').length, sent);
  // What it pays comes back to itself.
  t.is(await total(), before - payments.reduce((sum, { fee_zatoshi: fee }) => sum + fee, 0));
  t.log(`${changes} writes, ${killed} of ${tried} killed`);
});
