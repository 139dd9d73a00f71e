// Signs a payment with the keys of its account, once the PCZT was found to do what the payment was asked to do.

export {
  differenceFrom,
  differenceText,
  type PaymentDifference,
  type PaymentTerms,
} from '../signer/checkPayment.ts';
export { deriveSigningKeys, type SigningKeys, wipeSigningKeys } from '../signer/signingKeys.ts';
export { proofKeysFor, signPczt } from '../signer/signPczt.ts';
