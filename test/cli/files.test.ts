// Exported histories and QR codes on the command line: to a file that is new, private and whole, or to standard output.
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { operations } from '../../src/protocol/operations.ts';
import { ok } from '../../src/protocol/result.ts';
import { CliProcess, temporaryFolder } from '../helpers/cliProcess.ts';

const EXAMPLE = examples['transactions.export'].output;
const { rows: _, ...WITHOUT_ROWS } = EXAMPLE;
const csv = (text: string, next: string | null) => ({
  ...WITHOUT_ROWS,
  format: 'csv' as const,
  next_cursor: next,
  text,
});

function twoPages(): CliProcess {
  const cli = new CliProcess();
  cli.link.answerWith('transactions.export', ({ format, cursor }) => {
    const next = cursor === undefined ? 'next' : null;
    if (format === 'csv') return ok(csv(cursor === undefined ? 'a\r\n' : 'b\r\n', next));
    return ok({ ...EXAMPLE, next_cursor: next });
  });
  return cli;
}

test('an export goes to a new file of its owner alone, with all its pages', async (t) => {
  const file = path.join(temporaryFolder(t), 'books.csv');
  const { code, stdout, stderr } = await twoPages().run(
    'transactions',
    'export',
    '--format',
    'csv',
    '--output',
    file,
  );
  t.is(code, 0, stderr);
  t.is(stdout, '');
  t.regex(stderr, /is written\. Balance after the last row: 0\.00250000 ZEC, as of block 1000049\./);
  t.is(fs.readFileSync(file, 'utf8'), 'a\r\nb\r\n');
  t.is(fs.statSync(file).mode & 0o777, 0o600);
  t.deepEqual(fs.readdirSync(path.dirname(file)), ['books.csv']);
});

test('a file that is there stays as it is, but with --force', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'books.csv');
  const target = path.join(folder, 'target');
  const line = ['transactions', 'export', '--format', 'csv', '--output'];
  fs.writeFileSync(file, 'mine', { mode: 0o644 });
  const cli = twoPages();
  const refused = await cli.run(...line, file);
  t.is(refused.code, 2);
  t.regex(refused.stderr, /is there already; --force replaces it/);
  t.is(cli.link.calls.length, 0);
  t.is(fs.readFileSync(file, 'utf8'), 'mine');
  // A link is not followed, be there something behind it or not.
  fs.symlinkSync(target, path.join(folder, 'link.csv'));
  t.is((await twoPages().run(...line, path.join(folder, 'link.csv'))).code, 2);
  t.is((await twoPages().run(...line, path.join(folder, 'link.csv'), '--force')).code, 0);
  t.false(fs.existsSync(target));
  t.is((await twoPages().run(...line, file, '--force')).code, 0);
  t.is(fs.readFileSync(file, 'utf8'), 'a\r\nb\r\n');
  t.is(fs.statSync(file).mode & 0o777, 0o600);
});

test('an export that fails on the way leaves no file, and not what was there harmed', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'books.csv');
  const failing = (): CliProcess => {
    const cli = new CliProcess();
    cli.link.answerWith('transactions.export', ({ cursor }) =>
      cursor === undefined
        ? ok(csv('a\r\n', 'next'))
        : { ok: false, error: { code: 'INVALID_REQUEST', detail: 'The history has changed.' } },
    );
    return cli;
  };
  const line = ['transactions', 'export', '--format', 'csv', '--output', file];
  const first = await failing().run(...line);
  t.is(first.code, 2);
  t.regex(first.stderr, /The history has changed/);
  t.deepEqual(fs.readdirSync(folder), []);
  fs.writeFileSync(file, 'mine');
  t.is((await failing().run(...line, '--force')).code, 2);
  t.is(fs.readFileSync(file, 'utf8'), 'mine');
  t.deepEqual(fs.readdirSync(folder), ['books.csv']);
  const nowhere = await twoPages().run(...line.slice(0, -1), path.join(folder, 'none', 'books.csv'));
  t.is(nowhere.code, 7);
  t.regex(nowhere.stderr, /cannot be written \(ENOENT\)/);
});

