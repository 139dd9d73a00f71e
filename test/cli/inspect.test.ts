// `pay inspect FILE`: what is in the file goes to the companion, and what a person must see comes first and plain.
import fs from 'node:fs';
import path from 'node:path';
import { stageBytes } from '@wallet-companion/pczt/test/pcztVectors';
import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { inspectionLines } from '../../src/cli/inspectionText.ts';
import type { Output } from '../../src/protocol/operations.ts';
import { ok } from '../../src/protocol/result.ts';
import { CliProcess, temporaryFolder } from '../helpers/cliProcess.ts';

const EXAMPLE = examples['pczt.inspect'].output;
const bytes = stageBytes('v6-ironwood-ironwood', 'ready');
const text = Buffer.from(bytes).toString('base64');

function answering(answer: Partial<Output<'pczt.inspect'>> = {}): CliProcess {
  const cli = new CliProcess();
  cli.link.answerWith('pczt.inspect', () => ok({ ...EXAMPLE, ...answer }));
  return cli;
}

test('a file is read as bytes or as base64, and so is standard input', async (t) => {
  const folder = temporaryFolder(t);
  const file = (name: string, content: string | Uint8Array): string => {
    fs.writeFileSync(path.join(folder, name), content);
    return path.join(folder, name);
  };
  const lines = `${text.replaceAll(/.{76}/g, '$&\r\n')}\n`;
  for (const given of [file('a.pczt', bytes), file('b.pczt', lines)]) {
    const cli = answering();
    const { code, stderr } = await cli.run('pay', 'inspect', given);
    t.is(code, 0, stderr);
    t.deepEqual(cli.link.calls.at(-1)!.input, { pczt: text });
  }
  for (const given of [bytes, lines]) {
    const cli = answering();
    cli.keyboard.end(given);
    const { code } = await cli.run('pay', 'inspect', '-', '--json');
    t.is(code, 0);
    t.deepEqual(cli.link.calls.at(-1)!.input, { pczt: text });
  }
});

test('a file of the longest PCZT is read, in lines of base64 as well', async (t) => {
  const longest = Buffer.concat([bytes, Buffer.alloc(1_572_864 - bytes.length)]);
  const pczt = longest.toString('base64');
  const file = path.join(temporaryFolder(t), 'x.pczt');
  for (const content of [longest, pczt.replaceAll(/.{64}/g, '$&\r\n')]) {
    fs.writeFileSync(file, content);
    const cli = answering();
    const { code, stderr } = await cli.run('pay', 'inspect', file);
    t.is(code, 0, stderr);
    t.deepEqual(cli.link.calls.at(-1)!.input, { pczt });
  }
});

test('a file that cannot be read, is too large or is something else is refused without being shown', async (t) => {
  const folder = temporaryFolder(t);
  const large = path.join(folder, 'large');
  fs.writeFileSync(large, Buffer.alloc((1 << 24) + 1, 'A'));
  const other = path.join(folder, 'other');
  fs.writeFileSync(other, 'a secret of somebody');
  for (const [file, code, says] of [
    [path.join(folder, 'none'), 2, /The file of pczt cannot be read\. \(INVALID_REQUEST\)/],
    [folder, 2, /The folder of pczt has no picture in which a QR code can be read\. \(INVALID_REQUEST\)/],
    [large, 2, /The file of pczt is too large\. \(INVALID_REQUEST\)/],
    [other, 2, /pczt must be a PCZT in base64, at most 2,097,152 characters\. \(INVALID_PCZT\)/],
  ] as const) {
    const run = await answering().run('pay', 'inspect', file);
    t.is(run.code, code);
    t.regex(run.stderr, says);
    t.false(run.stderr.includes('secret') || run.stderr.includes(folder));
    t.is(run.stdout, '');
  }
});

const shown = async (t: Parameters<typeof temporaryFolder>[0], answer: Partial<Output<'pczt.inspect'>>) => {
  const file = path.join(temporaryFolder(t), 'x.pczt');
  fs.writeFileSync(file, bytes);
  return (await answering(answer).run('pay', 'inspect', file)).stdout;
};

