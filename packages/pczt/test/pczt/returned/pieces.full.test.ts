// What is taken from a PCZT that comes back: signatures that verify, proofs as they are, and keys for Sapling proofs that
// belong to the note.

import { bytesToHex, equalBytes } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { cryptographyOf, shieldedSighash } from '@wallet-companion/zcash/signing';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import { orchardProofSize } from '@wallet-companion/zcash/transactions';
import test from 'ava';
import fc from 'fast-check';
import { decodePczt, encodePczt } from '../../../src/pczt/codec.ts';
import { omitCompactFields } from '../../../src/pczt/compactFields.ts';
import type { Pczt } from '../../../src/pczt/pczt.ts';
import { redactPczt } from '../../../src/pczt/redactor.ts';
import { sentenceOf } from '../../../src/pczt/returned/changes.ts';
import { isComplete, missingOf } from '../../../src/pczt/returned/missing.ts';
import { withoutProofs } from '../../../src/pczt/returned/pieces.ts';
import {
  isNothingNew,
  type Returned,
  takeReturned,
  takingReturned,
} from '../../../src/pczt/returned/returned.ts';
import { extractPczt } from '../../../src/pczt/signatures.ts';
import { effectsOfPczt } from '../../../src/pczt/transactionParts.ts';
import { clearAnchor } from '../../../src/pczt/updater.ts';
import { edited, flipped, optionalPaths, stage, withField } from '../../helpers/pcztVectors.ts';
import { builtStories } from '../../helpers/returnedStories.ts';
import { FINGERPRINT, signAll } from '../../helpers/spendingAccount.ts';

const hexOf = (pczt: Pczt): string => bytesToHex(encodePczt(pczt, 2));
const IRONWOOD = 'v6-ironwood-ironwood';
const SAPLING = 'v6-sapling-sapling';

type Accepted = Extract<Returned, { ok: true }>;

function accepted(back: Returned): Accepted {
  if (back.ok) return back;
  throw new Error(back.changes.map((change) => sentenceOf(change)).join(' '));
}

function refused(back: Returned): string[] {
  if (back.ok) throw new Error('it was taken');
  return back.changes.map((change) => sentenceOf(change));
}

const fieldsOf = (places: readonly { readonly field: string }[]): string[] =>
  places.map(({ field }) => field);

/** The fields of what was taken. */
const takenOf = ({ taken }: Accepted) => ({
  signatures: fieldsOf(taken.signatures),
  proofs: fieldsOf(taken.proofs),
  proofKeys: fieldsOf(taken.proofKeys),
});

const take = (ours: Pczt, ...returns: readonly Pczt[]): Pczt =>
  returns.reduce((pczt, theirs) => accepted(takeReturned(pczt, theirs)).pczt, ours);

test('what was proved and what was signed become what the reference makes of them, in either order', (t) => {
  const [ready, proved, signed] = ['ready', 'proved', 'signed'].map((which) => stage(IRONWOOD, which)) as [
    Pczt,
    Pczt,
    Pczt,
  ];
  const complete = hexOf(stage(IRONWOOD, 'complete'));
  t.is(hexOf(take(ready, proved, signed)), complete);
  t.is(hexOf(take(ready, signed, proved)), complete);
  t.is(hexOf(take(ready, stage(IRONWOOD, 'complete'))), complete);
  t.is(hexOf(take(ready, stage(IRONWOOD, 'compact'), signed, ready, proved)), complete);
  t.deepEqual(takenOf(accepted(takeReturned(ready, proved))), {
    signatures: [],
    proofs: ['ironwood'],
    proofKeys: [],
  });
});

test('a copy that came back as it went out has nothing new', (t) => {
  const ready = stage(IRONWOOD, 'ready');
  for (const theirs of [ready, stage(IRONWOOD, 'compact')]) {
    const { taken, pczt, missing } = accepted(takeReturned(ready, theirs));
    t.true(isNothingNew(taken));
    t.is(hexOf(pczt), hexOf(ready));
    t.is(missing.signatures.length, 2);
    t.false(isComplete(missing));
  }
});

