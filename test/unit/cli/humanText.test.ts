import test from 'ava';
import fc from 'fast-check';
import { examples } from '../../../scripts/generate/examples.ts';
import { humanText } from '../../../src/cli/humanText.ts';
import { transactionRows } from '../../../src/cli/transactionText.ts';
import { operationNames } from '../../../src/protocol/operations.ts';
import { displayWidth, wrapText } from '../../../src/terminal/terminalText.ts';
import { CliProcess, sampleCommandLine, temporaryFolder } from '../../helpers/cliProcess.ts';
import { TerminalEmulator } from '../../helpers/terminalEmulator.ts';

test('amounts are exact decimals of ZEC', (t) => {
  const balance = { ...examples['balance.get'].output, total_zatoshi: 2_100_000_000_000_000 };
  const text = humanText('balance.get', balance);
  t.regex(text, /^total +21000000\.00000000 ZEC$/m);
  t.regex(text, /^pending +0\.00000003 ZEC$/m);
  t.regex(text, /^ {2}ironwood +0\.00000005 ZEC +0\.00000004 ZEC +1$/m);
  t.regex(text, /^missing ranges +10-20$/m);
});

test('a balance without a scan is unknown, never 0', (t) => {
  const none = { total_zatoshi: 0, confirmed_zatoshi: 0, note_count: 0 };
  const text = humanText('balance.get', {
    ...none,
    pending_zatoshi: 0,
    pools: { sapling: none, orchard: none, ironwood: none },
    as_of_height: null,
    as_of_hash: null,
    complete: false,
    missing_ranges: [{ start_height: 5, end_height: 20 }],
  });
  t.regex(text, /^total +unknown$/m);
  t.regex(text, /^ {2}orchard +unknown +unknown +unknown$/m);
  t.regex(text, /^as of height +-$/m);
  t.regex(text, /^missing ranges +5-20$/m);
  t.notRegex(text, /\b0/);
});

test('a memo cannot move the cursor, colour the screen or turn text around', (t) => {
  const [note] = examples['notes.list'].output.notes;
  if (note === undefined) throw new Error('the sample has a note');
  const memo = { text: 'a\u001b[2J\u009b31m\u202eb\nc\u2028d' };
  const text = humanText('notes.list', { notes: [{ ...note, memo }], next_cursor: null });
  t.true(text.includes('a\\u{1b}[2J\\u{9b}31m\\u{202e}b\\nc\\u{2028}d'));
});

test('nothing printed has a control character, or one that turns text around', (t) => {
  const output = examples['lwd.info'].output;
  const pieces = fc.constantFrom(
    'a',
    '\u05d0',
    '\u{1f468}',
    '\u200d',
    '\u200e',
    '\u061c',
    '\u2066',
    '\u3164',
    '\u001b',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces).map((some) => some.join('')),
  );
  fc.assert(
    fc.property(text, (vendor) => {
      const shown = humanText('lwd.info', { ...output, vendor }).replaceAll('\n', '');
      return !/[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff]/u.test(shown);
    }),
  );
  t.pass();
});

test('a joiner in an emoji is shown as it came, and takes no cell', (t) => {
  const output = { ...examples['lwd.info'].output, vendor: '\u{1f469}\u200d\u{1f52c} a\u200db' };
  t.true(humanText('lwd.info', output).includes('\u{1f469}\u200d\u{1f52c} a\\u{200d}b'));
  t.is(displayWidth('\u{1f469}\u200d\u{1f52c}'), 4);
});

test('empty lists and unknown values are named, not left blank', (t) => {
  t.regex(humanText('notes.list', { notes: [], next_cursor: null }), /^notes +none\n$/);
});

const WIDTHS = [40, 52, 80, 100];

for (const name of operationNames) {
  test(`what ${name} shows fits the terminal, or is one word that can be copied whole`, (t) => {
    for (const width of WIDTHS) {
      const lines = humanText(name, examples[name].output, width).split('\n');
      const tooWide = lines.filter((line) => displayWidth(line) > width && line.trim().includes(' '));
      t.deepEqual(tooWide, [], `${width}`);
    }
  });
}

const [sampleNote] = examples['notes.list'].output.notes;

test('numbers stay whole where text is cut, and columns stay in line under wide characters', (t) => {
  if (sampleNote === undefined) throw new Error('the sample has a note');
  const value = { ...sampleNote, txid: 'ab'.repeat(32), value_zatoshi: 123_456_789_012_345 };
  const memos = ['こんにちは、お元気ですか。これは長いメモです', 'Gr\u0308ße', '🎉 for the bread'];
  const notes = memos.map((text) => ({ ...value, memo: { text } }));
  for (const width of [100, 110, 120, 132]) {
    const text = humanText('notes.list', { notes, next_cursor: null }, width);
    const screen = new TerminalEmulator(width);
    screen.write(text);
    t.is(screen.rows.join('\n'), text, 'nothing wraps');
    t.is(text.match(/1234567\.89012345 ZEC/g)?.length, 3);
    const columns = screen.columnsOf('abab');
    t.deepEqual([columns.length, new Set(columns).size], [3, 1]);
  }
});

test('the notes of a wallet with one account are a table in 80 columns; of several, the account is never left out', (t) => {
  if (sampleNote === undefined) throw new Error('the sample has a note');
  const note = { ...sampleNote, height: 3_428_143, txid: 'ab'.repeat(32), value_zatoshi: 123_456_789_012 };
  const shown = (accounts: readonly number[]) =>
    humanText(
      'notes.list',
      { notes: accounts.map((account) => ({ ...note, account })), next_cursor: null },
      80,
    );
  t.regex(shown([0, 0]), /^ {2}height +pool +value +conf\. +spent +memo +txid$/m);
  t.true(shown([0, 0]).includes('1234.56789012 ZEC'));
  t.regex(shown([0, 1]), /^ {2}height +account .*\n.* 0 .*\n {2}3428143 +1 /m);
});

