// Payment requests as text (ZIP 321), and amounts in ZEC.

export { encodePaymentUri, parsePaymentUri, type RequestedPayment } from '../shielded/payments/paymentUri.ts';
export { recipientKind } from '../shielded/payments/recipient.ts';
export { parseZecText, zecColumn, zecText } from '../shielded/payments/zecAmount.ts';
