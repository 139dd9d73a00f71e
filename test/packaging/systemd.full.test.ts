// The units of packaging/systemd against the program: its commands, flags and folders, who may enter which, and systemd's own checker.

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import anyTest from 'ava';
import { systemdUnit } from '../../src/service/systemdUnit.ts';
import { PROGRAM } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const FOLDER = 'packaging/systemd';
const [COMPANION, SIGNER] = ['wallet-companion.service', 'wallet-companion-signer.service'] as const;
const UNITS = [COMPANION, SIGNER];

const read = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8');
/** The lines of a unit's sections, a continued one as one. */
const linesOf = (text: string): readonly string[] =>
  text
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => line.includes('='));

/** Every value of a setting, in order. */
const valuesIn = (file: string, name: string): readonly string[] =>
  linesOf(read(file))
    .filter((line) => line.startsWith(`${name}=`))
    .map((line) => line.slice(name.length + 1));
const valueIn = (file: string, name: string): string => valuesIn(file, name).join(' ');
const wordsOf = (unit: string): readonly string[] => valueIn(unit, 'ExecStart').split(' ');
const flagValue = (unit: string, flag: string): string => {
  const words = wordsOf(unit);
  return words[words.indexOf(flag) + 1] ?? '';
};
/** Folders that systemd makes for the unit. */
const foldersOf = (unit: string): readonly string[] => [
  ...valueIn(unit, 'StateDirectory')
    .split(' ')
    .map((name) => `/var/lib/${name}`),
  ...valuesIn(unit, 'RuntimeDirectory').map((name) => `/run/${name}`),
];

const systemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const withSystemd = systemd ? anyTest : anyTest.skip;

for (const unit of UNITS)
  anyTest(`${unit} starts a command with flags that it has`, (t) => {
    const [program, ...words] = wordsOf(unit);
    t.is(program, Object.keys((JSON.parse(readFileSync('package.json', 'utf8')) as { bin: object }).bin)[0]);
    const command = words.slice(
      0,
      words.findIndex((word) => word.startsWith('-')),
    );
    const help = (of: readonly string[]) =>
      spawnSync(process.execPath, [PROGRAM, ...of, '--help'], { encoding: 'utf8' }).stdout;
    const known = help(command);
    t.true(known.startsWith(`Usage: wallet-companion ${command.join(' ')} `));
    for (const [at, flag] of words.entries()) {
      if (!flag.startsWith('-')) continue;
      const takesValue = !(words[at + 1] ?? '-').startsWith('-');
      t.regex(known + help([]), new RegExp(`^ +${flag} +${takesValue ? '<' : '[^<\\s]'}`, 'm'), flag);
    }
  });

for (const unit of UNITS)
  anyTest(`${unit} has every rule of the unit that the program writes for a user`, (t) => {
    const at = { node: '/n', main: '/m', configDir: '/c', dataDir: '/d', args: [] };
    const all = systemdUnit(at).split('\n');
    const rules = all.slice(
      all.indexOf('NoNewPrivileges=yes'),
      all.findIndex((line) => line.startsWith('ReadWritePaths=')),
    );
    t.true(rules.length > 20);
    const lines = linesOf(read(unit));
    // Each has a user of its own, so that it needs no namespace of users.
    const own = /^(?:PrivateUsers|ProtectHome|RestrictAddressFamilies)=/;
    for (const rule of rules.filter((line) => !own.test(line))) t.true(lines.includes(rule), rule);
    t.is(valueIn(unit, 'ProtectHome'), 'yes');
    t.is(valueIn(unit, 'RestartPreventExitStatus'), '2 3');
  });

