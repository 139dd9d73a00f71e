import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { CliProcess, secretFile, temporaryFolder } from '../helpers/cliProcess.ts';
import { PROGRAM } from '../helpers/program.ts';
import { startService } from '../helpers/service.ts';
import { until } from '../helpers/until.ts';

const URL = 'http://127.0.0.1:7';
const ORIGIN = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';

test('an origin is allowed once, however it is written, and taken back', async (t) => {
  const cli = new CliProcess();
  t.is((await cli.run('config', 'allow-origin', ORIGIN)).code, 0);
  t.is((await cli.run('config', 'allow-origin', `${ORIGIN}/`)).code, 0);
  t.deepEqual(cli.settings.allowed_origins, [ORIGIN]);
  await cli.run('config', 'allow-origin', 'moz-extension://x');
  await cli.run('config', 'allow-origin', ORIGIN, '--remove');
  t.deepEqual(cli.settings.allowed_origins, ['moz-extension://x']);
});

test('numbers are numbers', async (t) => {
  const cli = new CliProcess();
  const { stdout } = await cli.run('config', 'min-confirmations', '10', '--json');
  t.deepEqual(JSON.parse(stdout), { ...cli.settings, min_confirmations: 10 });
  await cli.run('config', 'auto-lock-seconds', '0');
  t.is(cli.settings.auto_lock_seconds, 0);
  for (const text of ['ten', '1.5', '0x10', '-1', '']) {
    t.is((await cli.run('config', 'auto-lock-seconds', text)).code, 2, text);
  }
  t.is(cli.settings.auto_lock_seconds, 0);
});

test("the cookie file's path is made absolute, and left out clears it", async (t) => {
  const cli = new CliProcess();
  await cli.run('config', 'node-cookie-file', 'some/.cookie');
  t.is(cli.settings.node_cookie_file, path.resolve('some/.cookie'));
  await cli.run('config', 'node-cookie-file');
  t.is(cli.settings.node_cookie_file, null);
});

test('they are not changed through another companion', async (t) => {
  const cli = new CliProcess();
  const { code, stderr } = await cli.run('config', 'allow-origin', ORIGIN, '--url', 'http://127.0.0.1:1');
  t.is(code, 2);
  t.regex(stderr, /--url/);
  t.deepEqual(cli.settings.allowed_origins, []);
});

const command = (folder: string, ...words: string[]) => {
  const folders = ['--config-dir', path.join(folder, 'config'), '--data-dir', path.join(folder, 'data')];
  return spawnSync(process.execPath, [PROGRAM, ...words, ...folders], { encoding: 'utf8' });
};

test('the program writes config.json, refuses what it may not hold, and keeps the rest', (t) => {
  const folder = temporaryFolder(t);
  t.is(command(folder, 'config', 'allow-origin', ORIGIN).status, 0);
  t.is(command(folder, 'config', 'min-confirmations', '6').status, 0);
  const file = path.join(folder, 'config', 'config.json');
  const written = readFileSync(file, 'utf8');
  t.deepEqual(JSON.parse(written), { allowed_origins: [ORIGIN], min_confirmations: 6 });
  for (const words of [
    ['allow-origin', 'https://example.com'],
    ['allow-origin', '*'],
    ['min-confirmations', '0'],
    ['auto-lock-seconds', '999999999'],
  ]) {
    const { status, stderr } = command(folder, 'config', ...words);
    t.is(status, 2, words.join(' '));
    t.regex(stderr, /INVALID_REQUEST/);
  }
  t.is(readFileSync(file, 'utf8'), written);
});

test('a password that comes along before there is a wallet is harmless', (t) => {
  const folder = temporaryFolder(t);
  const set = (password: string) =>
    command(folder, 'config', 'node-url', URL, '--password-file', secretFile(folder, 'password', password));
  t.is(set('a good password').status, 0);
  t.is(JSON.parse(readFileSync(path.join(folder, 'config', 'config.json'), 'utf8')).node_url, URL);
  t.is(set('x'.repeat(1025)).status, 2);
});

test('a running companion takes a setting at once, and must be stopped for one that it reads at its start', async (t) => {
  const service = await startService(t);
  t.teardown(async () => {
    await service.stop();
    service.remove();
  });
  const { status, stderr } = command(service.folder, 'config', 'node-cookie-file', 'x');
  t.is(status, 6);
  t.regex(stderr, /Stop the companion with pid \d+ first/);
  t.is(command(service.folder, 'config', 'min-confirmations', '6').status, 0);
  await until(async () => (await service.get('/api/config')).body['min_confirmations'] === 6);
  await service.post('/api/config/theme', { theme: 'dark' });
  t.like(JSON.parse(readFileSync(path.join(service.configDir, 'config.json'), 'utf8')), {
    min_confirmations: 6,
    theme: 'dark',
  });
  // Another folder's file is not the one that it reads.
  const elsewhere = ['--config-dir', temporaryFolder(t), '--data-dir', service.dataDir];
  const other = spawnSync(process.execPath, [PROGRAM, 'config', 'min-confirmations', '7', ...elsewhere]);
  t.is(other.status, 6);
});

test('unknown keys of config.json are reported with the settings, beside the answer', async (t) => {
  const cli = new CliProcess();
  cli.configWarnings = ['config.json, line 2: "them\u001b[2J" is no setting'];
  for (const words of [
    ['config', 'get'],
    ['config', 'get', '--json'],
    ['config', 'auto-lock-seconds', '60'],
  ]) {
    const { code, stderr } = await cli.run(...words);
    t.is(code, 0);
    t.is(stderr, 'warning: config.json, line 2: "them\\u{1b}[2J" is no setting\n');
  }
  // The file of a companion behind a URL is not here.
  cli.configWarnings = [];
  t.is((await cli.run('config', 'get')).stderr, '');
});
