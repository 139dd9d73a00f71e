// What rows of the books are worth in money: by the rate that was kept with the order that they paid, else by that of their day in the
// owner's file. No server is asked: a row without either has no value.

import { dayIn } from '../../../books/days.ts';
import { badField } from '../../../protocol/errors.ts';
import type { Input } from '../../../protocol/operations.ts';
import type { DayRatesState } from '../../../protocol/prices.ts';
import type { InvoiceBook } from '../invoices/invoiceBook.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { RowNames } from './ledgerRows.ts';

const DATEV_CURRENCY = 'EUR';

export type Worth = Pick<RowNames, 'priceOf' | 'dayRateAt'>;

/** The money that all rows must be in; undefined: each in that of its rate. */
export function currencyOf({
  format,
  currency,
}: Pick<Input<'transactions.export'>, 'format' | 'currency'>): string | undefined {
  if (format !== 'datev') return currency;
  if (currency !== undefined && currency !== DATEV_CURRENCY)
    throw badField('currency', 'is EUR in books for datev');
  return DATEV_CURRENCY;
}

export const dayRatesOf = async ({ prices }: Pick<WalletEnvironment, 'prices'>): Promise<DayRatesState> =>
  (await prices?.dayRates()) ?? {};

export function worthBy(
  invoices: InvoiceBook | undefined,
  { days }: DayRatesState,
  currency: string | undefined,
  zone: string,
): Worth {
  const wanted = currency ?? days?.currency;
  return {
    priceOf: (note) => {
      const price = invoices?.payableBy(note)?.price;
      return currency === undefined || price?.currency === currency ? price : undefined;
    },
    dayRateAt: (seconds) => {
      if (days === undefined || wanted === undefined) return undefined;
      const day = dayIn(zone, seconds);
      const rate = days.rates.get(`${wanted} ${day}`);
      return rate === undefined ? undefined : { currency: wanted, rate, day };
    },
  };
}

const NO_INVOICES_WARNING =
  'The invoices cannot be read, so their references and rates are missing; GET /api/invoices says why.';

/** What an answer lacks that is made from both. */
export function valuesWarning(
  invoices: InvoiceBook | undefined,
  { problem }: DayRatesState,
): string | undefined {
  const warnings = [
    invoices === undefined ? NO_INVOICES_WARNING : [],
    problem === undefined
      ? []
      : `No rate of rates_file was used: ${problem}. What it was to give a value has none.`,
  ].flat();
  return warnings.length === 0 ? undefined : warnings.join(' ');
}
