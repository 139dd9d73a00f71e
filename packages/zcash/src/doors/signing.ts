// What a transaction's signatures sign (its effects), and how the signatures are made and verified.

export type { TransactionProblem } from '../zcash/transaction/authorization.ts';
export { feeOf, findProblems } from '../zcash/transaction/authorizationCheck.ts';
export { bindingValidatingKey, isBindingSigningKey } from '../zcash/transaction/bindingKeys.ts';
export { type DummySpend, signDummySpend } from '../zcash/transaction/dummySpends.ts';
export {
  effectsOf,
  isCoinbase,
  poolEffects,
  type TransactionEffects,
} from '../zcash/transaction/effects.ts';
export { type Extraction, extractTransaction } from '../zcash/transaction/extract.ts';
export { keyHashOf, signInput, signsInput, unlocksKeyHash } from '../zcash/transaction/inputScript.ts';
export { cryptographyOf } from '../zcash/transaction/poolCryptography.ts';
export type { RandomBytes } from '../zcash/transaction/redDsa.ts';
export { SIGHASH, shieldedSighash, transparentSighash, txidOfEffects } from '../zcash/transaction/sighash.ts';
