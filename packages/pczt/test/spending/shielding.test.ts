// Transparent funds on their way to a shielded pool: which are chosen, what the PCZT says, and whose signatures count.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, concatBytes, equalBytes } from '@wallet-companion/base/bytes';
import { deriveTransparentKeyPair } from '@wallet-companion/zcash/keys';
import { findProblems, signInput, unlocksKeyHash } from '@wallet-companion/zcash/signing';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import { parseTransaction, transactionContents } from '@wallet-companion/zcash/transactions';
import test from 'ava';
import { decodePczt } from '../../src/pczt/codec.ts';
import { inspectPczt } from '../../src/pczt/inspect.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { redactPczt } from '../../src/pczt/redactor.ts';
import { sentenceOf } from '../../src/pczt/returned/changes.ts';
import { missingOf } from '../../src/pczt/returned/missing.ts';
import { takeReturned } from '../../src/pczt/returned/returned.ts';
import { extractPczt } from '../../src/pczt/signatures.ts';
import { finalizeSpends } from '../../src/pczt/spendFinalizer.ts';
import { effectsOfPczt } from '../../src/pczt/transactionParts.ts';
import { withFillerProofs } from '../helpers/completion.ts';
import { ADDRESSES, buildShielding, outputsAt, shield } from '../helpers/shieldingStories.ts';
import {
  FINGERPRINT,
  incomingOf,
  PARAMS,
  problemOf,
  SEED,
  signAll,
  TARGET_HEIGHT,
} from '../helpers/spendingAccount.ts';

const HARDENED = 0x8000_0000;
const pathOf = (scope: number, index: number): number[] => [
  44 + HARDENED,
  PARAMS.coinType + HARDENED,
  HARDENED,
  scope,
  index,
];

// ---------------------------------------------------------------------------------------------------------------------
// Which are chosen

test('from the address with the most, for the usual fee, and what others have is left', (t) => {
  const outputs = outputsAt([0, 30_000_000], [1, 50_000_000], [1, 1_000_000], [4, 2_000_000], [2, 9_000]);
  const proposal = shield(outputs);
  t.deepEqual(proposal.inputs, [outputs[1]!, outputs[2]!]);
  t.is(proposal.fee, 20_000, 'two inputs and two actions');
  t.deepEqual(proposal.change, { pool: 'ironwood', zatoshi: 50_980_000, notes: 1 });
  t.deepEqual(proposal.disclosures, [
    { consent: 'transparent_senders', address: ADDRESSES[1]!.address, zatoshi: 51_000_000 },
  ]);
  t.deepEqual(proposal.valueBalances, { ironwood: -50_980_000 });
  t.deepEqual(proposal.left, { zatoshi: 32_000_000, payments: 2 }, 'what is worth its fee');
  t.is(proposal.anchorHeight, TARGET_HEIGHT - 3);
  t.deepEqual([proposal.spends, proposal.payments], [[], []]);
});

test('from all addresses where that may be seen, each of them named', (t) => {
  const outputs = outputsAt([0, 30_000_000], [1, 50_000_000], [4, 2_000_000]);
  const proposal = shield(outputs, { joinAddresses: true });
  t.is(proposal.inputs.length, 3);
  t.is(proposal.fee, 25_000);
  t.is(proposal.change!.zatoshi, 81_975_000);
  t.deepEqual(
    proposal.disclosures.map(({ zatoshi }) => zatoshi),
    [50_000_000, 30_000_000, 2_000_000],
  );
  t.is(proposal.left, undefined);
});

test('no more inputs than the signer takes, and the largest of them', (t) => {
  const outputs = outputsAt([0, 1_000_000], [0, 3_000_000], [0, 2_000_000], [0, 12_000]);
  const proposal = shield(outputs, { maxInputs: 2 });
  t.deepEqual(
    proposal.inputs.map(({ zatoshi }) => zatoshi),
    [3_000_000, 2_000_000],
  );
  t.deepEqual(proposal.left, { zatoshi: 1_012_000, payments: 1 });
});

