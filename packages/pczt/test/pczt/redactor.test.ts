// The Redactor: the reference's compact view byte for byte, and what each view shows to nobody.

import { bytesToHex } from '@wallet-companion/base/bytes';
import test from 'ava';
import { encodePczt } from '../../src/pczt/codec.ts';
import { combinePczts } from '../../src/pczt/combiner.ts';
import { resolveCompactFields } from '../../src/pczt/compactFields.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { redactPczt, type View } from '../../src/pczt/redactor.ts';
import { cases, edited, flipped, stage, withField } from '../helpers/pcztVectors.ts';

const hexOf = (pczt: Pczt): string => bytesToHex(encodePczt(pczt, 2));
const IRONWOOD = 'v6-ironwood-ironwood';

test('a compact PCZT loses only what its other fields imply', (t) => {
  for (const view of ['signer', 'prover', 'extractor'] as const)
    t.is(
      hexOf(redactPczt(stage(IRONWOOD, 'compact'), view)),
      hexOf(redactPczt(resolveCompactFields(stage(IRONWOOD, 'compact')), view)),
      view,
    );
  const proved = combinePczts([
    stage(IRONWOOD, 'complete'),
    redactPczt(stage(IRONWOOD, 'compact'), 'extractor'),
  ]);
  t.is(hexOf(proved), hexOf(stage(IRONWOOD, 'complete')));
});

test('the compact view is that of the reference', (t) => {
  t.is(hexOf(redactPczt(stage(IRONWOOD, 'ready'), 'compactSigner')), hexOf(stage(IRONWOOD, 'compact')));
});

for (const { name } of cases) {
  test(`${name}: the compact view can be made whole, and its answer combines into what was kept`, (t) => {
    const ready = stage(name, 'ready');
    const compact = redactPczt(ready, 'compactSigner');
    const resolved = resolveCompactFields(compact);
    for (const pool of ['orchard', 'ironwood'] as const) {
      ready[pool].actions.forEach(({ cvNet, output }, i) => {
        const made = resolved[pool].actions[i]!;
        t.is(compact[pool].actions[i]!.cvNet, undefined);
        t.deepEqual(made.cvNet, cvNet);
        t.deepEqual(made.output.cmx, output.cmx);
        t.deepEqual(made.output.encCiphertext, output.encCiphertext);
      });
    }
    t.is(hexOf(combinePczts([ready, compact])), hexOf(ready));
  });
}

test('a ciphertext of random bytes is kept', (t) => {
  const before = stage('v6-orchard-ironwood', 'ready');
  const after = redactPczt(before, 'compactSigner');
  const kinds = after.orchard.actions.map(({ output }) => output.encCiphertext.kind).sort();
  t.deepEqual(kinds, ['encrypted', 'memoPlaintext']);
});

test('only what can be made again is left out', (t) => {
  const whole = stage(IRONWOOD, 'ready');
  const withoutSeed = withField(whole, 'ironwood.actions.0.output.rseed', undefined);
  const { output } = redactPczt(withoutSeed, 'compactSigner').ironwood.actions[0]!;
  t.not(output.cmx, undefined);
  t.is(output.encCiphertext.kind, 'encrypted');
  const wrong = flipped(flipped(whole, 'ironwood.actions.0.cvNet'), 'ironwood.actions.0.output.cmx');
  const kept = redactPczt(wrong, 'compactSigner').ironwood.actions[0]!;
  t.deepEqual(kept.cvNet, wrong.ironwood.actions[0]!.cvNet);
  t.deepEqual(kept.output.cmx, wrong.ironwood.actions[0]!.output.cmx);
});

test('what cannot be made again is asked for by name', (t) => {
  const compact = stage(IRONWOOD, 'compact');
  const resolve = (path: string) => () => resolveCompactFields(withField(compact, path, undefined));
  t.throws(resolve('ironwood.actions.1.rcv'), {
    message: /^ironwood\.actions\[1\]\.cvNet: it cannot be made/,
  });
  t.throws(resolve('ironwood.actions.1.output.rseed'), {
    message: /^ironwood\.actions\[1\]\.output: it cannot/,
  });
  const otherKey = flipped(compact, 'ironwood.actions.0.output.ephemeralKey');
  t.throws(() => resolveCompactFields(otherKey), {
    message: 'ironwood.actions[0].output.ephemeralKey: it is not that of the note',
  });
});

/** Names of all fields that hold something, once each. */
function namesIn(value: unknown, names = new Set<string>()): Set<string> {
  if (value instanceof Uint8Array || value instanceof Map || typeof value !== 'object' || value === null)
    return names;
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue;
    if (!Array.isArray(value)) names.add(name);
    namesIn(part, names);
  }
  return names;
}

