// Signatures that are on the chain, over transactions of versions 4 and 5.

import { createHash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, concatBytes, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { parseBlock } from '../../src/zcash/encoding/block.ts';
import { parseTransaction, type Transaction } from '../../src/zcash/encoding/transaction.ts';
import {
  type SaplingContents,
  type TransactionContents,
  transactionContents,
} from '../../src/zcash/encoding/transactionContents.ts';
import type { TransparentOutput } from '../../src/zcash/encoding/transparentBundle.ts';
import { UPGRADES } from '../../src/zcash/network.ts';
import { POOLS } from '../../src/zcash/pools.ts';
import { bindingValidatingKey } from '../../src/zcash/transaction/bindingKeys.ts';
import {
  effectsOf,
  isCoinbase,
  poolEffects,
  type TransactionEffects,
} from '../../src/zcash/transaction/effects.ts';
import { cryptographyOf } from '../../src/zcash/transaction/poolCryptography.ts';
import { shieldedSighash, transparentSighash, txidOfEffects } from '../../src/zcash/transaction/sighash.ts';
import { legacySighash } from '../helpers/legacySighash.ts';
import { readVectors } from '../helpers/readVectors.ts';
import { testEachCase } from '../helpers/vectors.ts';

interface LegacyCase {
  tx: string;
  script_code: string;
  transparent_input: number;
  hash_type: number;
  amount: number | string;
  consensus_branch_id: number;
  sighash: string;
}

for (const file of ['zip_0143', 'zip_0243']) {
  testEachCase<LegacyCase>(file, 'signature hash of the helper', (t, vector) => {
    const input =
      vector.transparent_input < 0
        ? undefined
        : {
            index: vector.transparent_input,
            scriptCode: hexToBytes(vector.script_code),
            amount: BigInt(vector.amount),
          };
    const transaction = parseTransaction(hexToBytes(vector.tx));
    const sighash = legacySighash(transaction, vector.consensus_branch_id, vector.hash_type, input);
    t.is(bytesToHex(sighash), vector.sighash);
  });
}

interface RealBlock {
  network: 'main' | 'test';
  height: number;
  raw: string;
}

const blocks = readVectors<{ cases: RealBlock[] }>('real_blocks').cases;

const found = blocks.flatMap(({ network, height, raw }) =>
  parseBlock(hexToBytes(raw)).transactions.map((transaction) => ({ network, height, transaction })),
);

const branchAt = (network: 'main' | 'test', height: number): number =>
  UPGRADES.findLast((upgrade) => upgrade[network] !== undefined && upgrade[network] <= height)!.branchId;

const flippedBit = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === 40 ? byte ^ 4 : byte));

test('version 4: every Sapling signature of the stored blocks', (t) => {
  const { spendAuth, binding, values, isKey, isValueCommitment } = cryptographyOf('sapling');
  const seen = { spends: 0, bundles: 0 };
  const check = (
    { spends, outputs, valueBalance, bindingSig }: SaplingContents,
    sighash: Uint8Array,
  ): void => {
    for (const { rk, cv, spendAuthSig } of spends) {
      t.true(isKey(rk) && isValueCommitment(cv));
      t.true(spendAuth.verify(rk, sighash, spendAuthSig));
      t.false(spendAuth.verify(rk, sighash, flippedBit(spendAuthSig)));
      seen.spends++;
    }
    for (const { cv, ephemeralKey } of outputs) t.true(isValueCommitment(cv) && isKey(ephemeralKey));
    const commitments = [spends, outputs].map((parts) => parts.map(({ cv }) => cv));
    const bvk = values.bindingValidatingKey(commitments[0]!, commitments[1]!, valueBalance);
    t.true(binding.verify(bvk, sighash, bindingSig));
    const wrong = values.bindingValidatingKey(commitments[0]!, commitments[1]!, valueBalance + 1n);
    t.false(binding.verify(wrong, sighash, bindingSig));
    seen.bundles++;
  };
  for (const { network, height, transaction } of found) {
    if (transaction.version !== 4 || transaction.sprout.joinSplits.count > 0) continue;
    const { sapling } = transactionContents(transaction);
    if (sapling) check(sapling, legacySighash(transaction, branchAt(network, height)));
  }
  t.deepEqual(seen, { spends: 11, bundles: 19 });
});