test('where a table does not fit with text cut, each row becomes lines', (t) => {
  if (sampleNote === undefined) throw new Error('the sample has a note');
  const notes = [sampleNote, { ...sampleNote, height: 77 }];
  const text = humanText('notes.list', { notes, next_cursor: null }, 40);
  t.regex(text, /^ {2}height +77$/m);
  t.is(text.match(/^ {2}value +\S+ ZEC$/gm)?.length, 2);
});

test('a value without spaces has a line of its own, so that it can be copied', (t) => {
  const address = `u1${'q'.repeat(200)}`;
  const text = humanText('wallet.restore', { unified_address: address, birthday_height: 5 }, 80);
  t.true(text.includes(`unified address\n${address}\n`));
});

test('a recovery phrase is a numbered grid on a terminal, and one line elsewhere', async (t) => {
  const words = Array.from({ length: 24 }, (_, i) => `${'abcdefgh'.slice(0, 3 + (i % 6))}`);
  const mnemonic = words.join(' ');
  const shown = (width?: number) => humanText('wallet.backup', { mnemonic }, width);
  t.regex(shown(), new RegExp(`^mnemonic  ${mnemonic}$`, 'm'));
  t.is(
    shown(80).split('\n')[1],
    '   1 abc        2 abcd       3 abcde      4 abcdef     5 abcdefg    6 abcdefgh',
  );
  for (const width of WIDTHS) {
    const lines = shown(width).trimEnd().split('\n').slice(1);
    t.true(lines.every((line) => line.length <= width));
    const numbered = lines
      .join(' ')
      .trim()
      .split(/\s{2,}|(?<=[a-z]) +/);
    t.deepEqual(
      numbered,
      words.map((word, i) => `${i + 1} ${word}`),
    );
  }
  const cli = new CliProcess({ terminal: true });
  const { stdout } = await cli.run(...sampleCommandLine('wallet.create', temporaryFolder(t)));
  t.regex(stdout, /^ {2} ?1 \w+ +2 \w+/m);
});

test('words are kept whole when lines are broken', (t) => {
  t.deepEqual(wrapText('one two three fourteen', 8), ['one two', 'three', 'fourteen']);
  t.deepEqual(wrapText('a looooooooooong b', 8), ['a', 'looooooooooong', 'b']);
});

test('the statement of coverage is shown to its end, however narrow the terminal', (t) => {
  const { output } = examples['coverage.get'];
  const words = (text: string): string => text.replaceAll(/\s+/g, ' ');
  for (const width of WIDTHS) {
    const text = words(humanText('coverage.get', output, width));
    for (const { statement } of output.accounts) t.true(text.includes(words(statement)), `${width}`);
  }
});

test('a balance names the source it rests on, and none before anything was scanned', (t) => {
  const { output } = examples['balance.get'];
  const line = (more: object) =>
    humanText('balance.get', { ...output, ...more }).match(/^verified with .*$/m)?.[0];
  t.regex(line({}) ?? '', /nobody: .*compact server's word/);
  t.regex(line({ verified_with: 'node' }) ?? '', /^verified with +node$/);
  t.regex(line({ as_of_height: null }) ?? '', /^verified with +-$/);
});

test('times are shown to the second', (t) => {
  const { output } = examples['system.status'];
  const since = '2026-01-02T03:04:05.678Z';
  const text = humanText('system.status', { ...output, node: { ...output.node, since } });
  t.regex(text, /^ {2}since +2026-01-02T03:04:05Z$/m);
  t.notRegex(text, /\.\d{3}Z/);
});

test('a list of transactions is a table in 80 columns', (t) => {
  const [sample] = examples['transactions.list'].output.transactions;
  if (sample === undefined) throw new Error('the sample has a transaction');
  const transactions = [{ ...sample, height: 3_428_150, spent_zatoshi: 123_400_000_000 }];
  const rows = transactionRows({ transactions, next_cursor: null });
  const lines = humanText('transactions.list', rows, 80).split('\n');
  t.regex(lines.at(-2) ?? '', /^ {2}3428150 +2026-01-02T03:04:05Z +-1233\.96588890 ZEC +/);
  for (const line of lines) t.true(line.length <= 80, line);
});

test('an answer of another form is shown as it came, without control characters', (t) => {
  t.is(humanText('balance.get', ['a\u001b[2J', 5]), 'a\\u{1b}[2J, 5\n');
});

test('a height that was asked for stays known where the balance at it is not', (t) => {
  const { output } = examples['balance.at'];
  const text = humanText('balance.at', { ...output, as_of_height: null, height: 77 });
  t.regex(text, /^height +77$/m);
  t.regex(text, /^total +unknown$/m);
});

test('a range of one block is its height, a memo that is no text its first bytes, an empty record a dash', (t) => {
  const output = { ...examples['balance.get'].output, missing_ranges: [{ start_height: 5, end_height: 5 }] };
  t.regex(humanText('balance.get', output), /^missing ranges +5$/m);
  const more = { ...examples['lwd.info'].output, memo: { hex: 'ab'.repeat(20) }, nothing: {} };
  t.regex(humanText('lwd.info', more), /^memo +0x(ab){8}\.\.\.$/m);
  t.regex(humanText('lwd.info', more), /^nothing +-$/m);
});
