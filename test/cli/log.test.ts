import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { LogFile, logFiles } from '../../src/storage/files/logFile.ts';
import { logText } from '../../src/terminal/logText.ts';
import { CliProcess, temporaryFolder } from '../helpers/cliProcess.ts';
import { until } from '../helpers/until.ts';

const line = (n: number): string =>
  `${JSON.stringify({ level: 30, time: 1_700_000_000_000, thread: 'main', name: 'x', n, msg: 'did it' })}\n`;

test('the last lines are shown, of the file before as well', async (t) => {
  const folder = temporaryFolder(t);
  const cli = new CliProcess();
  cli.logFiles = logFiles(folder);
  const [earlier = '', current = ''] = cli.logFiles;
  writeFileSync(earlier, line(1) + line(2) + line(3));
  writeFileSync(current, line(4));
  const { code, stdout } = await cli.run('log', '--lines', '2');
  t.is(code, 0);
  t.is(
    stdout,
    '2023-11-14T22:13:20Z  info   main    did it  n=3\n2023-11-14T22:13:20Z  info   main    did it  n=4\n',
  );
  const json = await cli.run('log', '-n', '3', '--json');
  t.deepEqual(
    json.stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text).n),
    [2, 3, 4],
  );
});

test('no log, or a wrong number of lines, is reported', async (t) => {
  const cli = new CliProcess();
  cli.logFiles = logFiles(temporaryFolder(t));
  const { code, stderr } = await cli.run('log');
  t.is(code, 4);
  t.true(stderr.includes('--no-log-file'));
  t.is((await cli.run('log', '--lines', 'many')).code, 2);
  t.is((await cli.run('log', '--url', 'http://127.0.0.1:3000')).code, 2);
});

test('--follow shows what comes, across files that are put aside, until Ctrl-C', async (t) => {
  const folder = temporaryFolder(t);
  const cli = new CliProcess();
  cli.logFiles = logFiles(folder);
  const [earlier = '', current = ''] = cli.logFiles;
  const running = cli.run('log', '--follow', '--json');
  await until(() => cli.listeners !== 0);
  cli.tick();
  writeFileSync(current, line(1));
  cli.tick();
  appendFileSync(current, line(2).slice(0, 10));
  cli.tick();
  appendFileSync(current, line(2).slice(10) + line(3));
  renameSync(current, earlier);
  writeFileSync(current, line(4));
  cli.tick();
  cli.interrupt();
  const { code, stdout } = await running;
  t.is(code, 130);
  t.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text).n),
    [1, 2, 3, 4],
  );
  t.is(cli.listeners, 0);
});

test('what a server or a sender had written into a line does not act on the terminal', (t) => {
  const text = logText(JSON.stringify({ level: 40, time: 0, msg: 'a\u001b[2Jb', server: 'x\u202ey' }));
  t.true(text.endsWith('a\\u{1b}[2Jb  server=x\\u{202e}y'));
  t.is(logText('half a li\u0007ne'), 'half a li\\u{7}ne');
});

test('a folder in the place of the log is not read', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'companion.log'));
  const cli = new CliProcess();
  cli.logFiles = logFiles(folder);
  t.is((await cli.run('log')).code, 4);
});

test('what the log file writes, the command reads, whole and in order, while files are exchanged', async (t) => {
  const folder = temporaryFolder(t);
  const cli = new CliProcess();
  cli.logFiles = logFiles(folder);
  const file = new LogFile(folder, 2_000);
  t.teardown(() => file.close());
  for (let n = 0; n < 200; n += 1) file.write(line(n));
  const { stdout } = await cli.run('log', '--lines', '10', '--json');
  const shown = stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text).n);
  t.deepEqual(
    shown,
    Array.from({ length: 10 }, (_, i) => 190 + i),
  );
});

test('a line that lacks what lines have is shown with what it has', (t) => {
  t.is(logText('[1]'), '[1]');
  t.is(logText(JSON.stringify({ level: 35, time: 'noon', code: 7 })), '-  35               code=7');
});

test('no lines are none, and for programs a line that broke off is left out', async (t) => {
  const cli = new CliProcess();
  cli.logFiles = logFiles(temporaryFolder(t));
  writeFileSync(cli.logFiles.at(-1) ?? '', `${line(1)}{"level":30,\n`);
  t.deepEqual(await cli.run('log', '--lines', '0'), { code: 0, stdout: '', stderr: '' });
  const { stdout } = await cli.run('log', '--json');
  t.deepEqual([stdout.match(/\n/g)?.length, JSON.parse(stdout).n], [1, 1]);
});
