// The signer does to the reference's payments what the reference's own did.

import { decodeInteger32, encodeJubjub, SAPLING_PROOF_BASE } from '@wallet-companion/zcash/curves';
import { internalSaplingFullViewingKey, splitSaplingFullViewingKey } from '@wallet-companion/zcash/keys';
import { ACTION_POOLS } from '@wallet-companion/zcash/pools';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import { combinePczts } from '../../src/pczt/combiner.ts';
import { extractPczt } from '../../src/pczt/signatures.ts';
import { deriveSigningKeys } from '../../src/signer/signingKeys.ts';
import { completedPczt } from '../helpers/completion.ts';
import { cases, stage } from '../helpers/pcztVectors.ts';
import { keysOf, PARAMS as params, SEED as seed } from '../helpers/spendingAccount.ts';

const randomBytes = seededBytes(1);

for (const { name, txid, stages } of cases) {
  test(`${name}: signed and filled up, it is extracted as the transaction of the reference`, (t) => {
    const ready = stage(name, 'ready');
    const done = completedPczt(ready, { seed, params, randomBytes });
    const extracted = extractPczt(combinePczts([ready, done]), randomBytes);
    if (!extracted.ok) return t.fail(JSON.stringify(extracted.problems));
    t.is(Buffer.from(extracted.txid).toString('hex'), txid);
    if (stages['signed'] !== undefined) {
      const theirs = stage(name, 'signed');
      t.deepEqual(
        done.sapling.spends.map(({ proofGenerationKey }) => proofGenerationKey),
        theirs.sapling.spends.map(({ proofGenerationKey }) => proofGenerationKey),
      );
    }
    if (stages['complete'] !== undefined) {
      const theirs = stage(name, 'complete');
      for (const pool of ACTION_POOLS) t.is(done[pool].zkproof?.length, theirs[pool].zkproof?.length);
      const lengths = (items: readonly { readonly zkproof: Uint8Array | undefined }[]) =>
        items.map(({ zkproof }) => zkproof?.length);
      t.deepEqual(lengths(done.sapling.spends), lengths(theirs.sapling.spends));
      t.deepEqual(lengths(done.sapling.outputs), lengths(theirs.sapling.outputs));
    }
  });
}

test('of another account it signs nothing', (t) => {
  for (const name of ['v6-ironwood-ironwood', 'v6-sapling-ironwood']) {
    t.throws(() => completedPczt(stage(name, 'ready'), { seed, params, account: 1, randomBytes }), {
      message: /its key is not the account's/,
    });
  }
});

test('the proof key of change is that of its viewing key', (t) => {
  const viewing = splitSaplingFullViewingKey(keysOf(0).sapling);
  const { saplingProof } = deriveSigningKeys(seed, params, 0);
  t.deepEqual(
    saplingProof.map(({ nsk }) => encodeJubjub(SAPLING_PROOF_BASE.multiply(decodeInteger32(nsk)))),
    [viewing.nk, internalSaplingFullViewingKey(viewing).nk],
  );
});
