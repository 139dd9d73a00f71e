// What is taken from a PCZT that came back, what is refused with which sentence, and that nothing is said before it is
// durable.
import { setImmediate as turn } from 'node:timers/promises';
import { type Pczt, PcztRefusal, type RefusalReason } from '@wallet-companion/pczt/pczt';
import { redactPczt } from '@wallet-companion/pczt/pcztRoles';
import { deriveSigningKeys } from '@wallet-companion/pczt/signer';
import { withFillerProofs, withProofKeys } from '@wallet-companion/pczt/test/completion';
import { builtStories } from '@wallet-companion/pczt/test/returnedStories';
import { PARAMS, SEED } from '@wallet-companion/pczt/test/spendingAccount';
import test from 'ava';
import { unreadablePczt } from '../../../../src/actors/wallet/payments/paymentErrors.ts';
import { Returns } from '../../../../src/actors/wallet/payments/returned.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import type { Input, Output } from '../../../../src/protocol/operations.ts';
import { failureOf } from '../../../helpers/failureOf.ts';
import { bytesOf, IRONWOOD, paymentBed, SAPLING } from '../../../helpers/keptPaymentBed.ts';

type Bed = ReturnType<typeof paymentBed>;

const DISCARDED = { kind: 'discarded', at: 1, refused: null } as const;

const combining = (
  bed: Bed,
  pczt: Pczt | string,
  more: Partial<Input<'payments.combine'>> = {},
  returns = new Returns(bed.payments),
): Promise<Output<'payments.combine'>> =>
  returns.combine(bed.session, {
    payment_id: bed.id,
    pczt: typeof pczt === 'string' ? pczt : bytesOf(pczt),
    ...more,
  });

test('signatures, then proofs, in any order, are durable when they are counted', async (t) => {
  for (const order of ['signed first', 'proved first']) {
    const bed = paymentBed();
    const proved = withFillerProofs(bed.ready, bed.randomBytes);
    const [first, second] = order === 'signed first' ? [bed.signed, proved] : [proved, bed.signed];
    const one = await combining(bed, redactPczt(first, 'signer'));
    t.is(bed.disk.writes, 1);
    t.deepEqual([one.signatures_added, one.proofs_added], order === 'signed first' ? [2, 0] : [0, 1]);
    t.is(one.status, 'prepared');
    t.deepEqual(one.missing, [
      {
        pool: 'ironwood',
        signatures: order === 'signed first' ? 0 : 2,
        proofs: order === 'signed first',
        signer_keys: false,
      },
    ]);
    const two = await combining(bed, second);
    t.is(two.status, 'complete');
    t.deepEqual(two.missing, []);
    t.deepEqual(two.left_out, []);
    // A new actor over the same disk.
    t.is((await combining(paymentBed(IRONWOOD, bed.disk), second)).status, 'complete');
    t.is(bed.disk.writes, 2, 'the same once more changes nothing');
  }
});

test('what came back with nothing new is no failure, and changes nothing', async (t) => {
  const bed = paymentBed();
  const kept = bed.stored;
  const { signatures_added, proofs_added, left_out } = await combining(bed, redactPczt(bed.ready, 'signer'));
  t.deepEqual(
    { signatures_added, proofs_added, left_out },
    {
      signatures_added: 0,
      proofs_added: 0,
      left_out: [
        'everything: this is the payment as it was given to the signer, without a signature that it lacks',
      ],
    },
  );
  t.deepEqual(bed.stored, kept);
});

test('another proof is left out, and taken when it is asked for', async (t) => {
  const bed = paymentBed();
  bed.keep(bed.complete);
  const other = withFillerProofs(bed.signed, bed.randomBytes);
  const left = await combining(bed, other);
  t.is(left.proofs_added, 0);
  t.deepEqual(left.left_out, [
    'another proof of ironwood, which has one: replace_proofs takes it in its place',
  ]);
  t.is(bed.disk.writes, 0);
  const taken = await combining(bed, other, { replace_proofs: true });
  t.is(taken.proofs_added, 1);
  t.deepEqual(bed.pczt.ironwood.zkproof, other.ironwood.zkproof);
});

