// Prices of ZEC in money: the documents of their sources, and the file that has those of past days.

import { CURRENCY_PATTERN, isPrice } from '@wallet-companion/base/values';

const MAX_CURRENCIES = 500;
const RATES_HEADER = 'date,currency,rate';
/** Thirty years of a dozen currencies. */
const MAX_RATES = 150_000;
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

/** What one ZEC cost on days, whichever those are. */
export interface DayRates {
  /** By currency and day, as `EUR 2026-03-01`: a price of one ZEC, decimal text. */
  readonly rates: ReadonlyMap<string, string>;
  /** That of the first line. */
  readonly currency: string;
}

/** None without a file; else the rates, or what is wrong with it. */
export interface DayRatesState {
  readonly days?: DayRates | undefined;
  readonly problem?: string | undefined;
}

export interface PriceFeed {
  /** Never rejects. Waits for the first answer of the source alone. */
  state(): Promise<PriceState>;
  /** Never rejects. */
  dayRates(): Promise<DayRatesState>;
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

const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/** The file of `rates_file`: lines of `2026-03-01,EUR,412.37` below their heading. As above, no rate of a damaged file is used. */
export function readDayRates(text: string): DayRatesState {
  const [header, ...lines] = text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split(/\r?\n/);
  if (header !== RATES_HEADER) return { problem: `the first line is not ${RATES_HEADER}` };
  if (lines.length === 0 || lines.length > MAX_RATES)
    return { problem: `there are no rates, or more than ${MAX_RATES}` };
  const rates = new Map<string, string>();
  for (const [i, line] of lines.entries()) {
    const [day = '', currency = '', rate = '', ...more] = line.split(',');
    const isRight = isDay(day) && new RegExp(CURRENCY_PATTERN).test(currency) && isPrice(rate);
    // Counted as an editor counts, with the heading as the first.
    if (!isRight || more.length > 0)
      return { problem: `line ${i + 2} is not a day, a currency and a price, as 2026-03-01,EUR,412.37` };
    if (rates.has(`${currency} ${day}`)) return { problem: `line ${i + 2} repeats a day of its currency` };
    rates.set(`${currency} ${day}`, rate);
  }
  return { days: { rates, currency: lines[0]!.split(',')[1]! } };
}
