// The IO Finalizer: from what the reference created to what it had finalized, and what must never be finalized.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { encodePczt } from '../../src/pczt/codec.ts';
import { combinePczts } from '../../src/pczt/combiner.ts';
import { finalizeIo } from '../../src/pczt/ioFinalizer.ts';
import { ALL_MODIFIABLE } from '../../src/pczt/modifiable.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { redactPczt } from '../../src/pczt/redactor.ts';
import { ioCryptography } from '../helpers/ioCryptography.ts';
import { cases, flipped, stage, withField } from '../helpers/pcztVectors.ts';

const hexOf = (pczt: Pczt): string => bytesToHex(encodePczt(pczt, 2));

const created = cases.filter(({ stages }) => stages['created'] !== undefined);

const spendsOf = ({ orchard, ironwood }: Pczt) =>
  [...orchard.actions, ...ironwood.actions].map(({ spend }) => spend);

/** Signs as the reference did. */
function cryptographyOf(name: string) {
  const { shielded_sighash: sighash } = cases.find((one) => one.name === name)!;
  const ready = spendsOf(stage(name, 'ready'));
  return ioCryptography(hexToBytes(sighash), (rk) => {
    return ready.find((spend) => bytesToHex(spend.rk) === bytesToHex(rk))!.spendAuthSig!;
  });
}

for (const { name } of created) {
  test(`${name}: what was created becomes what the reference finalized`, (t) => {
    const open = withField(stage(name, 'created'), 'global.txModifiable', ALL_MODIFIABLE);
    const cryptography = cryptographyOf(name);
    const finalized = finalizeIo(open, cryptography);
    const ready = stage(name, 'ready');
    // The rest of `ready` is what the Updater added; nothing of it is different.
    t.is(hexOf(combinePczts([finalized, ready])), hexOf(ready));
    for (const pool of ['sapling', 'orchard', 'ironwood'] as const)
      t.deepEqual(finalized[pool].bsk, ready[pool].bsk);
    t.is(finalized.global.txModifiable, 0);
    const dummies = spendsOf(open).filter(({ dummySk }) => dummySk !== undefined);
    t.is(cryptography.signed.length, dummies.length);
    t.true(spendsOf(finalized).every(({ dummySk }) => dummySk === undefined));
    t.deepEqual(
      spendsOf(finalized).map(({ spendAuthSig }) => spendAuthSig),
      spendsOf(ready).map(({ spendAuthSig }) => spendAuthSig),
    );
    // What is signed is what comes out, and the keys that were given are still there for another try.
    t.is(cryptography.sighashed[0]?.global.txModifiable, 0);
    t.true(dummies.every(({ dummySk }) => dummySk!.some((byte) => byte !== 0)));
  });
}

const NAME = 'v6-sapling-ironwood';
const finalize = (pczt: Pczt): Pczt => finalizeIo(pczt, cryptographyOf(NAME));

test('the compact form is made whole first', (t) => {
  const name = 'v6-ironwood-ironwood';
  const compact = redactPczt(stage(name, 'created'), 'compactSigner');
  const { ironwood } = finalizeIo(compact, cryptographyOf(name));
  t.deepEqual(ironwood.bsk, stage(name, 'ready').ironwood.bsk);
});

test('a sum that the commitments do not have is refused', (t) => {
  const pczt = stage(NAME, 'created');
  for (const pool of ['sapling', 'ironwood'] as const) {
    const { valueSum } = pczt[pool];
    t.throws(() => finalize(withField(pczt, `${pool}.valueSum`, valueSum + 1n)), {
      message: `${pool}.valueSum: the value commitments do not add up to it`,
    });
  }
  t.throws(() => finalize(flipped(pczt, 'ironwood.actions.1.rcv')), { message: /^ironwood\.valueSum: / });
  t.throws(() => finalize(flipped(pczt, 'sapling.outputs.0.rcv')), { message: /^sapling\.valueSum: / });
});

test('what is missing is named', (t) => {
  const pczt = stage(NAME, 'created');
  t.throws(() => finalize(withField(pczt, 'ironwood.actions.0.rcv', undefined)), {
    message: 'ironwood: an rcv is not there',
  });
  t.throws(() => finalize(withField(pczt, 'sapling.spends.0.rcv', undefined)), {
    message: 'sapling: an rcv is not there',
  });
  const dummy = pczt.ironwood.actions.findIndex(({ spend }) => spend.dummySk !== undefined);
  t.throws(() => finalize(withField(pczt, `ironwood.actions.${dummy}.spend.alpha`, undefined)), {
    message: `ironwood.actions[${dummy}].spend.alpha: a dummy cannot be signed without it`,
  });
  t.throws(() => finalize(flipped(pczt, `ironwood.actions.${dummy}.spend.alpha`)), {
    message: `ironwood.actions[${dummy}].spend: the key is not that of the spend`,
  });
  const empty = ['ironwood.actions', 'sapling.spends', 'sapling.outputs'];
  const nothing = empty.reduce((left, path) => withField(left, path, []), pczt);
  t.throws(() => finalize(nothing), { message: 'nothing is spent' });
});

test('after NU6.3 an Orchard action pays back to the address that it spends from alone', (t) => {
  const pczt = stage('v6-orchard-change-in-orchard', 'ready');
  const cryptography = ioCryptography(new Uint8Array(32), () => new Uint8Array(64));
  t.notThrows(() => finalizeIo(pczt, cryptography));
  const path = 'orchard.actions.0.output.recipient';
  t.throws(() => finalizeIo(flipped(pczt, path), cryptography), {
    message:
      'orchard.actions[0].output.recipient: this pool pays back to the address of the spent note alone',
  });
  t.throws(() => finalizeIo(withField(pczt, path, undefined), cryptography), {
    message: /^orchard\.actions\[0\]\.output\.recipient: it must be known/,
  });
  // Ironwood says in its flags whether it may.
  t.throws(() => finalizeIo(withField(pczt, 'ironwood.flags', 3), cryptography), {
    message: /^ironwood\.actions\[\d\]\.output\.recipient: /,
  });
  // Before NU6.3 it may: the same flags, an earlier upgrade.
  t.notThrows(() => finalizeIo(stage('v5-orchard-orchard', 'ready'), cryptography));
});
