// The commands around grants: flags as people write them, the link to the page, and what `service install` asks.

import test from 'ava';
import type { ServiceInstall } from '../../src/cli/cliEnvironment.ts';
import { CliProcess } from '../helpers/cliProcess.ts';
import { FakeLink } from '../helpers/fakeLink.ts';

const inputOf = (cli: CliProcess): object => cli.link.calls.at(-1)?.input as object;

test('grant create and pair allow take scopes, wallets, days and limits', async (t) => {
  const cli = new CliProcess();
  const words = 'grant create shop --scope invoice --scope read --wallet shop,default --expires 30d';
  t.is(
    (await cli.run(...words.split(' '), '--payee', 'u1a', '--payee', 'u1b', '--payment-zatoshi', '5')).code,
    0,
  );
  t.deepEqual(inputOf(cli), {
    name: 'shop',
    scopes: ['invoice', 'read'],
    wallets: ['shop', 'default'],
    days: 30,
    payees: ['u1a', 'u1b'],
    payment_zatoshi: 5,
  });
  t.is(cli.link.calls.at(-1)?.context.wallet, undefined, 'it is about several wallets, in none');
  t.is(
    (await cli.run('pair', 'allow', 'K7F-2QX', '--scope', 'read', '--wallet', 'shop', '--expires', '7')).code,
    0,
  );
  t.deepEqual(inputOf(cli), { code: 'K7F-2QX', scopes: ['read'], wallets: ['shop'], days: 7 });
  for (const bad of [
    ['--scope', 'all'],
    ['--scope', 'read', '--expires', '30w'],
    ['--scope', 'read', '--wallet', 'No Name'],
    [],
  ])
    t.is((await cli.run('grant', 'create', 'shop', ...bad)).code, 2, bad.join(' '));
  t.is((await cli.run('grant', 'list', '--wallet', 'shop')).code, 2, 'it is about all of them');
});

test('the token of a new grant is shown, for people and for programs', async (t) => {
  const cli = new CliProcess();
  const { stdout, stderr } = await cli.run('grant', 'create', 'shop', '--scope', 'invoice');
  t.regex(stderr, /shown this once/);
  t.regex(stdout, /Zk8yQ2x1b3V0ZXhhbXBsZXRva2Vub2YzMmJ5dGVzISE/);
  const json = await cli.run('grant', 'rotate', 'shop', '--json');
  t.like(JSON.parse(json.stdout), { token: 'Zk8yQ2x1b3V0ZXhhbXBsZXRva2Vub2YzMmJ5dGVzISE' });
});

test('dashboard prints a link that opens the page once, where a companion with a page runs', async (t) => {
  const link = new FakeLink();
  const url = 'http://127.0.0.1:3000';
  const cli = new CliProcess({ open: async () => ({ link, url, close: async () => {} }) });
  const { code, stdout, stderr } = await cli.run('dashboard');
  t.is(code, 0, stderr);
  t.is(stdout, `${url}/#code=pQ3JzaG93bm9uY2VhbmR1c2Vkd2l0aGluYW1pbnV0ZSE\n`);
  t.regex(stderr, /within a minute/);
  t.deepEqual(
    link.calls.map(({ name }) => name),
    ['grants.page_code'],
  );
  t.like(JSON.parse((await cli.run('dashboard', '--json')).stdout), { expires_at: '2026-01-02T03:04:05Z' });
  t.is((await cli.run('dashboard', '--url', url)).code, 2);
  const alone = new CliProcess({ open: async () => ({ link, endsHere: true, close: async () => {} }) });
  t.is((await alone.run('dashboard')).code, 6);
});

const accessOf = (cli: CliProcess): ServiceInstall['anonymousAccess'] =>
  (cli.services.at(-1) as { more: ServiceInstall }).more.anonymousAccess;

test('service install asks at a terminal what is open without a grant, and recommends nothing', async (t) => {
  const cli = new CliProcess({ terminal: true });
  const running = cli.run('service', 'install');
  setImmediate(() => cli.keyboard.write('\r'));
  const { code, stderr } = await running;
  t.is(code, 0);
  t.is(accessOf(cli), 'none');
  t.regex(stderr, /Nothing \(recommended\)/);
});

test('service install takes the answer as a flag, and asks nothing without a terminal', async (t) => {
  for (const level of ['full', 'read', 'none'] as const) {
    const cli = new CliProcess({ terminal: true });
    t.is((await cli.run('service', 'install', '--anonymous-access', level)).code, 0);
    t.is(accessOf(cli), level);
  }
  const cli = new CliProcess();
  t.is((await cli.run('service', 'install')).code, 0);
  t.is(accessOf(cli), undefined);
  t.is((await cli.run('service', 'install', '--anonymous-access', 'some')).code, 2);
  t.is((await cli.run('config', 'anonymous-access', 'none')).code, 0);
  t.is(cli.settings.anonymous_access, 'none');
});

test('serve can do without a port', async (t) => {
  const cli = new CliProcess();
  t.is((await cli.run('serve', '--no-http')).code, 0);
  t.is((await cli.run('serve')).code, 0);
  t.deepEqual(
    cli.served.map(({ noHttp }) => noHttp),
    [true, undefined],
  );
});
