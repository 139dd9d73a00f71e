// The lists that a person reads: one line each, as wide as the terminal, without what only programs need.

import test from 'ava';
import { examples } from '../../../scripts/generate/examples.ts';
import { ok } from '../../../src/protocol/result.ts';
import { CliProcess } from '../../helpers/cliProcess.ts';

const shown = async (columns: number, ...words: string[]): Promise<string> =>
  (await new CliProcess({ terminal: true, columns }).run(...words)).stdout;

for (const [words, titles] of [
  ['notes', ['height', 'pool', 'value', 'conf.', 'spent', 'memo', 'txid']],
  ['pay list', ['payment id', 'status', 'pays']],
  ['invoices list', ['invoice id', 'state', 'amount', 'reference', 'exception']],
  ['wallet list', ['name', 'exists', 'unlocked', 'watch only', 'syncing', 'last scan height']],
] as const) {
  test(`${words} is a table of 80 columns, with a line for each`, async (t) => {
    const lines = (await shown(80, ...words.split(' '))).trimEnd().split('\n');
    t.deepEqual(lines[1]?.trim().split(/ {2,}/), [...titles]);
    t.true(lines.every((line) => line.length <= 80));
    t.notRegex(lines.join('\n'), /cursor|has more|sequence|series|most open/);
  });
}

test('what has no room is named, and on a very narrow terminal each field has a line', async (t) => {
  t.regex(await shown(80, 'pay', 'list'), /^ {2}no room for: created at, fee, expires at$/m);
  t.notRegex(await shown(150, 'pay', 'list'), /no room/);
  t.regex(await shown(40, 'pay', 'list'), /^ {2}fee +0\.00025000 ZEC$/m);
  const piped = (await new CliProcess().run('pay', 'list')).stdout;
  t.regex(piped, /expires at/);
  t.notRegex(piped, /no room/);
});

test('a next page is named where there is one', async (t) => {
  const cli = new CliProcess();
  cli.link.answerWith('notes.list', () => ok({ ...examples['notes.list'].output, next_cursor: 'abc' }));
  t.regex((await cli.run('notes')).stdout, /^next cursor +abc$/m);
});

test('a balance has the pools in a table, and nothing that a person does not need', async (t) => {
  const text = await shown(80, 'balance');
  t.true(text.split('\n').every((line) => line.length <= 80));
  t.regex(text, /^spendable +0\.00000008 ZEC$/m);
  t.notRegex(text, /as of hash|9c37deba/);
});

test('a terminal without a width has 80 columns', async (t) => {
  t.is(await shown(0, 'pay', 'list'), await shown(80, 'pay', 'list'));
});

test('address alone is the address, and address get still is', async (t) => {
  const cli = new CliProcess();
  const { code, stdout } = await cli.run('address', '--json');
  t.is(code, 0);
  t.is((await cli.run('address', 'get', '--diversifier-index', '5', '--json')).stdout, stdout);
  t.deepEqual(cli.link.calls.at(-1)?.input, { diversifier_index: '5' });
  t.is((await cli.run('address', 'next', '--json')).code, 0);
  t.is(cli.link.calls.at(-1)?.name, 'address.next');
  t.regex((await cli.run('address', '--help')).stdout, /next/);
});