const HIDDEN: Readonly<Record<View, readonly string[]>> = {
  signer: ['dummySk', 'dummyAsk'],
  compactSigner: ['dummySk', 'dummyAsk', 'zkproof', 'bsk', 'anchor', 'cvNet'],
  prover: ['dummySk', 'dummyAsk', 'userAddress', 'ock', 'zip32Derivation'],
  extractor: [
    [
      'dummySk',
      'dummyAsk',
      'userAddress',
      'ock',
      'zip32Derivation',
      'recipient',
      'value',
      'rho',
      'rseed',
      'fvk',
    ],
    ['witness', 'alpha', 'rcv', 'proofGenerationKey', 'rcm'],
  ].flat(),
};

const everything = (name: string): Pczt => {
  const whole = name === IRONWOOD ? stage(name, 'complete') : stage(name, 'signed');
  const key = new Uint8Array(32).fill(7);
  const actions = (pool: 'orchard' | 'ironwood') => (pczt: Pczt) =>
    edited(pczt, `${pool}.actions`, (all: Pczt['orchard']['actions']) =>
      all.map((one) => ({
        ...one,
        spend: { ...one.spend, dummySk: key },
        output: { ...one.output, ock: key },
      })),
    );
  const sapling = edited(whole, 'sapling.spends', (all: Pczt['sapling']['spends']) =>
    all.map((one) => ({ ...one, dummyAsk: key })),
  );
  return actions('ironwood')(actions('orchard')(sapling));
};

for (const view of Object.keys(HIDDEN) as View[]) {
  for (const name of [IRONWOOD, 'v6-sapling-ironwood', 'v6-orchard-change-in-orchard']) {
    test(`${view} of ${name} is not shown what it does not need`, (t) => {
      const before = everything(name);
      const redacted = redactPczt(before, view);
      const { sapling, orchard, ironwood } = redacted;
      // The key 0 of a bundle that is not used is no secret.
      const used = sapling.spends.length > 0 ? sapling : undefined;
      const left = namesIn({ used, orchard, ironwood });
      t.deepEqual(
        HIDDEN[view].filter((field) => left.has(field)),
        [],
      );
      for (const pool of ['orchard', 'ironwood'] as const)
        for (const { spend } of redacted[pool].actions) t.is(spend.witness !== undefined, view === 'prover');
      // Nothing that is left out is lost or changed: it combines back.
      t.is(hexOf(combinePczts([before, redacted])), hexOf(before));
    });
  }
}

test('provers and signers keep what they need, and extractors what the transaction is made of', (t) => {
  const whole = stage(IRONWOOD, 'complete');
  const { witness, fvk, alpha, rseed } = redactPczt(whole, 'prover').ironwood.actions[0]!.spend;
  t.true([witness, fvk, alpha, rseed].every((field) => field !== undefined));
  const signer = redactPczt(whole, 'signer').ironwood.actions[0]!;
  t.true(
    [signer.spend.fvk, signer.spend.alpha, signer.rcv, signer.cvNet].every((field) => field !== undefined),
  );
  const { ironwood } = redactPczt(whole, 'extractor');
  t.deepEqual(ironwood.zkproof, whole.ironwood.zkproof);
  t.deepEqual(ironwood.bsk, whole.ironwood.bsk);
  t.deepEqual(ironwood.anchor, whole.ironwood.anchor);
  ironwood.actions.forEach(({ cvNet, spend }, i) => {
    t.deepEqual(cvNet, whole.ironwood.actions[i]!.cvNet);
    t.deepEqual(spend.spendAuthSig, whole.ironwood.actions[i]!.spend.spendAuthSig);
  });
  const sapling = redactPczt(stage('v6-sapling-sapling', 'ready'), 'signer').sapling.spends[0]!;
  t.not(sapling.witness, undefined);
});

test('the signed anchor of version 5 is never taken away', (t) => {
  const v5 = stage('v5-orchard-orchard', 'ready');
  t.deepEqual(redactPczt(v5, 'compactSigner').orchard.anchor, v5.orchard.anchor);
});

test("the wallet's own entries are left out, others' are carried through", (t) => {
  const entries = new Map([
    ['mine.a', Uint8Array.of(1)],
    ['other', Uint8Array.of(2)],
  ]);
  const paths = [
    'global.proprietary',
    'ironwood.actions.0.spend.proprietary',
    'ironwood.actions.1.output.proprietary',
  ];
  const whole = paths.reduce((pczt, path) => withField(pczt, path, entries), stage(IRONWOOD, 'ready'));
  const kept = redactPczt(whole, 'signer', { ownProprietaryPrefix: 'mine.' });
  const [first, second] = kept.ironwood.actions;
  for (const map of [kept.global.proprietary, first!.spend.proprietary, second!.output.proprietary])
    t.deepEqual([...map.keys()], ['other']);
  t.is(
    hexOf(redactPczt(stage(IRONWOOD, 'ready'), 'signer')).includes(
      bytesToHex(new TextEncoder().encode('mine.')),
    ),
    false,
  );
  t.deepEqual([...redactPczt(whole, 'signer').global.proprietary.keys()], ['mine.a', 'other']);
});
