// The program itself is killed while it pays: the same key over another surface is the same payment, which is sent once.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Devnet } from '@wallet-companion/devnet';
import test from 'ava';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import type { Output } from '../../src/protocol/operations.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { PROGRAM } from '../helpers/program.ts';
import { startService } from '../helpers/service.ts';

const PASSWORD = 'lime-harbour-Zvoneček-8841';

type Paid = Output<'payments.pay'>;

test('killed before it is sent, and behind it, with the answer lost: HTTP, the private socket and the command line pay once', async (t) => {
  const devnet = new Devnet({ seed: t.title });
  const config = { network: 'regtest', node_url: await devnet.node.listen(), auto_lock_seconds: 0 };
  let service = await startService(t, { config });
  t.teardown(() => devnet.close());
  const made = await service.post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
  const address = String(made.body['unified_address']);
  for (let i = 0; i < 3; i++) devnet.payTo(address, { pool: 'ironwood', zatoshi: 1_000_000n });
  devnet.mineEmpty(12);
  await service.post('/api/sync', {});
  const passwordFile = path.join(service.folder, 'password');
  writeFileSync(passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
  const order = (key: string) => ({ idempotency_key: key, address, zatoshi: 100_000, password: PASSWORD });

  const kept = async (): Promise<number> => {
    const { body } = await service.get<Output<'payments.list'>>('/api/payments');
    return body.payments.length;
  };
  const over: Readonly<Record<string, (key: string) => Promise<Paid>>> = {
    HTTP: async (key) => (await service.post<Paid>('/api/pay', order(key))).body,
    socket: async (key) => {
      const link = createSocketLink(socketPath(service.dataDir));
      const result = await link.dispatch('payments.pay', order(key), { requestId: 'pay' });
      await link.close();
      return unwrap(result);
    },
    command: async (key) => {
      const said = ['--url', service.url, '--json', '--password-file', passwordFile];
      const paying = [
        'pay',
        '--to',
        address,
        '--zatoshi',
        '100000',
        '--yes',
        '--no-wait',
        '--idempotency-key',
        key,
      ];
      const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...said, ...paying]);
      return JSON.parse(stdout) as Paid;
    },
  };
  const moments = [
    ['HTTP', async () => (await kept()) > 0],
    ['socket', () => devnet.mempool.size === 2],
    ['command', () => devnet.mempool.size === 3],
  ] as const;
  for (const [i, [way, hasCome]] of moments.entries()) {
    const lost = service.post('/api/pay', order(way)).catch(() => undefined);
    while (!(await hasCome())) await turn();
    await service.kill();
    await lost;
    service = await startService(t, { folder: service.folder });
    const paid = await over[way]!(way);
    t.like(paid, { status: 'sent', repeated: true }, way);
    t.deepEqual(await over['HTTP']!(way), paid, way);
    t.is(devnet.mempool.size, i + 1, way);
    t.is(await kept(), i + 1, way);
  }
});
