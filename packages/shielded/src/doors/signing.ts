// What a transaction's signatures sign (its effects), and how the signatures are made and verified.

export type { TransactionProblem } from '../shielded/transaction/authorization.ts';
export { feeOf, findProblems } from '../shielded/transaction/authorizationCheck.ts';
export { bindingValidatingKey } from '../shielded/transaction/bindingKeys.ts';
export {
  effectsOf,
  isCoinbase,
  poolEffects,
  type TransactionEffects,
} from '../shielded/transaction/effects.ts';
export { cryptographyOf } from '../shielded/transaction/poolCryptography.ts';
export type { RandomBytes } from '../shielded/transaction/redDsa.ts';
export { shieldedSighash, transparentSighash, txidOfEffects } from '../shielded/transaction/sighash.ts';
