import { closeSync, openSync } from 'node:fs';
import test from 'ava';
import type { ServeOptions } from '../../src/cli/cliEnvironment.ts';
import { CliProcess, secretFile, temporaryFolder } from '../helpers/cliProcess.ts';

test('serve without flags runs on port 3000 with everything else as configured', async (t) => {
  const cli = new CliProcess();
  t.is((await cli.run('serve')).code, 0);
  t.deepEqual(cli.served, [{ port: 3000, follow: false }]);
});

test('desktop opens the window on the same files', async (t) => {
  const cli = new CliProcess();
  t.is((await cli.run('desktop', '--data-dir', 'd', '--network', 'test')).code, 0);
  t.deepEqual(cli.windows, [{ dataDir: 'd', network: 'test' }]);
});

test('serve passes every flag on', async (t) => {
  const cli = new CliProcess();
  const flags =
    '--port 0 --host ::1 --network test --node-url http://127.0.0.1:18232 --compact-server-url 127.0.0.1:9067 --node-cookie-file k --config-dir c --data-dir d --follow --keep-open --no-log-file --log-json --end-with-stdin';
  t.is((await cli.run('serve', ...flags.split(' '))).code, 0);
  t.deepEqual(cli.served, [
    {
      port: 0,
      host: '::1',
      network: 'test',
      nodeUrl: 'http://127.0.0.1:18232',
      compactServerUrl: '127.0.0.1:9067',
      nodeCookieFile: 'k',
      configDir: 'c',
      dataDir: 'd',
      follow: true,
      keepOpen: true,
      noLogFile: true,
      logJson: true,
      endWithStdin: true,
    },
  ]);
});

for (const flags of [
  '--port 65536',
  '--port -1',
  '--port http',
  '--network moon',
  '--node-url ftp://x',
  '--node-url http://u:p@x',
  '--compact-server-url x:9067',
  '--nope',
  'extra',
]) {
  test(`serve ${flags} is refused with exit code 2`, async (t) => {
    const cli = new CliProcess();
    const { code, stderr } = await cli.run('serve', ...flags.split(' '));
    t.is(code, 2);
    t.not(stderr, '');
    t.is(cli.served.length, 0);
  });
}

test('serve and desktop pass the password on, from a file or a descriptor, wherever the flag stands', async (t) => {
  const folder = temporaryFolder(t);
  const file = secretFile(folder, 'password', 'hunter2');
  const cli = new CliProcess();
  t.is((await cli.run('serve', '--password-file', file)).code, 0);
  t.is((await cli.run('--password-file', file, 'serve', '--port', '0')).code, 0);
  t.is((await cli.run('desktop', '--password-file', file)).code, 0);
  const fd = openSync(file, 'r');
  t.teardown(() => closeSync(fd));
  t.is((await cli.run('serve', '--password-fd', String(fd))).code, 0);
  t.is((await cli.run('serve')).code, 0);
  t.deepEqual(cli.passwords, ['hunter2', 'hunter2', 'hunter2', 'hunter2', undefined]);
  t.false(JSON.stringify(cli.served).includes('hunter2'));
});

for (const flags of [
  ['--password-file', '/no/such/file'],
  ['--password-fd', '987654'],
  ['--password-fd', 'x'],
]) {
  test(`serve ${flags.join(' ')} is refused and starts nothing`, async (t) => {
    const cli = new CliProcess();
    const { code, stderr } = await cli.run('serve', ...flags);
    t.is(code, 2);
    t.regex(stderr, /password .*(?:cannot be read|must be a number)/);
    t.is(cli.served.length, 0);
  });
}

test('demo and devnet are commands, with their flags', async (t) => {
  const cli = new CliProcess();
  t.is((await cli.run('demo', '--once')).code, 0);
  t.is((await cli.run('devnet')).code, 0);
  const flags = '--node-port 0 --compact-port 1 --ironwood-height 20 --seed s'.split(' ');
  t.is((await cli.run('devnet', ...flags)).code, 0);
  t.deepEqual(cli.shows, [
    { demo: { once: true } },
    { devnet: { nodePort: 18232, compactPort: 9067, ironwoodHeight: 1, seed: 'devnet' } },
    { devnet: { nodePort: 0, compactPort: 1, ironwoodHeight: 20, seed: 's' } },
  ]);
  for (const bad of ['--node-port x', '--compact-port 65536', '--ironwood-height 0']) {
    t.is((await cli.run('devnet', ...bad.split(' '))).code, 2, bad);
  }
});

test('the service opens the wallets that serve would open', async (t) => {
  const cli = new CliProcess();
  t.is((await cli.run('service', 'install', '--wallet-password-file', 'savings=/tmp/s')).code, 0);
  t.deepEqual(
    cli.services.map((one) => (one as { options: ServeOptions }).options.walletPasswordFiles),
    [new Map([['savings', '/tmp/s']])],
  );
  t.is((await cli.run('service', 'install', '--wallet-password-file', 'default=/tmp/s')).code, 2);
});
