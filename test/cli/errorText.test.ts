// Failures and transactions in the words of a person at a terminal; programs get the body as over HTTP.

import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { ok } from '../../src/protocol/result.ts';
import { CliProcess } from '../helpers/cliProcess.ts';

test('a refused field is named as it is typed, with the near word; JSON stays as over HTTP', async (t) => {
  const cli = new CliProcess();
  const errorOf = async (...words: string[]) => (await cli.run(...words)).stderr;
  t.regex(await errorOf('grant', 'create', 'shop'), /error: --\w+ .*required/);
  t.regex(await errorOf('follow', 'set', 'maybe'), /on\|off must be on or off/);
  t.regex(await errorOf('notes', '--pool', 'orchad'), /--pool must be one of .*did you mean orchard\?/);
  t.notRegex(await errorOf('notes', '--pool', 'xyz'), /did you mean/);
  t.regex(await errorOf('sync', '--start-height', 'ten'), /--start-height must be an integer/);
  const { stdout } = await cli.run('notes', '--pool', 'orchad', '--json');
  t.regex((JSON.parse(stdout) as { detail: string }).detail, /^pool must be one of/);
});

test('a route in a sentence is the command that does the same', async (t) => {
  const cli = new CliProcess();
  cli.link.failWith('contacts.remove', {
    code: 'NOT_FOUND',
    detail: 'Nobody; GET /api/contacts lists them.',
  });
  const { stderr } = await cli.run('contacts', 'remove', 'Bob', '--data-dir', '/d');
  t.regex(stderr, /Nobody; "wallet-companion contacts( list)? --data-dir \/d" lists them\./);
});

test('a payment shows what left the wallet, to whom and why, and not its change', async (t) => {
  const [sample] = examples['transactions.list'].output.transactions;
  const output = { ...sample!.sent_outputs[0]!, scope: 'external' as const, memo: { text: 'for the bike' } };
  const change = { ...sample!.received_outputs[0]!, scope: 'internal' as const, memo: null };
  const paid = {
    ...sample!,
    received_zatoshi: 113_000_000,
    spent_zatoshi: 123_010_000,
    received_outputs: [change],
    sent_outputs: [{ ...output, value_zatoshi: 10_000_000, recipient: 'u1anna' }],
  };
  const cli = new CliProcess();
  cli.link.answerWith('transactions.list', () =>
    ok({ ...examples['transactions.list'].output, transactions: [paid, sample!] }),
  );
  const { stdout } = await cli.run('transactions');
  t.regex(stdout, /-0\.10010000 ZEC .*u1anna .*for the bike/);
  t.regex(stdout, / 0\.03411110 ZEC .*donations .*order 1042/);
  t.notRegex(stdout, /1\.13|1\.23/);
});
