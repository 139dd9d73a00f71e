import test from 'ava';
import fc from 'fast-check';
import { humanText, printable } from '../../src/cli/humanText.ts';
import { examples } from '../../src/protocol/examples.ts';

test('amounts are exact decimals of ZEC', (t) => {
  const balance = { ...examples['balance.get'].output, total_zatoshi: 2_100_000_000_000_000 };
  const text = humanText('balance.get', balance);
  t.regex(text, /^total +21000000\.00000000 ZEC$/m);
  t.regex(text, /^pending +0\.00000003 ZEC$/m);
  t.regex(text, /^ {2}ironwood +0\.00000005 ZEC +0\.00000004 ZEC +1$/m);
  t.regex(text, /^missing ranges +10-20$/m);
});

test('a balance that nobody looked for is unknown, never 0', (t) => {
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

test('nothing printed has a control character', (t) => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[\p{Cc}\p{Cf}]/u.test(printable(text))));
  t.pass();
});

test('empty lists and unknown values are said, not left blank', (t) => {
  t.regex(humanText('notes.list', { notes: [], next_cursor: null }), /^notes +none\nnext cursor +-\n$/);
});