for (const { name, ready, signed, signatures } of builtStories()) {
  test(`${name}: the views come back signed, and what is missing then are proofs`, (t) => {
    const before = missingOf(ready);
    t.is(before.signatures.length, signatures);
    t.deepEqual(new Set(before.signatures.map(({ account }) => account)), new Set([0]));
    for (const { derivation } of before.signatures) t.deepEqual(derivation!.seedFingerprint, FINGERPRINT);
    for (const view of ['signer', 'compactSigner', 'extractor'] as const) {
      const theirs = redactPczt(signed, view);
      const { pczt, taken, missing } = accepted(takeReturned(ready, theirs));
      t.is(hexOf(pczt), hexOf(signed), view);
      t.is(taken.signatures.length, signatures);
      t.deepEqual(missing.signatures, []);
      t.deepEqual(missing.proofs, before.proofs);
      t.true(missing.proofs.length > 0);
    }
  });

  test(`${name}: a second signature of the same spend is checked, and the first one stays`, (t) => {
    const again = signAll(ready, seededBytes(77)).pczt;
    t.not(hexOf(again), hexOf(signed));
    const { pczt, taken } = accepted(takeReturned(signed, again));
    t.is(hexOf(pczt), hexOf(signed));
    t.true(isNothingNew(taken));
  });
}

const built = builtStories('Ironwood to Ironwood', 'Orchard to Ironwood, change moved', 'Sapling to Sapling');
const [ironwood, moved, sapling] = built;
const SIGNATURE = 'spend.spendAuthSig';

test('the account is that of a derivation that has one', (t) => {
  const path = 'ironwood.actions.0.spend.zip32Derivation';
  const [purpose, coin, account] = [32, 1, 7].map((index) => index + 2 ** 31);
  const accountsOf = (...derivationPath: readonly (number | undefined)[]): (number | undefined)[] =>
    missingOf(withField(ironwood!.ready, path, { seedFingerprint: FINGERPRINT, derivationPath }))
      .signatures.filter(({ index }) => index === 0)
      .map(({ account }) => account);
  t.deepEqual(accountsOf(purpose, coin, account), [7]);
  for (const other of [
    [],
    [purpose],
    [purpose, coin],
    [purpose, coin, 7],
    [purpose, coin, account, account],
    [account, coin, account],
  ])
    t.deepEqual(accountsOf(...other), [undefined], other.join('/'));
  const unknown = missingOf(withField(ironwood!.ready, path, undefined)).signatures[0]!;
  t.deepEqual([unknown.account, unknown.derivation], [undefined, undefined]);
});

test('a signature that is not one of this transaction is refused by name, and with it all others', (t) => {
  const { ready, signed } = ironwood!;
  const path = `ironwood.actions.1.${SIGNATURE}`;
  const sentence = 'The signature of spend 2 of Ironwood is not one of this transaction.';
  t.deepEqual(refused(takeReturned(ready, flipped(signed, path))), [sentence]);
  t.deepEqual(refused(takeReturned(ready, withField(signed, path, new Uint8Array(64)))), [sentence]);
  t.deepEqual(refused(takeReturned(ready, withField(signed, path, new Uint8Array(64).fill(255)))), [
    sentence,
  ]);
  // Also where ours has one already.
  t.deepEqual(refused(takeReturned(signed, flipped(signed, path))), [sentence]);
  const [first, second] = signed.ironwood.actions.map(({ spend }) => spend.spendAuthSig);
  const swapped = withField(
    withField(signed, `ironwood.actions.0.${SIGNATURE}`, second),
    `ironwood.actions.1.${SIGNATURE}`,
    first,
  );
  t.deepEqual(refused(takeReturned(ready, swapped)), [
    'The signature of spend 1 of Ironwood is not one of this transaction.',
    sentence,
  ]);
});

test('a signature of a changed transaction does not count for ours', (t) => {
  const { ready } = ironwood!;
  const later = edited(ready, 'global.expiryHeight', (height: number) => height + 1);
  const signed = withField(
    signAll(later, seededBytes(5)).pczt,
    'global.expiryHeight',
    ready.global.expiryHeight,
  );
  t.is(refused(takeReturned(ready, signed)).length, 2);
});

test('a signature of another key is refused', (t) => {
  const { ready } = ironwood!;
  const { spendAuth } = cryptographyOf('ironwood');
  const key = new Uint8Array(32).fill(3);
  const signature = spendAuth.sign(key, shieldedSighash(effectsOfPczt(ready)), seededBytes(6));
  t.deepEqual(refused(takeReturned(ready, withField(ready, `ironwood.actions.0.${SIGNATURE}`, signature))), [
    'The signature of spend 1 of Ironwood is not one of this transaction.',
  ]);
});

