// Amounts and numbers in the reader's locale. Every zatoshi is shown: users do not trust sums that do not add up to the
// last digit.

import { type Noun, sharedTexts } from '../texts/shared.ts';

const ZATOSHI_PER_COIN = 100_000_000;
const ALL_DIGITS = 8;
/** Trailing zeros after these decimals carry no information and may be fainter. */
const PLAIN_DIGITS = 2;

const DAY = 86_400;
const AXIS_DATES: readonly (readonly [seconds: number, Intl.DateTimeFormatOptions])[] = [
  [365 * DAY, { year: 'numeric' }],
  [28 * DAY, { year: 'numeric', month: 'short' }],
  [DAY, { month: 'short', day: 'numeric' }],
];

export const UNIT = 'ZEC';

/** `bold` is the significant part; `faint` is zeros that keep columns aligned. Together they are the whole amount. */
export interface AmountText {
  readonly bold: string;
  readonly faint: string;
}

export class Formats {
  readonly #amount: Intl.NumberFormat;
  readonly #count: Intl.NumberFormat;
  readonly #rate: Intl.NumberFormat;
  readonly #percent: Intl.NumberFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #moment: Intl.DateTimeFormat;
  readonly #locales: Intl.LocalesArgument;
  readonly #zone: { readonly timeZone?: string };

