// SIGHUP asks for config.json to be read again, and ends nobody.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { untilTestEnds } from '../helpers/childProcess.ts';
import { PROGRAM } from '../helpers/program.ts';
import { startService } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { until } from '../helpers/until.ts';

const ORIGIN = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
const CONFIG = { network: 'regtest', node_url: 'http://127.0.0.1:1', theme: 'light' };

const unixOnly = process.platform === 'win32' ? test.skip : test;

unixOnly('SIGHUP reloads allowed origins and log level, and keeps the rest', async (t) => {
  const service = await startService(t, { config: CONFIG });
  t.teardown(async () => {
    await service.kill();
    service.remove();
  });
  const pid = service.pid ?? t.fail();
  const file = path.join(service.configDir, 'config.json');
  const count = (text: string): number => service.output().split(text).length - 1;
  const hangUp = async (says: string): Promise<void> => {
    const before = count(says);
    process.kill(Number(pid), 'SIGHUP');
    await until(() => count(says) > before);
  };
  const asExtension = async (): Promise<number> =>
    (await fetch(`${service.url}/api/version`, { headers: { origin: ORIGIN } })).status;
  t.is(await asExtension(), 403);
  t.is(count('"request"'), 0, 'no line for a request at this level');

  writeFileSync(
    file,
    JSON.stringify({ ...CONFIG, theme: 'dark', allowed_origins: [ORIGIN], log_level: 'debug' }),
  );
  await hangUp('config.json read again');
  t.is(await asExtension(), 200);
  await until(() => count('"request"') > 0);
  t.like(await service.get('/api/config'), { body: { allowed_origins: [ORIGIN], theme: 'light' } });

  writeFileSync(file, '{ "allowed_origins": [');
  await hangUp('config.json not read again');
  t.is(await asExtension(), 200, 'what is wrong with the file changes nothing');
  t.false(service.output().includes('allowed_origins": ['));

  // What the companion writes next keeps what was reloaded.
  await service.post('/api/config/theme', { theme: 'system' });
  t.like(JSON.parse(readFileSync(file, 'utf8')), {
    theme: 'system',
    allowed_origins: [ORIGIN],
    log_level: 'debug',
  });
  writeFileSync(file, JSON.stringify(CONFIG));
  await hangUp('config.json read again');
  t.is(await asExtension(), 403, 'a key that is gone has its default');
  t.is(await service.stop(), 0);
});

unixOnly('SIGHUP while a command loads and runs does not end it', async (t) => {
  const folder = temporaryFolder(t);
  const args = [
    PROGRAM,
    '--config-dir',
    folder,
    '--data-dir',
    path.join(folder, 'data'),
    '--json',
    'wallet',
    'exists',
  ];
  // From the first moment at which the program can have handled a signal, and before its answer. Not after it: a process that
  // ends has no handlers any more.
  const hangUps = `process.once('SIGHUP', () => {});
    const hangUp = () => process.kill(process.pid, 'SIGHUP');
    hangUp();
    const { write } = process.stdout;
    let hasAnswered = false;
    process.stdout.write = function (...parts) {
      hasAnswered = true;
      hangUp();
      return write.apply(this, parts);
    };
    process.once('exit', () => { if (!hasAnswered) process.exitCode = 99; });`;
  const preload = `data:text/javascript,${encodeURIComponent(hangUps)}`;
  const started = spawn(process.execPath, ['--import', preload, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const child = untilTestEnds(t, started);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  t.is(output, '{"exists":false}\n');
  t.is(code, 0);
});
