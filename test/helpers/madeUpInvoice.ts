// An invoice's row, for tests of files: nothing in it is of a wallet.

import type { StoredInvoice } from '../../src/actors/wallet/ports/invoice.ts';

export const madeUpInvoice = (number: number, sequence = number): StoredInvoice => ({
  id: number.toString(16).padStart(32, '0'),
  account: 0,
  diversifierIndex: String(2n ** 87n + BigInt(number)),
  address: 'u1example',
  uri: 'zcash:u1example',
  amount: 1000 + number,
  reference: `order ${number} é`,
  label: null,
  memo: 'thanks',
  metadata: { number },
  confirmations: 1,
  createdAt: 1,
  expiresAt: 2,
  cancelledAt: null,
  announced: {
    sequence,
    at: 1,
    state: 'new',
    fingerprint: 'new',
    received: 0,
    unmined: 0,
    peak: 0,
    top: 5,
    heights: [4],
  },
});
