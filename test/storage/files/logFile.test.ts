// The log of the companion, and that of grants, in two files of bounded size each.

import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { permissions, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import { GRANTS_LOG, LOG_FILE, logNames } from '../../../src/storage/files/dataFiles.ts';
import { LogFile, logFiles, MOST_LOG_BYTES, tidyLogFile } from '../../../src/storage/files/logFile.ts';

const LOGS = [LOG_FILE, GRANTS_LOG];

const contents = (folder: string, name = LOG_FILE): string =>
  logFiles(folder, name)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('');

const LIMIT = 10_000;

test('months of lines from several threads take two files of bounded size, and the last lines are there', (t) => {
  const folder = temporaryFolder(t);
  const writers = ['main', 'wallet', 'chain'].map((name) => ({ name, file: new LogFile(folder, LIMIT) }));
  t.teardown(() => {
    for (const { file } of writers) file.close();
  });
  for (let n = 0; n < 20_000; n += 1) {
    const writer = writers[n % 3 === 0 ? 0 : n % 5 === 0 ? 1 : 2];
    writer?.file.write(`${writer.name} ${n} ${'x'.repeat(n % 120)}\n`);
    if (n % 1000 === 0) {
      const sizes = readdirSync(folder).map((name) => statSync(path.join(folder, name)).size);
      t.true(sizes.length <= 2 && sizes.every((size) => size <= LIMIT));
    }
  }
  const numbers = contents(folder)
    .trimEnd()
    .split('\n')
    .map((line) => Number(/^\w+ (\d+) x*$/.exec(line)?.[1]));
  t.true(numbers.every(Number.isInteger), 'no line is broken or mixed with another');
  const last = numbers.sort((a, b) => a - b).slice(-40);
  t.deepEqual(
    last,
    Array.from({ length: 40 }, (_, i) => 19_960 + i),
  );
});

test('the usual bound is a few megabytes', (t) => {
  t.true(MOST_LOG_BYTES <= 8 * 1024 * 1024);
});

test('a full disk, or a folder that is gone, drops lines and throws nothing', (t) => {
  const folder = temporaryFolder(t);
  const file = new LogFile(path.join(folder, 'gone'), LIMIT);
  t.notThrows(() => file.write('a\n'));
  mkdirSync(path.join(folder, 'gone'));
  file.write('b\n');
  t.is(contents(path.join(folder, 'gone')), 'b\n');
  file.close();
});

test('a line that is longer than a file is dropped', (t) => {
  const folder = temporaryFolder(t);
  const file = new LogFile(folder, 100);
  file.write(`${'x'.repeat(200)}\n`);
  file.write('short\n');
  file.close();
  t.is(contents(folder), 'short\n');
});

if (process.platform !== 'win32') {
  for (const name of LOGS)
    test(`only the owner can read the files of ${name}, also where one was there before`, (t) => {
      const folder = temporaryFolder(t);
      const [earlier = '', current = ''] = logFiles(folder, name);
      writeFileSync(current, 'old\n', { mode: 0o666 });
      const file = new LogFile(folder, 100, name);
      for (let n = 0; n < 20; n += 1) file.write(`line ${n} ${'x'.repeat(20)}\n`);
      file.close();
      for (const each of [earlier, current]) t.is(permissions(each), 0o600);
    });

  test('a link in the place of the log is not followed, and a second name of another file is not written to', (t) => {
    for (const link of [symlinkSync, linkSync]) {
      const folder = temporaryFolder(t);
      const target = path.join(folder, 'precious');
      writeFileSync(target, 'keep me');
      const [, current = ''] = logFiles(folder);
      link(target, current);
      const file = new LogFile(folder, LIMIT);
      t.notThrows(() => file.write('overwritten\n'));
      file.close();
      t.is(readFileSync(target, 'utf8'), 'keep me');
      t.is(lstatSync(current).isSymbolicLink(), link === symlinkSync);
    }
  });
}

for (const name of LOGS)
  test(`what a killed process left does not end ${name}`, (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(path.join(folder, logNames(name)[2]), '');
    tidyLogFile(folder);
    const file = new LogFile(folder, 100, name);
    for (let n = 0; n < 20; n += 1) file.write(`line ${n} ${'x'.repeat(20)}\n`);
    file.close();
    t.true(contents(folder, name).includes('line 19'));
  });
