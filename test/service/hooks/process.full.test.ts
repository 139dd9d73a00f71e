// Hooks of the companion as people run it: told, listed, taken from an edited file, and alive after a kill.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { startService } from '../../helpers/service.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { until } from '../../helpers/until.ts';

const PASSWORD = 'correct horse';
const unixOnly = process.platform === 'win32' ? test.skip : test;

unixOnly('a program gets the events from unlock to kill, and its numbers rise over both', async (t) => {
  const folder = temporaryFolder(t);
  const program = path.join(folder, 'hook');
  const heard = path.join(folder, 'heard');
  fs.writeFileSync(program, `#!/bin/sh\ncat >> "${heard}"\n`, { mode: 0o755 });
  fs.chmodSync(program, 0o755);
  const lines = () =>
    fs.existsSync(heard)
      ? fs
          .readFileSync(heard, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : [];
  const hook = { name: 'tell', events: ['wallet.unlocked', 'wallet.locked', 'change'], command: [program] };
  const config = { network: 'regtest', node_url: 'http://127.0.0.1:1', on_event: [hook] };
  const first = await startService(t, { config });
  t.like((await first.get<{ hooks: object[] }>('/api/hooks')).body.hooks, [
    { name: 'tell', kind: 'command', target: 'hook', last_sequence: 0, last_delivered_at: null },
  ]);
  await first.post('/api/wallet/create', { password: PASSWORD });
  await until(() => lines().length >= 2);
  t.deepEqual(
    lines()
      .map(({ event }) => event)
      .sort(),
    ['hook.started', 'wallet.unlocked'],
  );
  await first.post('/api/wallet/lock');
  await until(() => lines().length >= 3);
  t.like(lines()[2], { event: 'wallet.locked', hook: 'tell', data: { reason: 'asked' } });
  await first.kill();

  const again = await startService(t, { folder: first.folder });
  await again.post('/api/wallet/unlock', { password: PASSWORD });
  await until(() => lines().length >= 4);
  t.is(lines()[3].event, 'wallet.unlocked', 'what has begun begins once');
  const numbers = lines().map(({ sequence }) => sequence);
  t.deepEqual(
    numbers,
    [...new Set(numbers)].sort((a, b) => a - b),
  );
  t.is(fs.statSync(path.join(again.dataDir, 'hooks.json')).mode & 0o777, 0o600);

  const file = path.join(again.configDir, 'config.json');
  const reload = async (text: string, says: string) => {
    fs.writeFileSync(file, text);
    const before = again.output().split(says).length;
    process.kill(again.pid ?? (t.fail() as never), 'SIGHUP');
    await until(() => again.output().split(says).length > before);
  };
  const listed = async () => (await again.get<{ hooks: { name: string }[] }>('/api/hooks')).body.hooks;
  await reload(
    JSON.stringify({ ...config, on_event: [{ ...hook, shell: true }] }),
    'config.json not read again',
  );
  t.is((await listed()).length, 1);
  await reload(JSON.stringify({ ...config, on_event: [] }), 'config.json read again');
  t.deepEqual(await listed(), []);
  fs.chmodSync(file, 0o666);
  await reload(JSON.stringify(config), 'on_event not read again');
  t.deepEqual(await listed(), [], 'others could have written it');
  fs.chmodSync(file, 0o644);
  await reload(JSON.stringify(config), 'config.json read again');
  t.is((await listed()).length, 1);
  t.false(again.output().includes(program), 'what is run is not logged');
  t.is(await again.stop(), 0);
  fs.chmodSync(file, 0o666);
  const refused = await t.throwsAsync(startService(t, { folder: first.folder }));
  t.regex(refused?.message ?? '', /ended with 2: .*nobody else may write it/s);
});

unixOnly('a disk that is too full at the start is reported at once', async (t) => {
  const folder = temporaryFolder(t);
  const program = path.join(folder, 'hook');
  const heard = path.join(folder, 'heard');
  fs.writeFileSync(program, `#!/bin/sh\ncat > "${heard}.new" && mv "${heard}.new" "${heard}"\n`, {
    mode: 0o755,
  });
  const disk_low_bytes = Number.MAX_SAFE_INTEGER;
  const on_event = [{ name: 'disk', events: ['disk.low'], command: [program] }];
  await startService(t, { config: { network: 'regtest', disk_low_bytes, on_event } });
  await until(() => fs.existsSync(heard));
  const reported = JSON.parse(fs.readFileSync(heard, 'utf8'));
  t.like(reported, { event: 'disk.low', data: { low: true, limit_bytes: disk_low_bytes } });
});