test('outputs that cost more than they bring stay, and alone they are not enough', (t) => {
  t.is(shield(outputsAt([0, 5_001], [0, 5_000], [0, 30_000])).inputs.length, 2);
  t.like(
    problemOf(() => shield(outputsAt([0, 5_000], [0, 4_999]))),
    {
      kind: 'notEnough',
      funds: { spendable: 0, dust: 9_999 },
    },
  );
  t.like(
    problemOf(() => shield(outputsAt([0, 15_000]))),
    { kind: 'notEnough', needed: 15_001 },
  );
  t.is(shield(outputsAt([0, 15_001])).change!.zatoshi, 1);
  t.like(
    problemOf(() => shield([], { reserved: 7, waiting: [{ zatoshi: 9, height: 5 }] })),
    {
      kind: 'notEnough',
      funds: { spendable: 0, reserved: 7, waiting: [{ zatoshi: 9, height: 5 }] },
    },
  );
});

test('to the newest pool of which the account has a key, or to none', (t) => {
  const outputs = outputsAt([0, 30_000_000]);
  t.is(shield(outputs, { protocols: ['sapling'] }).change!.pool, 'sapling');
  t.is(problemOf(() => shield(outputs, { protocols: [] })).kind, 'noSource');
});

// ---------------------------------------------------------------------------------------------------------------------
// What is built and signed

function prepared(seed: number) {
  const randomBytes = seededBytes(seed);
  const proposal = shield(outputsAt([1, 50_000_000], [1, 1_000_000], [3, 4_000_000]), {
    joinAddresses: true,
  });
  const { pczt, bytes, txid } = buildShielding(proposal, randomBytes);
  return { randomBytes, proposal, pczt, bytes, txid };
}

test('what is built is what was proposed, and says whose each input is', (t) => {
  const { proposal, pczt, bytes } = prepared(1);
  t.deepEqual(decodePczt(bytes).pczt, pczt);
  const seen = inspectPczt(pczt, { params: PARAMS, tipHeight: TARGET_HEIGHT - 1, ownKeys: incomingOf(0) });
  t.deepEqual(seen.warnings, []);
  t.is(seen.fee, 25_000n);
  t.is(seen.conventionalFee, 25_000n);
  t.deepEqual(
    seen.outputs
      .filter(({ role }) => role !== 'padding')
      .map(({ place, role, amount, owner, account }) => [place, role, amount, owner, account]),
    [['ironwood', 'change', BigInt(proposal.change!.zatoshi), 'internal', 0]],
  );
  t.deepEqual([...seen.missing.signatures], [['transparent', 3]], 'dummies are signed');
  t.is(seen.becomesPublic.transparentInputs, 3);
  const { signatures, proofs } = missingOf(pczt);
  t.deepEqual(
    signatures.map(({ place, index, derivation, account }) => [
      place,
      index,
      derivation!.derivationPath,
      account,
    ]),
    [
      ['transparent', 0, pathOf(0, 1), 0],
      ['transparent', 1, pathOf(1, 0), 0],
      ['transparent', 2, pathOf(0, 1), 0],
    ],
  );
  t.true(signatures.every(({ derivation }) => equalBytes(derivation!.seedFingerprint, FINGERPRINT)));
  t.deepEqual(proofs, [{ pool: 'ironwood', count: 1 }]);
  const unknown = buildShielding(proposal, seededBytes(2), false).pczt;
  t.true(unknown.transparent.inputs.every(({ bip32Derivation }) => bip32Derivation.size === 0));
});

test('a prover learns nothing of whose they are', (t) => {
  const { pczt } = prepared(3);
  const sizes = (view: 'prover' | 'signer' | 'compactSigner' | 'extractor') =>
    redactPczt(pczt, view).transparent.inputs.map(({ bip32Derivation }) => bip32Derivation.size);
  t.deepEqual(sizes('prover'), [0, 0, 0]);
  t.deepEqual(sizes('extractor'), [0, 0, 0]);
  t.deepEqual(sizes('signer'), [1, 1, 1]);
  t.deepEqual(sizes('compactSigner'), [1, 1, 1]);
});

