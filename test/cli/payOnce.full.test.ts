// `pay` with an idempotency key, and payouts from a file: the same command again pays nothing again.

import fs from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { CliProcess, temporaryFolder } from '../helpers/cliProcess.ts';
import { type PaymentStory, type StoryOptions, startPaymentStory } from '../helpers/paymentStoryBed.ts';
import { PASSWORD } from '../helpers/walletHarness.ts';

const NOTES: StoryOptions['notes'] = [1, 2, 3].map(() => ['ironwood', 100_000_000] as const);

async function bed(t: ExecutionContext, options: StoryOptions = {}) {
  const story = await startPaymentStory(t, options);
  const folder = temporaryFolder(t);
  const write = (name: string, content: string): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, content, { mode: 0o600 });
    return file;
  };
  const password = write('password', `${PASSWORD}\n`);
  return {
    story,
    write,
    /** Runs `pay` as a script does. `meanwhile`: while it waits. */
    pay: async (args: readonly string[], meanwhile = async (_: CliProcess) => undefined as unknown) => {
      const cli = new CliProcess({ behind: story.wallet.link });
      const ending = cli.run('pay', ...args, '--yes', '--password-file', password);
      await meanwhile(cli);
      return ending;
    },
    payments: async () => (await story.call('payments.list')).payments,
  };
}

/** Mines until the command has seen what it waits for. */
const mining =
  ({ devnet }: PaymentStory, blocks: number, text: string) =>
  async (cli: CliProcess): Promise<void> => {
    await cli.whenShown(text);
    for (let i = 0; i < blocks; i++) devnet.mine();
    cli.tick();
  };

test('with a key it pays once, reads new blocks first, and waits for the confirmations', async (t) => {
  const { story, pay, payments } = await bed(t);
  const order = ['--to', story.other, '--amount', '0.5', '--idempotency-key', 'order-1'];
  story.devnet.mineEmpty(10);
  const first = await pay([...order, '--no-wait', '--json']);
  t.is(first.code, 0, first.stdout);
  t.like(JSON.parse(first.stdout), { status: 'sent', repeated: false });
  const second = await pay(
    [...order, '--wait', 'confirmed'],
    mining(story, 3, 'Waiting for the blocks that confirm it'),
  );
  t.is(second.code, 0, second.stderr);
  t.regex(second.stdout, /confirmed/);
  t.is((await payments()).length, 1);
  const other = await pay([...order.with(3, '0.6'), '--json']);
  t.deepEqual([other.code, JSON.parse(other.stdout).code], [5, 'IDEMPOTENCY_KEY_IN_USE']);
});

for (const [args, sentence] of [
  [['--idempotency-key', 'k', '--resume', '5f0c1d9a0b7e4c6f8a2d3b4c5d6e7f80'], /for new payments alone/],
  [['--payouts-file', 'x.csv', '--to', 'Alice'], /names whom to pay by itself/],
  [['--to', 'Alice', '--amount', '1', '--wait', 'long'], /--wait takes mined or confirmed/],
] as const)
  test(`pay ${args.join(' ')} is refused`, async (t) => {
    const { code, stderr } = await new CliProcess().run('pay', ...args, '--yes');
    t.is(code, 2);
    t.regex(stderr, sentence);
  });

test('without --yes a key is refused: such a call asks nothing', async (t) => {
  const cli = new CliProcess({ terminal: true });
  const { code } = await cli.run('pay', '--to', 'Alice', '--amount', '1', '--idempotency-key', 'k');
  t.is(code, 2);
  t.true(cli.screen.rows.join(' ').includes('give --yes as well'));
});

test('a file of payouts is paid line by line, and the file run again pays what was left alone', async (t) => {
  const { story, write, pay, payments } = await bed(t, { notes: NOTES });
  await story.call('contacts.set', { name: 'Bob', address: story.other });
  const lines = [
    'address,contact,amount,memo,key',
    `${story.other},,0.1,rent,`,
    ',Nobody,0.2,,',
    ',Bob,0.30,,bob-may',
  ];
  const args = ['--payouts-file', write('pay.csv', lines.join('\n')), '--no-wait'];
  const first = await pay([...args, '--json']);
  t.is(first.code, 4, first.stdout);
  const seen = JSON.parse(first.stdout);
  t.like(seen, { paid: 2, paid_before: 0, failed: 1, left: 0 });
  t.like(seen.payouts[1], { line: 3, error: { code: 'NOT_FOUND' } });
  await story.killed();
  await story.call('contacts.set', { name: 'Nobody', address: story.addressOf(8) });
  write('pay.csv', lines.join('\n').replace('0.1,', '0.100,'));
  const second = await pay(args);
  t.is(second.code, 0, second.stderr + second.stdout);
  t.regex(
    second.stdout,
    /line 2: paid before, sent, [0-9a-f]{64}\n.*line 3: sent.*\n1 paid, 2 paid before, 0 failed, 0 left\./s,
  );
  t.deepEqual(
    (await payments()).map(({ payments: [one] }) => one!.amount_zatoshi).toSorted(),
    [1e7, 2e7, 3e7],
  );
  t.is(story.devnet.mempool.size, 3);
});

test('with one note a payout waits for the change of the one before; without waiting the rest is left', async (t) => {
  const { story, write, pay } = await bed(t, { config: { change_notes: 1 } });
  const file = write(
    'pay.csv',
    `address,amount\n${story.other},0.1\n${story.other},0.2\n${story.other},0.3\n`,
  );
  const hasty = await pay(['--payouts-file', file, '--no-wait']);
  t.is(hasty.code, 5);
  t.regex(hasty.stdout, /line 3: .*\(INSUFFICIENT_FUNDS\)\n1 paid, 0 paid before, 1 failed, 1 left\./);
  const patient = await pay(['--payouts-file', file, '--wait', 'mined'], async (cli) => {
    await mining(story, 3, 'Waiting for the blocks that confirm it')(cli);
    await cli.whenShown('line 3: sent');
    await mining(story, 3, 'Waiting for the blocks that confirm it')(cli);
    await cli.whenShown('line 4: sent');
    await mining(story, 1, 'Waiting for a block')(cli);
  });
  t.is(patient.code, 0, patient.stdout);
  t.regex(patient.stdout, /2 paid, 1 paid before, 0 failed, 0 left\./);
});

test('nothing is paid while a line is wrong, or does not say which payment it is', async (t) => {
  const { story, write, pay, payments } = await bed(t);
  for (const [content, sentence] of [
    [`address,amount\n${story.other},1\nu1typo,1\n${story.other},0.000000001\n`, /line 3: .*; line 4: /],
    [`address,amount\n${story.other},1\n${story.other},1.0\n`, /line 3: pays what line 2 pays/],
    [`address,amount,key\n${story.other},1,a\n${story.other},2,a\n`, /line 3: has the key of line 2/],
    [`address,amount\n${'u1,1\n'.repeat(1_001)}`, /has more than 1000 lines/],
  ] as const) {
    const { code, stderr } = await pay(['--payouts-file', write('pay.csv', content)]);
    t.is(code, 2);
    t.regex(stderr, sentence);
  }
  t.deepEqual(await payments(), []);
});
