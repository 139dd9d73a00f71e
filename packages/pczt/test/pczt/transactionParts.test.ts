// A finished PCZT is its transaction: with the binding signatures of the reference, the bytes and the txid are the
// reference's.
import { base64 } from '@scure/base';
import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { perActionPool } from '@wallet-companion/zcash/pools';
import { parseTransaction, serializeTransaction, txid } from '@wallet-companion/zcash/transactions';
import test from 'ava';
import { decodePczt } from '../../src/pczt/codec.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { redactPczt } from '../../src/pczt/redactor.ts';
import { authorizationOfPczt, effectsOfPczt } from '../../src/pczt/transactionParts.ts';
import { cases, type PcztCase, stage, withField } from '../helpers/pcztVectors.ts';

const NOTHING = new Uint8Array(64);

/** Pieces that are not there yet are zeros: the txid does not depend on them. */
function transactionOf(pczt: Pczt, bindingSignatures: PcztCase['binding_signatures']): Uint8Array {
  const effects = effectsOfPczt(pczt);
  const authorization = authorizationOfPczt(pczt);
  const bindingSig = (pool: string): Uint8Array => hexToBytes(bindingSignatures[pool] ?? bytesToHex(NOTHING));
  const { sapling } = effects;
  return serializeTransaction({
    ...effects,
    inputs: effects.inputs.map((input, i) => ({ ...input, scriptSig: authorization.scriptSigs[i]! })),
    sapling: sapling && {
      ...sapling,
      spends: sapling.spends.map((spend, i) => ({
        ...spend,
        anchor: sapling.anchor ?? new Uint8Array(32),
        proof: authorization.sapling!.spendProofs[i] ?? new Uint8Array(192),
        spendAuthSig: authorization.sapling!.spendAuthSigs[i] ?? NOTHING,
      })),
      outputs: sapling.outputs.map((output, i) => ({
        ...output,
        proof: authorization.sapling!.outputProofs[i] ?? new Uint8Array(192),
      })),
      bindingSig: bindingSig('sapling'),
    },
    ...perActionPool((pool) => {
      const bundle = effects[pool];
      return (
        bundle && {
          ...bundle,
          anchor: bundle.anchor ?? new Uint8Array(32),
          actions: bundle.actions.map((action, i) => ({
            ...action,
            spendAuthSig: authorization[pool]!.spendAuthSigs[i] ?? NOTHING,
          })),
          proof: authorization[pool]!.proof ?? new Uint8Array(2720),
          bindingSig: bindingSig(pool),
        }
      );
    }),
  });
}

for (const { name, stages, txid: expected } of cases) {
  for (const which of Object.keys(stages)) {
    test(`${name} ${which}: the transaction has the txid of the reference`, (t) => {
      const raw = transactionOf(stage(name, which), {});
      t.is(bytesToHex(txid(parseTransaction(raw))), expected);
    });
  }
}

function wholeTransaction({ name, transaction, stages, binding_signatures: signatures }: PcztCase): void {
  if (transaction === null) return;
  test(`${name}: the bytes of the transaction are those of the reference`, (t) => {
    const { pczt } = decodePczt(base64.decode(stages['complete']!));
    t.is(bytesToHex(transactionOf(pczt, signatures)), bytesToHex(base64.decode(transaction)));
    // The Extractor is shown nothing else.
    t.is(
      bytesToHex(transactionOf(redactPczt(pczt, 'extractor'), signatures)),
      bytesToHex(base64.decode(transaction)),
    );
  });
}

cases.forEach(wholeTransaction);

test('the lock time is what the inputs ask for together', (t) => {
  const pczt = withField(stage('v6-nu7-ironwood-transparent', 'ready'), 'global.fallbackLockTime', 9);
  t.is(effectsOfPczt(pczt).lockTime, 9);
});

test('transparent inputs match what they spend, and are final by default', (t) => {
  const input = {
    prevoutTxid: new Uint8Array(32).fill(3),
    prevoutIndex: 4,
    value: 5n,
    scriptPubkey: Uint8Array.of(6),
    scriptSig: Uint8Array.of(7),
  };
  const pczt = withField(stage('v6-nu7-ironwood-transparent', 'ready'), 'transparent.inputs', [
    input,
    { ...input, sequence: 8, scriptSig: undefined },
  ]);
  const { inputs } = effectsOfPczt(pczt);
  t.deepEqual(
    inputs.map(({ sequence }) => sequence),
    [0xffff_ffff, 8],
  );
  t.deepEqual([inputs[0]!.prevIndex, inputs[0]!.value, inputs[0]!.scriptPubKey], [4, 5n, Uint8Array.of(6)]);
  t.deepEqual(authorizationOfPczt(pczt).scriptSigs, [Uint8Array.of(7), undefined]);
});
