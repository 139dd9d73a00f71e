import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { barLine, duration } from '../../src/cli/progressBar.ts';
import { SyncState } from '../../src/cli/syncState.ts';
import type { Output } from '../../src/protocol/operations.ts';
import { ok } from '../../src/protocol/result.ts';
import { CliProcess } from '../helpers/cliProcess.ts';

type Summary = Output<'sync.run'>;

const progress = (() => {
  const sample = examples['sync.status'].output.progress;
  if (sample === null) throw new Error('the sample has progress');
  return sample;
})();

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

/** A tip of 3,000 and a wallet that scans it in four requests, the top first, with two polls during each. */
function scansInFour(cli: CliProcess): void {
  const tip = 3000;
  const ranges = [
    { start_height: 2501, end_height: 3000 },
    { start_height: 1501, end_height: 2500 },
    { start_height: 501, end_height: 1500 },
    { start_height: 1, end_height: 500 },
  ];
  const missingBelow = (height: number) =>
    height === 1 ? [] : [{ start_height: 1, end_height: height - 1 }];
  let at = 0;
  cli.link.answerWith('sync.run', async () => {
    const range = ranges[at] ?? { start_height: 1, end_height: 0 };
    at += 1;
    const { start_height: start, end_height: end } = range;
    for (const scanned of [0, Math.floor((end - start + 1) / 2)]) {
      const isFirst = at === 1 && scanned === 0;
      cli.link.answerWith('balance.get', () =>
        ok({
          ...examples['balance.get'].output,
          as_of_height: isFirst ? null : tip,
          missing_ranges: isFirst ? [] : missingBelow(end + 1 - scanned),
        }),
      );
      cli.link.answerWith('sync.status', () =>
        ok({
          ...examples['sync.status'].output,
          // It does not know how much work that is.
          progress: { ...progress, ...range, work_total: 0, blocks_scanned: scanned, notes_found: 0 },
          last_scan_height: isFirst ? 0 : tip,
          chain_tip: tip,
        }),
      );
      cli.tick();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const missing = missingBelow(start);
    return ok(
      summary({
        ...range,
        blocks_scanned: end - start + 1,
        notes_found: 1,
        notes_new: 1,
        caught_up: true,
        range_complete: true,
        missing_ranges: missing,
        complete: missing.length === 0,
        elapsed_ms: 1000,
      }),
    );
  });
}

test('one bar over all requests goes from 0 to the end, in whatever order they scan', async (t) => {
  const cli = new CliProcess({ terminal: true, columns: 120 });
  scansInFour(cli);
  const { code, stderr } = await cli.run('sync', '--to-tip');
  t.is(code, 0);
  const drawn = stderr.split('\r').filter((line) => line.startsWith('['));
  t.deepEqual(
    drawn.map((line) => /\] (\d+) %, ([\d,]+ of [\d,]+ blocks)/.exec(line)?.slice(1)),
    [
      ['0', '0 of 3,000 blocks'],
      ['8', '250 of 3,000 blocks'],
      ['16', '500 of 3,000 blocks'],
      ['33', '1,000 of 3,000 blocks'],
      ['50', '1,500 of 3,000 blocks'],
      ['66', '2,000 of 3,000 blocks'],
      ['83', '2,500 of 3,000 blocks'],
      ['91', '2,750 of 3,000 blocks'],
    ],
  );
  t.true(drawn.at(-1)?.includes('3 notes'));
});

test('at the end there is one table of everything', async (t) => {
  const cli = new CliProcess();
  scansInFour(cli);
  const { stdout } = await cli.run('sync', '--to-tip');
  t.is(stdout.match(/blocks scanned/g)?.length, 1);
  for (const line of [
    /^start height +1$/m,
    /^end height +3000$/m,
    /^blocks scanned +3000$/m,
    /^notes new +4$/m,
    /^elapsed ms +4000$/m,
    /^complete +yes$/m,
  ]) {
    t.regex(stdout, line);
  }
});

test('newest blocks first, it says to go on above them, not above the last gap that was closed', async (t) => {
  const cli = new CliProcess();
  const left = [summary({ start_height: 2001, end_height: 3000, next_start_height: 3001, complete: false })];
  left.push(summary({ start_height: 1001, end_height: 2000, next_start_height: 2001, complete: false }));
  left.push(summary({ start_height: 1, end_height: 1000, next_start_height: 1001, caught_up: true }));
  cli.link.answerWith('sync.run', () => ok(left.shift() ?? summary({})));
  const { stdout } = await cli.run('sync', '--to-tip');
  t.regex(stdout, /^next start height +3001$/m);
});

