// Commands as people start them: a process each, without a companion.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { acquireDirectoryLock } from '@wallet-companion/disk/lock';
import test, { type ExecutionContext } from 'ava';
import { createDataDirectory } from '../../src/storage/files/directories.ts';
import { untilTestEnds } from '../helpers/childProcess.ts';
import { PROGRAM } from '../helpers/program.ts';
import { startService, UNHURRIED } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

interface Folders {
  readonly config: string;
  readonly data: string;
  readonly password: string;
}

function folders(t: ExecutionContext, settings: object = {}): Folders {
  const folder = temporaryFolder(t);
  const [config, data, password] = ['config', 'data', 'password'].map((name) => path.join(folder, name));
  if (config === undefined || data === undefined || password === undefined) throw new Error('no folders');
  mkdirSync(config);
  writeFileSync(path.join(config, 'config.json'), JSON.stringify(settings));
  writeFileSync(password, 'correct horse\n', { mode: 0o600 });
  return { config, data, password };
}

function command(t: ExecutionContext, { config, data, password }: Folders, ...words: readonly string[]) {
  const files = ['--config-dir', config, '--data-dir', data, '--password-file', password];
  const { WALLET_COMPANION_LOG: _, ...env } = process.env;
  const started = spawn(process.execPath, [...UNHURRIED, PROGRAM, ...words, ...files], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const child = untilTestEnds(t, started);
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
  const says = async (text: RegExp, on: keyof typeof output = 'stderr'): Promise<void> => {
    while (!text.test(output[on])) {
      const end = await Promise.race([once(child[on], 'data'), ended]);
      if (!Array.isArray(end)) throw new Error(`ended with ${end.code}: ${end.stderr}`);
    }
  };
  return { ended, says, interrupt: () => child.kill('SIGINT') };
}

test('a wallet is made while the node is down, without a stack trace above its phrase', async (t) => {
  const where = folders(t, { network: 'regtest', node_url: 'http://127.0.0.1:1' });
  const { code, stdout, stderr } = await command(t, where, 'wallet', 'create').ended;
  t.is(code, 0);
  t.regex(stdout, /^mnemonic +(\w+ ){23}\w+$/m);
  t.regex(stdout, /^warning +The source of blocks gave no usable answer/m);
  t.is(
    stderr,
    '\nWrite the recovery phrase down now: anyone who has it has the funds, and without it they are lost. "wallet-companion wallet backup" shows it again.\n',
  );
  const unlocked = await command(t, where, 'wallet', 'unlock').ended;
  t.is(unlocked.code, 0);
  t.regex(unlocked.stdout, /nothing stays open/);
});

test('a command waits for another one that uses the data directory', async (t) => {
  const where = folders(t);
  createDataDirectory(where.data);
  const lock = await acquireDirectoryLock(where.data);
  if (lock.state !== 'acquired') throw new Error('the lock is taken');
  const { ended, says } = command(t, where, 'wallet', 'exists', '--json');
  try {
    await says(/Waiting/);
  } finally {
    lock.release();
  }
  const { code, stdout } = await ended;
  t.is(code, 0);
  t.deepEqual(JSON.parse(stdout), { exists: false });
});

test('watch lives through the death and the return of the companion, and shows what happens then', async (t) => {
  const service = await startService(t, { config: { network: 'regtest', node_url: 'http://127.0.0.1:1' } });
  const { configDir, dataDir, folder } = service;
  const where = { ...folders(t), config: configDir, data: dataDir };
  const { ended, says, interrupt } = command(t, where, 'watch');
  await says(/Watching: there is no wallet/);
  await service.kill();
  await says(/gone; waiting/);
  const next = await startService(t, { folder });
  await says(/gone; waiting[\s\S]*Watching/);
  t.is((await next.post('/api/config/theme', { theme: 'dark' })).status, 200);
  t.is((await next.post('/api/wallet/create', { password: 'p' })).status, 200);
  await says(/Z {2}the configuration changed\n/, 'stdout');
  const log = command(t, where, 'log', '--json', '--lines', '1000').ended;
  t.regex((await log).stdout, /"msg":"wallet unlocked"/);
  interrupt();
  t.is((await ended).code, 130);
});

test('the doctor answers without a companion, without a wallet, and with a config.json that stops the start', async (t) => {
  const where = folders(t, { network: 'regtest', node_url: 'http://127.0.0.1:1', them: 'dark' });
  const { code, stdout } = await command(t, where, 'doctor', '--json').ended;
  // No server answers here.
  t.is(code, 6);
  const { checks } = JSON.parse(stdout) as { checks: { check: string; state: string; what: string }[] };
  const state = (name: string) => checks.find(({ check }) => check === name)?.state;
  t.is(state('companion'), 'warn');
  t.is(state('wallets'), 'warn');
  t.is(state('node'), 'fail');
  t.is(state('files'), 'ok');
  t.regex(checks.find(({ check }) => check === 'config')?.what ?? '', /"them" .*did you mean "theme"/);
  t.false(stdout.includes(path.dirname(where.data)));
  writeFileSync(path.join(where.config, 'config.json'), '{ "theme": ');
  const broken = await command(t, where, 'doctor').ended;
  t.is(broken.code, 6);
  t.regex(broken.stdout, /^FAIL {2}companion .*config\.json, line 1/m);
  t.regex(broken.stdout, /^ok +files/m);
});
