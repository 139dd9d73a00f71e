// The unit, and the rules by which it is written and removed.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { replaceFile } from '@wallet-companion/disk/files';
import test, { type ExecutionContext } from 'ava';
import { CompanionError } from '../../src/protocol/errors.ts';
import { launchdPlist, windowsTask } from '../../src/service/otherManagers.ts';
import { installService, manageService, type ServiceContext } from '../../src/service/serviceCommand.ts';
import { wordsOf } from '../../src/service/serviceOptions.ts';
import { isOwnUnit, systemdUnit, UNIT_NAME } from '../../src/service/systemdUnit.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const OPTIONS = {
  node: '/opt/my node/bin/node',
  main: '/opt/100%/main.js',
  configDir: '/home/me/c $x',
  dataDir: '/home/me/d;e',
  args: ['--port', '3000', '--node-url', 'http://127.0.0.1:8232/a%20b'],
};

function world(t: ExecutionContext, more: Partial<ServiceContext> = {}) {
  const homeDir = temporaryFolder(t);
  const ran: string[] = [];
  const printed: string[] = [];
  const context: ServiceContext = {
    platform: 'linux',
    env: {},
    homeDir,
    uid: process.getuid?.(),
    replaceFile,
    run: async (program, args) => {
      ran.push([program, ...args].join(' '));
      return 0;
    },
    print: (text) => void printed.push(text),
    ...more,
  };
  const options = { ...OPTIONS, configDir: path.join(homeDir, 'c'), dataDir: path.join(homeDir, 'd') };
  const file = path.join(homeDir, '.config', 'systemd', 'user', UNIT_NAME);
  return { homeDir, ran, printed, context, options, file };
}

test('words are quoted so that systemd reads them as they are', (t) => {
  const unit = systemdUnit({ ...OPTIONS, passwordFile: '/home/me/my 50% file' });
  const lines = unit.split('\n');
  t.true(
    lines.includes(
      'ExecStart=:"/opt/my node/bin/node" "/opt/100%%/main.js" "serve" "--config-dir" "/home/me/c $x" ' +
        '"--data-dir" "/home/me/d;e" "--port" "3000" "--node-url" "http://127.0.0.1:8232/a%%20b" ' +
        '--password-file "%d/password"',
    ),
    unit,
  );
  t.true(lines.includes('LoadCredential=password:/home/me/my 50%% file'));
  t.true(lines.includes('ReadWritePaths="/home/me/c $x" "/home/me/d;e"'));
  const several = systemdUnit({
    ...OPTIONS,
    passwordFile: '/p',
    walletPasswordFiles: new Map([['savings', '/home/me/5% file']]),
  }).split('\n');
  t.regex(
    several.find((line) => line.startsWith('ExecStart=')) ?? '',
    / --password-file "%d\/password" --wallet-password-file "savings=%d\/password-savings"$/,
  );
  t.true(several.includes('LoadCredential=password-savings:/home/me/5%% file'));
  t.notRegex(systemdUnit(OPTIONS), /password/);
  t.notRegex(
    systemdUnit({ ...OPTIONS, withoutNamespaces: true }),
    /PrivateUsers|ReadWritePaths|CapabilityBounding/,
  );
  t.notRegex(unit, /^MemoryDenyWriteExecute/m);
});

for (const bad of ['/a\nExecStartPre=/bin/evil', '/a"b', '/a\\b', ' /a', '/a ', '/a\0'])
  test(`a path that cannot be quoted is refused: ${JSON.stringify(bad)}`, (t) => {
    for (const key of ['node', 'main', 'configDir', 'dataDir', 'passwordFile'] as const)
      t.throws(() => systemdUnit({ ...OPTIONS, [key]: bad }), { instanceOf: CompanionError });
    t.throws(() => systemdUnit({ ...OPTIONS, args: [bad] }), { instanceOf: CompanionError });
    if (!bad.includes('\\'))
      t.throws(() => launchdPlist({ ...OPTIONS, main: bad }), { instanceOf: CompanionError });
  });