test('the signature of a dummy cannot be exchanged', (t) => {
  const { ready } = moved!;
  const dummy = ready.orchard.actions.findIndex(({ spend }) => spend.spendAuthSig !== undefined);
  t.true(dummy >= 0);
  t.deepEqual(refused(takeReturned(ready, flipped(ready, `orchard.actions.${dummy}.${SIGNATURE}`))), [
    `The signature of spend ${dummy + 1} of Orchard is not one of this transaction.`,
  ]);
  t.true(missingOf(ready).signatures.every(({ place, index }) => place !== 'orchard' || index !== dummy));
});

test('a proof of another length is none', (t) => {
  const ready = stage(IRONWOOD, 'ready');
  const size = orchardProofSize(2);
  for (const length of [0, size - 1, size + 1, orchardProofSize(3)])
    t.deepEqual(refused(takeReturned(ready, withField(ready, 'ironwood.zkproof', new Uint8Array(length)))), [
      'The proof of Ironwood does not have the length of one.',
    ]);
});

test('the first proof stays until it is taken away or another one is asked for', (t) => {
  const proved = stage(IRONWOOD, 'proved');
  const other = flipped(proved, 'ironwood.zkproof');
  const kept = accepted(takeReturned(proved, other));
  t.is(hexOf(kept.pczt), hexOf(proved));
  t.deepEqual(fieldsOf(kept.otherProofs), ['ironwood']);
  t.true(isNothingNew(kept.taken));
  const replaced = accepted(takeReturned(proved, other, { replaceProofs: true }));
  t.is(hexOf(replaced.pczt), hexOf(other));
  t.deepEqual([fieldsOf(replaced.taken.proofs), replaced.otherProofs], [['ironwood'], []]);
  const same = accepted(takeReturned(proved, proved, { replaceProofs: true }));
  t.deepEqual([same.taken.proofs, same.otherProofs], [[], []]);
  const signed = take(stage(IRONWOOD, 'ready'), stage(IRONWOOD, 'signed'));
  t.is(hexOf(withoutProofs(take(signed, proved))), hexOf(signed));
  t.is(hexOf(take(withoutProofs(take(signed, proved)), other)), hexOf(take(signed, other)));
});

test('one proof does not prove two things', (t) => {
  const complete = stage(SAPLING, 'complete');
  const ready = stage(SAPLING, 'ready');
  const proof = complete.sapling.outputs[0]!.zkproof!;
  const sentence = 'The proof of output 2 of Sapling is a copy of another one.';
  t.deepEqual(refused(takeReturned(ready, withField(complete, 'sapling.outputs.1.zkproof', proof))), [
    sentence,
  ]);
  const half = withField(ready, 'sapling.outputs.0.zkproof', proof);
  t.deepEqual(refused(takeReturned(half, withField(ready, 'sapling.outputs.1.zkproof', proof))), [sentence]);
  t.deepEqual(takenOf(accepted(takeReturned(ready, complete))).proofs, [
    'sapling.spends[0]',
    'sapling.outputs[0]',
    'sapling.outputs[1]',
  ]);
});

test('two proofs that were swapped are put back, and a copy is refused', (t) => {
  const [ready, complete] = [stage(SAPLING, 'ready'), stage(SAPLING, 'complete')];
  const [first, second] = complete.sapling.outputs.map(({ zkproof }) => zkproof!) as [Uint8Array, Uint8Array];
  const swapped = withField(
    withField(complete, 'sapling.outputs.0.zkproof', second),
    'sapling.outputs.1.zkproof',
    first,
  );
  const replaceProofs = true;
  t.is(hexOf(accepted(takeReturned(swapped, complete, { replaceProofs })).pczt), hexOf(complete));
  // That of the second output stays here.
  const copy = withField(
    withField(ready, 'sapling.outputs.0.zkproof', second),
    'sapling.outputs.1.zkproof',
    undefined,
  );
  t.deepEqual(refused(takeReturned(complete, copy, { replaceProofs })), [
    'The proof of output 1 of Sapling is a copy of another one.',
  ]);
});

test('a proof for an unused pool is left aside', (t) => {
  const ready = stage(IRONWOOD, 'ready');
  const theirs = withField(ready, 'orchard.zkproof', new Uint8Array(2720));
  t.is(hexOf(take(ready, theirs)), hexOf(ready));
});

const KEY = 'sapling.spends.0.proofGenerationKey';

