// `backup` and `restore` as a person types them: the password twice for a new file, none of it shown, and nothing replaced.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { reminderOf } from '../../src/service/doctor/backupCheck.ts';
import { CliProcess, secretFile, temporaryFolder } from '../helpers/cliProcess.ts';

const PASSWORD = 'backup horse';

test('a backup asks for its password twice, writes a private file, and replaces none', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'all.backup');
  const cli = new CliProcess({ terminal: true });
  cli.type(`${PASSWORD}\r${PASSWORD}\r`);
  const { code, stdout } = await cli.run('backup', file, '--data-dir', '/data');
  t.is(code, 0);
  t.regex(stdout.replaceAll('\n', ' '), /Everything is in .*all\.backup .*each wallet in it with its own/);
  t.is(fs.readFileSync(file, 'utf8'), 'sealed');
  if (process.platform !== 'win32') t.is(fs.statSync(file).mode & 0o777, 0o600);
  const local = { dataDir: '/data' };
  t.deepEqual(cli.shows, [{ backup: local, password: PASSWORD }, { markBackup: local }]);

  const again = new CliProcess({ terminal: true });
  t.like(await again.run('backup', file), { code: 2, stdout: '' });
  t.deepEqual(again.shows, []);
  const source = ['--password-file', secretFile(folder, 'password', PASSWORD), '--json'];
  const forced = await again.run('backup', file, '--force', ...source);
  t.deepEqual(JSON.parse(forced.stdout), { file, bytes: 6 });
});

test('a short password, another machine and a wallet are refused before anything is written', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'all.backup');
  const cli = new CliProcess();
  const short = ['--password-file', secretFile(folder, 'short', 'short')];
  for (const words of [
    [...short],
    [...short, '--url', 'http://127.0.0.1:3000'],
    [...short, '--wallet', 'savings'],
    [],
  ])
    t.is((await cli.run('backup', file, ...words)).code, 2, words.join(' '));
  t.deepEqual(cli.shows, []);
  t.false(fs.existsSync(file));
});

test('a restore lists what came back and how to go on; a file that is not there is not asked for a password', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'all.backup');
  const cli = new CliProcess({ terminal: true });
  t.is((await cli.run('restore', file)).code, 2);
  fs.writeFileSync(file, 'sealed');
  cli.type(`${PASSWORD}\r`);
  const { code, stdout } = await cli.run('restore', file);
  t.is(code, 0);
  t.regex(stdout.replaceAll('\n', ' '), /default, savings\..*wallet-companion serve/);
  t.deepEqual(cli.shows, [{ restore: {}, file, password: PASSWORD }]);
});

test('a reminder is due without a backup, after a month, and by a clock that was ahead', (t) => {
  const now = Date.parse('2026-11-29T12:00:00Z');
  const at = (text: string | null, hasWallet = true) => reminderOf(text, hasWallet, now);
  t.like(at(null, false), { overdue: false, warning: null });
  t.like(at('2026-11-01T12:00:00Z'), { overdue: false, warning: null });
  t.regex(at(null).warning ?? '', /No backup .* is known/);
  t.regex(at('2026-10-01T12:00:00Z').warning ?? '', /59 days old.*backup FILE/);
  t.regex(at('2027-01-01T00:00:00Z').warning ?? '', /ahead of this computer's clock/);
});
