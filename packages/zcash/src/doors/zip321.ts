// Payment requests as text (ZIP 321).

export { encodePaymentUri, parsePaymentUri, type RequestedPayment } from '../zcash/payments/paymentUri.ts';
export { LEAST_TRANSPARENT, recipientKind } from '../zcash/payments/recipient.ts';
export { parseZecText } from '../zcash/payments/zecAmount.ts';
