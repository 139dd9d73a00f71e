// `pay prepare|show|list|pczt|combine|...`: what a person sees and which files are written and read.
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { stageBytes } from '#shielded-test/pcztVectors';
import { examples } from '../../scripts/generate/examples.ts';
import type { Output } from '../../src/protocol/operations.ts';
import { ok } from '../../src/protocol/result.ts';
import { framesOf } from '../../src/qr/qrFrames.ts';
import { CliProcess, temporaryFolder } from '../helpers/cliProcess.ts';

const EXAMPLE = examples['payments.prepare'].output;
const ID = EXAMPLE.payment_id;
const bytes = Buffer.from(stageBytes('v6-ironwood-ironwood', 'ready'));
const PCZT = bytes.toString('base64');

function preparing(answer: Partial<Output<'payments.prepare'>> = {}): CliProcess {
  const cli = new CliProcess();
  cli.link.answerWith('payments.prepare', () => ok({ ...EXAMPLE, pczt: PCZT, ...answer }));
  cli.link.answerWith('payments.pczt', () => ok({ ...examples['payments.pczt'].output, pczt: PCZT }));
  return cli;
}

const shown = (text: string): string => text.replaceAll(ID, 'ID').replaceAll(/[0-9a-f]{64}/g, 'TXID');

test('flags say whom to pay, a file gets the bytes, and the screen says what was prepared', async (t) => {
  const file = path.join(temporaryFolder(t), 'rent.pczt');
  const cli = preparing();
  const { code, stdout, stderr } = await cli.run(
    'pay',
    'prepare',
    '--address',
    'u1typed',
    '--amount',
    '1.5',
    '--memo',
    'rent',
    '--privacy',
    'crossing_pools',
    '--privacy',
    'unusual_fee',
    '--output',
    file,
  );
  t.is(code, 0, stderr);
  t.deepEqual(cli.link.calls.at(-1)?.input, {
    address: 'u1typed',
    amount: '1.5',
    memo: 'rent',
    privacy: ['crossing_pools', 'unusual_fee'],
  });
  t.deepEqual(fs.readFileSync(file), bytes);
  t.is(fs.statSync(file).mode & 0o777, 0o600);
  t.is(stderr, `${file} is written.\n`);
  t.is(
    shown(stdout),
    `Pays
  1.50000000 ZEC in ironwood to u1typed
  with the memo: rent

Change
  0.49990000 ZEC in ironwood, back to you

Left
  0.00020000 ZEC did not fit; it takes 1 more payment

Fee
  0.00010000 ZEC

Becomes public
  nothing but that there was a transaction, its fee and its size

Status
  prepared: signatures or proofs are missing

Can be mined
  up to height 1000090, about 2026-01-02T03:04:05Z

Reserved
  2.00000000 ZEC in 1 note, for this payment alone

Missing
  ironwood: 1 signature, proofs

Payment
  ID
  transaction TXID

Next
  take it to the signer: wallet-companion pay pczt ID --output payment.pczt
  look at what it says: wallet-companion pay inspect payment.pczt
  bring it back: wallet-companion pay combine ID signed.pczt
  have it proved here: wallet-companion pay prove ID
  or give it up: wallet-companion pay discard ID
`,
  );
});

test('nothing is prepared where its file is there already, and no file is replaced unasked', async (t) => {
  const file = path.join(temporaryFolder(t), 'rent.pczt');
  fs.writeFileSync(file, 'mine');
  for (const words of [
    ['prepare', '--address', 'u1', '--amount', '1'],
    ['pczt', ID],
  ]) {
    const cli = preparing();
    const { code, stderr } = await cli.run('pay', ...words, '--output', file);
    t.is(code, 2);
    t.regex(stderr, /is there already; --force replaces it/);
    t.is(cli.link.calls.length, 0);
  }
  t.is(fs.readFileSync(file, 'utf8'), 'mine');
  t.is((await preparing().run('pay', 'pczt', ID, '--output', file, '--force')).code, 0);
  t.deepEqual(fs.readFileSync(file), bytes);
});

