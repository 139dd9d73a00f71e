// Recipients from a CSV file: read as spreadsheets write it, and refused line by line before anything is prepared.

import fs from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { CliProcess, temporaryFolder } from '../helpers/cliProcess.ts';
import { startPaymentStory } from '../helpers/paymentStoryBed.ts';

const fileOf = (t: ExecutionContext, content: string | Uint8Array): string => {
  const file = path.join(temporaryFolder(t), 'pay.csv');
  fs.writeFileSync(file, content);
  return file;
};

async function preparing(t: ExecutionContext, content: string | Uint8Array, cli = new CliProcess()) {
  const file = fileOf(t, content);
  const { code, stderr } = await cli.run('pay', 'prepare', '--recipients-file', file);
  return { code, stderr: stderr.replaceAll(file, 'pay.csv'), calls: cli.link.calls };
}

test('columns in any order, quoted cells, a mark at the beginning, blank lines', async (t) => {
  const { code, calls } = await preparing(
    t,
    '\ufeffamount, Memo,contact,address\r\n1.5,"rent, ""May""",,u1first\r\n\r\n0.25,"two\nlines",Bob,\r\n2,,Carol\r\n',
  );
  t.is(code, 0);
  t.deepEqual(calls.at(-1)?.input, {
    recipients: [
      { address: 'u1first', amount: '1.5', memo: 'rent, "May"' },
      { contact: 'Bob', amount: '0.25', memo: 'two\nlines' },
      { contact: 'Carol', amount: '2' },
    ],
  });
});

test('every line that is no recipient is named, and nothing is called', async (t) => {
  const { code, stderr, calls } = await preparing(
    t,
    'address,contact,amount,memo\nu1,,1,"two\nlines"\n,,2\nu2,Bob,3\nu3,,,x\nu4,,1,a,b\n',
  );
  t.is(code, 2);
  t.is(
    stderr,
    'error: Nothing was prepared, because of pay.csv: line 4: needs an address or a contact, and not both; line 5: needs an address or a contact, and not both; line 6: has no amount; line 7: has 5 cells for 4 columns: quote a comma. (INVALID_REQUEST)\n',
  );
  t.deepEqual(calls, []);
});

for (const [what, content, sentence] of [
  ['no header', 'u1,1\n', /must begin with a line of column names/],
  ['an unknown column', 'address,amount,note\nu1,1,x\n', /must begin with a line of column names/],
  ['no amounts', 'address,memo\nu1,x\n', /must begin with/],
  ['a column twice', 'address,amount,amount\nu1,1,1\n', /must begin with/],
  ['nothing', '', /must begin with/],
  ['a header alone', 'address,amount\n', /has no line below its header/],
  ['an open quote', 'address,amount\nu1,1\n"u2,1\n', /a quote is out of place in line 3/],
  ['other bytes', Uint8Array.of(0xff, 0xfe, 0x61, 0), /is not text in UTF-8/],
  ['too much', 'address,amount\n'.padEnd((1 << 20) + 1, '\n'), /is too large/],
] as const)
  test(`a file with ${what} is refused`, async (t) => {
    const { code, stderr, calls } = await preparing(t, content);
    t.is(code, 2);
    t.regex(stderr, sentence);
    t.deepEqual(calls, []);
  });

test('a file that is not there, and recipients twice', async (t) => {
  const cli = new CliProcess();
  const none = await cli.run('pay', 'prepare', '--recipients-file', path.join(temporaryFolder(t), 'none'));
  t.regex(none.stderr, /none cannot be read\./);
  const file = fileOf(t, 'address,amount\nu1,1\n');
  const twice = await cli.run('pay', 'prepare', '--recipients', '[]', '--recipients-file', file);
  t.regex(twice.stderr, /either --recipients or --recipients-file/);
  t.deepEqual(cli.link.calls, []);
});

test('what the wallet finds wrong is named by its lines, all of them; a right file pays everybody', async (t) => {
  const story = await startPaymentStory(t);
  const cli = () => new CliProcess({ behind: story.wallet.link });
  const ADDRESS_FAULT = 'is no address of this network: mistyped, cut off, or of another one';
  const addresses = `address,amount,memo\n${story.other}x,0.1\n\n${story.other},0.1\nu1wrong,0.1\n${story.other},0.1,${'x'.repeat(513)}\n`;
  const wrong = await preparing(t, addresses, cli());
  t.is(wrong.code, 2);
  t.regex(wrong.stderr, /line 6: memo /);
  const shorter = addresses.replace('x'.repeat(513), 'x');
  t.is(
    (await preparing(t, shorter, cli())).stderr,
    `error: Nothing was prepared, because of pay.csv: line 2: address ${ADDRESS_FAULT}; line 5: address ${ADDRESS_FAULT}. (INVALID_REQUEST)\n`,
  );
  const nobody = await preparing(t, 'contact,amount\nAlice,0.1\nBob,0.1\n', cli());
  t.is(nobody.code, 2);
  t.regex(
    nobody.stderr,
    /line 2: contact is no contact of this wallet; line 3: contact is no contact of this wallet\. \(INV/,
  );
  const one = await preparing(t, 'contact,amount\nAlice,0.1\n', cli());
  t.is(one.code, 4);
  t.regex(one.stderr, /line 2: contact is no contact of this wallet\. \(NOT_FOUND\)/);
  t.deepEqual((await story.wallet.call('payments.list')).payments, []);
  await story.wallet.call('contacts.set', { name: 'Alice', address: story.other });
  const right = `contact,address,amount,memo\nAlice,,0.1,hello\n,${story.other},0.2,\n`;
  t.is((await preparing(t, right, cli())).code, 0);
  const { payments } = await story.wallet.call('payments.list');
  t.deepEqual(
    payments[0]?.payments.map(({ amount_zatoshi: zatoshi, memo }) => [zatoshi, memo]),
    [
      [10_000_000, { text: 'hello' }],
      [20_000_000, null],
    ],
  );
});
