import { bytesToHex, equalBytes, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { parseTransaction } from '../../src/zcash/encoding/transaction.ts';
import { transactionContents } from '../../src/zcash/encoding/transactionContents.ts';
import { serializeTransaction } from '../../src/zcash/encoding/transactionEncoding.ts';
import { txid } from '../../src/zcash/encoding/txid.ts';
import { ACTION_POOLS, POOLS } from '../../src/zcash/pools.ts';
import { findProblems } from '../../src/zcash/transaction/authorizationCheck.ts';
import { bindingValidatingKey, isBindingSigningKey } from '../../src/zcash/transaction/bindingKeys.ts';
import { effectsOf, poolEffects } from '../../src/zcash/transaction/effects.ts';
import { extractTransaction } from '../../src/zcash/transaction/extract.ts';
import { cryptographyOf } from '../../src/zcash/transaction/poolCryptography.ts';
import { shieldedSighash, txidOfEffects } from '../../src/zcash/transaction/sighash.ts';
import { pcztAuthorization, pcztEffects, readPcztCases } from '../helpers/pcztCases.ts';

const cases = readPcztCases();

for (const vector of cases) {
  const { name, ready_fields: fields, stages } = vector;
  const sighash = hexToBytes(vector.shielded_sighash);

  test(`${name}: txid and signature hash before anything is proved or signed`, (t) => {
    const effects = pcztEffects(fields);
    t.is(bytesToHex(txidOfEffects(effects)), vector.txid);
    t.is(bytesToHex(shieldedSighash(effects)), vector.shielded_sighash);
  });

  test(`${name}: commitments, randomized keys and binding keys`, (t) => {
    const effects = pcztEffects(fields);
    for (const pool of ACTION_POOLS) {
      const { values, spendAuth } = cryptographyOf(pool);
      for (const { cv_net, rcv, spend, output } of fields[pool]?.actions ?? []) {
        const value = BigInt(spend.value) - BigInt(output.value);
        t.is(bytesToHex(values.commit(value, hexToBytes(rcv))), cv_net);
        const ak = hexToBytes(spend.fvk).subarray(0, 32);
        t.is(bytesToHex(spendAuth.randomizedValidatingKey(ak, hexToBytes(spend.alpha))), spend.rk);
      }
    }
    const { values } = cryptographyOf('sapling');
    for (const { cv, rcv, value } of [...fields.sapling!.spends, ...fields.sapling!.outputs]) {
      t.is(bytesToHex(values.commit(BigInt(value), hexToBytes(rcv))), cv);
    }
    for (const pool of POOLS) {
      if (poolEffects(effects, pool).isEmpty) continue;
      const rcvs =
        pool === 'sapling'
          ? ([fields.sapling!.spends, fields.sapling!.outputs] as const)
          : ([fields[pool]!.actions, []] as const);
      const [added, subtracted] = rcvs.map((parts) => parts.map(({ rcv }) => hexToBytes(rcv)));
      const bsk = cryptographyOf(pool).values.bindingSigningKey(added!, subtracted!);
      t.is(bytesToHex(bsk), fields[pool]!.bsk!);
      t.true(isBindingSigningKey(effects, pool, bsk));
    }
  });

  test(`${name}: every signature`, (t) => {
    const effects = pcztEffects(fields);
    const authorization = pcztAuthorization(fields, (stages['complete'] ?? stages['signed'])!);
    let checked = 0;
    for (const pool of POOLS) {
      const { spends, isEmpty } = poolEffects(effects, pool);
      t.is(vector.binding_signatures[pool] !== null, !isEmpty);
      if (isEmpty) continue;
      const { spendAuth, binding } = cryptographyOf(pool);
      const bvk = bindingValidatingKey(effects, pool);
      const bindingSig = hexToBytes(vector.binding_signatures[pool]!);
      t.true(binding.verify(bvk, sighash, bindingSig));
      t.false(binding.verify(bvk, hexToBytes('00'.repeat(32)), bindingSig));
      spends.forEach(({ rk }, i) => {
        const signature = authorization[pool]!.spendAuthSigs[i]!;
        t.true(spendAuth.verify(rk, sighash, signature), `${pool} ${i}`);
        t.false(
          spendAuth.verify(spends[(i + 1) % spends.length]!.rk, sighash, signature) && spends.length > 1,
        );
        checked++;
      });
    }
    t.true(checked > 0);
  });

  if (stages['complete'] === undefined) {
    test(`${name}: what was signed and never proved lacks its proofs alone`, (t) => {
      const found = findProblems(pcztEffects(fields), pcztAuthorization(fields, stages['signed']!));
      t.deepEqual(
        found,
        ACTION_POOLS.map((pool) => ({ part: pool, field: 'proof', kind: 'missing' })),
      );
    });
    continue;
  }

  test(`${name}: extracted, it is the transaction of the reference but for its binding signatures`, (t) => {
    const extracted = extractTransaction(
      pcztEffects(fields),
      pcztAuthorization(fields, stages['complete']!),
      (length) => new Uint8Array(length).fill(1),
    );
    if (!extracted.ok) return t.fail(JSON.stringify(extracted.problems));
    t.is(bytesToHex(extracted.txid), vector.txid);
    t.is(extracted.fee, BigInt(vector.fee));
    t.is(extracted.bytes.length, vector.transaction_bytes);
    const transaction = parseTransaction(extracted.bytes);
    t.is(bytesToHex(txid(transaction)), vector.txid);
    const contents = transactionContents(transaction);
    for (const pool of POOLS) {
      const bundle = contents[pool];
      if (bundle === undefined) continue;
      t.false(equalBytes(bundle.bindingSig, hexToBytes(vector.binding_signatures[pool]!)));
      const bvk = bindingValidatingKey(effectsOf(contents), pool);
      t.true(cryptographyOf(pool).binding.verify(bvk, sighash, bundle.bindingSig));
      // With theirs in place of ours it is their transaction.
      Object.assign(bundle, { bindingSig: hexToBytes(vector.binding_signatures[pool]!) });
    }
    if (vector.transaction !== null) {
      t.is(Buffer.from(serializeTransaction(contents)).toString('base64'), vector.transaction);
    }
  });

  test(`${name}: before it is proved and signed, each missing piece is named`, (t) => {
    const problems = findProblems(pcztEffects(fields), pcztAuthorization(fields, stages['ready']!));
    t.true(problems.every(({ kind }) => kind === 'missing'));
    const expected = POOLS.flatMap((pool) => {
      const { spends, subtracted, isEmpty } = poolEffects(pcztEffects(fields), pool);
      if (isEmpty) return [];
      const signatures =
        pool === 'sapling' ? fields.sapling!.spends : fields[pool]!.actions.map(({ spend }) => spend);
      const unsigned = signatures.filter((spend) => spend.spend_auth_sig === null).length;
      const proofs = pool === 'sapling' ? spends.length + subtracted.length : 1;
      return [
        ...new Array<string>(unsigned).fill(`${pool} sig`),
        ...new Array<string>(proofs).fill(`${pool} proof`),
      ];
    });
    const named = problems.map(({ part, field }) => `${part} ${field === 'spendAuthSig' ? 'sig' : 'proof'}`);
    t.deepEqual(named.sort(), expected.sort());
  });
}
