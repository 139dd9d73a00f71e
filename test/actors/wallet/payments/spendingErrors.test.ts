// Why a payment cannot be made, in the words that its user reads: each text says what is wrong and what to do.

import { type Funds, type SpendingProblem, SpendingRefusal } from '@wallet-companion/pczt/spending';
import test from 'ava';
import {
  type SpendingSituation,
  spendingError,
} from '../../../../src/actors/wallet/payments/spendingErrors.ts';

const funds: Funds = { spendable: 0, dust: 0, waiting: [], reserved: 0 };
const situation: SpendingSituation = {
  pathOf: (_index, field) => field,
  tipHeight: 100,
  blockSeconds: 75,
  reserved: new Map(),
  spentUnmined: 0,
  maxActions: 4,
};
const errorOf = (problem: SpendingProblem, more: Partial<SpendingSituation> = {}) =>
  spendingError(new SpendingRefusal(problem), { ...situation, ...more });

test('more notes than one payment takes: how much fits, in how many payments, and which limit can be raised', (t) => {
  const problem = { kind: 'tooManyNotes', needed: 9, atMost: 150_000_000, payments: 3, funds } as const;
  const signer = errorOf({ ...problem, full: 'signer' });
  t.is(signer.code, 'INSUFFICIENT_FUNDS');
  t.is(
    signer.message,
    'The payment takes more notes than max_actions (4) lets it: at most 1.5 ZEC can be sent in one. Send it in 3 payments, or raise it where the signer has room.',
  );
  const block = errorOf({ ...problem, full: 'block', payments: undefined }).message;
  t.regex(
    block,
    /the network takes in one transaction .* at most 1\.5 ZEC can be sent in one\. Send less\.$/,
  );
});

test('funds that wait for confirmations are reported with their block, and with minutes from the tip', (t) => {
  const where = (...heights: number[]) => {
    const waiting = heights.map((height) => ({ zatoshi: 100_000_000, height }));
    return errorOf({ kind: 'notEnough', needed: 5, funds: { ...funds, waiting } }).message;
  };
  t.true(where(101).endsWith('1 ZEC waits for confirmations, all of it until block 101 (about 2 minutes).'));
  t.true(
    where(101, 108).endsWith(
      '2 ZEC waits for confirmations, the first 1 ZEC of it until block 101 (about 2 minutes), the last until block 108 (about 10 minutes).',
    ),
  );
  const quick = errorOf(
    { kind: 'notEnough', needed: 5, funds: { ...funds, waiting: [{ zatoshi: 1, height: 101 }] } },
    { blockSeconds: 25 },
  );
  t.regex(quick.message, /\(about a minute\)/);
});

test('rules that change too soon, or are not there yet, refuse a payment and name what to do', (t) => {
  for (const [problem, words] of [
    [{ kind: 'upgradeNear', height: 120 }, /^At block 120 the rules change.*Wait until then\.$/],
    [{ kind: 'unknownUpgrade', height: 120 }, /^From block 120 on .*Update it\.$/],
    [{ kind: 'height', fault: 'noVersion' }, /no kind of transaction yet/],
    [{ kind: 'height', fault: 'noCircuit' }, /a circuit that this version .* Update it/],
  ] as const) {
    const error = errorOf(problem);
    t.is(error.code, 'INVALID_REQUEST');
    t.regex(error.message, words);
  }
});

test('a field that is wrong is named', (t) => {
  for (const [problem, path, message] of [
    [{ kind: 'confirmations' }, 'confirmations', 'must be at least 1'],
    [
      { kind: 'noSource' },
      'pools',
      'names none that the account has a full viewing key for and can spend from now',
    ],
    [
      { kind: 'viewingKey', pool: 'sapling' },
      'pools',
      'cannot be done: the account has no full viewing key for Sapling',
    ],
    [
      { kind: 'expiry', fault: 'tooLate', latest: 130 },
      'expiry_height',
      'must be at most 130: an address is to be paid by then',
    ],
    [
      { kind: 'expiry', fault: 'tooNear', earliest: 110 },
      'expiry_height',
      'must be at least 110, so that there is time to sign and send',
    ],
    [
      { kind: 'expiry', fault: 'noHeight', latest: 499_999_999 },
      'expiry_height',
      'must be at most 499999999: larger numbers are times, and no block heights',
    ],
  ] as const)
    t.deepEqual(errorOf(problem).errors, [{ path, message }]);
});

test('a fee that is not the usual one needs consent, with the amount above it', (t) => {
  const error = errorOf({
    kind: 'consentNeeded',
    consents: ['unusual_fee'],
    disclosures: [
      { consent: 'unusual_fee', zatoshi: 3_000 },
      { consent: 'transparent_recipients', address: 't1x', zatoshi: 1 },
    ],
  });
  t.is(error.code, 'CONSENT_NEEDED');
  t.is(
    error.message,
    'Everybody could read that the fee is 0.00003 ZEC above the usual one. If that may be, name it in privacy: unusual_fee. 0.00003 ZEC would be left, too little for a note of change, and no choice of notes leaves more. To keep the usual fee, pay that much more.',
  );
});

test('what is wrong while a payment is built is no answer to its user', (t) => {
  t.throws(() => errorOf({ kind: 'anchorMissing', pool: 'sapling' }), { message: /anchorMissing/ });
});
