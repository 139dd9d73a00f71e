// `--wallet`: which commands take it, where the name comes from, and what it reaches.

import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { ok } from '../../src/protocol/result.ts';
import { CliProcess, secretFile, temporaryFolder } from '../helpers/cliProcess.ts';
import { startHttpFront } from '../helpers/httpFront.ts';
import { until } from '../helpers/until.ts';

const named = (cli: CliProcess): readonly (string | undefined)[] =>
  cli.link.calls.map(({ context }) => context.wallet);

test('a command is about the wallet that is named, and else about the default one', async (t) => {
  const cli = new CliProcess();
  t.is((await cli.run('balance')).code, 0);
  t.is((await cli.run('--wallet', 'savings', 'balance')).code, 0);
  t.is((await cli.run('balance', '--wallet', 'default')).code, 0);
  t.deepEqual(named(cli), [undefined, 'savings', undefined]);
});

test('a name without a wallet is answered with the names that this caller may see', async (t) => {
  const cli = new CliProcess();
  const [known] = examples['wallets.list'].output.wallets;
  cli.link.failWith('balance.get', { code: 'NO_WALLET', detail: 'There is no wallet yet.' });
  cli.link.answerWith('wallets.list', () =>
    ok({ wallets: ['default', 'shop'].map((name) => ({ ...known!, name, exists: true })), most_open: 16 }),
  );
  const { code, stderr } = await cli.run('--wallet', 'shp', 'balance');
  t.is(code, 4);
  t.regex(stderr.replaceAll(/\s+/g, ' '), /no wallet named shp\. There is default, shop;/);
});

test('the environment names one for every command that takes a name, and the flag wins', async (t) => {
  const cli = new CliProcess();
  cli.wallet = 'savings';
  for (const words of [
    ['balance'],
    ['balance', '--wallet', 'books'],
    ['lwd', 'info'],
    ['config', 'theme', 'dark'],
  ])
    t.is((await cli.run(...words)).code, 0, words.join(' '));
  t.is((await cli.run('serve')).code, 0);
  t.deepEqual(
    cli.link.calls.slice(0, 2).map(({ context }) => context.wallet),
    ['savings', 'books'],
  );
});

test('the window is of the wallet that is named', async (t) => {
  const cli = new CliProcess();
  t.is((await cli.run('desktop')).code, 0);
  t.is((await cli.run('desktop', '--wallet', 'savings')).code, 0);
  t.is((await cli.run('desktop', '--wallet', 'Savings')).code, 2);
  cli.wallet = 'books';
  t.is((await cli.run('desktop')).code, 0);
  t.is((await cli.run('desktop', '--wallet', 'default')).code, 0);
  t.deepEqual(cli.windowWallets, [undefined, 'savings', 'books', undefined]);
});

test('a name is refused where it would change nothing, and one that is none everywhere', async (t) => {
  const cli = new CliProcess();
  for (const words of [
    ['lwd', 'info'],
    ['config', 'theme', 'dark'],
    ['serve'],
    ['wallet', 'list'],
    ['config', 'min-confirmations', '2'],
    ['service', 'install', '--print'],
  ]) {
    const { code, stderr } = await cli.run(...words, '--wallet', 'savings');
    t.is(code, 2, words.join(' '));
    t.regex(stderr, /--wallet/);
  }
  for (const name of ['..', 'Savings', 'a/b', ''])
    t.is((await cli.run('balance', '--wallet', name)).code, 2, name);
  t.is(cli.link.calls.length, 0);
  t.is(cli.served.length, 0);
});

test('through a URL it is a part of the path, and only where there is such a path', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const cli = new CliProcess();
  t.is((await cli.run('balance', '--wallet', 'savings', '--url', front.url)).code, 0);
  t.is((await cli.run('sync', '--wallet', 'savings', '--url', front.url, '--network', 'main')).code, 0);
  const asked = front.link.calls.map(({ name, context }) => [name, context.wallet]);
  t.deepEqual(asked.slice(0, 2), [
    ['balance.get', 'savings'],
    ['system.version', undefined],
  ]);
  t.true(asked.slice(2).every(([, wallet]) => wallet === 'savings'));
});

test('watch prints the events of the wallet that is named alone', async (t) => {
  const cli = new CliProcess();
  cli.isRunning = true;
  const watching = cli.run('watch', '--json', '--wallet', 'savings');
  await until(() => cli.link.subscriptions !== 0);
  cli.link.emit({ event: 'wallet.locked', data: { reason: 'asked' } });
  cli.link.emit({ event: 'wallet.unlocked', data: { expires_at: null } }, 'savings');
  cli.interrupt();
  const { stdout } = await watching;
  t.deepEqual(JSON.parse(stdout), { event: 'wallet.unlocked', data: { expires_at: null } });
});

test('serve takes a password file for each wallet, the default one by its own flag', async (t) => {
  const cli = new CliProcess();
  const folder = temporaryFolder(t);
  const [one, two, three] = ['one', 'two', 'three'].map((text) => secretFile(folder, text, `of ${text}`));
  const files = ['--wallet-password-file', `savings=${two}`, '--wallet-password-file', `books=${three}`];
  t.is((await cli.run('serve', '--password-file', String(one), ...files)).code, 0);
  t.deepEqual(cli.passwords, ['of one', 'of two', 'of three']);
  for (const wrong of [String(two), 'savings=', `=${two}`, `default=${two}`, `Savings=${two}`, `../x=${two}`])
    t.is((await cli.run('serve', '--wallet-password-file', wrong)).code, 2, wrong);
  t.is((await cli.run('serve', ...files, '--wallet-password-file', `savings=${one}`)).code, 2, 'twice');
  t.is((await cli.run('serve', '--wallet-password-file', 'savings=/nowhere')).code, 2);
  t.is(cli.served.length, 1);
});