test('what becomes public is said with its amounts, whichever way it goes', async (t) => {
  const { stdout } = await preparing({
    expires_at: '2026-01-02T03:04:05.678Z',
    becomes_public: [
      { consent: 'crossing_pools', pool: 'orchard', address: null, amount_zatoshi: 150_010_000 },
      { consent: 'crossing_pools', pool: 'ironwood', address: null, amount_zatoshi: -150_000_000 },
      { consent: 'transparent_recipients', pool: null, address: 'tm1', amount_zatoshi: 5_000_000 },
      { consent: 'unusual_fee', pool: null, address: null, amount_zatoshi: 14_000 },
    ],
  }).run('pay', 'prepare', '--address', 'tm1', '--amount', '0.05');
  t.regex(stdout, /that 1\.50010000 ZEC leave orchard\n {2}that 1\.50000000 ZEC enter ironwood\n/);
  t.regex(
    stdout,
    /that 0\.05000000 ZEC go to tm1\n {2}that the fee is 0\.00014000 ZEC above the usual one\n/,
  );
  t.regex(stdout, /up to height 1000090, about 2026-01-02T03:04:05Z\n/);
  t.false(stdout.includes('nothing but'));
});

test('an address and a memo cannot act on the terminal', async (t) => {
  const { stdout } = await preparing({
    payments: [
      { pool: 'ironwood', address: 'u1\u202e', amount_zatoshi: 5, memo: { text: '\x1b[2J\nChange\n 9 ZEC' } },
    ],
  }).run('pay', 'prepare', '--address', 'u1', '--zatoshi', '5');
  t.false(stdout.includes('\x1b') || stdout.includes('\u202e'));
  t.is(stdout.match(/^Change$/gm)?.length, 1);
});

test('--json prints the HTTP body, and takes no file', async (t) => {
  const cli = preparing();
  const { stdout } = await cli.run('pay', 'pczt', ID, '--json');
  t.deepEqual(JSON.parse(stdout), { ...examples['payments.pczt'].output, pczt: PCZT });
  t.is((await cli.run('pay', 'pczt', ID, '--json', '--output', 'x')).code, 2);
});

test('a PCZT goes out as base64 or as numbered QR codes, and comes back as a scanner reads them', async (t) => {
  const plain = await preparing().run('pay', 'pczt', ID, '--reader', 'compact_signer');
  t.is(plain.stdout, `${PCZT}\n`);

  const codes = await preparing().run('pay', 'pczt', ID, '--qr');
  const frames = framesOf(PCZT);
  t.true(frames.length > 10);
  const titles = codes.stdout.split('\n').filter((line) => /^\d+ of \d+$/.test(line));
  t.deepEqual(
    titles,
    frames.map((_, at) => `${at + 1} of ${frames.length}`),
  );
  t.true(codes.stdout.split('\n').every((line) => line.length <= 80));

  const file = path.join(temporaryFolder(t), 'scanned.txt');
  fs.writeFileSync(file, `${[...frames, frames[2]].reverse().join('\r\n')}\n`);
  const cli = new CliProcess();
  const { code, stdout, stderr } = await cli.run('pay', 'combine', ID, file);
  t.is(code, 0, stderr);
  t.deepEqual(cli.link.calls.at(-1)?.input, { payment_id: ID, pczt: PCZT });
  t.regex(stdout, /^Came back\n {2}1 signature added, 1 proof added\n/);
  t.regex(shown(stdout), /Next\n {2}send it: wallet-companion pay broadcast ID\n$/);

  fs.writeFileSync(file, frames.filter((_, at) => at !== 4).join('\n'));
  const short = await new CliProcess().run('pay', 'combine', ID, file);
  t.is(short.code, 2);
  t.is(
    short.stderr,
    'error: The file of pczt has QR codes that make no whole: frames are missing: 5. (INVALID_REQUEST)\n',
  );
});

