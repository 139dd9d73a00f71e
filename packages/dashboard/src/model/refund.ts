// The addresses that a refund may go to.

import type { Invoice } from './till.ts';

/** Addresses that came with the payments, each once. */
export const addressesOf = ({ payments }: Pick<Invoice, 'payments'>): readonly string[] => [
  ...new Set(payments.flatMap(({ refund_addresses: written = [] }) => written)),
];

/** The address in a code of a wallet, which may be a payment request; undefined: there is none. Codes are smaller in capitals. */
export function addressIn(text: string): string | undefined {
  const address = /^(?:zcash:)?([0-9a-z]{24,})(?:\?.*)?$/i.exec(text.trim())?.[1];
  return address === address?.toUpperCase() ? address?.toLowerCase() : address;
}
