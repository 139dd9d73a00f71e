// Signs a payment with the keys of its account, once the PCZT was found to do what the payment was asked to do, or what it does
// was found to be allowed.

export {
  differenceFrom,
  differenceText,
  type PaymentDifference,
  type PaymentTerms,
} from '../signer/checkPayment.ts';
export { effectOf, type PaymentEffect } from '../signer/paymentEffect.ts';
export { deriveSigningKeys, type SigningKeys, wipeSigningKeys } from '../signer/signingKeys.ts';
export { proofKeysFor, signPczt } from '../signer/signPczt.ts';
