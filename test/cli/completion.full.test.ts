import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { operationNames, operations } from '../../src/protocol/operations.ts';
import { CliProcess, temporaryFolder } from '../helpers/cliProcess.ts';

const script = async (shell: string): Promise<string> =>
  (await new CliProcess().run('completion', shell)).stdout;

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

/** What bash offers for a line; the cursor stands at its end. */
function bashOffers(file: string, folder: string, words: readonly string[]): string[] {
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wallet_companion; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', program, 'bash', file, 'wallet-companion', ...words], {
    encoding: 'utf8',
    cwd: folder,
  });
  if (stderr !== '') throw new Error(stderr);
  return stdout.split('\n').filter((line) => line !== '');
}

const bash = isInstalled('bash') ? test : test.skip;

bash('bash offers commands, flags, values and files where they belong', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'completion.bash');
  writeFileSync(file, await script('bash'));
  writeFileSync(path.join(folder, 'my password'), '');
  const offers = (...words: string[]) => bashOffers(file, folder, words);
  t.deepEqual(offers('wal'), ['wallet']);
  t.true(offers('').includes('serve'));
  t.deepEqual(offers('wallet', 're').sort(), ['remove', 'rename', 'rescan', 'restore']);
  t.deepEqual(offers('wallet', 'restore', '--birthday').sort(), ['--birthday', '--birthday-height']);
  t.deepEqual(offers('wallet', 'restore', ''), []);
  t.deepEqual(offers('config', 'theme', ''), ['system', 'light', 'dark']);
  t.deepEqual(offers('notes', '--pool', 'o'), ['orchard']);
  t.deepEqual(offers('--network', ''), ['main', 'test', 'regtest']);
  t.deepEqual(offers('--network', 'test', 'wallet', 'un'), ['unlock']);
  t.deepEqual(offers('--data-dir', 'wallet', 'ba'), ['backup', 'balance', 'backup-status']);
  t.deepEqual(offers('balance', '--password-file', 'my'), ['my password']);
  t.deepEqual(offers('balance', '--url', ''), []);
  t.deepEqual(offers('sync', ''), ['status', 'estimate', 'cancel']);
  t.true(offers('sync', '--to').includes('--to-tip'));
  t.deepEqual(offers('completion', ''), ['bash', 'zsh', 'fish']);
});

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`${shell}: every operation is there`, async (t) => {
    const text = await script(shell);
    for (const name of operationNames)
      t.true(text.includes(` ${operations[name].cli.words.join(' ')}'`), name);
  });

  const whereInstalled = isInstalled(shell) ? test : test.skip;
  whereInstalled(`${shell}: the script has no fault of syntax`, async (t) => {
    const file = path.join(temporaryFolder(t), 'completion');
    writeFileSync(file, await script(shell));
    const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    t.is(stderr, '');
    t.is(status, 0);
  });
}

test('another shell is refused', async (t) => {
  const { code, stderr } = await new CliProcess().run('completion', 'csh');
  t.is(code, 2);
  t.regex(stderr, /bash, zsh, fish/);
});
