// An invoice as a shop's server gives it to its page.

import type { CheckoutInvoice } from '../../src/checkout/checkoutStatus.ts';

/** It asks for a quarter of a coin, until 12:15. */
export const shownInvoice = (members: Partial<CheckoutInvoice> = {}): CheckoutInvoice => ({
  state: 'new',
  exception: null,
  amount_zatoshi: 25_000_000,
  received_zatoshi: 0,
  unmined_zatoshi: 0,
  confirmations: 0,
  required_confirmations: 3,
  address: 'u1example',
  uri: 'zcash:u1example?amount=0.25&label=Shop',
  qr: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#fff" d="M0 0h9v9H0z"/><path d="M4 4h1v1h-1z"/></svg>\n',
  expires_at: '2026-01-02T12:15:00Z',
  sequence: 1,
  ...members,
});
