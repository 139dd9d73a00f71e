// One file with everything, made beside a companion that runs and put back on another machine, by the program that people run.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { secretFile, temporaryFolder } from '../helpers/cliProcess.ts';
import { PROGRAM } from '../helpers/program.ts';
import { startService } from '../helpers/service.ts';

const PASSWORD = 'wallet horse';
const BACKUP_PASSWORD = 'backup horse';

/** It needs the program and the words alone: a person's second machine. */
function command(folder: string, ...words: string[]) {
  const places = ['--config-dir', path.join(folder, 'config'), '--data-dir', path.join(folder, 'data')];
  return spawnSync(process.execPath, [PROGRAM, ...words, ...places], { encoding: 'utf8' });
}

test('a backup of two wallets in use comes back on another machine; a wrong password and a changed byte leave nothing', async (t) => {
  const service = await startService(t, { config: { network: 'regtest' } });
  const made: Record<string, string> = {};
  for (const [wallet, route] of [
    ['default', '/api'],
    ['savings', '/api/wallets/savings'],
  ] as const) {
    const { body } = await service.post<{ unified_address: string }>(`${route}/wallet/create`, {
      password: PASSWORD,
      birthday_height: 1,
    });
    made[wallet] = body.unified_address;
  }
  const address = made['savings'];
  t.is((await service.post('/api/contacts', { name: 'Anna', address })).status, 200);
  t.like(await service.get('/api/backup'), { body: { last_backup_at: null, overdue: true } });

  const folder = temporaryFolder(t);
  const file = path.join(folder, 'all.backup');
  const key = ['--password-file', secretFile(folder, 'password', BACKUP_PASSWORD)];
  const backup = command(service.folder, 'backup', file, ...key);
  t.is(backup.status, 0, backup.stderr);
  t.like(await service.get('/api/backup'), { body: { overdue: false, warning: null } });
  t.is((await service.get<{ unlocked: boolean }>('/api/wallet/status')).body.unlocked, true);
  const taken = command(service.folder, 'restore', file, ...key);
  t.is(taken.status, 5, taken.stderr);

  const elsewhere = path.join(folder, 'elsewhere');
  const wrong = ['--password-file', secretFile(folder, 'wrong', PASSWORD)];
  t.is(command(elsewhere, 'restore', file, ...wrong).status, 3);
  const changed = path.join(folder, 'changed.backup');
  const bytes = fs.readFileSync(file);
  bytes[bytes.length - 100]! ^= 1;
  fs.writeFileSync(changed, bytes);
  t.regex(command(elsewhere, 'restore', changed, ...key).stderr, /damaged.*WALLET_CORRUPT/);
  t.false(fs.existsSync(elsewhere));

  const restored = command(elsewhere, 'restore', file, ...key, '--json');
  t.is(restored.status, 0, restored.stderr);
  t.deepEqual((JSON.parse(restored.stdout) as { wallets: string[] }).wallets, ['default', 'savings']);
  const again = await startService(t, { folder: elsewhere });
  const opened = await again.post('/api/wallet/unlock', { password: PASSWORD });
  t.like(opened, { status: 200, body: { unified_address: made['default'] } });
  const savings = await again.post('/api/wallets/savings/wallet/unlock', { password: PASSWORD });
  t.like(savings, { status: 200, body: { unified_address: made['savings'] } });
  const { body } = await again.get<{ contacts: { name: string }[] }>('/api/contacts');
  t.deepEqual(
    body.contacts.map(({ name }) => name),
    ['Anna'],
  );
  await again.stop();
  await service.stop();
});
