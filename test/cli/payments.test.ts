// `pay prepare|show|list|pczt|combine|...`: what a person sees and which files are written and read.
import fs from 'node:fs';
import path from 'node:path';
import { accountsUr, pcztOf, pcztUr, UrReader, urParts } from '@wallet-companion/devices/ur';
import { stageBytes } from '@wallet-companion/pczt/test/pcztVectors';
import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { paymentLines } from '../../src/cli/paymentText.ts';
import { showCommand } from '../../src/cli/shownCommand.ts';
import type { Output } from '../../src/protocol/operations.ts';
import { ok } from '../../src/protocol/result.ts';
import { CliProcess, type CliProcessOptions, temporaryFolder } from '../helpers/cliProcess.ts';
import { decoded, modulesOfBlocks } from '../helpers/qrReading.ts';

const EXAMPLE = examples['payments.prepare'].output;
const ID = EXAMPLE.payment_id;
const bytes = Buffer.from(stageBytes('v6-ironwood-ironwood', 'ready'));
const PCZT = bytes.toString('base64');

function preparing(
  answer: Partial<Output<'payments.prepare'>> = {},
  options: CliProcessOptions = {},
): CliProcess {
  const cli = new CliProcess(options);
  cli.link.answerWith('payments.prepare', () => ok({ ...EXAMPLE, pczt: PCZT, ...answer }));
  cli.link.answerWith('payments.pczt', () => ok({ ...examples['payments.pczt'].output, pczt: PCZT }));
  return cli;
}

const shown = (text: string): string => text.replaceAll(ID, 'ID').replaceAll(/[0-9a-f]{64}/g, 'TXID');

