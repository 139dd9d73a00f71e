// Payment requests as text (ZIP 321), and amounts in ZEC.

export { encodePaymentUri, parsePaymentUri, type RequestedPayment } from '../zcash/payments/paymentUri.ts';
export { LEAST_TRANSPARENT, recipientKind } from '../zcash/payments/recipient.ts';
export { parseZecText, zecColumn, zecText } from '../zcash/payments/zecAmount.ts';
