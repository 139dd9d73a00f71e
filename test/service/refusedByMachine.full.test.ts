// What the machine refuses is said in its own words: no stack, no bug report, no chmod that would not help.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { canMount, onDisk } from '../helpers/mountedDisk.ts';
import { PROGRAM } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

type Within = (command: readonly string[], data: string) => readonly string[];

function run(
  t: ExecutionContext,
  within: Within,
  words: readonly string[],
  data?: string,
  program = PROGRAM,
) {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'data'), { mode: 0o700 });
  const dataDir = data ?? path.join(folder, 'data');
  const command = [process.execPath, program, ...words, '--config-dir', folder, '--data-dir', dataDir];
  const [file, ...args] = within(command, dataDir);
  const { status, stdout, stderr } = spawnSync(file!, args, { encoding: 'utf8', timeout: 60_000 });
  t.notRegex(stdout + stderr, /\n {4}at |please report|INTERNAL/);
  return { status, stdout, stderr };
}

const asIs: Within = (command) => command;
const STATUS = ['wallet', 'exists'];
const SERVE = ['serve', '--port', '0'];
const linux = process.platform === 'linux' ? test : test.skip;
const mounts = canMount() ? test : test.skip;

linux('a data directory that is a link to nowhere, or cannot be made, is refused for that', (t) => {
  const folder = temporaryFolder(t);
  const link = path.join(folder, 'link');
  symlinkSync(path.join(folder, 'nowhere'), link);
  writeFileSync(path.join(folder, 'file'), '');
  for (const [data, words] of [
    [link, /\(EEXIST\): a file, or a link that leads nowhere, has that name/],
    [path.join(folder, 'file', 'below'), /\(ENOTDIR\): a part of the path is no folder/],
  ] as const) {
    const { status, stderr } = run(t, asIs, STATUS, data);
    t.is(status, 7);
    t.regex(stderr, words);
    t.notRegex(stderr, /chmod/);
  }
});

mounts('on a read-only disk the command and the doctor report that it is read-only', (t) => {
  const ro: Within = (command, data) => onDisk('read-only', data, command);
  const doctor = run(t, ro, ['doctor']).stdout;
  t.regex(doctor, /FAIL\s+files .*read-only\.\s+-> Make it writable/s);
  t.notRegex(doctor, /chmod/);
  t.is(run(t, ro, STATUS).status, 0, 'what is there can be read');
  const below: Within = (command, data) => ro([...command.slice(0, -1), path.join(data, 'new')], data);
  t.regex(run(t, below, STATUS).stderr, /made, or closed to others \(EROFS\): the file system is read-only/);
});

linux('a process that may have few files open says so, whichever part meets the limit', (t) => {
  for (const files of [48, 72]) {
    const limited: Within = (command) => ['sh', '-c', `ulimit -n ${files}; exec "$0" "$@"`, ...command];
    t.regex(run(t, limited, STATUS).stderr, /\(EMFILE\): this process may have no more files open\. Raise/);
  }
});

mounts('a machine without 127.0.0.1 is no place to serve on, and the doctor blames no other program', (t) => {
  const script = 'ip link set lo up && ip addr del 127.0.0.1/8 dev lo && exec "$0" "$@"';
  const without: Within = (command) => ['unshare', '-rn', 'sh', '-c', script, ...command];
  if (spawnSync('unshare', ['-rn', 'sh', '-c', script, 'true']).status !== 0) {
    t.pass('this machine cannot be without it');
    return;
  }
  const { status, stderr } = run(t, without, SERVE);
  t.is(status, 2);
  t.regex(stderr, /\(EADDRNOTAVAIL\): this machine has no such address/);
  t.regex(run(t, without, ['doctor']).stdout, /FAIL\s+port .*this machine has no such address/);
});

test('a program installed without its libraries says how to install it', (t) => {
  const folder = temporaryFolder(t);
  const modules = path.resolve('node_modules');
  const [program, installed] = [path.join(folder, 'program'), path.join(folder, 'node_modules')];
  cpSync(path.dirname(PROGRAM), program, { recursive: true });
  cpSync('package.json', path.join(folder, 'package.json'));
  mkdirSync(path.join(installed, '@node-rs'), { recursive: true });
  for (const name of readdirSync(modules))
    if (name !== '@node-rs') symlinkSync(path.join(modules, name), path.join(installed, name));
  const argon2 = path.join('@node-rs', 'argon2');
  cpSync(path.join(modules, argon2), path.join(installed, argon2), { recursive: true });
  for (const words of [STATUS, SERVE, ['doctor']]) {
    const { status, stdout, stderr } = run(t, asIs, words, undefined, path.join(program, 'main.js'));
    t.is(status, words.includes('doctor') ? 6 : 7);
    t.regex(stdout + stderr, /: a part of the program is missing.* --include=optional/s);
  }
});

linux('a debugger port is reported at the start', (t) => {
  const debugged: Within = (command) => ['env', 'NODE_OPTIONS=--inspect=0', ...command];
  t.regex(run(t, debugged, [...SERVE, '--end-with-stdin']).stderr, /"level":40.*A debugger port is open/);
});