test('install is done twice as once, and --print does nothing', async (t) => {
  const { context, options, file, ran, printed } = world(t);
  t.is(await installService(options, context, true), 0);
  t.false(existsSync(file));
  t.false(existsSync(options.dataDir));
  t.deepEqual(printed, [systemdUnit(options)]);
  await installService(options, context, false);
  t.is(readFileSync(file, 'utf8'), systemdUnit(options));
  t.is(statSync(options.dataDir).mode & 0o777, 0o700);
  const before = statSync(file).mtimeMs;
  const { ino } = statSync(file);
  await installService(options, context, false);
  t.deepEqual([statSync(file).mtimeMs, statSync(file).ino], [before, ino]);
  const [reload, enable] = ['systemctl --user daemon-reload', `systemctl --user enable --now ${UNIT_NAME}`];
  t.deepEqual(ran, [reload, reload, enable, reload, enable]);
  await installService({ ...options, args: ['--port', '0'] }, context, false);
  t.true(isOwnUnit(readFileSync(file, 'utf8')));
  t.regex(printed.join(''), /systemctl --user restart/);
  t.is(await manageService('uninstall', context), 0);
  t.false(existsSync(file));
  t.true(existsSync(options.dataDir));
  t.is(await manageService('uninstall', context), 0, 'nothing left to do');
});

test('a file of somebody else, an edited one and a link are left alone', async (t) => {
  const { context, options, file, ran, homeDir } = world(t);
  mkdirSync(path.dirname(file), { recursive: true });
  const other = path.join(homeDir, 'other');
  for (const text of ['[Service]\n', systemdUnit(options).replace('RestartSec=5s', 'RestartSec=9s'), '']) {
    writeFileSync(file, text);
    await t.throwsAsync(installService(options, context, false), { message: /left as it is/ });
    await t.throwsAsync(manageService('uninstall', context), { message: /left as it is/ });
    t.is(readFileSync(file, 'utf8'), text);
  }
  const linked = world(t);
  mkdirSync(path.dirname(linked.file), { recursive: true });
  writeFileSync(other, systemdUnit(options));
  symlinkSync(other, linked.file);
  await t.throwsAsync(installService(options, linked.context, false), { message: /left as it is/ });
  t.is(readFileSync(other, 'utf8'), systemdUnit(options));
  t.deepEqual(ran, []);
});

test('a password file that others can read, or that is not there, is refused', async (t) => {
  const { context, options, file, homeDir } = world(t);
  const passwordFile = path.join(homeDir, 'password');
  const install = (given: string) => installService({ ...options, passwordFile: given }, context, false);
  await t.throwsAsync(install(passwordFile), { message: /nobody else/ });
  writeFileSync(passwordFile, 'pw');
  for (const mode of [0o640, 0o604, 0o660]) {
    chmodSync(passwordFile, mode);
    await t.throwsAsync(install(passwordFile), { message: /nobody else/ });
  }
  await t.throwsAsync(install(homeDir), { message: /nobody else/ });
  const walletPasswordFiles = new Map([['savings', passwordFile]]);
  await t.throwsAsync(installService({ ...options, walletPasswordFiles }, context, false), {
    message: /nobody else/,
  });
  t.false(existsSync(file));
  chmodSync(passwordFile, 0o600);
  await install(passwordFile);
  t.true(existsSync(file));
  const foreign = world(t, { uid: 12_345 });
  await t.throwsAsync(installService({ ...options, passwordFile }, foreign.context, false), {
    message: /yours/,
  });
});

const WITHOUT_SYSTEMD = [
  ['without systemctl', undefined],
  ['where systemd does not run for the user', 1],
] as const;

