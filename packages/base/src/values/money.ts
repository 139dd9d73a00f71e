// Amounts of money and prices of ZEC as decimal texts, with exact arithmetic: decimals are integers with a scale, never binary fractions.
//
// Rounding: what an invoice asks for is rounded up to a whole zatoshi, so it is never worth less than the amount in money at
// its rate, and less than a zatoshi more. Sums of money are of the amounts that were asked for, and round nothing.

const ZATOSHI_DIGITS = 8;
const MAX_WHOLE_DIGITS = 12;
/** Prices of ZEC in other units than money may be small. */
const MAX_PRICE_DECIMALS = 10;
/** Every currency of ISO 4217 has fewer, and a price has more digits than the smallest unit of its currency. */
const MAX_DECIMALS = 4;

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

/** How many decimals amounts of a currency have (ISO 4217). */
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

/** Whether a text is a price of one ZEC: more than nothing, within the digits that are computed with. */
export const isPrice = (text: string): boolean => (decimal(text, MAX_PRICE_DECIMALS)?.digits ?? 0n) > 0n;

/** In the smallest units of the currency: an amount as `moneyText` and `moneyFor` return it. */
export const toMinorUnits = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** The inverse of `toMinorUnits`: 1250n EUR is "12.50". */
export const fromMinorUnits = (units: bigint, currency: string): string =>
  decimalText(units, minorUnits(currency));

/** The sum of such amounts of one currency. */
export const moneySum = (amounts: readonly string[], currency: string): string =>
  fromMinorUnits(
    amounts.reduce((sum, amount) => sum + toMinorUnits(amount), 0n),
    currency,
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
