import { bytesToHex, FormatError } from '@wallet-companion/base/bytes';
import test from 'ava';
import { parseTransaction } from '../../src/zcash/encoding/transaction.ts';
import { transactionContents } from '../../src/zcash/encoding/transactionContents.ts';
import { asNullifier } from '../../src/zcash/identifiers.ts';
import { UPGRADES } from '../../src/zcash/network.ts';
import { ACTION_POOLS, isActionPool, POOLS, type Pool } from '../../src/zcash/pools.ts';
import type {
  TransactionAuthorization,
  TransactionProblem,
} from '../../src/zcash/transaction/authorization.ts';
import { feeOf, findProblems } from '../../src/zcash/transaction/authorizationCheck.ts';
import { bindingValidatingKey, signBinding } from '../../src/zcash/transaction/bindingKeys.ts';
import { effectsOf, poolEffects, type TransactionEffects } from '../../src/zcash/transaction/effects.ts';
import { extractTransaction } from '../../src/zcash/transaction/extract.ts';
import { cryptographyOf } from '../../src/zcash/transaction/poolCryptography.ts';
import { shieldedSighash, txidOfEffects } from '../../src/zcash/transaction/sighash.ts';
import { madeUpTransaction, wordBytes } from '../helpers/madeUpTransactions.ts';

const random = (length: number): Uint8Array => Uint8Array.from(wordBytes(length, 'random'));
const noRandomness = (): never => {
  throw new Error('nothing may be signed');
};

const { effects, authorization } = madeUpTransaction(6);

for (const version of [5, 6] as const) {
  test(`version ${version}: what is complete becomes a transaction that says the same`, (t) => {
    const made = madeUpTransaction(version);
    const extracted = extractTransaction(made.effects, made.authorization, random);
    if (!extracted.ok) return t.fail(JSON.stringify(extracted.problems));
    t.is(extracted.fee, version === 6 ? 13_000n : 33_000n);
    t.is(feeOf(made.effects), extracted.fee);
    const contents = transactionContents(parseTransaction(extracted.bytes));
    const read = effectsOf(contents, made.effects.inputs);
    t.deepEqual(txidOfEffects(read), extracted.txid);
    t.deepEqual(shieldedSighash(read), shieldedSighash(made.effects));
    t.notDeepEqual(shieldedSighash(read), extracted.txid);
    t.deepEqual(contents.inputs[0]!.scriptSig, made.authorization.scriptSigs[0]);
    for (const pool of POOLS) {
      const bundle = contents[pool];
      if (bundle === undefined) continue;
      const bvk = bindingValidatingKey(read, pool);
      t.true(cryptographyOf(pool).binding.verify(bvk, shieldedSighash(read), bundle.bindingSig));
      const anchor = 'anchor' in bundle ? bundle.anchor : bundle.spends[0]!.anchor;
      t.deepEqual(anchor, made.effects[pool]!.anchor);
    }
    for (const pool of ACTION_POOLS) {
      if (contents[pool]) t.deepEqual(contents[pool].proof, made.authorization[pool]!.proof);
    }
    t.deepEqual(
      contents.sapling!.spends.map(({ proof }) => proof),
      made.authorization.sapling!.spendProofs,
    );
    t.deepEqual(
      contents.sapling!.outputs.map(({ proof }) => proof),
      made.authorization.sapling!.outputProofs,
    );
  });
}

test('other random bytes make other binding signatures and the same transaction', (t) => {
  const [a, b] = ['a', 'b'].map((word) =>
    extractTransaction(effects, authorization, (length) => Uint8Array.from(wordBytes(length, word))),
  );
  if (!a?.ok || !b?.ok) return t.fail();
  t.notDeepEqual(a.bytes, b.bytes);
  t.deepEqual(a.txid, b.txid);
});

