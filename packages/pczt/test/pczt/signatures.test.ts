// Finalized and extracted with the signatures of the product: the reference's payments, from what was created to what is
// sent.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { ACTION_POOLS, POOLS } from '@wallet-companion/zcash/pools';
import { cryptographyOf } from '@wallet-companion/zcash/signing';
import { wordBytes } from '@wallet-companion/zcash/test/madeUpTransactions';
import test from 'ava';
import { combinePczts } from '../../src/pczt/combiner.ts';
import { finalizeIo } from '../../src/pczt/ioFinalizer.ts';
import { ALL_MODIFIABLE } from '../../src/pczt/modifiable.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { extractPczt, ioCryptography } from '../../src/pczt/signatures.ts';
import { cases, edited, flipped, stage, withField } from '../helpers/pcztVectors.ts';

const random = (length: number): Uint8Array => Uint8Array.from(wordBytes(length, 'random'));
const spendsOf = (pczt: Pczt) =>
  ACTION_POOLS.flatMap((pool) => pczt[pool].actions.map(({ spend }) => ({ pool, ...spend })));

for (const { name, shielded_sighash: sighash } of cases.filter(({ stages }) => 'created' in stages)) {
  test(`${name}: finalized as the reference did, each dummy signed anew`, (t) => {
    const created = withField(stage(name, 'created'), 'global.txModifiable', ALL_MODIFIABLE);
    const ready = stage(name, 'ready');
    const finalized = finalizeIo(created, ioCryptography(random));
    for (const pool of POOLS) t.deepEqual(finalized[pool].bsk, ready[pool].bsk, pool);
    const theirs = spendsOf(ready);
    t.is(
      spendsOf(finalized).filter(({ spendAuthSig }) => spendAuthSig).length,
      spendsOf(created).filter(({ dummySk }) => dummySk).length,
    );
    for (const [i, { pool, rk, spendAuthSig }] of spendsOf(finalized).entries()) {
      t.is(spendAuthSig === undefined, theirs[i]!.spendAuthSig === undefined, `${pool} ${i}`);
      if (spendAuthSig === undefined) continue;
      t.true(cryptographyOf(pool).spendAuth.verify(rk, hexToBytes(sighash), spendAuthSig));
    }
  });
}

const complete = cases.filter(({ stages }) => 'complete' in stages);

for (const { name, txid, fee, stages } of complete) {
  test(`${name}: what is complete is extracted, and nothing before`, (t) => {
    const extracted = extractPczt(stage(name, 'complete'), random);
    if (!extracted.ok) return t.fail(JSON.stringify(extracted.problems));
    t.is(bytesToHex(extracted.txid), txid);
    t.is(extracted.fee, BigInt(fee));
    for (const earlier of ['created', 'ready', 'proved', 'signed'].filter((one) => one in stages))
      t.false(extractPczt(stage(name, earlier), random).ok, earlier);
    if ('proved' in stages && 'signed' in stages)
      t.true(extractPczt(combinePczts([stage(name, 'proved'), stage(name, 'signed')]), random).ok);
  });
}

test('a signature of something else is found, and by whose it is', (t) => {
  const name = complete[0]!.name;
  const pczt = stage(name, 'complete');
  const [pool, i] = ACTION_POOLS.flatMap((pool) => pczt[pool].actions.map((_, i) => [pool, i] as const))[0]!;
  const wrong = extractPczt(flipped(pczt, `${pool}.actions.${i}.spend.spendAuthSig`), random);
  t.false(wrong.ok);
  if (!wrong.ok) t.like(wrong.problems[0], { part: pool, kind: 'invalid', index: i });
  // The fee is what the signer saw: another amount is another transaction.
  const other = extractPczt(
    edited(pczt, 'global.expiryHeight', (height: number) => height + 1),
    random,
  );
  t.false(other.ok);
});