test('signed by who has the seed, it becomes a transaction whose scripts unlock what they spend', (t) => {
  const { pczt, randomBytes, txid } = prepared(4);
  const { pczt: signed, count } = signAll(pczt, randomBytes);
  t.is(count, 3);
  const returned = takeReturned(pczt, signed);
  if (!returned.ok) return t.fail(JSON.stringify(returned.changes));
  t.deepEqual(
    returned.taken.signatures.map(({ field }) => field),
    ['transparent.inputs[0]', 'transparent.inputs[1]', 'transparent.inputs[2]'],
  );
  t.deepEqual(returned.missing.signatures, []);
  t.deepEqual(missingOf(returned.pczt).signatures, []);
  const unproved = extractPczt(returned.pczt, randomBytes);
  t.deepEqual(unproved.ok || unproved.problems.map(({ part, field }) => [part, field]), [
    ['ironwood', 'proof'],
  ]);
  const made = extractPczt(withFillerProofs(returned.pczt, randomBytes), randomBytes);
  if (!made.ok) return t.fail(JSON.stringify(made.problems));
  t.is(made.fee, 25_000n);
  t.deepEqual(made.txid, txid);
  const { inputs } = transactionContents(parseTransaction(made.bytes));
  const effects = effectsOfPczt(pczt);
  inputs.forEach(({ scriptSig }, i) => {
    t.true(unlocksKeyHash(effects, i, scriptSig));
    t.false(unlocksKeyHash(effects, (i + 1) % 3, scriptSig));
    for (let cut = 0; cut < scriptSig.length; cut++)
      t.false(unlocksKeyHash(effects, i, scriptSig.subarray(0, cut)));
  });
  const swapped = [inputs[1]!, inputs[0]!, inputs[2]!].map(({ scriptSig }) => scriptSig);
  t.deepEqual(
    findProblems(effects, { scriptSigs: swapped })
      .filter(({ part }) => part === 'transparent')
      .map(({ field, kind, index }) => [field, kind, index]),
    [
      ['scriptSig', 'invalid', 0],
      ['scriptSig', 'invalid', 1],
    ],
  );
  return undefined;
});

test('who looks into it sees which inputs are signed, and which only seem to be', (t) => {
  const { pczt, randomBytes } = prepared(8);
  const signed = signAll(pczt, randomBytes).pczt;
  const look = (one: Pczt) => {
    const { spends, warnings } = inspectPczt(one, { params: PARAMS });
    return [
      spends.filter(({ place }) => place === 'transparent').map(({ isSigned }) => isSigned),
      warnings.map(({ code, field }) => `${code} ${field}`),
    ];
  };
  t.deepEqual(look(pczt), [[false, false, false], []]);
  t.deepEqual(look(signed), [[true, true, true], []]);
  const other = withInput(signed, 0, (input) =>
    changedSignature(input, (signature) => signature.with(9, signature[9]! ^ 1)),
  );
  t.deepEqual(look(other), [[false, true, true], ['signatureInvalid transparent.inputs[0]']]);
  const finalized = finalizeSpends(signed);
  t.deepEqual(look(finalized), [[true, true, true], []]);
  const scriptOfAnother = withInput(finalized, 2, (input) => ({
    ...input,
    scriptSig: finalized.transparent.inputs[0]!.scriptSig,
  }));
  t.deepEqual(look(scriptOfAnother), [[true, true, false], ['signatureInvalid transparent.inputs[2]']]);
});

test('a second answer changes nothing, and one half at a time is taken', (t) => {
  const { pczt, randomBytes } = prepared(5);
  const signed = signAll(pczt, randomBytes).pczt;
  const half = withInput(signed, 1, ({ partialSignatures: _, ...input }) => ({
    ...input,
    partialSignatures: new Map(),
  }));
  const first = takeReturned(pczt, half);
  if (!first.ok) return t.fail();
  t.deepEqual(
    first.missing.signatures.map(({ index }) => index),
    [1],
  );
  const second = takeReturned(first.pczt, signed);
  if (!second.ok) return t.fail();
  t.deepEqual(
    second.taken.signatures.map(({ field }) => field),
    ['transparent.inputs[1]'],
  );
  t.deepEqual(second.pczt.transparent, signed.transparent);
  const again = takeReturned(second.pczt, signed);
  t.true(again.ok && again.taken.signatures.length === 0);
  return undefined;
});

type Input = Pczt['transparent']['inputs'][number];