test('a Sapling spend needs a key for its proof, which the signer adds and the prover gets', (t) => {
  const ready = stage(SAPLING, 'ready');
  const complete = stage(SAPLING, 'complete');
  t.deepEqual(missingOf(ready).proofKeys, [{ pool: 'sapling', index: 0 }]);
  const signed = withoutProofs(complete);
  const back = accepted(takeReturned(ready, signed));
  const { pczt, missing } = back;
  t.deepEqual(takenOf(back), {
    signatures: ['sapling.spends[0]'],
    proofs: [],
    proofKeys: ['sapling.spends[0]'],
  });
  t.deepEqual(missing.proofKeys, []);
  t.deepEqual(missing.proofs, [{ pool: 'sapling', count: 3 }]);
  t.deepEqual(
    redactPczt(pczt, 'prover').sapling.spends[0]!.proofGenerationKey,
    complete.sapling.spends[0]!.proofGenerationKey,
  );
  t.deepEqual(missingOf(stage(SAPLING, 'complete')).proofKeys, []);
  t.deepEqual(missingOf(withField(complete, KEY, undefined)).proofKeys, []);
});

test('a key for a proof that is not that of the note is refused', (t) => {
  const ready = stage(SAPLING, 'ready');
  const complete = stage(SAPLING, 'complete');
  const sentence = 'The proof key of spend 1 of Sapling is not that of its note.';
  const other = sapling!.ready.sapling.spends[0]!.rk;
  const wrong: readonly ((
    key: NonNullable<Pczt['sapling']['spends'][0]['proofGenerationKey']>,
  ) => unknown)[] = [
    ({ ak, nsk }) => ({ ak, nsk: nsk.map((byte, i) => (i === 0 ? byte ^ 1 : byte)) }),
    ({ nsk }) => ({ ak: other, nsk }),
    ({ nsk }) => ({ ak: new Uint8Array(32).fill(255), nsk }),
    ({ ak }) => ({ ak, nsk: new Uint8Array(32).fill(255) }),
    ({ ak }) => ({ ak, nsk: new Uint8Array(32) }),
  ];
  for (const change of wrong) {
    const theirs = edited(complete, KEY, change);
    t.deepEqual(refused(takeReturned(ready, theirs)), [sentence]);
    t.deepEqual(refused(takeReturned(complete, theirs)), [sentence]);
  }
});

test('a key for a proof that cannot be held against the note is not taken', (t) => {
  const complete = stage(SAPLING, 'complete');
  for (const field of ['alpha', 'witness', 'rseed']) {
    const ready = withField(stage(SAPLING, 'ready'), `sapling.spends.0.${field}`, undefined);
    const back = accepted(takeReturned(ready, withoutProofs(complete)));
    t.deepEqual(takenOf(back).proofKeys, []);
    t.is(back.missing.proofKeys.length, 1);
    // Unless ours has one, and another one came.
    const known = withField(ready, KEY, complete.sapling.spends[0]!.proofGenerationKey);
    t.is(refused(takeReturned(known, flipped(complete, `${KEY}.nsk`))).length, 1);
  }
});

test('what is complete can be extracted', (t) => {
  const done = take(stage(SAPLING, 'ready'), stage(SAPLING, 'complete'));
  t.true(isComplete(missingOf(done)));
  t.true(extractPczt(done, seededBytes(8)).ok);
});

test('what was signed before the anchor was changed counts, what was proved does not', (t) => {
  const ready = stage(SAPLING, 'ready');
  const complete = stage(SAPLING, 'complete');
  const earlier = ready.sapling.anchor!;
  const anew = edited(clearAnchor(ready, 'sapling'), 'sapling.anchor', () =>
    earlier.map((byte, i) => (i === 0 ? byte ^ 1 : byte)),
  );
  t.deepEqual(refused(takeReturned(anew, complete)), ['The signer changed the anchor of Sapling.']);
  const options = { earlierAnchors: { sapling: [earlier] } };
  const back = accepted(takeReturned(anew, complete, options));
  t.deepEqual(takenOf(back).signatures, ['sapling.spends[0]']);
  // Nobody can hold the key against the note without its witness.
  t.deepEqual(takenOf(back).proofKeys, []);
  // Those of outputs prove nothing about the anchor.
  t.deepEqual(takenOf(back).proofs, ['sapling.outputs[0]', 'sapling.outputs[1]']);
  t.deepEqual(back.pczt.sapling.anchor, anew.sapling.anchor);
  const elsewhere = withField(complete, 'sapling.anchor', new Uint8Array(32).fill(9));
  t.deepEqual(refused(takeReturned(anew, elsewhere, options)), ['The signer changed the anchor of Sapling.']);
});

