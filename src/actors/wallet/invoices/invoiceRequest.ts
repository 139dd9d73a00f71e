// What a shop asks for, as a new row: with an address that no other invoice and no address operation ever gets.

import { isDeepStrictEqual } from 'node:util';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { minorUnits, moneyText, timeText, zatoshiFor } from '@wallet-companion/base/values';
import { firstAddress } from '@wallet-companion/zcash/addresses';
import { MAX_MONEY } from '@wallet-companion/zcash/network';
import { badField, CompanionError } from '../../../protocol/errors.ts';
import type { Input } from '../../../protocol/operations.ts';
import { isStale } from '../../../protocol/prices.ts';
import { INVOICE_INDEX } from '../noteStore/book/noteTables.ts';
import { confirmationTop, scannedTime } from '../noteViews/views.ts';
import { amountOf } from '../payments/request.ts';
import { requestUri } from '../paymentUri/requestUri.ts';
import type { InvoicePrice, StoredInvoice } from '../ports/invoice.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import type { SessionContext } from '../session/sessions.ts';
import { neverAnnounced } from './invoiceChange.ts';

const DEFAULT_SECONDS = 900;
const USUAL_CONFIRMATIONS = 10;
const INDEX_BYTES = 11;

type Request = Input<'invoices.create'>;

/** What is asked for. */
export interface Requested {
  /** Null: the payer chooses. */
  readonly amount: number | null;
  readonly price?: InvoicePrice;
}

type AmountInput = Pick<Request, 'amount' | 'amount_zatoshi' | 'currency' | 'accept_stale_rate'>;

/** Whether the amount is in money, and what it is then. Throws `INVALID_REQUEST`. */
export function requestedMoney({
  amount,
  amount_zatoshi: zatoshi,
  currency,
  accept_stale_rate: accepts,
}: AmountInput): Pick<InvoicePrice, 'currency' | 'value'> | undefined {
  if (currency === undefined) {
    if (accepts !== undefined) throw badField('accept_stale_rate', 'is only for an amount with a currency');
    return undefined;
  }
  if (zatoshi !== undefined) throw badField('amount_zatoshi', 'cannot be given beside a currency');
  if (amount === undefined) throw badField('amount', 'is needed beside a currency');
  const value = moneyText(amount, currency);
  if (value !== undefined) return { currency, value };
  throw badField(
    'amount',
    `must be more than nothing, with at most ${minorUnits(currency)} decimals in ${currency}`,
  );
}

/** Throws `INVALID_REQUEST`. */
export function requestedZec({ amount, amount_zatoshi: zatoshi }: AmountInput): number | null {
  if (amount !== undefined && zatoshi !== undefined)
    throw badField('amount', 'cannot be given beside amount_zatoshi');
  const requested = amountOf({ amount, zatoshi }) ?? null;
  if (requested === 0) throw badField('amount', 'must be more than nothing');
  return requested;
}

/** At the newest price. Throws `PRICE_UNAVAILABLE`, `PRICE_STALE`, `INVALID_REQUEST`. */
export async function priced(
  { clock, configFile, prices }: Pick<WalletEnvironment, 'clock' | 'configFile' | 'prices'>,
  { currency, value }: Pick<InvoicePrice, 'currency' | 'value'>,
  acceptsStale: boolean,
): Promise<Requested> {
  const { quote, problem } = (await prices?.state()) ?? {};
  const rate = quote?.prices[currency];
  const { price_source: source, price_max_age_minutes: maxAge } = configFile.get();
  if (quote === undefined || rate === undefined) {
    const why =
      source === null
        ? 'config.json names no price_source'
        : quote === undefined
          ? `the price source gave none${problem === undefined ? '' : `: ${problem}`}`
          : 'the price source does not quote it';
    throw new CompanionError(
      'PRICE_UNAVAILABLE',
      `There is no price of ZEC in ${currency}: ${why}. Ask for an amount in ZEC, or see to the source.`,
    );
  }
  if (isStale(quote.time, clock.now(), maxAge) && !acceptsStale)
    throw new CompanionError(
      'PRICE_STALE',
      `The newest price in ${currency} is of ${timeText(quote.time)}, and by this computer's clock not of the last ${maxAge} minutes. Wait for a newer one, or give accept_stale_rate to use it.`,
    );
  const zatoshi = zatoshiFor(value, rate);
  if (zatoshi > MAX_MONEY) throw badField('amount', `is more than all ZEC at ${rate} ${currency}`);
  return {
    amount: Number(zatoshi),
    price: { currency, value, rate, rateTime: quote.time, source: quote.source },
  };
}

/** Throws `NOT_FOUND` for an account that is not there. */
export function newInvoice(
  { environment, params }: Pick<SessionContext, 'environment' | 'params'>,
  session: Session,
  request: Request,
  { amount, price }: Requested,
): StoredInvoice {
  const { account = 0, reference = null, label = null, memo = null, metadata = null } = request;
  const { randomBytes, clock, configFile } = environment;
  // A clock that is behind the chain would make every payment late.
  const now = Math.max(clock.now(), (scannedTime(session.noteStore) ?? 0) * 1000);
  // Drawn, not counted: a wallet that is restored from its phrase does not know what was handed out, and never repeats it.
  const drawn = BigInt(`0x${bytesToHex(randomBytes(INDEX_BYTES))}`) | INVOICE_INDEX;
  const address = firstAddress(session.account(account).keys, params, drawn);
  const requireVerified = request.require_verified ?? configFile.isSet('node_url');
  const isSmall = amount !== null && amount < configFile.get().invoice_one_confirmation_below;
  return {
    id: bytesToHex(randomBytes(16)),
    account,
    diversifierIndex: address.diversifierIndex.toString(),
    address: address.unifiedAddress,
    uri: requestUri(
      {
        address: address.unifiedAddress,
        zatoshi: amount ?? undefined,
        memo: request.memo,
        label: request.label,
        message: undefined,
      },
      params,
    ),
    amount,
    ...(price && { price }),
    reference,
    label,
    memo,
    metadata,
    confirmations: request.confirmations ?? (isSmall ? 1 : USUAL_CONFIRMATIONS),
    ...(requireVerified && { requireVerified }),
    createdAt: now,
    expiresAt: now + (request.expires_in_seconds ?? DEFAULT_SECONDS) * 1000,
    cancelledAt: null,
    announced: neverAnnounced(now, confirmationTop(session.noteStore)),
  };
}

/** Whether the request is the one that the invoice was made from. What it leaves out may have been anything by default. */
export function asksForSame(row: StoredInvoice, request: Request): boolean {
  const { account = 0, label = null, memo = null, metadata = null } = request;
  return (
    row.account === account &&
    asksForSameAmount(row, request) &&
    row.label === label &&
    row.memo === memo &&
    isDeepStrictEqual(row.metadata, metadata === null ? null : JSON.parse(JSON.stringify(metadata))) &&
    row.confirmations === (request.confirmations ?? row.confirmations) &&
    (row.requireVerified ?? false) === (request.require_verified ?? row.requireVerified ?? false) &&
    row.expiresAt - row.createdAt === (request.expires_in_seconds ?? DEFAULT_SECONDS) * 1000
  );
}

/** At another price the same money is the same request. */
function asksForSameAmount({ amount, price }: StoredInvoice, request: Request): boolean {
  const money = requestedMoney(request);
  return money === undefined
    ? price === undefined && amount === requestedZec(request)
    : price?.currency === money.currency && price.value === money.value;
}