for (const [what, code] of WITHOUT_SYSTEMD)
  test(`${what} nothing is installed, and the message names what to do`, async (t) => {
    const { context, options, homeDir } = world(t, { run: async () => code });
    const error = await t.throwsAsync(installService(options, context, false), {
      instanceOf: CompanionError,
      message: /nothing was installed\. Have "wallet-companion serve" started/,
    });
    t.is(error?.code, 'INVALID_REQUEST');
    t.deepEqual(readdirSync(homeDir), []);
  });

for (const [what, code] of WITHOUT_SYSTEMD)
  test(`${what} a unit is removed, and the message names that nothing was stopped`, async (t) => {
    const { context, options, file } = world(t);
    await installService(options, context, false);
    const alone = { ...context, run: async () => code };
    const error = await t.throwsAsync(manageService('uninstall', alone), {
      instanceOf: CompanionError,
      message: /nothing was stopped\. The unit is removed/,
    });
    t.is(error?.code, 'INVALID_REQUEST');
    t.false(existsSync(file));
    t.is(await manageService('uninstall', alone), 0, 'nothing left to do');
  });

test('a service that systemd cannot stop is reported as perhaps running', async (t) => {
  const { context, options, file } = world(t);
  await installService(options, context, false);
  const stuck = {
    ...context,
    run: async (_: string, args: readonly string[]) => (args.includes('disable') ? 5 : 0),
  };
  const error = await t.throwsAsync(manageService('uninstall', stuck), {
    message: /ended with 5.*still runs/,
  });
  t.is((error as CompanionError).code, 'BUSY');
  t.false(existsSync(file));
});

test('a unit that does not start stays, and the message names where to look', async (t) => {
  const { context, options, file } = world(t, {
    run: async (_, args) => (args.includes('enable') ? 3 : 0),
  });
  await t.throwsAsync(installService(options, context, false), {
    message: /ended with 3.*stays; "wallet-companion service logs"/,
  });
  t.true(existsSync(file));
});

test('elsewhere a text is shown, marked untested, and nothing written', async (t) => {
  for (const [platform, says] of [
    ['darwin', /Untested[\s\S]*<string>\/opt\/100%\/main\.js<\/string>/],
    ['win32', /Untested[\s\S]*Register-ScheduledTask/],
  ] as const) {
    const { context, options, file, ran, printed } = world(t, { platform });
    t.is(await installService(options, context, false), 0);
    t.regex(printed.join(''), says);
    t.false(existsSync(file));
    t.deepEqual(ran, []);
    await t.throwsAsync(manageService('uninstall', context), { message: /Only systemd/ });
  }
  t.true(launchdPlist({ ...OPTIONS, dataDir: '/a&<b>' }).includes('<string>/a&amp;&lt;b&gt;</string>'));
  t.true(windowsTask({ ...OPTIONS, dataDir: "C:\\it's\\" }).includes(`"C:\\it''s\\\\"`));
});

test('config.json is set once systemd has answered, before the service starts, and not for a look at the unit', async (t) => {
  const settled: string[][] = [];
  const { context, options, ran } = world(t, { settle: async () => void settled.push([...ran]) });
  t.is(await installService(options, context, true), 0);
  t.deepEqual(settled, []);
  t.is(await installService(options, context, false), 0);
  t.deepEqual(settled, [['systemctl --user daemon-reload']]);
  const without = world(t, { settle: async () => t.fail(), run: async () => 1 });
  await t.throwsAsync(installService(without.options, without.context, false), { code: 'INVALID_REQUEST' });
  const refused = world(t, {
    settle: async () => {
      throw new CompanionError('BUSY', 'Stop the companion first.');
    },
  });
  await t.throwsAsync(installService(refused.options, refused.context, false), { code: 'BUSY' });
  t.false(existsSync(refused.file));
});

test('the words of the service are those that serve was asked for', (t) => {
  t.deepEqual(wordsOf({ port: 3000, follow: true, noHttp: true, noLogFile: true }), [
    '--port',
    '3000',
    '--follow',
    '--no-http',
    '--no-log-file',
  ]);
});