test('Sapling goes to its signer first for the key that its proof needs', async (t) => {
  const bed = paymentBed(SAPLING);
  const keys = deriveSigningKeys(SEED, PARAMS, 0);
  const signed = await combining(bed, bed.signed);
  t.like(signed.missing[0], { pool: 'sapling', signatures: 0, proofs: true, signer_keys: true });
  const keyed = await combining(bed, withProofKeys(bed.signed, keys));
  t.like(keyed.missing[0], { pool: 'sapling', signatures: 0, proofs: true, signer_keys: false });
  t.is((await combining(bed, withFillerProofs(bed.signed, bed.randomBytes))).status, 'complete');
});

type Action = Pczt['ironwood']['actions'][number];

const withActions = (pczt: Pczt, change: (action: Action) => Action): Pczt => ({
  ...pczt,
  ironwood: { ...pczt.ironwood, actions: pczt.ironwood.actions.map(change) },
});

/** The payment's. */
const changedOutput = (pczt: Pczt, change: Partial<Action['output']>): Pczt =>
  withActions(pczt, (action) =>
    action.output.value === 75_000_000n ? { ...action, output: { ...action.output, ...change } } : action,
  );

const HOSTILE: readonly (readonly [string, (bed: Bed) => Pczt, RegExp, RegExp])[] = [
  [
    'the recipient',
    ({ signed }) => changedOutput(signed, { recipient: new Uint8Array(43).fill(7) }),
    /^The signer changed whom output \d of Ironwood pays\. Nothing of it was taken\.$/,
    /^ironwood\.actions\[\d\]\.output\.recipient$/,
  ],
  [
    'the commitment',
    ({ signed }) => changedOutput(signed, { cmx: new Uint8Array(32).fill(7) }),
    /^The signer changed whom or how much output \d of Ironwood pays/,
    /\.output\.cmx$/,
  ],
  [
    'the amount',
    ({ signed }) =>
      withActions(signed, (action) => {
        const { value } = action.output;
        const other = value === 75_000_000n ? 74_000_000n : value === 24_990_000n ? 25_990_000n : value;
        return { ...action, output: { ...action.output, value: other } };
      }),
    /^The signer changed how much output \d of Ironwood pays/,
    /\.output\.value$/,
  ],
  [
    'the fee',
    ({ signed }) => {
      const silent = withActions(signed, (action) => ({
        ...action,
        output: { ...action.output, value: undefined },
      }));
      return { ...silent, ironwood: { ...silent.ironwood, valueSum: silent.ironwood.valueSum + 1n } };
    },
    /^The signer changed the fee/,
    /^ironwood\.valueSum$/,
  ],
  [
    'the memo',
    ({ signed }) =>
      changedOutput(signed, { encCiphertext: { kind: 'encrypted', bytes: new Uint8Array(580).fill(7) } }),
    /^The signer changed what the recipient of output \d of Ironwood can read/,
    /\.output\.encCiphertext$/,
  ],
  [
    'the expiry',
    ({ signed }) => ({
      ...signed,
      global: { ...signed.global, expiryHeight: signed.global.expiryHeight + 1 },
    }),
    /until when the transaction can be mined/,
    /^global\.expiryHeight$/,
  ],
  [
    'a signature',
    ({ signed }) => {
      const [first, ...others] = signed.ironwood.actions;
      const spendAuthSig = first!.spend.spendAuthSig!.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
      const actions = [{ ...first!, spend: { ...first!.spend, spendAuthSig } }, ...others];
      return { ...signed, ironwood: { ...signed.ironwood, actions } };
    },
    /^The signature of spend 1 of Ironwood is not one of this transaction/,
    /^ironwood\.actions\[0\]\.spend\.spendAuthSig$/,
  ],
  ['all of it', () => builtStories(SAPLING)[0]!.signed, /^What came back is another transaction/, /^pczt$/],
];