test('flags name the recipient, a file gets the bytes, and the screen shows what was prepared', async (t) => {
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
  0.49975000 ZEC in ironwood, back to you in 4 notes

Left
  0.00020000 ZEC did not fit; it takes 1 more payment

Fee
  0.00025000 ZEC

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
  go on step by step: wallet-companion pay --resume ID
  take it to the signer: wallet-companion pay pczt ID --output payment.pczt
  or show it to its camera: wallet-companion pay pczt ID --qr
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

test('what becomes public is shown with its amounts, whichever way it goes', async (t) => {
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
      {
        pool: 'ironwood',
        address: 'u1\u202e',
        contact: null,
        amount_zatoshi: 5,
        memo: { text: '\x1b[2J\nChange\n 9 ZEC' },
      },
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

/** The parts of a device's answer, as a scanner's program writes them down. */
function partsOf(pczt: Uint8Array, count: number): string[] {
  const { type, cbor } = pcztUr(pczt);
  const parts = urParts(type, cbor, { maxFragment: 200 });
  return Array.from({ length: count }, () => parts.next().value.text);
}

test('a PCZT goes out as base64, or where a program reads it as the text of its codes', async (t) => {
  const plain = await preparing().run('pay', 'pczt', ID, '--reader', 'compact_signer');
  t.is(plain.stdout, `${PCZT}\n`);
  const { stdout } = await preparing().run('pay', 'pczt', ID, '--qr');
  t.deepEqual(stdout.trimEnd().split('\n'), partsOf(bytes, Math.ceil((bytes.length + 5) / 200)));
});

for (const [columns, rows, widest] of [
  [80, 50, 69],
  [80, 24, 45],
  [62, 50, 61],
] as const)
  test(`a terminal of ${columns} columns and ${rows} lines shows moving codes until Ctrl-C`, async (t) => {
    const cli = preparing({}, { terminal: true, columns, lines: rows });
    const running = cli.run('pay', 'pczt', ID, '--qr');
    const reader = new UrReader();
    let shown = 0;
    for (; reader.message === undefined; cli.tick()) {
      shown++;
      await cli.whenShown(`Code ${shown}`);
      const lines = cli.screen.rows.slice(-rows);
      const at = lines.findIndex((line) => line.startsWith(`Code ${shown}`));
      t.true(at >= 0 && cli.screen.rows.length <= rows);
      const code = lines.slice(at + 1);
      const width = Math.max(...code.map((line) => line.length));
      // A camera sees black on white: the emulator leaves the colours away, and with them the margin on the right.
      const whole = code.map((line) => `${line.padEnd(width + 4)}\n`).join('');
      const read = reader.receive(decoded(squared(modulesOfBlocks(whole))));
      t.not(read, 'other');
      if (shown % 7 === 0) cli.tick();
      if (shown % 7 === 0) shown++;
    }
    t.deepEqual(Buffer.from(pcztOf(reader.message)), bytes);
    t.true(cli.screen.widest <= widest, `${cli.screen.widest}`);
    cli.interrupt();
    t.is((await running).code, 0);
    t.is(cli.listeners, 0);
  });

test('a payment that fills four thousand large codes is not shown in small ones', async (t) => {
  const large = preparing({}, { terminal: true, lines: 24 });
  const pczt = Buffer.alloc(300_000).toString('base64');
  large.link.answerWith('payments.pczt', () => ok({ ...examples['payments.pczt'].output, pczt }));
  const { code, stderr } = await large.run('pay', 'pczt', ID, '--qr');
  t.is(code, 2);
  t.regex(stderr, /needs 61 columns and 32 lines/);
});

test('a window that is too small for any code gets the size that it needs', async (t) => {
  for (const size of [{ columns: 40 }, { columns: 80, lines: 20 }]) {
    const { code, stderr } = await preparing({}, { terminal: true, ...size }).run('pay', 'pczt', ID, '--qr');
    t.is(code, 2);
    t.regex(stderr, /needs 45 columns and 24 lines/);
  }
});

test('a PCZT comes back as the text of its codes, in any order, some missing', async (t) => {
  const file = path.join(temporaryFolder(t), 'scanned.txt');
  const parts = partsOf(bytes, 60);
  const read = parts.filter((_, at) => at % 5 !== 2);
  fs.writeFileSync(file, `\n${[...read, read[3]!.toUpperCase()].reverse().join('\r\n')}\n`);
  const cli = new CliProcess();
  const { code, stdout, stderr } = await cli.run('pay', 'combine', ID, file);
  t.is(code, 0, stderr);
  t.deepEqual(cli.link.calls.at(-1)?.input, { payment_id: ID, pczt: PCZT });
  t.regex(stdout, /^Came back\n {2}1 signature added, 1 proof added\n/);
  t.regex(shown(stdout), /Next\n {2}send it: wallet-companion pay broadcast ID\n$/);
});

const devices = accountsUr({ seedFingerprint: new Uint8Array(32), accounts: [], deviceVersion: null });
for (const [what, lines, says] of [
  ['too few', partsOf(bytes, 5), 'has 5 of the 25 QR codes that it needs: scan more of them'],
  [
    'those of two messages',
    [...partsOf(bytes, 5), ...partsOf(bytes.subarray(1), 5)],
    'has QR codes of two messages: keep one',
  ],
  [
    'a line that is none',
    [...partsOf(bytes, 2), 'https://example.org/secret'],
    'has QR codes that cannot be used: a code is no uniform resource (UR)',
  ],
  [
    'those of something else',
    [urParts(devices.type, devices.cbor, { maxFragment: 200 }).next().value.text],
    'has QR codes that cannot be used: the codes have zcash-accounts and not zcash-pczt',
  ],
] as const)
  test(`a file of QR codes is refused with what to do: ${what}`, async (t) => {
    const file = path.join(temporaryFolder(t), 'scanned.txt');
    fs.writeFileSync(file, lines.join('\n'));
    const { code, stderr } = await new CliProcess().run('pay', 'combine', ID, file);
    t.is(code, 2);
    t.is(stderr, `error: The file of pczt ${says}. (INVALID_REQUEST)\n`);
  });

/** A row of modules more or less, where the last line of characters has half of one. */
const squared = (modules: readonly boolean[][]): readonly boolean[][] => {
  const size = modules[0]!.length;
  return Array.from({ length: size }, (_, y) => modules[y] ?? modules[0]!.map(() => false));
};

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
  t.regex((await none.run('pay', 'list')).stdout, /^payments +none$/m);
});

test('the outcome of a payment is reported, and an answer that was lost is not called a failure', async (t) => {
  const cli = new CliProcess();
  const sent = examples['payments.broadcast'].output;
  const { stdout } = await cli.run('pay', 'broadcast', ID);
  t.regex(stdout, /Status\n {2}sent; nobody has told yet what became of it\n {2}.*: the node has taken it\n/);
  cli.link.answerWith('payments.broadcast', () =>
    ok({
      ...sent,
      last_sent: {
        at: sent.created_at,
        source: 'compact',
        server: null,
        outcome: 'unanswered',
        detail: 'reset',
      },
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

test('--to takes an address, a contact or a request, and is not given beside their own flags', async (t) => {
  const cli = preparing();
  const address = `u1${'q'.repeat(60)}`;
  const asked = async (...args: string[]) => {
    const { code, stderr } = await cli.run('pay', 'prepare', ...args);
    return code === 0 ? cli.link.calls.at(-1)?.input : stderr;
  };
  t.deepEqual(await asked('--to', address, '--zatoshi', '5'), { address, zatoshi: 5 });
  t.deepEqual(await asked('--to', 'Alice', '--zatoshi', '5'), { contact: 'Alice', zatoshi: 5 });
  t.deepEqual(await asked('--to', 'zcash:u1x'), { uri: 'zcash:u1x' });
  t.regex(String(await asked('--to', 'Alice', '--contact', 'Bob')), /--to cannot be given beside/);
});

test('contacts and warnings are shown', async (t) => {
  const [one] = EXAMPLE.payments;
  const text = 'begins and ends like an address of this wallet, and is another one';
  const { stdout } = await preparing({
    payments: [{ ...one!, contact: 'Alice' }],
    warnings: [{ address: 'u1typed', text }],
  }).run('pay', 'prepare', '--to', 'Alice', '--zatoshi', '5');
  t.regex(stdout, /ZEC in ironwood to Alice, u1typed\n/);
  t.regex(stdout, /Warnings\n {2}u1typed begins and ends like/);
});

/** What a payment's page says under one title. */
function under(title: string, answer: Partial<Output<'payments.prepare'>>): readonly string[] {
  const lines = paymentLines({ ...EXAMPLE, ...answer }, 200, showCommand({}));
  const from = lines.indexOf(title) + 1;
  const to = lines.indexOf('', from);
  return lines.slice(from, to < 0 ? undefined : to).map((line) => shown(line.trim()));
}

test('a payment in the open, a memo that is no text, and several notes are shown as they are', (t) => {
  const [paid] = EXAMPLE.payments;
  const payments = [
    { ...paid!, pool: 'transparent' as const, address: 'tm1', memo: null },
    { ...paid!, memo: { hex: 'ff00' } },
  ];
  t.deepEqual(under('Pays', { payments }), [
    '1.50000000 ZEC in the open to tm1',
    '1.50000000 ZEC in ironwood to u1typed',
    'with the memo: (not text) ff00',
  ]);
  t.deepEqual(under('Change', { change: null }), ['none']);
  t.deepEqual(under('Left', { left: { zatoshi: 20_000, payments: 2 } }), [
    '0.00020000 ZEC did not fit; it takes 2 more payments',
  ]);
  t.deepEqual(under('Reserved', { notes: [...EXAMPLE.notes, ...EXAMPLE.notes] }), [
    '2.00000000 ZEC in 2 notes, for this payment alone',
  ]);
  t.deepEqual(under('Status', { status: 'mined', mined_height: 7, confirmations: 1 }), [
    'mined at height 7, 1 confirmation',
  ]);
  const amount = { pool: null, address: null, amount_zatoshi: 5 };
  const becomes_public = [
    { ...amount, consent: 'crossing_pools' as const },
    { ...amount, consent: 'transparent_recipients' as const },
  ];
  t.deepEqual(under('Becomes public', { becomes_public }), [
    'that 0.00000005 ZEC leave the shielded pools',
    'that 0.00000005 ZEC go to a transparent address',
  ]);
});

test('the next step is the signer for signatures and keys, a proof for proofs, another payment for a lost note', (t) => {
  const [part] = EXAMPLE.missing;
  const keys = { ...part!, signatures: 0, proofs: false, signer_keys: true };
  t.deepEqual(under('Missing', { missing: [keys] }), [
    'ironwood: a key that the signer has: it goes there once more',
  ]);
  t.deepEqual(under('Next', { missing: [keys] }), [
    'go on step by step: wallet-companion pay --resume ID',
    'take it to the signer: wallet-companion pay pczt ID --output payment.pczt',
    'or show it to its camera: wallet-companion pay pczt ID --qr',
    'look at what it says: wallet-companion pay inspect payment.pczt',
    'bring it back: wallet-companion pay combine ID signed.pczt',
    'or give it up: wallet-companion pay discard ID',
  ]);
  t.deepEqual(under('Next', { missing: [{ ...part!, signatures: 0 }] }), [
    'go on step by step: wallet-companion pay --resume ID',
    'have it proved here: wallet-companion pay prove ID',
    'or give it up: wallet-companion pay discard ID',
  ]);
  const { last_sent } = examples['payments.broadcast'].output;
  const another = 'prepare another one: wallet-companion pay prepare';
  t.deepEqual(under('Next', { status: 'lost_note' }), [another]);
  t.deepEqual(under('Next', { status: 'lost_note', last_sent }), [
    another,
    'this one was sent: to be certain that it is not mined, wait for block 1000090',
  ]);
});
