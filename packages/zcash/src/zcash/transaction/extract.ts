// The Extractor (ZIP 374): makes the bytes of a transaction from its effects and their authorization. Everything is
// checked first, except the proofs and the scripts of P2SH inputs, which nodes check.

import { equalBytes } from '@wallet-companion/base/bytes';
import { parseTransaction } from '../encoding/transaction.ts';
import type {
  OrchardContents,
  SaplingContents,
  TransactionContents,
} from '../encoding/transactionContents.ts';
import { serializeTransaction } from '../encoding/transactionEncoding.ts';
import { txid } from '../encoding/txid.ts';
import type { TxId } from '../identifiers.ts';
import { type ActionPool, type Pool, perActionPool } from '../pools.ts';
import type { TransactionAuthorization, TransactionProblem } from './authorization.ts';
import { feeOf, findProblems } from './authorizationCheck.ts';
import { bindingValidatingKey, signBinding } from './bindingKeys.ts';
import type { TransactionEffects } from './effects.ts';
import { cryptographyOf } from './poolCryptography.ts';
import type { RandomBytes } from './redDsa.ts';
import { shieldedSighash, txidOfEffects } from './sighash.ts';

export type Extraction =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly txid: TxId; readonly fee: bigint }
  | { readonly ok: false; readonly problems: readonly TransactionProblem[] };

/** FormatError for effects that no transaction can have. */
export function extractTransaction(
  effects: TransactionEffects,
  authorization: TransactionAuthorization,
  randomBytes: RandomBytes,
): Extraction {
  const problems = findProblems(effects, authorization);
  if (problems.length > 0) return { ok: false, problems };
  const sighash = shieldedSighash(effects);
  const bindingSig = (pool: Pool, bsk: Uint8Array): Uint8Array => {
    const signature = signBinding(effects, pool, bsk, sighash, randomBytes);
    if (!cryptographyOf(pool).binding.verify(bindingValidatingKey(effects, pool), sighash, signature))
      throw new Error('a binding signature that was just made does not verify');
    return signature;
  };
  const bytes = serializeTransaction({
    ...effects,
    inputs: effects.inputs.map((input, i) => ({ ...input, scriptSig: authorization.scriptSigs[i]! })),
    sapling: saplingContents(effects, authorization, bindingSig),
    ...perActionPool((pool) => orchardContents(pool, effects, authorization, bindingSig)),
  } satisfies TransactionContents);
  // Parsed and hashed again from the bytes: the sent transaction must be the signed one.
  const id = txidOfEffects(effects);
  if (!equalBytes(txid(parseTransaction(bytes)), id))
    throw new Error('the bytes of a transaction are not those of its effects');
  return { ok: true, bytes, txid: id, fee: feeOf(effects) };
}

/** Makes the signature of a pool that is known to be complete. */
type BindingSig = (pool: Pool, bsk: Uint8Array) => Uint8Array;

function saplingContents(
  { sapling: effects }: TransactionEffects,
  { sapling }: TransactionAuthorization,
  bindingSig: BindingSig,
): SaplingContents | undefined {
  if (!effects || !sapling || effects.spends.length + effects.outputs.length === 0) return undefined;
  return {
    spends: effects.spends.map((spend, i) => ({
      ...spend,
      anchor: effects.anchor!,
      proof: sapling.spendProofs[i]!,
      spendAuthSig: sapling.spendAuthSigs[i]!,
    })),
    outputs: effects.outputs.map((output, i) => ({ ...output, proof: sapling.outputProofs[i]! })),
    valueBalance: effects.valueBalance,
    bindingSig: bindingSig('sapling', sapling.bindingSigningKey!),
  };
}

function orchardContents(
  pool: ActionPool,
  { [pool]: effects }: TransactionEffects,
  { [pool]: authorization }: TransactionAuthorization,
  bindingSig: BindingSig,
): OrchardContents | undefined {
  if (!effects || !authorization || effects.actions.length === 0) return undefined;
  return {
    actions: effects.actions.map((action, i) => ({
      ...action,
      spendAuthSig: authorization.spendAuthSigs[i]!,
    })),
    flags: effects.flags,
    valueBalance: effects.valueBalance,
    anchor: effects.anchor!,
    proof: authorization.proof!,
    bindingSig: bindingSig(pool, authorization.bindingSigningKey!),
  };
}