test('a PCZT that comes back as it went is no success while something is missing', async (t) => {
  const file = path.join(temporaryFolder(t), 'unsigned.pczt');
  fs.writeFileSync(file, bytes);
  const example = examples['payments.combine'].output;
  const answer = { ...example, signatures_added: 0, proofs_added: 0 };
  const cli = new CliProcess();
  cli.link.answerWith('payments.combine', () => ok({ ...answer, status: 'prepared' }));
  const { code, stdout, stderr } = await cli.run('pay', 'combine', ID, file);
  t.is(code, 5);
  t.regex(stdout, /^Came back\n {2}0 signatures added, 0 proofs added\n/);
  t.regex(stderr, /Nothing new came back: .* Give what the signer wrote\.\n$/);
  const asJson = await cli.run('pay', 'combine', ID, file, '--json');
  t.is(asJson.code, 5);
  t.is(asJson.stderr, '');
  // One that is complete was given back twice.
  cli.link.answerWith('payments.combine', () => ok({ ...answer, status: 'complete', missing: [] }));
  t.is((await cli.run('pay', 'combine', ID, file)).code, 0);
});

test('a list has a line for each payment, and its ids are whole on a narrow screen', async (t) => {
  for (const columns of [undefined, 100, 80, 40]) {
    const cli = new CliProcess(columns === undefined ? {} : { terminal: true, columns });
    const { stdout } = await cli.run('pay', 'list', '--open');
    t.deepEqual(cli.link.calls.at(-1)?.input, { open: true });
    t.true(stdout.includes(ID), stdout);
    t.true(stdout.includes('1.50000000 ZEC'), stdout);
  }
  const none = new CliProcess();
  none.link.answerWith('payments.list', () => ok({ payments: [], next_cursor: null }));
  t.regex((await none.run('pay', 'list')).stdout, /payments {5}none/);
});

test('what became of a payment is told, and an answer that was lost is not called a failure', async (t) => {
  const cli = new CliProcess();
  const sent = examples['payments.broadcast'].output;
  const { stdout } = await cli.run('pay', 'broadcast', ID);
  t.regex(stdout, /Status\n {2}sent; nobody has told yet what became of it\n {2}.*: the node has taken it\n/);
  cli.link.answerWith('payments.broadcast', () =>
    ok({
      ...sent,
      last_sent: { at: sent.created_at, source: 'compact', outcome: 'unanswered', detail: 'reset' },
    }),
  );
  const lost = await cli.run('pay', 'broadcast', ID);
  t.regex(lost.stdout, /the compact server has not answered; it may have it all the same: reset/);
  const mined = new CliProcess();
  mined.link.answerWith('payments.get', () =>
    ok({ ...sent, status: 'mined', mined_height: 1_000_050, confirmations: 2, expires_at: null }),
  );
  const status = (await mined.run('pay', 'show', ID)).stdout;
  t.regex(status, /mined at height 1000050, 2 confirmations/);
  t.false(status.includes('Can be mined') || status.includes('Next'));
  const gone = (await new CliProcess().run('pay', 'discard', ID)).stdout;
  t.regex(gone, /discarded: its notes are free again/);
  t.false(gone.includes('Reserved') || gone.includes('Next') || gone.includes('Missing'));
});

test('a password that sending wants is asked for where somebody can be asked, once', async (t) => {
  const needs = {
    code: 'INVALID_REQUEST',
    detail: 'password is needed to send a payment.',
    errors: [{ path: 'password', message: 'is needed to send a payment' }],
  } as const;
  const answer = ({ password }: { readonly password?: string | undefined }) =>
    password === undefined
      ? ({ ok: false, error: needs } as const)
      : ok(examples['payments.broadcast'].output);
  const cli = new CliProcess({ terminal: true });
  cli.link.answerWith('payments.broadcast', answer);
  cli.type('correct horse\r');
  t.is((await cli.run('pay', 'broadcast', ID)).code, 0);
  t.deepEqual(
    cli.link.calls.map(({ input }) => input),
    [{ payment_id: ID }, { payment_id: ID, password: 'correct horse' }],
  );
  const script = new CliProcess();
  script.link.answerWith('payments.broadcast', answer);
  const { code, stderr } = await script.run('pay', 'broadcast', ID);
  t.is(code, 2);
  t.regex(stderr, /password is needed to send a payment/);
  t.is(script.link.calls.length, 1);
});
