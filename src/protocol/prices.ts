// Prices of ZEC in money, and the documents of their sources.

import { CURRENCY_PATTERN, isPrice } from '@wallet-companion/base/values';

const MAX_CURRENCIES = 500;
/** Clocks differ by that much. */
const MAX_AHEAD_MS = 2 * 60_000;

export type PriceSource =
  | { readonly file: string }
  | { readonly command: readonly string[] }
  | { readonly url: string };

/** What a price source answered, whole: it is not asked for one currency. */
export interface Quote {
  /** Milliseconds since 1970: when the prices held, by the source. */
  readonly time: number;
  /** The name that the source gives itself. */
  readonly source: string;
  /** By currency, decimal text: what one ZEC costs. */
  readonly prices: Readonly<Record<string, string>>;
}

/** The last quote, and why there is no newer one. */
export interface PriceState {
  readonly quote?: Quote | undefined;
  /** A word or a short sentence of the companion's, never text of the source. */
  readonly problem?: string | undefined;
}

export interface PriceFeed {
  /** Never rejects. Waits for the first answer of the source alone. */
  state(): Promise<PriceState>;
}

/** Milliseconds since 1970. A clock that was set back makes a quote one of the future, whose age is unknown. */
export const isOfFuture = (time: number, now: number): boolean => time > now + MAX_AHEAD_MS;

export const isStale = (time: number, now: number, maxAgeMinutes: number): boolean =>
  now - time > maxAgeMinutes * 60_000 || isOfFuture(time, now);

/**
 * The document of a price source, either `{"time", "source", "prices": {"EUR": "412.37"}}` or CoinGecko's
 * `{"zcash": {"eur": 412.37, "last_updated_at": 1795946400}}`. A problem where any part of it is wrong: no price of a damaged
 * document is used.
 */
export function readQuote(text: string, now: number): PriceState {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { problem: 'the answer is not JSON' };
  }
  const form = formOf(document);
  if (form === undefined) return { problem: 'the answer has neither of the documented forms' };
  const { time, source, entries } = form;
  if (!Number.isSafeInteger(time)) return { problem: 'the time of the prices is missing or wrong' };
  if (isOfFuture(time, now)) return { problem: 'the prices are from the future' };
  if (entries.length === 0 || entries.length > MAX_CURRENCIES)
    return { problem: `there are no prices, or more than ${MAX_CURRENCIES}` };
  const prices: Record<string, string> = {};
  for (const [currency, value] of entries) {
    const price = priceText(value);
    if (!new RegExp(CURRENCY_PATTERN).test(currency) || price === undefined)
      return { problem: 'a price is no positive decimal number, or its currency no three capital letters' };
    prices[currency] = price;
  }
  return { quote: { time, source, prices } };
}

interface Form {
  readonly time: number;
  readonly source: string;
  readonly entries: readonly (readonly [currency: string, price: unknown])[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function formOf(document: unknown): Form | undefined {
  if (!isRecord(document)) return undefined;
  const { time, source, prices, zcash } = document;
  if (isRecord(prices) && typeof source === 'string' && /^[ -~]{1,64}$/.test(source))
    return { time: timeOf(time), source, entries: Object.entries(prices) };
  if (!isRecord(zcash)) return undefined;
  const { last_updated_at: updated, ...quoted } = zcash;
  const entries = Object.entries(quoted).map(([key, value]) => [key.toUpperCase(), value] as const);
  // It quotes in other coins, too.
  const money = entries.filter(([key]) => new RegExp(CURRENCY_PATTERN).test(key));
  return {
    time: typeof updated === 'number' ? updated * 1000 : Number.NaN,
    source: 'coingecko',
    entries: money,
  };
}

const timeOf = (value: unknown): number =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(value)
    ? Date.parse(value)
    : Number.NaN;

/** A JSON number of up to 15 digits is written as it was; one that is not has an exponent, or too many decimals. */
const priceText = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && isPrice(String(value))
    ? String(value)
    : undefined;
