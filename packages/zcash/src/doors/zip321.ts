// Payment requests as text (ZIP 321).

export {
  encodePaymentUri,
  LEAST_TRANSPARENT,
  parsePaymentUri,
  parseZecText,
  type RequestedPayment,
  recipientKind,
} from '../zcash/payments/paymentUri.ts';