test('json is one array; what is incomplete or unknown is reported', async (t) => {
  const { stdout } = await twoPages().run('transactions', 'export', '--format', 'json');
  t.deepEqual(JSON.parse(stdout), [...EXAMPLE.rows!, ...EXAMPLE.rows!]);
  const saying = async (more: object): Promise<string> => {
    const cli = new CliProcess();
    cli.link.answerWith('transactions.export', () => ok({ ...EXAMPLE, ...more, rows: [] }));
    const answer = await cli.run('transactions', 'export', '--format', 'json');
    t.deepEqual(JSON.parse(answer.stdout), []);
    return answer.stderr;
  };
  const missing = [{ start_height: 5, end_height: 9 }];
  t.regex(
    await saying({ complete: false, missing_ranges: missing }),
    /Not complete: blocks 5-9 have not been/,
  );
  const unknown = await saying({ as_of_height: null, balance_zatoshi: 0, complete: false });
  t.regex(unknown, /Nothing has been scanned yet/);
  t.notRegex(unknown, /0\.00/);
  t.regex(await saying({ warning: 'Only what comes in.' }), /Only what comes in/);
});

test('memos in json cannot steer a terminal', async (t) => {
  const cli = new CliProcess();
  const rows = [{ ...EXAMPLE.rows![0]!, memos: [{ text: '\u009b31m\u202e\u001b[2J' }] }];
  cli.link.answerWith('transactions.export', () => ok({ ...EXAMPLE, rows }));
  const { stdout } = await cli.run('transactions', 'export', '--format', 'json');
  t.notRegex(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
  t.deepEqual(JSON.parse(stdout), rows);
});

test('one page that was asked for says how to go on', async (t) => {
  const { stdout, stderr } = await twoPages().run(
    'transactions',
    'export',
    '--format',
    'csv',
    '--limit',
    '1',
  );
  t.is(stdout, 'a\r\n');
  t.regex(stderr, /--cursor next/);
});

test('a QR code is black on white on a terminal, whatever its colours, and plain elsewhere', async (t) => {
  const { image, uri } = examples['payment_uri.qr'].output;
  const plain = await new CliProcess().run('payment-uri', 'qr');
  t.is(plain.stdout, `${image}${uri}\n`);
  const terminal = await new CliProcess({ terminal: true, columns: 80 }).run('payment-uri', 'qr');
  const lines = image.split('\n').slice(0, -1);
  const coloured = lines.map((line) => `\x1b[38;5;16;48;5;231m${line}\x1b[0m\n`).join('');
  t.is(terminal.stdout, `${coloured}${uri}\n`);
  const narrow = await new CliProcess({ terminal: true, columns: 3 }).run('payment-uri', 'qr');
  t.is(narrow.stdout, `${uri}\n`);
  t.regex(narrow.stderr, /needs 4 columns/);
});

test('images go to files', async (t) => {
  const folder = temporaryFolder(t);
  const cli = (): CliProcess => {
    const made = new CliProcess();
    const { output } = examples['payment_uri.qr'];
    made.link.answerWith('payment_uri.qr', () => ok({ ...output, format: 'png', image: 'iVBORw==' }));
    return made;
  };
  const file = path.join(folder, 'pay.png');
  t.is((await cli().run('payment-uri', 'qr', '--format', 'png', '--output', file)).code, 0);
  t.deepEqual([...fs.readFileSync(file)], [0x89, 0x50, 0x4e, 0x47]);
  const refused = await cli().run('payment-uri', 'qr', '--format', 'png');
  t.is(refused.code, 2);
  t.regex(refused.stderr, /give --output/);
  t.is((await cli().run('payment-uri', 'qr', '--output', `${file}2`, '--json')).code, 2);
});

for (const [made, read, field] of [
  ['statement.get', 'statement.check', 'statement'],
  ['labels.export', 'labels.import', 'labels'],
] as const)
  test(`a file of ${made} is one for ${read}`, async (t) => {
    const file = path.join(temporaryFolder(t), 'kept');
    const words = (name: keyof typeof examples) => operations[name].cli.words;
    const cli = new CliProcess();
    t.is((await cli.run(...words(made), '--output', file)).code, 0);
    const { code, stderr } = await cli.run(...words(read), file);
    t.is(code, 0, stderr);
    const given = cli.link.calls.find(({ name }) => name === read)!.input as Record<string, string>;
    t.deepEqual(Buffer.from(given[field]!, 'base64'), fs.readFileSync(file));
  });

test('a statement that differs is a failure for scripts', async (t) => {
  const file = path.join(temporaryFolder(t), 'statement.json');
  fs.writeFileSync(file, '{}');
  for (const equal of [true, false]) {
    const cli = new CliProcess();
    cli.link.answerWith('statement.check', () => ok({ ...examples['statement.check'].output, equal }));
    t.is((await cli.run('statement', 'check', file)).code, equal ? 0 : 5);
  }
});