const withInput = (pczt: Pczt, index: number, change: (input: Input) => Input): Pczt => ({
  ...pczt,
  transparent: {
    ...pczt.transparent,
    inputs: pczt.transparent.inputs.map((input, i) => (i === index ? change(input) : input)),
  },
});

const WRONG: readonly (readonly [
  title: string,
  change: (input: Input, ours: Pczt) => Input,
  sentence?: string,
])[] = [
  ['signs with another key of the wallet', (input, ours) => signedBy(input, ours, pathOf(0, 2))],
  ['signs with the right key in the name of another', (input) => renamed(input)],
  ['signs another input', (input, ours) => withSignature(input, ours, 2)],
  ['signs with the higher of two values', (input, ours) => withSignature(input, ours, 0, false)],
  ['says that it covers less', (input) => changedSignature(input, (signature) => signature.with(-1, 0x82))],
  ['cuts the signature off', (input) => changedSignature(input, (signature) => signature.slice(1))],
  ['sends none', (input) => changedSignature(input, () => new Uint8Array(0))],
  [
    'adds one of another key',
    (input) => ({
      ...input,
      partialSignatures: new Map([...input.partialSignatures, ['02'.repeat(33), new Uint8Array(70)]]),
    }),
  ],
  [
    'spends another output',
    (input) => ({ ...input, prevoutIndex: 9 }),
    'The signer changed transparent input 1.',
  ],
  ['says another amount', (input) => ({ ...input, value: input.value + 1n }), 'The signer changed the fee.'],
  ['covers less', (input) => ({ ...input, sighashType: 2 }), 'The signer changed transparent input 1.'],
];

const changedSignature = (input: Input, change: (signature: Uint8Array) => Uint8Array): Input => ({
  ...input,
  partialSignatures: new Map(
    [...input.partialSignatures].map(([key, signature]) => [key, change(signature)]),
  ),
});

const renamed = (input: Input): Input => ({
  ...input,
  partialSignatures: new Map(
    [...input.partialSignatures].map(([, signature]) => [bytesToHex(ADDRESSES[2]!.publicKey), signature]),
  ),
});

function signedBy(input: Input, ours: Pczt, path: readonly number[]): Input {
  const { secret } = deriveTransparentKeyPair(SEED, path);
  const signature = signInput(effectsOfPczt(ours), 0, secret, seededBytes(1));
  return { ...input, partialSignatures: new Map([[bytesToHex(ADDRESSES[2]!.publicKey), signature]]) };
}

function withSignature(input: Input, ours: Pczt, index: number, isLow = true): Input {
  const { secret } = deriveTransparentKeyPair(SEED, pathOf(0, 1));
  const signature = signInput(effectsOfPczt(ours), index, secret, seededBytes(1));
  return changedSignature(input, () => (isLow ? signature : highOf(signature)));
}

/** The other one of the two that verify. */
function highOf(signature: Uint8Array): Uint8Array {
  const { r, s } = secp256k1.Signature.fromBytes(signature.subarray(0, -1), 'der');
  const high = new secp256k1.Signature(r, secp256k1.Point.Fn.neg(s));
  return concatBytes(high.toBytes('der'), signature.subarray(-1));
}

for (const [
  title,
  change,
  sentence = 'The signature of transparent input 1 is not one of this transaction.',
] of WRONG)
  test(`a signer that ${title} is refused`, (t) => {
    const { pczt, randomBytes } = prepared(6);
    const signed = signAll(pczt, randomBytes).pczt;
    const returned = takeReturned(
      pczt,
      withInput(signed, 0, (input) => change(input, pczt)),
    );
    t.deepEqual(returned.ok || returned.changes.map((one) => sentenceOf(one)).slice(0, 1), [sentence]);
  });

test('what a signer writes as script is made here anyway', (t) => {
  const { pczt, randomBytes } = prepared(7);
  const signed = signAll(pczt, randomBytes).pczt;
  const returned = takeReturned(
    pczt,
    withInput(signed, 0, (input) => ({ ...input, scriptSig: Uint8Array.of(0x51) })),
  );
  t.true(returned.ok && returned.pczt.transparent.inputs[0]!.scriptSig === undefined);
});
