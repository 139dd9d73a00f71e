import type { RowNames } from '../../src/actors/wallet/books/ledgerRows.ts';

/** Rows of the books without labels, recipients, references and marks. */
export const NO_NAMES: RowNames = {
  labelOf: () => null,
  recipientOf: () => '',
  referenceOf: () => null,
  priceOf: () => undefined,
  dayRateAt: () => undefined,
  refundOf: () => undefined,
  confirmations: () => 0,
  isWanted: () => true,
  seesSpends: true,
  verifiedAt: () => null,
};