anyTest('each runs as a user of its own, and only the folder of the socket is shared', (t) => {
  const users = [...read('sysusers.conf').matchAll(/^u (\S+) /gm)].map(([, name]) => name);
  t.deepEqual(
    UNITS.map((unit) => valueIn(unit, 'User')),
    users as string[],
  );
  for (const unit of UNITS) {
    const user = valueIn(unit, 'User');
    for (const folder of foldersOf(unit).filter((one) => one.startsWith('/var/lib/')))
      t.true(read('tmpfiles.conf').includes(`\nd ${folder} 0700 ${user} ${user}\n`), folder);
    t.is(valueIn(unit, 'Group'), user);
    t.is(valueIn(unit, 'StateDirectoryMode'), '0700');
    const [, name, file] = /^(\w+):(\/etc\/\S+)$/.exec(valueIn(unit, 'LoadCredential')) ?? [];
    t.is(flagValue(unit, '--password-file'), `%d/${name}`);
    t.is(file, `/etc/${unit.replace('.service', '.password')}`);
  }
  const group = valueIn(SIGNER, 'Group');
  t.is(flagValue(SIGNER, '--socket-group'), group);
  t.is(valueIn(COMPANION, 'SupplementaryGroups'), group);
  t.is(valueIn(SIGNER, 'RuntimeDirectoryMode'), '0750');
  const [state, runtime] = foldersOf(SIGNER);
  t.is(flagValue(SIGNER, '--signer-dir'), state!);
  t.is(path.dirname(flagValue(SIGNER, '--socket')), runtime!);
  t.true(
    readFileSync('docs/operations/signer.md', 'utf8').includes(
      `"socket": "${flagValue(SIGNER, '--socket')}"`,
    ),
  );
  // No network at all.
  t.is(valueIn(SIGNER, 'RestrictAddressFamilies'), 'AF_UNIX');
  t.is(valueIn(SIGNER, 'PrivateNetwork'), 'yes');
  const environment = valuesIn(COMPANION, 'Environment').map((each) => each.split('='));
  t.deepEqual(environment, [
    ['WALLET_COMPANION_CONFIG_DIR', foldersOf(COMPANION)[0]],
    ['WALLET_COMPANION_DATA_DIR', foldersOf(COMPANION)[1]],
  ]);
  const source = readFileSync('src/storage/files/directories.ts', 'utf8');
  for (const [name = ''] of environment) t.true(source.includes(name), name);
});

for (const unit of UNITS)
  anyTest(
    `the permission model of ${unit} has the flags of its page, and reaches its own folders alone`,
    (t) => {
      const page = readFileSync('docs/operations/service.md', 'utf8');
      const named = [.../^node --permission[\s\S]*?serve$/m.exec(page)![0].matchAll(/--[a-z-]+/g)].map(
        ([flag]) => flag,
      );
      const [options = ''] = valuesIn(`${unit}.d/node24.conf`, 'Environment');
      const flags = options
        .replaceAll('"', '')
        .replace(/^NODE_OPTIONS=/, '')
        .split(/ +/);
      t.deepEqual(new Set(flags.map((flag) => flag.replace(/=.*/, ''))), new Set(named));
      const paths = (flag: string) =>
        flags.filter((one) => one.startsWith(`${flag}=`)).map((one) => one.slice(flag.length + 1));
      const own = foldersOf(unit);
      for (const folder of own)
        for (const flag of ['--allow-fs-read', '--allow-fs-write'])
          t.true(
            paths(flag).some((one) => folder.startsWith(one)),
            folder,
          );
      for (const written of paths('--allow-fs-write'))
        t.true(
          own.some((folder) => folder.startsWith(written)),
          written,
        );
    },
  );

withSystemd('systemd finds nothing wrong with them', (t) => {
  const folder = temporaryFolder(t);
  // The program is not installed here.
  const here = `${process.execPath} ${path.resolve(PROGRAM)}`;
  const files = UNITS.map((unit) => {
    const file = path.join(folder, unit);
    writeFileSync(file, read(unit).replace('ExecStart=wallet-companion', `ExecStart=${here}`));
    return file;
  });
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
  t.deepEqual([status, stderr], [0, '']);
  for (const [unit, most] of [
    [SIGNER, 9],
    [COMPANION, 22],
  ] as const)
    t.notThrows(() =>
      execFileSync('systemd-analyze', [
        'security',
        '--offline=yes',
        `--threshold=${most}`,
        path.join(folder, unit),
      ]),
    );
});
