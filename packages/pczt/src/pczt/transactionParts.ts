// A PCZT as the effects of its transaction and their authorization: the two halves that signature hashes and the
// Extractor take (zcash/transaction).

import { asNullifier } from '@wallet-companion/zcash/identifiers';
import { perActionPool } from '@wallet-companion/zcash/pools';
import type { TransactionEffects } from '@wallet-companion/zcash/signing';
import { hasCompactFields, resolveCompactFields } from './compactFields.ts';
import { type Action, type ActionBundle, FINAL_SEQUENCE, type SaplingBundle } from './layout.ts';
import { lockTimeOf } from './lockTime.ts';
import type { Pczt } from './pczt.ts';
import { inField, refuse } from './refusal.ts';

/**
 * The effects of the transaction that the PCZT becomes, known before it is signed or proved. PcztRefusal where a
 * compact field cannot be restored, or the lock times contradict each other.
 */
export function effectsOfPczt(original: Pczt): TransactionEffects {
  const pczt = hasCompactFields(original) ? resolveCompactFields(original) : original;
  const { global, transparent, sapling } = pczt;
  return {
    version: global.txVersion,
    consensusBranchId: global.consensusBranchId,
    lockTime: lockTimeOf(pczt),
    expiryHeight: global.expiryHeight,
    inputs: transparent.inputs.map((input) => ({
      prevTxid: input.prevoutTxid,
      prevIndex: input.prevoutIndex,
      sequence: input.sequence ?? FINAL_SEQUENCE,
      value: input.value,
      scriptPubKey: input.scriptPubkey,
    })),
    outputs: transparent.outputs.map(({ value, scriptPubkey }) => ({ value, scriptPubKey: scriptPubkey })),
    sapling: isUsed(sapling) ? saplingEffects(sapling) : undefined,
    ...perActionPool((pool) =>
      pczt[pool].actions.length > 0 ? inField(pool, () => actionEffects(pczt[pool])) : undefined,
    ),
  };
}

const isUsed = ({ spends, outputs }: SaplingBundle): boolean => spends.length + outputs.length > 0;

const saplingEffects = ({ spends, outputs, valueSum, anchor }: SaplingBundle) => ({
  spends: spends.map(({ cv, nullifier, rk }) => ({ cv, nullifier: asNullifier(nullifier), rk })),
  outputs: outputs.map(({ cv, cmu, ephemeralKey, encCiphertext, outCiphertext }) => ({
    cv,
    cmu,
    ephemeralKey,
    encCiphertext,
    outCiphertext,
  })),
  valueBalance: valueSum,
  anchor,
});

const actionEffects = ({ actions, flags, valueSum, anchor }: ActionBundle) => ({
  actions: actions.map((action, i) => inField(`actions[${i}]`, () => effectsOfAction(action))),
  flags,
  valueBalance: valueSum,
  anchor,
});

function effectsOfAction({ cvNet, spend, output }: Action) {
  const { cmx, ephemeralKey, encCiphertext, outCiphertext } = output;
  if (cvNet === undefined || cmx === undefined || encCiphertext.kind !== 'encrypted')
    return refuse('missing', '', 'a compact field is not there');
  return {
    cv: cvNet,
    nullifier: asNullifier(spend.nullifier),
    rk: spend.rk,
    cmx,
    ephemeralKey,
    encCiphertext: encCiphertext.bytes,
    outCiphertext,
  };
}

/** Each piece may still be missing. */
export function authorizationOfPczt({ transparent, sapling, ...pools }: Pczt) {
  return {
    scriptSigs: transparent.inputs.map(({ scriptSig }) => scriptSig),
    sapling: isUsed(sapling)
      ? {
          spendAuthSigs: sapling.spends.map(({ spendAuthSig }) => spendAuthSig),
          spendProofs: sapling.spends.map(({ zkproof }) => zkproof),
          outputProofs: sapling.outputs.map(({ zkproof }) => zkproof),
          bindingSigningKey: sapling.bsk,
        }
      : undefined,
    ...perActionPool((pool) =>
      pools[pool].actions.length > 0
        ? {
            spendAuthSigs: pools[pool].actions.map(({ spend }) => spend.spendAuthSig),
            proof: pools[pool].zkproof,
            bindingSigningKey: pools[pool].bsk,
          }
        : undefined,
    ),
  };
}
