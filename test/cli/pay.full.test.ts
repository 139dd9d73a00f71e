// `pay` from a recipient to a block that has the payment: by a person with a device, by a program, and again after each
// step at which it can be interrupted.

import fs from 'node:fs';
import path from 'node:path';
import { pcztUr, UrReader, urParts } from '@wallet-companion/devices/ur';
import { encodeBatchSignatures, encodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { ownTransparentAddresses } from '@wallet-companion/pczt/spending';
import { SEED } from '@wallet-companion/pczt/test/spendingAccount';
import { deriveViewingKeys } from '@wallet-companion/zcash/keys';
import test, { type ExecutionContext } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import type { Signer } from '../../src/actors/wallet/ports/signing.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import { ok } from '../../src/protocol/result.ts';
import { keystoneBatchAnswer } from '../devices/mockKeystoneBatch.ts';
import { CliProcess, type CliProcessOptions, temporaryFolder } from '../helpers/cliProcess.ts';
import {
  base64Of,
  type PaymentStory,
  pcztIn,
  type StoryOptions,
  startPaymentStory,
} from '../helpers/paymentStoryBed.ts';
import { PASSWORD } from '../helpers/walletHarness.ts';

const ENTER = '\r';
const DOWN = '\u001b[B';
const CTRL_C = '\u0003';

interface Bed {
  readonly story: PaymentStory;
  readonly folder: string;
  readonly order: readonly string[];
  cli(options?: CliProcessOptions): CliProcess;
  /** The one payment there is. */
  id(): Promise<string>;
  /** A file with what the device makes of the payment. */
  answer(name: string, make?: (pczt: Pczt) => Pczt): Promise<string>;
}

/** `signsItself`: no device does. */
async function bed(
  t: ExecutionContext,
  options: StoryOptions & { readonly signsItself?: true } = {},
): Promise<Bed> {
  const story = await startPaymentStory(t, options);
  const folder = temporaryFolder(t);
  if (options.signsItself !== true) await story.wallet.call('wallet.device', { device: 'other' });
  const id = async (): Promise<string> => {
    const { payments } = await story.wallet.call('payments.list');
    return payments[0]!.payment_id;
  };
  return {
    story,
    folder,
    order: ['pay', '--to', story.other, '--amount', '0.5'],
    cli: (more = { terminal: true }) => new CliProcess({ ...more, behind: story.wallet.link }),
    id,
    answer: async (name, make = story.signed) => {
      const file = path.join(folder, name);
      const bytes = encodePczt(make(pcztIn(await story.signerView(await id()))), 2);
      fs.writeFileSync(file, bytes);
      return file;
    },
  };
}

/** The payment is mined while the command waits. */
async function mined(cli: CliProcess, { story }: Bed): Promise<void> {
  await cli.whenShown('Waiting for a block');
  story.devnet.mine();
  cli.tick();
}

const shownBy = (cli: CliProcess): string => cli.screen.rows.join('\n');

test('a person pays with a device: codes, an answer without a signature, a missing file, then the signed one', async (t) => {
  const b = await bed(t);
  const cli = b.cli();
  const ending = cli.run(...b.order, '--memo', 'rent');
  await cli.talk([
    ['0.50000000 ZEC in ironwood to', ''],
    ['with the memo: rent', ''],
    ['Pay this?', 'y'],
    ['The proofs are being made meanwhile', ''],
    ['How does it get to your signer?', ENTER],
    ['Enter goes on', ''],
  ]);
  cli.tick();
  await cli.talk([
    ['Code 2, about', ENTER],
    ['The file with its answer', `${await b.answer('same.pczt', (pczt) => pczt)}${ENTER}`],
    ['This is the payment as it went to the signer, without a signature.', ''],
    ['The file with its answer', `${path.join(b.folder, 'none')}${ENTER}`],
    ['cannot be read. (INVALID_REQUEST)', ''],
  ]);
  const scanned = path.join(b.folder, 'scanned.txt');
  const { type, cbor } = pcztUr(fs.readFileSync(await b.answer('signed.pczt')));
  const parts: string[] = [];
  for (const { text, number, total } of urParts(type, cbor, { maxFragment: 200 })) {
    parts.push(text);
    if (number === total) break;
  }
  fs.writeFileSync(scanned, parts.join('\n'));
  await cli.talk([
    ['The file with its answer', `${scanned}${ENTER}`],
    ['It is signed (', ''],
    ['The proofs are made as well.', ''],
    ['it can be sent.', ''],
    ['Send it now?', 'y'],
    ['It is sent (', ''],
  ]);
  await mined(cli, b);
  await cli.whenShown('It is mined at height');
  const { code, stdout } = await ending;
  t.is(code, 0);
  t.regex(stdout, /mined at height \d+, 1 confirmation/);
  t.is(cli.listeners, 0);
});

test('another program gets a file, and a foreign answer is distinguished from a missing signature', async (t) => {
  const b = await bed(t);
  const cli = b.cli();
  const ending = cli.run(...b.order, '--no-wait');
  const out = path.join(b.folder, 'out.pczt');
  await cli.talk([
    ['Pay this?', 'y'],
    ['How does it get to your signer?', DOWN + ENTER],
    ['Name of the file', out + ENTER],
    ['is written.', ''],
    ['The file with its answer', ENTER],
    ['How does it get to your signer?', DOWN + ENTER],
    ['Name of the file', out + ENTER],
    ['is there already', ''],
  ]);
  const expires = (pczt: Pczt): Pczt => ({
    ...b.story.signed(pczt),
    global: { ...pczt.global, expiryHeight: pczt.global.expiryHeight + 1 },
  });
  await cli.talk([
    ['The file with its answer', `${await b.answer('other.pczt', expires)}${ENTER}`],
    ['changed until when the transaction can be mined', ''],
    ['The file with its answer', `${await b.answer('signed.pczt')}${ENTER}`],
    ['Send it now?', 'y'],
  ]);
  const { code, stdout } = await ending;
  t.is(code, 0);
  t.regex(stdout, /the node has taken it/);
  t.is(base64Of(pcztIn({ pczt: fs.readFileSync(out).toString('base64') })).slice(0, 8), 'UENaVAIA');
});

test('Ctrl-C or No at any question leaves the payment as it is, and --resume goes on there', async (t) => {
  const b = await bed(t);
  const first = b.cli();
  const declining = first.run(...b.order);
  await first.talk([['Pay this?', ENTER]]);
  t.is((await declining).code, 130);
  const id = await b.id();
  t.true(shownBy(first).replaceAll('\n', ' ').includes(`wallet-companion pay --resume ${id}`));
  const resumed = async (...answers: (readonly [string, string])[]): Promise<CliProcess> => {
    await b.story.killed();
    const cli = b.cli();
    const ending = cli.run('pay', '--resume', id);
    await cli.talk(answers);
    t.is((await ending).code, 130);
    t.is(cli.listeners, 0);
    return cli;
  };
  await resumed(['Pay this?', CTRL_C]);
  await resumed(['Pay this?', 'y'], ['How does it get to your signer?', CTRL_C]);
  await resumed(['Pay this?', 'y'], ['How does it get to your signer?', ENTER], ['Enter goes on', CTRL_C]);
  const signed = await b.answer('signed.pczt');
  const unsent = await resumed(
    ['Pay this?', 'y'],
    ['How does it get to your signer?', ENTER],
    ['Enter goes on', ENTER],
    ['The file with its answer', signed + ENTER],
    ['Send it now?', 'n'],
  );
  t.true(shownBy(unsent).includes('stays as it is'));
  await b.story.killed();
  const waiting = b.cli();
  const interrupted = waiting.run('pay', '--resume', id);
  await waiting.talk([
    ['Pay this?', 'y'],
    ['Send it now?', 'y'],
    ['Waiting for a block', ''],
  ]);
  waiting.interrupt();
  t.is((await interrupted).code, 130);
  await b.story.killed();
  const last = b.cli();
  const ending = last.run('pay', '--resume', id);
  await mined(last, b);
  t.is((await ending).code, 0);
  t.false(shownBy(last).includes('Send it now?'));
  const again = await b.cli({}).run('pay', '--resume', id, '--yes');
  t.is(again.code, 0);
  t.regex(again.stdout, /mined at height/);
  t.is((await b.story.wallet.call('payments.list')).payments.length, 1);
});

test('a script is asked for nothing: it guesses nothing, and has a program sign while the prover works', async (t) => {
  let sign: (pczt: Pczt) => Promise<Pczt> = async () => {
    throw new CompanionError('NO_SIGNER', 'Nobody signs here.');
  };
  let meanwhileProved = async (): Promise<void> => undefined;
  const signer: Signer = {
    sign: async (bytes) => encodePczt(await sign(pcztIn({ pczt: Buffer.from(bytes).toString('base64') })), 2),
  };
  const b = await bed(t, { signer, meanwhileProved: () => meanwhileProved() });
  const silent = await b.cli({}).run(...b.order);
  t.is(silent.code, 2);
  t.regex(silent.stderr, /no terminal to ask on: give --yes, and --password-file or a program/);
  t.deepEqual((await b.story.wallet.call('payments.list')).payments, []);
  for (const words of [['pay'], ['pay', '--resume', '0'.repeat(32), '--amount', '1'], ['pay', 'nothing']])
    t.is((await b.cli({}).run(...words)).code, 2, words.join(' '));
  // Nobody can sign: a script that is repeated must not reserve more each time.
  const unsigned = await b.cli({}).run(...b.order, '--yes');
  t.is(unsigned.code, 5);
  t.regex(unsigned.stderr, /was given up/);
  t.regex(unsigned.stderr, /NO_SIGNER/);
  t.is(await b.story.reserved(), 0);
  // A program that fails may succeed the next time.
  sign = async () => {
    throw new CompanionError('SIGNER_FAILED', 'The signer wrote nothing.');
  };
  meanwhileProved = async () => {
    throw new CompanionError('PROVER_FAILED', 'The prover wrote nothing.');
  };
  const failed = await b.cli({}).run(...b.order, '--yes');
  t.is(failed.code, 6);
  const id = await b.id();
  t.true(failed.stderr.includes(`pay --resume ${id}`));
  let signing = (): void => undefined;
  let proving = (): void => undefined;
  const isSigning = new Promise<void>((resolve) => {
    signing = resolve;
  });
  const isProving = new Promise<void>((resolve) => {
    proving = resolve;
  });
  sign = async (pczt) => {
    signing();
    await isProving;
    return b.story.signed(pczt);
  };
  meanwhileProved = () => {
    proving();
    return isSigning;
  };
  const sent = await b.cli({}).run('pay', '--resume', id, '--yes', '--no-wait', '--json');
  t.is(sent.code, 0, sent.stdout);
  t.like(JSON.parse(sent.stdout), { status: 'sent', last_sent: { outcome: 'accepted' } });
  t.is(sent.stderr, '');
});

test('without device and program the wallet signs itself, by the password that is typed for that payment', async (t) => {
  const b = await bed(t, {
    signsItself: true,
    notes: [
      ['ironwood', 100_000_000],
      ['ironwood', 100_000_000],
    ],
  });
  const cli = b.cli();
  const ending = cli.run(...b.order, '--no-wait');
  await cli.talk([
    ['Pay this?', 'y'],
    ['The proofs are being made meanwhile', ''],
    ['Password:', `mistyped${ENTER}`],
    ['(WRONG_PASSWORD)', ''],
    ['Password:', PASSWORD + ENTER],
    ['It is signed (', ''],
    ['Send it now?', 'y'],
    ['It is sent (', ''],
  ]);
  const { code, stderr, stdout } = await ending;
  t.is(code, 0);
  for (const text of [stderr, stdout]) t.false(text.includes(PASSWORD));
  const files = b.cli();
  const shown = files.run(...b.order.with(-1, '0.1'), '--signer', 'device');
  await files.talk([
    ['Pay this?', 'y'],
    ['How does it get to your signer?', CTRL_C],
  ]);
  t.is((await shown).code, 130);
});

test('a script signs with the password from its file, and without one reserves nothing', async (t) => {
  const b = await bed(t, { signsItself: true });
  const without = await b.cli({}).run(...b.order, '--yes');
  t.is(without.code, 2);
  t.regex(without.stderr, /was given up/);
  t.is(await b.story.reserved(), 0);
  const file = path.join(b.folder, 'password');
  // The fourth has to wait.
  for (const reason of [...Array(3).fill('WRONG_PASSWORD'), 'TOO_MANY_ATTEMPTS']) {
    fs.writeFileSync(file, 'of another wallet\n', { mode: 0o600 });
    const wrong = await b.cli({}).run(...b.order, '--yes', '--password-file', file);
    t.true(wrong.stderr.includes(`(${reason})`), wrong.stderr);
    t.regex(wrong.stderr, /was given up/);
    t.is(await b.story.reserved(), 0);
  }
  b.story.clock.advance(10_000);
  fs.writeFileSync(file, `${PASSWORD}\n`, { mode: 0o600 });
  const flags = ['--yes', '--no-wait', '--json', '--password-file', file];
  const sent = await b.cli({}).run(...b.order, ...flags);
  t.is(sent.code, 0, sent.stdout);
  t.like(JSON.parse(sent.stdout), { status: 'sent', last_sent: { outcome: 'accepted' } });
  await b.story.mine();
  t.is((await b.story.get(await b.id())).status, 'mined');
});

test('a signer that has only some of the keys is no success', async (t) => {
  const cli = new CliProcess();
  const { missing, ...rest } = examples['payments.sign'].output;
  const signed = { ...rest, missing: missing.map((part) => ({ ...part, proofs: false })) };
  cli.link.answerWith('payments.sign', () => ok(signed));
  const { code, stderr } = await cli.run('pay', '--to', 'Alice', '--amount', '1.5', '--yes');
  t.is(code, 5);
  t.regex(stderr, /lacks ironwood: 1 signature\. \(PAYMENT_INCOMPLETE\)/);
  t.false(cli.link.calls.some(({ name }) => name === 'payments.broadcast'));
});

test('new blocks are read first, and what becomes public is asked for by its amount', async (t) => {
  const b = await bed(t, { notes: [['orchard', 100_000_000]] });
  b.story.devnet.mineEmpty(10);
  const cli = b.cli();
  const ending = cli.run(...b.order);
  await cli.talk([
    ['(INVALID_RANGE)', ''],
    ['(CONSENT_NEEDED)', ''],
    ['May that become public?', 'y'],
    ['It is prepared (', ''],
    ['Pay this?', 'n'],
  ]);
  t.is((await ending).code, 130);
  t.is((await b.story.get(await b.id())).becomes_public[0]?.consent, 'crossing_pools');
});

test('transparent funds are shielded step by step, and no recipient is paid beside it', async (t) => {
  const b = await bed(t, { notes: [] });
  const { devnet, params, sync } = b.story;
  const { transparent } = deriveViewingKeys(SEED, params, 0);
  const [first, second] = ownTransparentAddresses(transparent, 'external', { start: 0, count: 2 }, params);
  const paid = [first!, second!].map(({ address }) => ({
    address,
    pool: 'transparent' as const,
    zatoshi: 150_000_000,
  }));
  devnet.mine({ transactions: [devnet.pay(paid)] });
  await sync();
  const cli = b.cli();
  const ending = cli.run('pay', '--shield', '--no-wait');
  await cli.talk([
    ['back to your account 0', ''],
    ['1.50000000 ZEC in transparent, not signed yet', ''],
    ['Shield this?', 'y'],
    ['How does it get to your signer?', DOWN + ENTER],
    ['Name of the file', path.join(b.folder, 'out.pczt') + ENTER],
    ['is written.', ''],
  ]);
  await cli.talk([
    ['The file with its answer', `${await b.answer('signed.pczt')}${ENTER}`],
    ['Send it now?', 'y'],
  ]);
  const { code, stdout } = await ending;
  t.is(code, 0);
  t.regex(stdout, /Shields\n +1\.50000000 ZEC in 1 output at tm/);
  t.regex(stdout, /that 1\.50000000 ZEC come from tm/);
  t.is(devnet.mempool.size, 1);
  const rest = b.cli({});
  const alone = await rest.run(
    'pay',
    'shield',
    '--join-addresses',
    '--output',
    path.join(b.folder, 'rest.pczt'),
  );
  t.is(alone.code, 0, alone.stderr);
  t.regex(alone.stdout, /Change\n +1\.49985000 ZEC in ironwood, back to you/);
});

test('a refund goes to the address in a memo once the person has agreed, and no second one is prepared', async (t) => {
  const b = await bed(t, {
    notes: [
      ['ironwood', 100_000_000],
      ['ironwood', 100_000_000],
    ],
    signsItself: true,
  });
  const { devnet, other, call, sync } = b.story;
  const { address, invoice_id: id } = await call('invoices.create', { amount: '1', confirmations: 1 });
  devnet.payTo(address, { pool: 'ironwood', zatoshi: 100_000_000n, memo: `Reply-To: ${other}` });
  await sync();
  const cli = b.cli();
  const ending = cli.run('pay', '--refund', id, '--amount', '0.5', '--no-wait');
  await cli.talk([
    [`names the address`, ''],
    ['Have you compared the address, and shall it get the refund?', 'y'],
    ['0.50000000 ZEC in ironwood to', ''],
    ['Refund this?', 'y'],
    ['Password', `${PASSWORD}${ENTER}`],
    ['Send it now?', 'y'],
  ]);
  const { code, stdout } = await ending;
  t.is(code, 0);
  t.regex(stdout, new RegExp(`Refunds\\n +invoice ${id}`));
  for (const [args, why] of [
    [['--amount', '0.6', '--to', other, '--yes'], /Of the 1 ZEC that came.*\(ALREADY_REFUNDED\)/s],
    [['--to', other, '--yes'], /have a person agree to it/],
    [['--shield', '--yes'], /one recipient/],
  ] as const) {
    const refused = await b.cli({}).run('pay', '--refund', id, ...args);
    t.not(refused.code, 0);
    t.regex(refused.stderr, why);
  }
});

test('a shielding that names a recipient, or joins nothing, says what is wrong', async (t) => {
  const b = await bed(t);
  for (const [args, why] of [
    [['--shield', '--to', b.story.other], /address/],
    [['--shield', '--resume', 'ab'.repeat(16)], /--shield/],
    [['--join-addresses', '--to', b.story.other, '--amount', '1'], /joined with --shield alone/],
    [['--shield'], /nothing to shield/],
  ] as const) {
    const { code, stderr } = await b.cli({}).run('pay', '--yes', ...args);
    t.not(code, 0);
    t.regex(stderr, why);
  }
});

test('several payments go to a device as one message, and its bare signatures come back as codes', async (t) => {
  const b = await bed(t, {
    notes: [
      ['ironwood', 100_000_000],
      ['ironwood', 100_000_000],
    ],
  });
  const ids: string[] = [];
  for (const zatoshi of [60_000_000, 70_000_000]) ids.push((await b.story.prepare({ zatoshi })).payment_id);
  const of = ['--payment-ids', ids.join()] as const;
  const shown = await b.cli({}).run('pay', 'batch', ...of, '--qr');
  t.is(shown.code, 0, shown.stderr);
  const request = new UrReader();
  for (const line of shown.stdout.trim().split('\n')) request.receive(line);
  const answer = keystoneBatchAnswer(request.message!, { seed: SEED, params: b.story.params });
  const file = path.join(b.folder, 'answer.txt');
  const parts: string[] = [];
  for (const { text, number, total } of urParts(answer.type, answer.cbor, { maxFragment: 150 })) {
    parts.push(text);
    if (number === total) break;
  }
  fs.writeFileSync(file, parts.toReversed().join('\n'));
  const combined = await b.cli({}).run('pay', 'combine-batch', file, ...of);
  t.is(combined.code, 0, combined.stderr);
  for (const id of ids) t.true(combined.stdout.includes(id));
  for (const id of ids) t.is((await b.story.get(id)).missing[0]?.signatures, 0);

  const bytes = path.join(b.folder, 'rest.pczb');
  t.is((await b.cli({}).run('pay', 'batch', ...of, '--output', bytes)).code, 2, 'nothing is left to sign');
  fs.writeFileSync(file, encodeBatchSignatures([[], []]));
  t.is((await b.cli({}).run('pay', 'combine-batch', file, ...of)).code, 5, 'nothing was added');
  fs.writeFileSync(file, parts[0]!);
  const cut = await b.cli({}).run('pay', 'combine-batch', file, ...of);
  t.regex(cut.stderr, /scan more of them/);
});
