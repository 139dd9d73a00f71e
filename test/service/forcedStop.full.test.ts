// A companion that is told to end does, whatever holds its threads.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { startService, UNHURRIED } from '../helpers/service.ts';

const PRELOAD = new URL('./programs/heldThread.js', import.meta.url).href;

const posix = process.platform === 'win32' ? test.skip : test;

posix('a thread that hangs in the system does not keep the process from ending', async (t) => {
  const service = await startService(t, {
    config: { network: 'regtest' },
    // Real patience: this is what is tested.
    within: (command, folder) => [
      '/usr/bin/env',
      `HELD_BY=${path.join(folder, 'pipe')}`,
      ...command
        .filter((word) => !(UNHURRIED as readonly string[]).includes(word))
        .toSpliced(1, 0, '--import', PRELOAD),
    ],
  });
  const password = 'correct horse';
  t.is((await service.post('/api/wallet/create', { password, birthday_height: 1 })).status, 200);
  spawnSync('mkfifo', [path.join(service.folder, 'pipe')]);
  while (!existsSync(path.join(service.folder, 'pipe.held'))) await pause(20);
  const code = await service.stop();
  t.is(code, null, service.output());
  t.regex(service.output(), /not everything ended in time/);
  const again = await startService(t, { folder: service.folder });
  t.teardown(() => again.stop());
  t.is((await again.post('/api/wallet/unlock', { password })).status, 200);
});