test('a pool alone, with outputs alone or with nothing at all', (t) => {
  const saplingOutputs = { ...effects.sapling!, spends: [], anchor: undefined };
  const onlyOutputs: TransactionEffects = {
    ...effects,
    sapling: saplingOutputs,
    orchard: undefined,
    ironwood: { actions: [], flags: 7, valueBalance: 0n },
  };
  t.deepEqual(
    findProblems(onlyOutputs, {
      ...authorization,
      sapling: { ...authorization.sapling!, spendAuthSigs: [], spendProofs: [] },
    }),
    // The value balance was that of spends and outputs.
    [{ part: 'sapling', field: 'bindingSigningKey', kind: 'invalid' }],
  );
  const nothing: TransactionEffects = { ...effects, outputs: [], sapling: undefined, orchard: undefined };
  const { ironwood: _, ...transparent } = nothing;
  const extracted = extractTransaction(transparent, { scriptSigs: authorization.scriptSigs }, noRandomness);
  t.true(extracted.ok);
  t.is(extracted.ok && extracted.fee, 7_000n);
});

const onlyProblem = (
  t: { deepEqual(a: unknown, b: unknown, message?: string): unknown },
  wrong: { effects?: TransactionEffects; authorization?: TransactionAuthorization },
  expected: TransactionProblem | readonly TransactionProblem[],
): void => {
  const [with_, by] = [wrong.effects ?? effects, wrong.authorization ?? authorization];
  const problems = Array.isArray(expected) ? expected : [expected];
  t.deepEqual(findProblems(with_, by), problems);
  t.deepEqual(extractTransaction(with_, by, noRandomness), { ok: false, problems });
};

/** With one element of a list replaced. */
const replaced = <T>(list: readonly T[], index: number, value: T): T[] => list.with(index, value);
const flipped = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === 20 ? byte ^ 1 : byte));

const withAuthorization = (pool: Pool, change: object): TransactionAuthorization => ({
  ...authorization,
  [pool]: { ...authorization[pool], ...change },
});

test('a missing or wrong signature is named', (t) => {
  for (const pool of POOLS) {
    const signatures = authorization[pool]!.spendAuthSigs;
    signatures.forEach((signature, index) => {
      const name = { part: pool, field: 'spendAuthSig', index } as const;
      const change = (value: Uint8Array | undefined) => ({
        authorization: withAuthorization(pool, { spendAuthSigs: replaced(signatures, index, value) }),
      });
      onlyProblem(t, change(undefined), { ...name, kind: 'missing' });
      onlyProblem(t, change(flipped(signature!)), { ...name, kind: 'invalid' });
      onlyProblem(t, change(signature!.subarray(1)), { ...name, kind: 'invalid' });
      onlyProblem(t, change(signatures[(index + 1) % signatures.length]), { ...name, kind: 'invalid' });
    });
    const extra = withAuthorization(pool, { spendAuthSigs: [...signatures, signatures[0]] });
    const index = signatures.length;
    onlyProblem(t, { authorization: extra }, { part: pool, field: 'spendAuthSig', kind: 'invalid', index });
  }
});

test('a signature of another transaction is wrong in this one', (t) => {
  for (const change of [{ expiryHeight: 1_000_001 }, { lockTime: 1 }, { consensusBranchId: 0x77190ad9 }]) {
    const found = findProblems({ ...effects, ...change }, authorization);
    const expected = POOLS.flatMap((pool) =>
      poolEffects(effects, pool).spends.map((_, index) => ({
        part: pool,
        field: 'spendAuthSig',
        kind: 'invalid',
        index,
      })),
    );
    t.deepEqual(found as unknown[], expected);
  }
});

