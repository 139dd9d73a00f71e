import test from 'ava';
import { progressLine } from '../../src/cli/syncRun.ts';
import { examples } from '../../src/protocol/examples.ts';
import type { Output } from '../../src/protocol/operations.ts';
import { ok } from '../../src/protocol/result.ts';
import { CliProcess } from '../helpers/cliProcess.ts';

type Summary = Output<'sync.run'>;

const summary = (changes: Partial<Summary>): Summary => ({ ...examples['sync.run'].output, ...changes });

test('--to-tip repeats the request until caught up, one JSON body a line', async (t) => {
  const cli = new CliProcess();
  let requests = 0;
  cli.link.answerWith('sync.run', () => {
    requests += 1;
    return ok(summary({ caught_up: requests === 3, last_scan_height: requests * 1000 }));
  });
  const { code, stdout } = await cli.run('sync', '--to-tip', '--json');
  t.is(code, 0);
  const heights = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as Summary).last_scan_height);
  t.deepEqual(heights, [1000, 2000, 3000]);
  t.deepEqual(
    cli.link.calls.map((call) => call.input),
    Array.from({ length: 3 }, () => ({ newest_first: true })),
  );
});

test('--to-tip with a range goes on where the request was cut', async (t) => {
  const cli = new CliProcess();
  cli.link.answerWith('sync.run', ({ start_height: start = 0 }) =>
    ok(summary({ next_start_height: start + 1000, range_complete: start === 2001 })),
  );
  const { code } = await cli.run('sync', '--to-tip', '--start-height', '1', '--end-height', '2500');
  t.is(code, 0);
  t.deepEqual(
    cli.link.calls.map((call) => call.input),
    [
      { start_height: 1, end_height: 2500 },
      { start_height: 1001, end_height: 2500 },
      { start_height: 2001, end_height: 2500 },
    ],
  );
});

test('--to-tip --oldest-first fills what was skipped when there is nothing new above it, and gives up when that does not help', async (t) => {
  const gap = [{ start_height: 10, end_height: 2000 }];
  for (const fills of [true, false]) {
    const cli = new CliProcess();
    cli.link.answerWith('sync.run', ({ end_height: end }) => {
      if (end === undefined)
        return ok(summary({ blocks_scanned: 0, range_complete: true, caught_up: true, missing_ranges: gap }));
      const isDone = cli.link.calls.length === 3;
      return ok(
        fills
          ? summary({ blocks_scanned: 995, caught_up: isDone, missing_ranges: isDone ? [] : gap })
          : summary({ blocks_scanned: 0, missing_ranges: gap }),
      );
    });
    const { code } = await cli.run('sync', '--to-tip', '--oldest-first');
    t.is(code, fills ? 0 : 6);
    const ends = cli.link.calls.map((call) => (call.input as { end_height?: number }).end_height);
    t.deepEqual(ends, fills ? [undefined, 2000, 2000] : [undefined, 2000]);
  }
});

test('--to-tip asks for the newest blocks first until nothing is missing', async (t) => {
  const cli = new CliProcess();
  const gap = [{ start_height: 10, end_height: 2000 }];
  cli.link.answerWith('sync.run', () => {
    const isDone = cli.link.calls.length === 3;
    return ok(summary({ caught_up: true, range_complete: isDone, missing_ranges: isDone ? [] : gap }));
  });
  t.is((await cli.run('sync', '--to-tip', '--source', 'compact')).code, 0);
  t.deepEqual(
    cli.link.calls.map((call) => call.input),
    Array.from({ length: 3 }, () => ({ newest_first: true, source: 'compact' })),
  );
});

test('--to-tip gives up when a request scans nothing and is not at the tip', async (t) => {
  for (const order of [[], ['--oldest-first']]) {
    const cli = new CliProcess();
    cli.link.answerWith('sync.run', () => ok(summary({ blocks_scanned: 0 })));
    const { code, stderr } = await cli.run('sync', '--to-tip', ...order);
    t.is(code, 6);
    t.true(stderr.includes('1001'));
    t.is(cli.listeners, 0);
  }
});

test('--to-tip stops at the first failure with its exit code', async (t) => {
  const cli = new CliProcess();
  cli.link.failWith('sync.run', { code: 'NODE_UNREACHABLE', detail: 'Gone.' });
  t.is((await cli.run('sync', '--to-tip')).code, 6);
  t.is(cli.link.calls.length, 1);
});

test('without --to-tip one request is made', async (t) => {
  const cli = new CliProcess();
  t.is((await cli.run('sync')).code, 0);
  t.is(cli.link.calls.length, 1);
});

test('Ctrl-C cancels the scan, prints what was done and ends with 130', async (t) => {
  const cli = new CliProcess();
  cli.link.answerWith('sync.run', async () => {
    const cancelled = new Promise<void>((resolve) => {
      cli.link.answerWith('sync.cancel', () => {
        resolve();
        return ok({ cancelling: true });
      });
    });
    cli.interrupt();
    await cancelled;
    return ok(summary({ cancelled: true, blocks_scanned: 64 }));
  });
  const { code, stdout } = await cli.run('sync', '--to-tip', '--json');
  t.is(code, 130);
  t.is((JSON.parse(stdout) as Summary).blocks_scanned, 64);
  t.is(cli.listeners, 0);
});

test('Ctrl-C between two requests starts no third', async (t) => {
  const cli = new CliProcess();
  cli.link.answerWith('sync.run', () => {
    cli.interrupt();
    return ok(summary({}));
  });
  t.is((await cli.run('sync', '--to-tip')).code, 130);
  t.is(cli.link.calls.filter((call) => call.name === 'sync.run').length, 1);
});

test('on a terminal a bar is drawn on stderr and wiped; --json draws none', async (t) => {
  const cli = new CliProcess({ terminal: true });
  cli.link.answerWith('sync.run', async () => {
    cli.tick();
    await new Promise((resolve) => setImmediate(resolve));
    return ok(summary({}));
  });
  const { stderr } = await cli.run('sync');
  t.true(
    stderr.includes(
      '\r[###############.........] 64 % at height 640, 320 blocks/s, 6173 outputs/s, 2 notes, 2 s left',
    ),
  );
  t.true(stderr.endsWith('\r'));
  const json = await cli.run('sync', '--json');
  t.is(json.stderr, '');
});

test('elsewhere progress is lines, not every poll', async (t) => {
  const cli = new CliProcess();
  cli.link.answerWith('sync.run', async () => {
    for (let poll = 0; poll < 5; poll += 1) cli.tick();
    await new Promise((resolve) => setImmediate(resolve));
    return ok(summary({}));
  });
  const { stderr } = await cli.run('sync');
  t.is(stderr.split('\n').length, 2);
  t.false(stderr.includes('\r'));
});

test('a scan of nothing is a full bar', (t) => {
  const progress = examples['sync.status'].output.progress;
  if (progress === null) throw new Error('the sample has progress');
  const line = progressLine({ ...progress, blocks_scanned: 0, blocks_total: 0, eta_seconds: null });
  t.true(line.startsWith('[########################] 100 %') && !line.includes('left'));
});