for (const [what, hostile, sentence, field] of HOSTILE)
  test(`a signer that changed ${what} gets that as the error, and nothing is taken`, async (t) => {
    const bed = paymentBed();
    const kept = bed.stored;
    const error = await failureOf(combining(bed, hostile(bed)));
    t.is(error.code, 'PCZT_CHANGED');
    t.regex(error.message, sentence);
    t.regex(error.errors?.[0]?.path ?? '', field);
    t.deepEqual(bed.stored, kept);
    t.is(bed.disk.writes, 0);
  });

test('proofs in each other’s place are refused', async (t) => {
  const bed = paymentBed(SAPLING);
  const proved = withFillerProofs(bed.signed, bed.randomBytes);
  const [one, two] = proved.sapling.outputs;
  bed.keep({
    ...bed.ready,
    sapling: { ...bed.ready.sapling, outputs: [one!, bed.ready.sapling.outputs[1]!] },
  });
  const outputs = [
    { ...one!, zkproof: undefined },
    { ...two!, zkproof: one!.zkproof },
  ];
  const error = await failureOf(combining(bed, { ...proved, sapling: { ...proved.sapling, outputs } }));
  t.is(error.code, 'PCZT_CHANGED');
  t.regex(error.message, /^The proof of output 2 of Sapling is a copy of another one/);
  t.is(bed.disk.writes, 0);
});

test('rubbish is refused, and repeats nothing of what was given', async (t) => {
  const bed = paymentBed();
  for (const [text, sentence] of [
    [
      'c2VjcmV0',
      /^The PCZT cannot be read, so it is damaged, cut off or another file \(this is not a PCZT\)\.$/,
    ],
    [bytesOf(bed.signed).slice(0, 400), /^The PCZT cannot be read/],
  ] as const) {
    const error = await failureOf(combining(bed, text));
    t.is(error.code, 'INVALID_PCZT');
    t.regex(error.message, sentence);
  }
});

test('each reason why a PCZT is refused has its own sentence', (t) => {
  const reasons: readonly RefusalReason[] = [
    'malformed',
    'unsupported',
    'inconsistent',
    'conflict',
    'missing',
    'notAllowed',
  ];
  const sentences = reasons.map((reason) => unreadablePczt(new PcztRefusal(reason, 'at', 'why')).message);
  t.is(new Set(sentences).size, reasons.length);
  t.true(sentences.every((sentence) => /^The PCZT [a-z].* \(at: why\)\.$/.test(sentence)));
});

test('what is over takes nothing any more; what was sent takes nothing either, and says so', async (t) => {
  const bed = paymentBed();
  for (const fate of [{ top: 141 }, { conflict: true }, { mined: 120, top: 120 }]) {
    Object.assign(bed.fate, { mined: undefined, conflict: false, top: undefined }, fate);
    t.is((await failureOf(combining(bed, bed.signed))).code, 'PAYMENT_STATE');
  }
  Object.assign(bed.fate, { mined: undefined, top: undefined });
  bed.session.payments.put({ ...bed.stored, state: DISCARDED });
  const discarded = await failureOf(combining(bed, bed.signed));
  t.is(discarded.code, 'PAYMENT_STATE');
  t.is(discarded.message, 'The payment was given up. Prepare another one.');
  const attempt = { at: 1, source: 'node', transaction: '00' } as const;
  bed.keep(bed.complete, { kind: 'sent', ...attempt, outcome: 'unanswered' });
  const other = withFillerProofs(bed.signed, bed.randomBytes);
  const late = await combining(bed, other, { replace_proofs: true });
  t.is(late.status, 'sent');
  t.is(late.proofs_added, 0);
  t.deepEqual(late.left_out, ['everything: the payment was sent, and nothing of it is changed any more']);
  t.is(bed.disk.writes, 0);
  t.is((await failureOf(combining(bed, other, { payment_id: 'ab'.repeat(16) }))).code, 'NOT_FOUND');
});

