// Finds missing and wrong pieces of a transaction, without the circuits: for a proof only the length is checked. A node
// verifies the proof before it accepts the transaction.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { orchardProofSize } from '../encoding/orchardBundle.ts';
import { SAPLING_PROOF_SIZE } from '../encoding/saplingBundle.ts';
import { isUnderUpgrade } from '../network.ts';
import { isActionPool, POOL, POOLS, type Pool } from '../pools.ts';
import type { ProblemField, TransactionAuthorization, TransactionProblem } from './authorization.ts';
import { isBindingSigningKey } from './bindingKeys.ts';
import { type PoolEffects, poolEffects, type TransactionEffects } from './effects.ts';
import { keyHashOf, unlocksKeyHash } from './inputScript.ts';
import { cryptographyOf } from './poolCryptography.ts';
import { shieldedSighash } from './sighash.ts';

/**
 * What is missing or invalid for a node to take the transaction, its proofs and the scripts of P2SH inputs apart:
 * signatures, keys, sums and value balances (protocol specification §4.13 to §4.15). Empty where nothing is. FormatError for effects that no transaction
 * can have.
 */
export function findProblems(
  effects: TransactionEffects,
  authorization: TransactionAuthorization,
): TransactionProblem[] {
  const sighash = shieldedSighash(effects);
  const problems: TransactionProblem[] = effects.inputs.flatMap(({ scriptPubKey }, index) => {
    const script = authorization.scriptSigs[index];
    const isWrong = script && keyHashOf(scriptPubKey) && !unlocksKeyHash(effects, index, script);
    if (script && !isWrong) return [];
    return [{ part: 'transparent', field: 'scriptSig', kind: script ? 'invalid' : 'missing', index }];
  });
  if (feeOf(effects) < 0n) problems.push({ part: 'transparent', field: 'value', kind: 'invalid' });
  for (const pool of POOLS) {
    const found = poolEffects(effects, pool);
    if (found.isEmpty) continue;
    if (found.valueBalance < 0n && isWithdrawOnly(pool, effects.consensusBranchId))
      problems.push({ part: pool, field: 'valueBalance', kind: 'invalid' });
    problems.push(...poolProblems(effects, found, authorization, pool, sighash));
  }
  return problems;
}

/** The remainder in zatoshi, which the miner gets; negative where outputs exceed inputs. */
export function feeOf(effects: TransactionEffects): bigint {
  let fee = 0n;
  for (const { value } of effects.inputs) fee += value;
  for (const { value } of effects.outputs) fee -= value;
  for (const pool of POOLS) fee += poolEffects(effects, pool).valueBalance;
  return fee;
}

/** Whether funds can only leave the pool under the transaction's rules. */
function isWithdrawOnly(pool: Pool, branchId: number): boolean {
  const { withdrawOnlyFrom } = POOL[pool];
  return withdrawOnlyFrom !== undefined && isUnderUpgrade(branchId, withdrawOnlyFrom);
}

type Piece = Uint8Array | undefined;
type Check = (piece: Uint8Array, index: number) => boolean;

function poolProblems(
  effects: TransactionEffects,
  { spends, added, subtracted, ephemeralKeys }: PoolEffects,
  authorization: TransactionAuthorization,
  pool: Pool,
  sighash: Uint8Array,
): TransactionProblem[] {
  const { spendAuth, isKey, isValueCommitment } = cryptographyOf(pool);
  const problems: TransactionProblem[] = [];
  const checkOne = (field: ProblemField, piece: Piece, isRight: Check, index?: number): void => {
    const kind = piece === undefined ? 'missing' : isRight(piece, index ?? 0) ? undefined : 'invalid';
    if (kind !== undefined) problems.push({ part: pool, field, kind, ...(index !== undefined && { index }) });
  };
  const checkEach = (field: ProblemField, pieces: readonly Piece[], count: number, isRight: Check): void => {
    for (let i = 0; i < count; i++) checkOne(field, pieces[i], isRight, i);
    if (pieces.length > count) problems.push({ part: pool, field, kind: 'invalid', index: count });
  };
  const checkAll = (field: ProblemField, pieces: readonly Uint8Array[], isRight: Check): void =>
    checkEach(field, pieces, pieces.length, isRight);

  const nullifiers = spends.map(({ nullifier }) => nullifier);
  const lastUse = new Map(nullifiers.map((nullifier, i) => [bytesToHex(nullifier), i]));
  checkAll('nullifier', nullifiers, (nullifier, i) => lastUse.get(bytesToHex(nullifier)) === i);
  checkAll(
    'rk',
    spends.map(({ rk }) => rk),
    isKey,
  );
  checkAll('cv', [...added, ...subtracted], isValueCommitment);
  checkAll('ephemeralKey', ephemeralKeys, isKey);
  checkEach('spendAuthSig', authorization[pool]?.spendAuthSigs ?? [], spends.length, (signature, i) =>
    spendAuth.verify(spends[i]!.rk, sighash, signature),
  );
  if (spends.length > 0) checkOne('anchor', effects[pool]?.anchor, (anchor) => anchor.length === 32);
  if (isActionPool(pool)) {
    const size = orchardProofSize(spends.length);
    checkOne('proof', authorization[pool]?.proof, (proof) => proof.length === size);
  } else {
    const hasSize: Check = (proof) => proof.length === SAPLING_PROOF_SIZE;
    checkEach('spendProof', authorization[pool]?.spendProofs ?? [], spends.length, hasSize);
    checkEach('outputProof', authorization[pool]?.outputProofs ?? [], subtracted.length, hasSize);
  }
  // Commitments that are not points have no sum.
  if (problems.every(({ field }) => field !== 'cv')) {
    checkOne('bindingSigningKey', authorization[pool]?.bindingSigningKey, (bsk) =>
      isBindingSigningKey(effects, pool, bsk),
    );
  }
  return problems;
}