test('what was scanned before a failure, or Ctrl-C, is shown in the same table', async (t) => {
  for (const end of ['failure', 'interrupt']) {
    const cli = new CliProcess();
    cli.link.answerWith('sync.run', () => {
      if (end === 'interrupt') cli.interrupt();
      if (cli.link.calls.filter(({ name }) => name === 'sync.run').length === 3)
        return { ok: false, error: { code: 'NODE_UNREACHABLE', detail: 'Gone.' } };
      return ok(summary({ blocks_scanned: 1000 }));
    });
    const { code, stdout } = await cli.run('sync', '--to-tip');
    t.is(code, end === 'failure' ? 6 : 130);
    t.regex(stdout, end === 'failure' ? /^blocks scanned +2000$/m : /^blocks scanned +1000$/m);
  }
});

for (const columns of [40, 41, 60, 79, 80, 81, 132]) {
  test(`on a terminal of ${columns} columns the bar leaves nothing behind`, async (t) => {
    const cli = new CliProcess({ terminal: true, columns });
    scansInFour(cli);
    const { stdout, stderr } = await cli.run('sync', '--to-tip');
    t.regex(stderr, /\[#*\.*\] \d+ %/);
    t.is(cli.screen.rows[0], 'start height       1');
    t.false(cli.screen.rows.some((row) => row.includes('%') || row.includes('#')));
    // Nothing has wrapped: each line of the table is one row.
    t.deepEqual(cli.screen.rows.join('\n').trimEnd(), stdout.trimEnd());
  });
}

test('the bar never touches the last column, and says how much is done and how long it takes where there is room for little else', (t) => {
  const state = {
    done: 1_234_567,
    total: 2_900_000,
    blocksPerSecond: 1234.5,
    outputsPerSecond: 54_321,
    notesFound: 12,
    etaSeconds: 1349,
    part: 1_234_567 / 2_900_000,
    bytesPerSecond: 1_234_567,
    boundedBy: 'network',
  } as const;
  for (let columns = 40; columns <= 200; columns += 1) {
    const text = barLine(state, columns - 1);
    t.true(text.length < columns, `${columns}: ${text}`);
    t.regex(text, /^\[#+\.+\] 42 %/);
    t.true(text.includes('22 min 29 s left'), text);
  }
  t.is(barLine(state, 39), '[###.....] 42 %, 22 min 29 s left');
  t.is(barLine(state, 79), '[######.........] 42 %, 1,234,567 of 2,900,000 blocks, 22 min 29 s left');
  t.is(barLine(state, 5), '42 %');
  t.regex(barLine(state, 199), /12 notes, 1\.2 MB\/s, waits for the network, 22 min 29 s left$/);
  t.regex(
    barLine({ ...state, bytesPerSecond: 45_600, boundedBy: 'disk' }, 199),
    / 46 kB\/s, waits for the disk,/,
  );
  t.regex(barLine({ ...state, bytesPerSecond: 0, boundedBy: 'cpu' }, 199), /12 notes, 22 min/);
});

test('a chain that grows adds to what there is to do, a reorganisation takes back what was done', (t) => {
  const state = new SyncState({ kind: 'missing', end: undefined });
  const at = (last: number, tip: number, scanned: number) => {
    const status = { ...examples['sync.status'].output, last_scan_height: last, chain_tip: tip };
    return state.at({
      status: { ...status, progress: { ...progress, blocks_scanned: scanned } },
      coverage: undefined,
    });
  };
  t.like(at(1000, 2000, 0), { done: 0, total: 1000 });
  t.like(at(1500, 2010, 500), { done: 500, total: 1010 });
  t.like(at(1490, 2011, 500), { done: 490, total: 1011 });
});

test('blocks beside the range that was asked for are not counted', (t) => {
  const range = new SyncState({ kind: 'range', end: 1400 });
  const status = { ...examples['sync.status'].output, last_scan_height: 2000, chain_tip: 3000 };
  const first = { ...progress, start_height: 1001, blocks_scanned: 100 };
  t.like(range.at({ status: { ...status, progress: first }, coverage: undefined }), {
    done: 100,
    total: 400,
  });
  const upTo = new SyncState({ kind: 'missing', end: 1400 });
  const gaps = [
    { start_height: 1301, end_height: 1500 },
    { start_height: 1801, end_height: 1900 },
  ];
  const seen = {
    status: { ...status, progress: { ...progress, blocks_scanned: 0 } },
    coverage: { as_of_height: 2000, missing_ranges: gaps },
  };
  t.like(upTo.at(seen), { done: 0, total: 100 });
});

test('the bar and the time left go by the work that is left, not by blocks', (t) => {
  const state = new SyncState({ kind: 'missing', end: undefined });
  const at = (last: number, done: number, total: number, eta: number | null) =>
    state.at({
      status: {
        ...examples['sync.status'].output,
        last_scan_height: last,
        chain_tip: 4000,
        progress: { ...progress, work_done: done, work_total: total, work_eta_seconds: eta },
      },
      coverage: undefined,
    });
  // All but 100 of 2,000 blocks are a twentieth of the work.
  t.like(at(2000, 5_000, 15_000, null), { part: 0, etaSeconds: null });
  t.like(at(3900, 5_500, 15_000, 900), { part: 0.05, etaSeconds: 900 });
  // There turn out to be more outputs than were expected.
  t.like(at(3950, 10_000, 25_000, 300), { part: 0.25, etaSeconds: 300 });
  t.like(at(4000, 25_000, 25_000, 0), { part: 1, etaSeconds: 0 });
  const request = new SyncState({ kind: 'request' });
  const status = { ...examples['sync.status'].output, progress };
  t.like(request.at({ status, coverage: undefined }), { part: 0.64 });
});

test('--json draws no bar', async (t) => {
  const cli = new CliProcess({ terminal: true });
  scansInFour(cli);
  t.is((await cli.run('sync', '--to-tip', '--json')).stderr, '');
});

test('elsewhere progress is lines, not every poll', async (t) => {
  const cli = new CliProcess();
  cli.link.answerWith('sync.run', async () => {
    for (let poll = 0; poll < 25; poll += 1) {
      cli.tick();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return ok(summary({}));
  });
  const { stderr } = await cli.run('sync');
  t.deepEqual(stderr.split('\n'), [
    '64 %, 640 of 1,000 blocks, 320 blocks/s, 6,173 outputs/s, 2 notes, 750 kB/s, 2 s left',
    '64 %, 640 of 1,000 blocks, 320 blocks/s, 6,173 outputs/s, 2 notes, 750 kB/s, 2 s left',
    '',
  ]);
});

test('a scan of nothing is a full bar, and what is not done is never 100 %', (t) => {
  const nothing = {
    blocksPerSecond: 0,
    outputsPerSecond: 0,
    notesFound: 0,
    etaSeconds: null,
    bytesPerSecond: 0,
    boundedBy: null,
  };
  t.regex(barLine({ ...nothing, done: 0, total: 0, part: 1 }, 120), /^\[#{24}\] 100 %, 0 of 0 blocks/);
  t.regex(barLine({ ...nothing, done: 99_999, total: 100_000, part: 0.99999 }, 120), /^\[#{23}\.\] 99 %/);
});

test('durations have their two largest units', (t) => {
  t.deepEqual([0.2, 59, 60, 3599, 3600, 90_000].map(duration), [
    '1 s',
    '59 s',
    '1 min 0 s',
    '59 min 59 s',
    '1 h 0 min',
    '1 d 1 h',
  ]);
});

test('what is not known while a sync begins is left out, not guessed', (t) => {
  const status = { ...examples['sync.status'].output, last_scan_height: 1000, chain_tip: null };
  const seen = (changes: Partial<typeof progress>) => ({
    status: { ...status, progress: { ...progress, ...changes } },
    coverage: undefined,
  });
  const range = (end: number | undefined) => new SyncState({ kind: 'range', end });
  const request = () => new SyncState({ kind: 'request' });
  t.is(request().at({ status: { ...status, progress: null }, coverage: undefined }), undefined);
  t.is(range(undefined).at(seen({})), undefined, 'no end, and no tip');
  t.like(range(1400).at(seen({ start_height: 1001, blocks_scanned: 100 })), { done: 100, total: 400 });
  t.like(request().at(seen({ blocks_per_second: 0 })), { blocksPerSecond: 0, etaSeconds: null });
  t.like(request().at(seen({ blocks_scanned: 0, blocks_total: 0 })), { part: 1 });
  const missing = new SyncState({ kind: 'missing', end: undefined });
  const nothingLeft = seen({ work_done: 9_000, work_total: 9_000 });
  t.like(missing.at({ ...nothingLeft, status: { ...nothingLeft.status, chain_tip: 2000 } }), { part: 1 });
});