test('a person is shown whom it pays first, and what is odd last', async (t) => {
  t.is(
    await shown(t, {}),
    `Pays
  0.00240000 ZEC in ironwood to Alice, u1typed
  with the memo: rent

Spends
  0.00250000 ZEC in ironwood, of your account 0, unspent, not signed yet

Fee
  0.00010000 ZEC

Becomes public
  the fee, 0.0001 ZEC

Can be mined
  up to height 1000090; the wallet is at 1000049

Transaction
  ${EXAMPLE.txid}, version 6, NU6.3

Missing
  ironwood: 1 signature, proofs

Wallet
  compared with the open wallet

Warnings
  global.expiryHeight: it can be mined for 3 blocks
`,
  );
});

test('until when it can be mined is the nearer of its expiry and an upgrade', async (t) => {
  t.regex(
    await shown(t, { last_height: 1_000_060 }),
    /\n {2}up to height 1000060, the last one before a network upgrade; the wallet is at 1000049\n/,
  );
});

test('what is not verified, not known and not ours is not passed over', async (t) => {
  const [output] = EXAMPLE.outputs;
  const [spend] = EXAMPLE.spends;
  const text = await shown(t, {
    compared_with_wallet: false,
    as_of_height: null,
    txid: null,
    fee_zatoshi: -5,
    lock_time: null,
    expiry_height: 0,
    last_height: null,
    missing: [],
    warnings: [],
    spends: [
      { ...spend!, ours: false, note: 'unknown', signed: true },
      { ...spend!, note: 'unknown' },
    ],
    outputs: [
      {
        ...output!,
        typed_address: null,
        amount_zatoshi: null,
        address: null,
        contact: null,
        verified: false,
      },
      { ...output!, role: 'change', ours: null },
      { ...output!, role: 'padding', amount_zatoshi: 0 },
      { ...output!, memo: { text: 'one\nPays\u001b[2J\u202e' } },
      { ...output!, ours: true, account: 3, contact: null, memo: { hex: 'ff00' } },
    ],
  });
  for (const line of [
    '  an unknown amount in ironwood to somebody who is not told - NOT VERIFIED: this may not be what is signed',
    '  0.00240000 ZEC in ironwood, back to the spender, it seems',
    String.raw`  with the memo: one\nPays\u{1b}[2J\u{202e}`,
    '  0.00240000 ZEC in ironwood (your own account 3) to u1typed',
    '  with the memo: (not text) ff00',
    '  0.00250000 ZEC in ironwood, which is not yours, signed',
    '  0.00250000 ZEC in ironwood, of your account 0, a note that it does not know, not signed yet',
    '  -0.00000005 ZEC; 0.00010000 ZEC are usual',
    '  until a network upgrade after NU6.3, whose height is not known here',
    '  not before what its inputs ask for',
    '  id not known yet, version 6, NU6.3',
    '  nothing: it can be sent',
    '  no wallet is open, so nobody can say which of it is yours: unlock yours, or give --password-file',
  ])
    t.true(text.split('\n').includes(line), line);
  t.false(text.includes('0.00000000 ZEC'));
});

test('unknown values are left out, and what is yours or missing is named', (t) => {
  const [output] = EXAMPLE.outputs;
  const [spend] = EXAMPLE.spends;
  const lines = inspectionLines(
    {
      ...EXAMPLE,
      as_of_height: null,
      spends: [{ ...spend!, ours: null, note: null }],
      outputs: [
        { ...output!, memo: null },
        { ...output!, role: 'change', ours: true, account: 2 },
      ],
      missing: [{ pool: 'sapling', signatures: 0, proofs: false, binding_key: true }],
      warnings: [{ code: 'x', field: '', text: 'it has no change' }],
    },
    200,
  );
  for (const [title, line] of [
    ['Change', '  0.00240000 ZEC in ironwood, back to your account 2'],
    ['Spends', '  0.00250000 ZEC in ironwood, not signed yet'],
    ['Can be mined', '  up to height 1000090'],
    ['Missing', '  sapling: the key of the binding signature'],
    ['Warnings', '  it has no change'],
  ] as const)
    t.is(lines[lines.indexOf(title) + 1], line);
  t.false(lines.some((line) => line.includes('memo')));
});
