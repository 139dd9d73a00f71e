// How the companion starts, and how it refuses to.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { oneIn } from '@wallet-companion/base/test/atLength';
import { DEFAULT_KDF } from '@wallet-companion/disk/sealing';
import test, { type ExecutionContext } from 'ava';
import { parseContainer } from '../../src/storage/wallet/walletFormat.ts';
import { untilTestEnds } from '../helpers/childProcess.ts';
import { PROGRAM } from '../helpers/program.ts';
import { startService } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

function run(folder: string, ...args: string[]) {
  const folders = ['--config-dir', path.join(folder, 'config'), '--data-dir', path.join(folder, 'data')];
  return spawnSync(process.execPath, [PROGRAM, ...args, ...folders], { encoding: 'utf8' });
}

async function start(t: ExecutionContext, config: object = { network: 'regtest' }) {
  const service = await startService(t, { config });
  t.teardown(async () => {
    await service.stop();
    service.remove();
  });
  return service;
}

test('the first requests get their answers, not a request to come back', async (t) => {
  const service = await start(t, {
    network: 'regtest',
    compact_server_url: '127.0.0.1:9',
    node_url: 'http://127.0.0.1:9',
  });
  const [tip, exists] = await Promise.all([
    service.get('/api/lwd/chain-tip'),
    service.get('/api/wallet/exists'),
  ]);
  t.like(tip, { status: 502, body: { code: 'COMPACT_SERVER_UNREACHABLE' } });
  t.like(exists, { status: 200, body: { exists: false } });
});

test('a second process on the data directory says which one holds it, and where', async (t) => {
  const service = await start(t);
  const { status, stdout, stderr } = run(service.folder, 'serve', '--port', '0');
  t.is(status, 6);
  t.is(stdout, '');
  t.true(stderr.includes(`Process ${service.pid} (at ${service.url})`), stderr);
  t.is(run(service.folder, '--json', 'wallet', 'exists').stdout, '{"exists":false}\n');
  t.like(await service.get('/healthz'), { status: 200, body: { status: 'ok' } });
});

test('a wallet keeps its network where neither config.json nor a flag names one', async (t) => {
  const made = await startService(t, { args: ['--network', 'regtest'] });
  await made.post('/api/wallet/create', { password: 'pw', birthday_height: 1 });
  // Tests that start the threads themselves make the key of a password at no cost: the program never does.
  t.deepEqual(parseContainer(readFileSync(path.join(made.dataDir, 'wallet.dat')), 1).kdf, DEFAULT_KDF);
  await made.stop();
  const again = await startService(t, { folder: made.folder });
  t.teardown(() => again.stop());
  t.like(await again.get('/api/version'), { body: { network: 'regtest' } });
  t.is((await again.post('/api/wallet/unlock', { password: 'pw' })).status, 200);
  await again.stop();
  const other = await startService(t, { folder: made.folder, args: ['--network', 'test'] });
  t.teardown(() => other.stop());
  t.like(await other.post('/api/wallet/unlock', { password: 'pw' }), {
    status: 409,
    body: { code: 'NETWORK_MISMATCH' },
  });
});

// What is wrong is looked at where the file is read: the program tells it.
for (const [what, text, where] of oneIn(3, [
  ['with a missing comma', '{\n  "network": "main"\n  "theme": "dark"\n}', 'line 3'],
  ['cut off', '{\n  "network": "ma', 'line 2'],
  ['empty', '', 'line 1'],
  [
    'with a wrong value',
    '{\n  "theme": "dark",\n  "last_scan_height": "many"\n}',
    'line 3: "last_scan_height"',
  ],
  ['with a key that stands twice', '{"network": "main",\n"network": "test"}', 'line 2'],
] as const)) {
  test(`a config.json ${what} stops the start, says where, and is left as it is`, (t) => {
    const folder = temporaryFolder(t);
    const file = path.join(folder, 'config', 'config.json');
    mkdirSync(path.dirname(file));
    writeFileSync(file, text);
    const { status, stderr, stdout } = run(folder, 'serve', '--port', '0');
    t.is(status, 2);
    t.is(stdout, '');
    t.true(stderr.includes(`config.json, ${where}`), stderr);
    t.is(readFileSync(file, 'utf8'), text);
    t.deepEqual(readdirSync(folder), ['config']);
  });
}

for (const host of oneIn(2, ['0.0.0.0', '::', 'example.com', '192.168.1.1'])) {
  test(`--host ${host} is refused`, (t) => {
    const { status, stderr } = run(temporaryFolder(t), 'serve', '--port', '0', '--host', host);
    t.is(status, 2);
    t.regex(stderr, /127\.0\.0\.1/);
  });
}

test('a reader that goes away early is no fault of the command', async (t) => {
  const child = untilTestEnds(
    t,
    spawn(process.execPath, [PROGRAM, 'completion', 'bash'], { stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  child.stdout.destroy();
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const [code] = await once(child, 'close');
  t.is(complaints, '');
  t.is(code, 0);
});