test('a missing proof, or one of a wrong length, is named', (t) => {
  for (const pool of ACTION_POOLS) {
    const { proof } = authorization[pool]!;
    const name = { part: pool, field: 'proof' } as const;
    for (const [value, kind] of [
      [undefined, 'missing'],
      [proof!.subarray(1), 'invalid'],
      [Uint8Array.of(...proof!, 0), 'invalid'],
      [new Uint8Array(0), 'invalid'],
    ] as const) {
      onlyProblem(t, { authorization: withAuthorization(pool, { proof: value }) }, { ...name, kind });
    }
  }
  for (const [list, field] of [
    ['spendProofs', 'spendProof'],
    ['outputProofs', 'outputProof'],
  ] as const) {
    const proofs = authorization.sapling![list];
    proofs.forEach((proof, index) => {
      for (const [value, kind] of [
        [undefined, 'missing'],
        [proof!.subarray(1), 'invalid'],
      ] as const) {
        const wrong = withAuthorization('sapling', { [list]: replaced(proofs, index, value) });
        onlyProblem(t, { authorization: wrong }, { part: 'sapling', field, kind, index });
      }
    });
  }
});

test('a missing script or anchor is named', (t) => {
  onlyProblem(
    t,
    { authorization: { ...authorization, scriptSigs: [] } },
    { part: 'transparent', field: 'scriptSig', kind: 'missing', index: 0 },
  );
  for (const pool of POOLS) {
    for (const [anchor, kind] of [
      [undefined, 'missing'],
      [new Uint8Array(31), 'invalid'],
    ] as const) {
      const wrong = { ...effects, [pool]: { ...effects[pool], anchor } };
      onlyProblem(t, { effects: wrong }, { part: pool, field: 'anchor', kind });
    }
  }
});

test('a binding key that is missing, malformed, or does not fit the sums is named', (t) => {
  for (const pool of POOLS) {
    const name = { part: pool, field: 'bindingSigningKey' } as const;
    const { bindingSigningKey } = authorization[pool]!;
    for (const [value, kind] of [
      [undefined, 'missing'],
      [flipped(bindingSigningKey!), 'invalid'],
      [new Uint8Array(32), 'invalid'],
      [new Uint8Array(32).fill(0xff), 'invalid'],
      [bindingSigningKey!.subarray(1), 'invalid'],
    ] as const) {
      const wrong = withAuthorization(pool, { bindingSigningKey: value });
      onlyProblem(t, { authorization: wrong }, { ...name, kind });
    }
  }
});

test('values that do not add up have no binding key, and nothing is signed for them', (t) => {
  for (const pool of POOLS) {
    const bundle = effects[pool]!;
    const wrong = { ...effects, [pool]: { ...bundle, valueBalance: bundle.valueBalance + 1n } };
    const problems = findProblems(wrong, authorization);
    t.true(problems.some(({ part, field }) => part === pool && field === 'bindingSigningKey'));
    const bsk = authorization[pool]!.bindingSigningKey!;
    const sighash = shieldedSighash(wrong);
    t.throws(() => signBinding(wrong, pool, bsk, sighash, noRandomness), { instanceOf: FormatError });
    t.notThrows(() => signBinding(effects, pool, bsk, sighash, random));
    t.true(bsk.some((byte) => byte !== 0));
  }
});

/** The problems of a field that changes the signature hash, but for the signatures that are wrong by it. */
const besideSignatures = (wrong: TransactionEffects): TransactionProblem[] =>
  findProblems(wrong, authorization).filter(({ field }) => field !== 'spendAuthSig');

