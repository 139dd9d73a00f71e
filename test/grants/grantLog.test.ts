// Who did what: one line for each call, the latest first, in files of bounded size that only the owner can read.

import fs from 'node:fs';
import path from 'node:path';
import { contentsOf, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test, { type ExecutionContext } from 'ava';
import { GrantLog } from '../../src/grants/grantLog.ts';
import { GRANTS_LOG } from '../../src/storage/files/dataFiles.ts';
import { LogFile, latestLines, MOST_GRANT_LOG_BYTES } from '../../src/storage/files/logFile.ts';

const NOW = Date.UTC(2026, 0, 1);
const LINE = {
  grant: 'a'.repeat(16),
  name: 'shop',
  operation: 'balance.get',
  wallet: 'default',
  result: 'ok',
};

/** A log in memory that begins with these lines, and its clock. */
function memoryLog(kept: readonly string[] = []) {
  const lines = [...kept];
  const clock = { now: NOW };
  const log = new GrantLog(
    {
      write: (line) => void lines.push(...line.split('\n').filter((each) => each !== '')),
      latest: () => lines,
    },
    () => clock.now,
  );
  return { log, lines, clock };
}

/** A log on the disk with this room. */
function diskLog(t: ExecutionContext, folder: string, mostBytes = MOST_GRANT_LOG_BYTES): GrantLog {
  const file = new LogFile(folder, mostBytes, GRANTS_LOG);
  t.teardown(() => file.close());
  return new GrantLog(
    { write: (line) => file.write(line), latest: () => latestLines(folder, GRANTS_LOG) },
    () => NOW,
  );
}

test('each call is one line of JSON with its time', (t) => {
  const written: string[] = [];
  const log = new GrantLog({ write: (line) => void written.push(line), latest: () => [] }, () => NOW);
  log.add(LINE);
  log.add({ ...LINE, name: 'a "b" \n c', wallet: null });
  t.is(written.length, 2);
  for (const line of written) t.regex(line, /^\{[^\n]*\}\n$/);
  t.deepEqual(JSON.parse(written[0]!), { at: '2026-01-01T00:00:00.000Z', ...LINE });
});

test('the latest line comes first', (t) => {
  const { log, clock } = memoryLog();
  for (const operation of ['one', 'two', 'three']) {
    log.add({ ...LINE, operation });
    clock.now += 1_000;
  }
  t.deepEqual(
    log.lines(10).map(({ operation, at }) => `${operation} ${at}`),
    ['three 2026-01-01T00:00:02.000Z', 'two 2026-01-01T00:00:01.000Z', 'one 2026-01-01T00:00:00.000Z'],
  );
});

test('as many lines come as are wanted, and as there are', (t) => {
  const { log } = memoryLog();
  t.deepEqual(log.lines(10), []);
  for (let n = 0; n < 5; n += 1) log.add({ ...LINE, operation: `${n}` });
  t.deepEqual(
    log.lines(2).map(({ operation }) => operation),
    ['4', '3'],
  );
  t.is(log.lines(5).length, 5);
  t.is(log.lines(1_000).length, 5);
});

test('the lines of one grant are as many as are wanted of its own', (t) => {
  const { log } = memoryLog();
  for (let n = 0; n < 10; n += 1)
    log.add({ ...LINE, grant: n % 2 === 0 ? 'even' : 'odd', operation: `${n}` });
  t.deepEqual(
    log.lines(3, 'even').map(({ operation }) => operation),
    ['8', '6', '4'],
  );
  t.deepEqual(log.lines(3, 'nobody'), []);
});

test('lines that are cut or are none are skipped, and count for nothing', (t) => {
  const { log, lines } = memoryLog();
  log.add({ ...LINE, operation: 'first' });
  const whole = lines[0]!;
  const skipped = [
    ...Array.from({ length: whole.length - 1 }, (_, end) => whole.slice(0, end + 1)),
    whole.slice(1),
    `${whole}${whole}`,
    'null',
    '7',
    '"text"',
    '[]',
    '{}',
    '\u0000'.repeat(100),
    JSON.stringify({ ...JSON.parse(whole), at: 7 }),
    JSON.stringify({ ...JSON.parse(whole), result: undefined }),
    JSON.stringify({ ...JSON.parse(whole), grant: null }),
  ];
  lines.push(...skipped);
  log.add({ ...LINE, operation: 'last' });
  t.deepEqual(
    log.lines(2).map(({ operation }) => operation),
    ['last', 'first'],
  );
});

test('a line has the members that it should have, whatever the file has', (t) => {
  const { wallet: _, ...without } = LINE;
  const at = '2026-01-01T00:00:00.000Z';
  const { log } = memoryLog([JSON.stringify({ at, ...without, phrase: 'abandon' })]);
  t.deepEqual(log.lines(1), [{ at, ...without, wallet: null }]);
});

test('on the disk the lines are there after a restart, the latest first', (t) => {
  const folder = temporaryFolder(t);
  const log = diskLog(t, folder);
  for (let n = 0; n < 100; n += 1) log.add({ ...LINE, operation: `${n}` });
  const again = diskLog(t, folder);
  t.deepEqual(
    again.lines(3).map(({ operation }) => operation),
    ['99', '98', '97'],
  );
  again.add({ ...LINE, operation: '100' });
  t.is(log.lines(1)[0]?.operation, '100');
  t.deepEqual([...contentsOf(folder).keys()], [GRANTS_LOG]);
});

test('the files are of bounded size, and the latest lines go on over both of them', (t) => {
  const folder = temporaryFolder(t);
  const room = 2_000;
  const log = diskLog(t, folder, room);
  for (let n = 0; n < 500; n += 1) {
    log.add({ ...LINE, operation: `${n}` });
    const sizes = [...contentsOf(folder).values()].map((bytes) => bytes.length);
    if (sizes.length > 2 || sizes.some((size) => size > room)) t.fail(`${sizes}`);
    const kept = log.lines(1_000).map(({ operation }) => Number(operation));
    const latest = kept.map((_, place) => n - place);
    if (kept.length === 0 || kept.join() !== latest.join()) t.fail(`after ${n}: ${kept}`);
  }
  const all = latestLines(folder, GRANTS_LOG);
  t.true(all.length > room / 200);
  t.deepEqual(
    all.map((line) => JSON.parse(line).operation),
    log
      .lines(1_000)
      .map(({ operation }) => operation)
      .toReversed(),
  );
});

test('without a file there are no lines, and the log of the companion is none of grants', (t) => {
  const folder = temporaryFolder(t);
  t.deepEqual(latestLines(folder, GRANTS_LOG), []);
  t.deepEqual(latestLines(path.join(folder, 'gone'), GRANTS_LOG), []);
  const other = new LogFile(folder);
  other.write(`${JSON.stringify({ at: 'x', ...LINE })}\n`);
  other.close();
  t.deepEqual(latestLines(folder, GRANTS_LOG), []);
  t.deepEqual(diskLog(t, folder).lines(10), []);
});

test('a line that a lost power cut is skipped, and those after it are whole', (t) => {
  const folder = temporaryFolder(t);
  diskLog(t, folder).add({ ...LINE, operation: 'before' });
  fs.appendFileSync(path.join(folder, GRANTS_LOG), '{"at":"2026-01-01T00:00:00.000Z","gra\n');
  const log = diskLog(t, folder);
  log.add({ ...LINE, operation: 'after' });
  t.deepEqual(
    log.lines(10).map(({ operation }) => operation),
    ['after', 'before'],
  );
});

test('a line that was cut before its end takes no other line with it', (t) => {
  const folder = temporaryFolder(t);
  fs.writeFileSync(path.join(folder, GRANTS_LOG), '{"at":"2026-01-01T00:00:00.000Z","gra', { mode: 0o600 });
  const log = diskLog(t, folder);
  log.add({ ...LINE, operation: 'after' });
  t.deepEqual(
    log.lines(10).map(({ operation }) => operation),
    ['after'],
  );
});
