// The web component for shops, <companion-checkout>, and what it is made of: how an invoice stands for its payer.

export {
  awaitsMark,
  type CheckoutInvoice,
  type CheckoutStatus,
  checkoutStatus,
  type JudgedInvoice,
  TONES,
  type Tone,
  timeLeft,
} from '../checkout/checkoutStatus.ts';
export { CompanionCheckout, defineCheckout } from '../checkout/element.ts';
export { type CheckoutTexts, checkoutTexts, textsFor } from '../checkout/texts.ts';