test('two that come at once are both taken', async (t) => {
  const bed = paymentBed();
  const returns = new Returns(bed.payments);
  const proved = withFillerProofs(bed.ready, bed.randomBytes);
  const [signed, complete] = await Promise.all([
    combining(bed, bed.signed, {}, returns),
    combining(bed, proved, {}, returns),
  ]);
  t.is(signed.signatures_added, 2);
  t.is(complete.status, 'complete');
});

test('what was changed while one was looked at is looked at once more', async (t) => {
  const bed = paymentBed();
  const proved = withFillerProofs(bed.ready, bed.randomBytes);
  const answer = combining(bed, bed.signed);
  await turn();
  bed.keep(proved);
  t.is((await answer).status, 'complete');
  t.deepEqual(bed.pczt.ironwood.zkproof, proved.ironwood.zkproof);
});

test('given up while it was looked at: refused', async (t) => {
  const bed = paymentBed();
  const answer = failureOf(combining(bed, bed.signed));
  await turn();
  bed.session.payments.put({ ...bed.stored, state: DISCARDED });
  t.is((await answer).code, 'PAYMENT_STATE');
  t.deepEqual(bed.stored.state, DISCARDED);
});

test('locked while it was looked at: nothing is written', async (t) => {
  const bed = paymentBed();
  const kept = bed.stored;
  const answer = failureOf(combining(bed, bed.signed));
  await turn();
  bed.sessions.current = undefined;
  t.is((await answer).code, 'WALLET_LOCKED');
  t.deepEqual(bed.stored, kept);
});

test('others are answered between its steps, and only so many wait', async (t) => {
  const bed = paymentBed();
  const returns = new Returns(bed.payments);
  let turns = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; turns++) await turn();
  })();
  const answers = Array.from({ length: 17 }, () => combining(bed, bed.signed, {}, returns));
  t.is((await failureOf(answers[16]!)).code, 'BUSY');
  await Promise.all(answers.slice(0, 16));
  isDone = true;
  await counting;
  t.true(turns > 16, `${turns}`);
  t.is((await combining(bed, bed.signed, {}, returns)).signatures_added, 0, 'and there is room again');
});

test('what would be complete and yet no transaction is refused when it comes', async (t) => {
  const bed = paymentBed();
  const { ironwood } = bed.ready;
  // As if something had gone wrong here, between preparing and now.
  const bsk = ironwood.bsk!.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
  const damage = (pczt: Pczt): Pczt => ({ ...pczt, ironwood: { ...pczt.ironwood, bsk } });
  bed.keep(damage(bed.ready));
  await combining(bed, damage(bed.signed));
  bed.disk.writes = 0;
  const error = await failureOf(combining(bed, damage(withFillerProofs(bed.ready, bed.randomBytes))));
  t.is(error.code, 'PCZT_CHANGED');
  t.regex(error.message, /would be complete, and yet no transaction/);
  t.deepEqual(error.errors, [{ path: 'ironwood.bindingSigningKey', message: 'is not right' }]);
  t.is(bed.disk.writes, 0);
});

test('killed at the write: all of it is there, or nothing', async (t) => {
  for (const when of ['beforeWrite', 'afterWrite'] as const) {
    const bed = paymentBed();
    const kept = bed.stored;
    bed.disk[when] = () => {
      throw new CompanionError('STORAGE_FAILED', 'It stops here.');
    };
    t.is((await failureOf(combining(bed, bed.signed))).code, 'STORAGE_FAILED');
    bed.disk[when] = () => undefined;
    if (when === 'beforeWrite') t.deepEqual(bed.stored, kept);
    const next = await combining(paymentBed(IRONWOOD, bed.disk), bed.signed);
    t.is(next.signatures_added, when === 'beforeWrite' ? 2 : 0);
    t.is(next.missing[0]?.signatures, 0);
  }
});