test('what comes back may be in either encoding, and ours in the compact form', (t) => {
  const [ready, signed] = ['ready', 'signed'].map((which) => stage('v5-orchard-orchard', which)) as [
    Pczt,
    Pczt,
  ];
  const { pczt } = accepted(takeReturned(ready, signed));
  t.is(takenOf(accepted(takeReturned(ready, signed))).signatures.length, 1);
  for (const encoding of [1, 2] as const) {
    const theirs = decodePczt(encodePczt(signed, encoding)).pczt;
    t.is(hexOf(take(ready, theirs)), hexOf(pczt));
    t.is(hexOf(take(decodePczt(encodePczt(ready, encoding)).pczt, theirs)), hexOf(pczt));
  }
  t.is(hexOf(take(omitCompactFields(ready), signed)), hexOf(pczt));
});

test('entries of other software are not kept', (t) => {
  const ready = stage(IRONWOOD, 'ready');
  const signed = stage(IRONWOOD, 'signed');
  const theirs = withField(
    signed,
    'global.proprietary',
    new Map([['keystone:fw_version', Uint8Array.of(1, 2, 3)]]),
  );
  t.is(hexOf(take(ready, theirs)), hexOf(take(ready, signed)));
});

/** Parts of what came back, from which fields are missing at random. */
const partsOf = (whole: Pczt) =>
  fc
    .array(fc.subarray(optionalPaths(whole)), { minLength: 1, maxLength: 4 })
    .map((gone) => gone.map((left) => left.reduce((copy, path) => withField(copy, path, undefined), whole)));

const WHOLE: readonly (readonly [string, Pczt, Pczt])[] = [
  ['Ironwood', stage(IRONWOOD, 'ready'), stage(IRONWOOD, 'complete')],
  ['Sapling', stage(SAPLING, 'ready'), stage(SAPLING, 'complete')],
  ['Orchard and Ironwood', moved!.ready, moved!.signed],
];

for (const [title, ready, whole] of WHOLE) {
  test(`${title}: the order of what comes back makes no difference, nor that it comes twice`, (t) => {
    fc.assert(
      fc.property(partsOf(whole), (parts) => {
        const all = take(ready, ...parts);
        t.is(hexOf(take(ready, ...parts.toReversed())), hexOf(all));
        t.is(hexOf(take(all, ...parts)), hexOf(all));
        t.deepEqual(missingOf(take(ready, ...parts.toReversed())), missingOf(all));
        t.is(hexOf(take(all, whole)), hexOf(take(ready, whole)));
      }),
      { numRuns: runs(6, 30) },
    );
  });

  test(`${title}: what ours has already stays, whatever comes later`, (t) => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const again = signAll(ready, seededBytes(seed)).pczt;
        const first = take(ready, again);
        t.is(hexOf(take(first, whole)), hexOf(withSignaturesOf(take(ready, whole), first)));
      }),
      { numRuns: runs(3, 5) },
    );
  });
}

/** The signatures of another copy. */
const withSignaturesOf = (pczt: Pczt, other: Pczt): Pczt => ({
  ...pczt,
  sapling: {
    ...pczt.sapling,
    spends: pczt.sapling.spends.map((spend, i) => ({
      ...spend,
      spendAuthSig: other.sapling.spends[i]!.spendAuthSig,
    })),
  },
  ironwood: signedAs(pczt.ironwood, other.ironwood),
  orchard: signedAs(pczt.orchard, other.orchard),
});

const signedAs = (bundle: Pczt['orchard'], other: Pczt['orchard']): Pczt['orchard'] => ({
  ...bundle,
  actions: bundle.actions.map((action, i) => ({
    ...action,
    spend: { ...action.spend, spendAuthSig: other.actions[i]!.spend.spendAuthSig },
  })),
});

test('there is a place to stop before each signature and each key', (t) => {
  const stops = (ours: Pczt, theirs: Pczt): number => [...takingReturned(ours, theirs)].length;
  const { ready, signed } = ironwood!;
  t.is(stops(ready, signed) - stops(ready, ready), 2);
  const whole = stage(SAPLING, 'complete');
  t.is(stops(stage(SAPLING, 'ready'), whole) - stops(whole, whole), 2);
});

test('ours is not changed in place', (t) => {
  const ready = stage(IRONWOOD, 'ready');
  const before = hexOf(ready);
  const after = take(ready, stage(IRONWOOD, 'complete'));
  t.is(hexOf(ready), before);
  t.false(equalBytes(encodePczt(after, 2), encodePczt(ready, 2)));
});
