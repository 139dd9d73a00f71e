import test from 'ava';
import { CliProcess } from '../helpers/cliProcess.ts';

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
    '--port 0 --host ::1 --network test --node-url http://127.0.0.1:18232 --compact-server-url 127.0.0.1:9067 --node-cookie-file k --config-dir c --data-dir d --follow --keep-open';
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