  /** Uses the browser's languages where none are given. `timeZone` is for tests. */
  constructor(locales?: Intl.LocalesArgument, timeZone?: string) {
    const digits = { minimumFractionDigits: ALL_DIGITS, maximumFractionDigits: ALL_DIGITS };
    const zone = timeZone === undefined ? {} : { timeZone };
    this.#locales = locales;
    this.#zone = zone;
    this.#amount = new Intl.NumberFormat(locales, digits);
    this.#count = new Intl.NumberFormat(locales, { maximumFractionDigits: 0 });
    this.#rate = new Intl.NumberFormat(locales, { maximumSignificantDigits: 3 });
    this.#percent = new Intl.NumberFormat(locales, {
      style: 'percent',
      maximumFractionDigits: 1,
      // 99.96 % of the blocks is not all of them.
      roundingMode: 'floor',
    } as Intl.NumberFormatOptions);
    this.#day = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', ...zone });
    this.#moment = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'short', ...zone });
  }

  /** Doubles can represent every zatoshi of 21 million coins: they are 4·10^-9 apart there. */
  amount(zatoshi: number): AmountText {
    const text = this.#amount.format(zatoshi / ZATOSHI_PER_COIN);
    const zero = this.#amount.format(0).at(-1) ?? '0';
    let kept = text.length;
    while (kept > text.length - (ALL_DIGITS - PLAIN_DIGITS) && text[kept - 1] === zero) kept--;
    return { bold: text.slice(0, kept), faint: text.slice(kept) };
  }

  /** For running text: without the faint zeros, with the unit. A no-break space keeps them together. */
  amountText(zatoshi: number): string {
    return `${this.amount(zatoshi).bold}\u00a0${UNIT}`;
  }

  /** The label of a chart line, for lines that are `step` apart: only as many digits as distinguish them. */
  axis(zatoshi: number, step: number): string {
    const digits = Math.max(0, -Math.floor(Math.log10(step / ZATOSHI_PER_COIN) + 1e-9));
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return new Intl.NumberFormat(this.#locales, options).format(zatoshi / ZATOSHI_PER_COIN);
  }

  count(value: number): string {
    return this.#count.format(value);
  }

  rate(value: number): string {
    return this.#rate.format(value);
  }

  /** Rounded down, so that 100 % means all. */
  percent(part: number): string {
    return this.#percent.format(part);
  }

  day(time: string | number): string {
    return this.#day.format(new Date(time));
  }

  /** The name of a month, from 1 on, and of its year where there is one. */
  month(month: number, year?: number): string {
    const options: Intl.DateTimeFormatOptions = {
      month: 'long',
      ...(year === undefined ? {} : { year: 'numeric' }),
      timeZone: 'UTC',
    };
    return new Intl.DateTimeFormat(this.#locales, options).format(Date.UTC(year ?? 2000, month - 1));
  }

  /** The label of a chart's day axis, for labels that are so many seconds apart. */
  date(time: number, step: number): string {
    const unit = AXIS_DATES.find(([seconds]) => step >= seconds)?.[1] ?? { timeStyle: 'short' };
    return new Intl.DateTimeFormat(this.#locales, { ...unit, ...this.#zone }).format(time);
  }

  moment(time: string | number): string {
    return this.#moment.format(new Date(time));
  }

  /** `1 note`, `2,000 notes`: words of the texts' language with the reader's number format. */
  counted(value: number, noun: Noun): string {
    return `${this.count(value)} ${sharedTexts().nouns[noun][value === 1 ? 0 : 1]}`;
  }

  /** An estimated duration. */
  about(seconds: number): string {
    const { fewSeconds, about } = sharedTexts();
    return seconds < 5 ? fewSeconds : about(this.duration(seconds));
  }

  /** A duration in words, no more exact than an estimate can be. */
  duration(seconds: number): string {
    if (seconds < 90) return this.counted(Math.ceil(seconds / 5) * 5, 'second');
    if (seconds < 90 * 60) return this.counted(Math.round(seconds / 60), 'minute');
    if (seconds < 36 * 3600) return this.counted(Math.round(seconds / 3600), 'hour');
    return this.counted(Math.round(seconds / 86_400), 'day');
  }

  /** Minutes and seconds, as a clock shows them: `2:48`. */
  clock(seconds: number): string {
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }

  /** A sample amount in this locale's format. */
  example(): string {
    return new Intl.NumberFormat(this.#locales).format(1.25);
  }

  /** A typed amount in whole zatoshi; undefined where the text is no amount. */
  typedAmount(text: string): number | undefined {
    const parts = /^(\d{1,8})(?:\.(\d{1,8}))?$/.exec(this.#withPoint(text));
    if (parts === null) return undefined;
    const zatoshi = Number(parts[1]) * ZATOSHI_PER_COIN + Number((parts[2] ?? '').padEnd(ALL_DIGITS, '0'));
    return zatoshi > 0 && zatoshi <= 21_000_000 * ZATOSHI_PER_COIN ? zatoshi : undefined;
  }

  /**
   * A typed amount of money: "12,50 €", "EUR 12,50", or the number alone, which is in `usual`. Undefined where the text is no
   * amount, or its currency is none of `currencies`. The companion checks the decimals.
   */
  typedMoney(
    text: string,
    currencies: readonly string[],
    usual: string | undefined,
  ): { readonly amount: string; readonly currency: string } | undefined {
    const [, before = '', number = '', after = ''] =
      /^([^\d]*?)\s*(\d[\d.,\u066b]*)\s*([^\d]*)$/.exec(text.trim()) ?? [];
    const sign = `${before}${after}`.trim();
    const amount = this.#withPoint(number);
    if (!/^\d{1,12}(?:\.\d{1,4})?$/.test(amount) || (before !== '' && after !== '')) return undefined;
    const currency = sign === '' ? usual : this.#currencyOf(sign.toUpperCase(), currencies, usual);
    return currency === undefined ? undefined : { amount, currency };
  }

  /** `value`: decimal text with a point. */
  money(value: string, currency: string): string {
    const style = { style: 'currency', currency } as const;
    const usual = new Intl.NumberFormat(this.#locales, style).resolvedOptions().maximumFractionDigits ?? 0;
    // Prices may have more decimals than their currency.
    const digits = Math.max(usual, value.split('.')[1]?.length ?? 0);
    const format = new Intl.NumberFormat(this.#locales, { ...style, minimumFractionDigits: digits });
    return format.format(value as `${number}`);
  }

  time(time: string): string {
    return new Intl.DateTimeFormat(this.#locales, { timeStyle: 'short', ...this.#zone }).format(
      new Date(time),
    );
  }

  #withPoint(text: string): string {
    const decimal = new Intl.NumberFormat(this.#locales).format(0.5).replaceAll(/[\p{Nd}]/gu, '');
    return text.trim().replace(decimal, '.');
  }

  /** A sign that several have is that of the usual one, then of the one that has it to itself here. */
  #currencyOf(sign: string, currencies: readonly string[], usual: string | undefined): string | undefined {
    const named = (display: 'symbol' | 'narrowSymbol') =>
      currencies.filter((code) => code === sign || this.#signOf(code, display) === sign);
    const narrow = named('narrowSymbol');
    const all = [...named('symbol'), ...narrow];
    if (usual !== undefined && all.includes(usual)) return usual;
    return all.length > narrow.length || narrow.length === 1 ? all[0] : undefined;
  }

  #signOf(currency: string, currencyDisplay: 'symbol' | 'narrowSymbol'): string | undefined {
    return new Intl.NumberFormat(this.#locales, { style: 'currency', currency, currencyDisplay })
      .formatToParts(0)
      .find(({ type }) => type === 'currency')
      ?.value.toUpperCase();
  }
}