test('keys and commitments that consensus refuses are named', (t) => {
  const none = new Uint8Array(32).fill(0xff);
  const identity = (pool: Pool) => cryptographyOf(pool).spendAuth.validatingKey(new Uint8Array(32));
  for (const pool of POOLS) {
    const change = (
      list: 'spends' | 'outputs' | 'actions',
      field: string,
      value: Uint8Array,
    ): TransactionEffects => {
      const bundle = effects[pool] as unknown as Record<typeof list, readonly object[]>;
      const parts = bundle[list].map((part, i) => (i === 1 ? { ...part, [field]: value } : part));
      return { ...effects, [pool]: { ...effects[pool], [list]: parts } };
    };
    const spends = isActionPool(pool) ? 'actions' : 'spends';
    const outputs = isActionPool(pool) ? 'actions' : 'outputs';
    const name = { part: pool, kind: 'invalid', index: 1 } as const;
    for (const value of [none, identity(pool)]) {
      t.deepEqual(besideSignatures(change(spends, 'rk', value)), [{ ...name, field: 'rk' }]);
      t.deepEqual(besideSignatures(change(outputs, 'ephemeralKey', value)), [
        { ...name, field: 'ephemeralKey' },
      ]);
    }
    t.deepEqual(besideSignatures(change(spends, 'cv', none)), [{ ...name, field: 'cv' }]);
    // On Pallas the identity is a commitment: it only does not fit the key.
    t.deepEqual(
      besideSignatures(change(spends, 'cv', identity(pool))),
      isActionPool(pool)
        ? [{ part: pool, field: 'bindingSigningKey', kind: 'invalid' }]
        : [{ ...name, field: 'cv' }],
    );
  }
  const outputs = effects.sapling!.outputs.map((output, i) => (i === 2 ? { ...output, cv: none } : output));
  t.deepEqual(besideSignatures({ ...effects, sapling: { ...effects.sapling!, outputs } }), [
    { part: 'sapling', field: 'cv', kind: 'invalid', index: 4 },
  ]);
});

test('a note that is spent twice in one pool is named, and the same bytes in two pools are two notes', (t) => {
  const { nullifier } = effects.ironwood!.actions[0]!;
  const actions = effects.ironwood!.actions.map((action, i) => (i === 2 ? { ...action, nullifier } : action));
  t.deepEqual(besideSignatures({ ...effects, ironwood: { ...effects.ironwood!, actions } }), [
    { part: 'ironwood', field: 'nullifier', kind: 'invalid', index: 0 },
  ]);
  const orchard = effects.orchard!.actions.map((action) => ({ ...action }));
  orchard[0]!.nullifier = asNullifier(nullifier);
  t.deepEqual(besideSignatures({ ...effects, orchard: { ...effects.orchard!, actions: orchard } }), []);
});

test('more out than in is named', (t) => {
  const outputs = [{ ...effects.outputs[0]!, value: 9_000n + 13_001n }];
  t.is(feeOf({ ...effects, outputs }), -1n);
  t.deepEqual(besideSignatures({ ...effects, outputs }), [
    { part: 'transparent', field: 'value', kind: 'invalid' },
  ]);
  const all = [{ ...effects.outputs[0]!, value: 9_000n + 13_000n }];
  t.deepEqual(besideSignatures({ ...effects, outputs: all }), []);
});

test('nothing goes into a pool that funds can only leave', (t) => {
  const into = (pool: Pool, consensusBranchId: number) =>
    besideSignatures({
      ...effects,
      consensusBranchId,
      [pool]: { ...effects[pool], valueBalance: -1n },
    }).filter(({ field }) => field === 'valueBalance');
  const problem = { part: 'orchard', field: 'valueBalance', kind: 'invalid' };
  for (const { key, branchId } of UPGRADES) {
    const expected: unknown[] = key === 'nu6_3' || key === 'nu7' ? [problem] : [];
    t.deepEqual<unknown, unknown>(into('orchard', branchId), expected, key);
    t.deepEqual(into('ironwood', branchId), []);
    t.deepEqual(into('sapling', branchId), []);
  }
  t.deepEqual(into('orchard', 0x12345678), []);
});

test('a pool without any authorization lacks everything', (t) => {
  for (const pool of POOLS) {
    const problems = findProblems(effects, { ...authorization, [pool]: undefined });
    t.true(problems.every(({ part, kind }) => part === pool && kind === 'missing'));
    t.is(problems.length, isActionPool(pool) ? effects[pool]!.actions.length + 2 : 2 + 2 + 3 + 1);
    t.false(extractTransaction(effects, { ...authorization, [pool]: undefined }, noRandomness).ok);
  }
  t.is(bytesToHex(txidOfEffects(effects)).length, 64);
});
