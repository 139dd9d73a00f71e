// Ledger's Zcash app over WebHID: connect, read a viewing key, sign a payment.

export type { Hid, HidDevice } from '../ledger/hid.ts';
export { connectLedger, type Ledger } from '../ledger/ledger.ts';
export { LedgerError, type LedgerProblem } from '../ledger/ledgerError.ts';
export type { SignableAction, SignableBundle, SignableInput, SignablePayment } from '../ledger/payment.ts';
export type { LedgerSignature, SigningOptions, SigningProgress } from '../ledger/signing.ts';