test('version 5: every shielded signature whose hash follows from the stored blocks alone', (t) => {
  const seen = { spends: 0, bundles: 0 };
  for (const { transaction } of found) {
    if (transaction.version !== 5) continue;
    const contents = transactionContents(transaction);
    if (contents.inputs.length > 0 && !isCoinbase(contents.inputs)) continue;
    const counted = checkShielded(contents, effectsOf(contents));
    seen.spends += counted.spends;
    seen.bundles += counted.bundles;
  }
  t.deepEqual(seen, { spends: 17, bundles: 11 });

  function checkShielded(contents: TransactionContents, effects: TransactionEffects) {
    const counted = { spends: 0, bundles: 0 };
    t.deepEqual(shieldedSighash(effects), txidOfEffects(effects));
    for (const { pool, index, isRight } of shieldedSignatures(contents, effects)) {
      t.true(isRight(shieldedSighash(effects)), `${pool} ${index}`);
      t.false(isRight(flippedBit(new Uint8Array(64)).subarray(32)), `${pool} ${index}`);
      if (index === 'binding') counted.bundles++;
      else counted.spends++;
    }
    return counted;
  }
});

/** The output that the only input spends, paid to the hash of the key that it shows; the fee was the usual one. */
const spentOutput = (
  transaction: Transaction,
): { readonly output: TransparentOutput; readonly key: Uint8Array; readonly signature: Uint8Array } => {
  const contents = transactionContents(transaction);
  const { scriptSig } = contents.inputs[0]!;
  const signature = scriptSig.subarray(1, 1 + scriptSig[0]!);
  const key = scriptSig.subarray(2 + scriptSig[0]!);
  const sha = createHash('sha256').update(key).digest();
  const hash = createHash('ripemd160').update(sha).digest();
  const scriptPubKey = concatBytes(hexToBytes('76a914'), hash, hexToBytes('88ac'));
  const value =
    1_000n -
    POOLS.reduce((sum, pool) => sum + (contents[pool]?.valueBalance ?? 0n), 0n) +
    contents.outputs.reduce((sum, output) => sum + output.value, 0n);
  return { output: { value, scriptPubKey }, key, signature };
};

test('version 5 with a transparent input: its signature and the shielded ones, and no longer with another coin', (t) => {
  let checked = 0;
  for (const { transaction } of found) {
    const contents = transaction.version === 5 ? transactionContents(transaction) : undefined;
    if (contents?.inputs.length !== 1 || isCoinbase(contents.inputs)) continue;
    if (POOLS.every((pool) => contents[pool] === undefined)) continue;
    const { output, key, signature } = spentOutput(transaction);
    const effects = effectsOf(contents, [output]);
    const hashType = signature.at(-1)!;
    const der = signature.subarray(0, -1);
    const isSigned = (sighash: Uint8Array): boolean =>
      secp256k1.verify(der, sighash, key, { format: 'der', prehash: false });
    t.true(isSigned(transparentSighash(effects, 0, hashType)));
    t.false(isSigned(shieldedSighash(effects)));
    const otherCoin = effectsOf(contents, [{ ...output, value: output.value + 1n }]);
    t.false(isSigned(transparentSighash(otherCoin, 0, hashType)));
    for (const { pool, index, isRight } of shieldedSignatures(contents, effects)) {
      t.true(isRight(shieldedSighash(effects)), `${pool} ${index}`);
      t.false(isRight(shieldedSighash(otherCoin)), `${pool} ${index}`);
      t.false(isRight(txidOfEffects(effects)), `${pool} ${index}`);
      checked++;
    }
  }
  t.is(checked, 5);
});

function shieldedSignatures(contents: TransactionContents, effects: TransactionEffects) {
  return POOLS.flatMap((pool) => {
    const bundle = contents[pool];
    if (bundle === undefined) return [];
    const { spendAuth, binding } = cryptographyOf(pool);
    const signed = 'actions' in bundle ? bundle.actions : bundle.spends;
    const bvk = bindingValidatingKey(effects, pool);
    return [
      ...poolEffects(effects, pool).spends.map(({ rk }, index) => ({
        pool,
        index,
        isRight: (sighash: Uint8Array) => spendAuth.verify(rk, sighash, signed[index]!.spendAuthSig),
      })),
      {
        pool,
        index: 'binding' as const,
        isRight: (sighash: Uint8Array) => binding.verify(bvk, sighash, bundle.bindingSig),
      },
    ];
  });
}
