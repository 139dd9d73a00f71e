// Prices of ZEC in money, and exact arithmetic with them: decimals are integers with a scale, never binary fractions.
//
// Rounding: what an invoice asks for is rounded up to a whole zatoshi, so it is never worth less than the amount in money at
// its rate, and less than a zatoshi more. Sums of money are of the amounts that were asked for, and round nothing.

const ZATOSHI_DIGITS = 8;
const MAX_WHOLE_DIGITS = 12;
/** Prices of ZEC in other units than money may be small. */
const MAX_PRICE_DECIMALS = 10;
/** Every currency of ISO 4217 has fewer, and a price has more digits than the smallest unit of its currency. */
const MAX_DECIMALS = 4;
const MAX_CURRENCIES = 500;
/** Clocks differ by that much. */
const MAX_AHEAD_MS = 2 * 60_000;

/** Decimals of the currencies that have others than two (ISO 4217). */
const MINOR_UNITS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    [
      [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
      [3, 'BHD IQD JOD KWD LYD OMR TND'],
      [4, 'CLF UYW'],
    ] as const
  ).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, digits])),
);

export const CURRENCY_PATTERN = '^[A-Z]{3}$';
export const MONEY_PATTERN = `^[0-9]{1,${MAX_WHOLE_DIGITS}}(?:\\.[0-9]{1,${MAX_DECIMALS}})?$`;

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

interface Decimal {
  readonly digits: bigint;
  /** How many of them are behind the point. */
  readonly scale: number;
}

function decimal(text: string, mostDecimals: number): Decimal | undefined {
  const [, whole = '', fraction = ''] =
    new RegExp(`^(\\d{1,${MAX_WHOLE_DIGITS}})(?:\\.(\\d{1,${mostDecimals}}))?$`).exec(text) ?? [];
  return whole === '' ? undefined : { digits: BigInt(whole + fraction), scale: fraction.length };
}

export const minorUnits = (currency: string): number => MINOR_UNITS[currency] ?? 2;

/** "12.5" EUR as "12.50"; undefined for what is no positive amount of the currency. */
export function moneyText(text: string, currency: string): string | undefined {
  const units = minorUnits(currency);
  const read = decimal(text, MAX_DECIMALS);
  // Nothing is cut off, also no zero: "1.250" is 1250 where a point separates thousands.
  if (read === undefined || read.digits === 0n || read.scale > units) return undefined;
  return decimalText(read.digits * 10n ** BigInt(units - read.scale), units);
}

function decimalText(digits: bigint, scale: number): string {
  const padded = `${digits < 0n ? -digits : digits}`.padStart(scale + 1, '0');
  const text = scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
  return digits < 0n ? `-${text}` : text;
}

/** Milliseconds since 1970. A clock that was set back makes a quote one of the future, whose age is unknown. */
export const isOfFuture = (time: number, now: number): boolean => time > now + MAX_AHEAD_MS;

export const isStale = (time: number, now: number, maxAgeMinutes: number): boolean =>
  now - time > maxAgeMinutes * 60_000 || isOfFuture(time, now);

/** The sum of amounts of one currency, each as `moneyText` returns it. */
export const moneySum = (amounts: readonly string[], currency: string): string =>
  decimalText(
    amounts.reduce((sum, amount) => sum + BigInt(amount.replace('.', '')), 0n),
    minorUnits(currency),
  );

/** Zatoshi for an amount of money at a price of one ZEC, rounded up. Both are texts that were checked. */
export function zatoshiFor(amount: string, price: string): bigint {
  const [money, rate] = [decimal(amount, MAX_DECIMALS)!, decimal(price, MAX_PRICE_DECIMALS)!];
  const dividend = money.digits * 10n ** BigInt(ZATOSHI_DIGITS + rate.scale);
  const divisor = rate.digits * 10n ** BigInt(money.scale);
  return (dividend + divisor - 1n) / divisor;
}

/** What zatoshi are worth at a price of one ZEC, which was checked, rounded once to the smallest unit, half away from zero. */
export function moneyFor(zatoshi: number, price: string, currency: string): string {
  const rate = decimal(price, MAX_PRICE_DECIMALS)!;
  const units = minorUnits(currency);
  const size = BigInt(Math.abs(zatoshi)) * rate.digits * 10n ** BigInt(units);
  const divisor = 10n ** BigInt(ZATOSHI_DIGITS + rate.scale);
  const rounded = (2n * size + divisor) / (2n * divisor);
  return decimalText(zatoshi < 0 ? -rounded : rounded, units);
}

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
function priceText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const read = decimal(String(value), MAX_PRICE_DECIMALS);
  return read === undefined || read.digits === 0n ? undefined : String(value);
}
