// Wallets beside the default one as people have them: made by a command, found by the service that starts next, and named
// in its log.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Devnet } from '@wallet-companion/devnet';
import { regtestParameters } from '@wallet-companion/zcash/network';
import test from 'ava';
import { PROGRAM } from '../helpers/program.ts';
import { startService, UNHURRIED } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

interface Ran {
  readonly code: number;
  readonly body: Record<string, unknown>;
}

test('a wallet that a command has made is served beside the others, to commands and over HTTP', async (t) => {
  const devnet = new Devnet({ params: regtestParameters({ nu6_3: 1 }), seed: 'wallets program' });
  t.teardown(() => devnet.close());
  const nodeUrl = await devnet.node.listen();
  const folder = temporaryFolder(t);
  const password = path.join(folder, 'password');
  writeFileSync(password, 'of savings\n', { mode: 0o600 });
  const where = [
    '--config-dir',
    path.join(folder, 'config'),
    '--data-dir',
    path.join(folder, 'data'),
    '--json',
  ];
  const run = (...words: string[]): Promise<Ran> =>
    new Promise((resolve) => {
      const all = [...UNHURRIED, PROGRAM, ...words, ...where, '--password-file', password];
      const child = execFile(process.execPath, all, (_error, stdout) =>
        resolve({ code: child.exitCode ?? -1, body: JSON.parse(stdout) as Record<string, unknown> }),
      );
    });

  // Without a companion; the network is the wallet's from then on.
  const made = await run(
    '--network',
    'regtest',
    '--wallet',
    'savings',
    'wallet',
    'create',
    '--birthday-height',
    '1',
  );
  t.is(made.code, 0);
  t.like(made.body, { network: 'regtest' });
  t.deepEqual((await run('wallet', 'exists')).body, { exists: false });
  t.like((await run('version')).body, { network: 'regtest' });

  devnet.payTo(String(made.body['unified_address']), { pool: 'orchard', zatoshi: 4_321 });
  const service = await startService(t, {
    folder,
    args: ['--node-url', nodeUrl],
    config: { activation_heights: { nu6_3: 1 } },
  });
  t.teardown(service.remove);
  // Through the private socket of the one that runs.
  t.like((await run('--wallet', 'savings', 'sync')).body, { notes_found: 1, caught_up: true });
  t.like((await run('--wallet', 'savings', 'balance')).body, { total_zatoshi: 4_321 });
  t.like((await service.get('/api/wallets/savings/balance')).body, { total_zatoshi: 4_321 });
  t.is((await service.get('/api/balance')).status, 404);
  const { wallets } = (await run('wallet', 'list')).body as { wallets: object[] };
  t.deepEqual(wallets, [
    {
      name: 'default',
      exists: false,
      watch_only: null,
      unlocked: false,
      syncing: false,
      last_scan_height: null,
    },
    {
      name: 'savings',
      exists: true,
      watch_only: false,
      unlocked: true,
      syncing: false,
      last_scan_height: 1,
    },
  ]);
  t.is((await service.get('/readyz?mode=unlocked&wallet=savings')).status, 200);
  t.is((await service.get('/readyz?mode=unlocked')).status, 503);
  t.is((await service.get('/readyz?mode=synced&wallet=savings')).status, 200);
  t.is(await service.stop(), 0);

  const opened = await startService(t, { folder, args: ['--wallet-password-file', `savings=${password}`] });
  t.is((await opened.get('/readyz?mode=unlocked&wallet=savings')).status, 200);
  t.is(await opened.stop(), 0);
  writeFileSync(password, 'another\n');
  const refused = await t.throwsAsync(
    startService(t, { folder, args: ['--wallet-password-file', `savings=${password}`] }),
  );
  t.true(refused?.message.startsWith('serve ended with 3: '), refused?.message);
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const reported = lines.map((line) => JSON.parse(line) as { msg: string; wallet?: string });
  for (const msg of ['wallet unlocked', 'notes found', 'scanned up to the chain tip', 'wallet locked'])
    t.deepEqual(
      reported.filter((line) => line.msg === msg).map(({ wallet }) => wallet),
      ['savings'],
      msg,
    );
});
