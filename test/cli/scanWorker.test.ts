// What `scan-worker` takes: files with secrets, and never a secret.

import test from 'ava';
import { CliProcess } from '../helpers/cliProcess.ts';

test('scan-worker takes the queue, its files and its own chain side', async (t) => {
  const cli = new CliProcess();
  const words = ['--fleet-redis-url', 'redis://127.0.0.1', '--fleet-key-file', 'k', '--threads', '6'];
  t.is((await cli.run('scan-worker', ...words, '--network', 'main', '--source', 'node')).code, 0);
  t.is((await cli.run('scan-worker', '--lock-seconds', '5')).code, 0);
  t.deepEqual(cli.shows, [
    {
      scanWorker: {
        network: 'main',
        source: 'node',
        lockSeconds: 30,
        threads: 6,
        fleetRedisUrl: 'redis://127.0.0.1',
        fleetKeyFile: 'k',
      },
    },
    { scanWorker: { source: 'compact', lockSeconds: 5 } },
  ]);
});

test('scan-worker names the flag that is wrong, and starts nothing', async (t) => {
  const cli = new CliProcess();
  for (const [flag, value] of [
    ['--source', 'disk'],
    ['--threads', '0'],
    ['--threads', '17'],
    ['--lock-seconds', 'soon'],
  ] as const) {
    const { code, stderr } = await cli.run('scan-worker', flag, value);
    t.is(code, 2);
    t.regex(stderr, new RegExp(`${flag} must be`));
  }
  t.deepEqual(cli.shows, []);
});

test('there is no flag for a key or a password themselves', async (t) => {
  const { stdout } = await new CliProcess().run('scan-worker', '--help');
  t.notRegex(stdout, /--(?:fleet-)?(?:key|redis-password)[ =<]/);
});
