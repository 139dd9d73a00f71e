// What the checkout shows of an invoice: words, and whether there is still something to pay. No browser is needed for it.

import { awaitsMark, type CheckoutInvoice, checkoutStatus, TONES, type Tone } from './checkoutStatus.ts';
import type { CheckoutTexts } from './texts.ts';

export interface CheckoutLook {
  readonly tone: Tone;
  readonly headline: string;
  readonly lines: readonly string[];
  /** The payer has something to pay: the address is shown, and the clock. */
  readonly isPayable: boolean;
  /** The payment request asks for just what is due: it is shown, and its code. */
  readonly isRequestRight: boolean;
}

const ZATOSHI_PER_COIN = 1e8;

/** Every zatoshi, in the reader's numbers; the no-break space keeps the unit beside it. */
export const amountText = (zatoshi: number, { lang, unit }: CheckoutTexts): string =>
  `${new Intl.NumberFormat(lang, { minimumFractionDigits: 2, maximumFractionDigits: 8 }).format(zatoshi / ZATOSHI_PER_COIN)}\u00a0${unit}`;

export const fillIn = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

export function checkoutLook(invoice: CheckoutInvoice, texts: CheckoutTexts, nowMs: number): CheckoutLook {
  const { exception, amount_zatoshi: amount, required_confirmations: required } = invoice;
  const { kind, arrived, due } = checkoutStatus(invoice, nowMs);
  const zec = (zatoshi: number): string => amountText(zatoshi, texts);
  const depth = { n: Math.min(invoice.confirmations, required), m: required };
  const isPart = amount !== null && arrived > 0 && arrived < amount;
  const sums = isPart
    ? [fillIn(texts.sums, { received: zec(arrived), amount: zec(amount), left: zec(amount - arrived) })]
    : [];
  // What else was paid is a matter between the payer and the shop.
  const over = exception === 'late' ? [fillIn(texts.late, { received: zec(arrived) })] : sums;
  const more = {
    open: [],
    part: sums,
    seen: [awaitsMark(invoice) ? texts.check : texts.wait],
    paid: [fillIn(texts.depth, depth)],
    confirmed: [fillIn(texts.depth, depth)],
    expired: [texts.stop, ...over, ...(arrived > 0 ? [texts.ask] : [])],
    cancelled: [texts.stop, ...over, ...(arrived > 0 ? [texts.ask] : [])],
  }[kind];
  const isReversed = exception === 'reversed';
  const lines = [
    ...(isReversed ? [texts.reversed, texts.ask] : []),
    ...(exception === 'overpaid' && amount !== null
      ? [fillIn(texts.overpaid, { more: zec(arrived - amount) })]
      : []),
    ...more.filter((line) => !isReversed || line !== texts.ask),
  ];
  // Who is asked again for what the network took back may pay twice.
  const isPayable = due !== null && !isReversed;
  const headline = isReversed && kind === 'open' ? '' : texts[kind];
  return {
    tone: isReversed ? 'over' : TONES[kind],
    headline,
    lines,
    isPayable,
    isRequestRight: isPayable && isRequestFor(due, invoice),
  };
}

/**
 * ZIP 321: to the invoice's address alone, and for just what is due. A page that forwards the invoice's own request would ask for
 * the whole amount again, and one that was tampered with for another address, or for a second payee.
 */
function isRequestFor(due: number | undefined, { uri, address }: CheckoutInvoice): boolean {
  const [, payee, query = ''] = /^zcash:([^?]+)(?:\?(.*))?$/i.exec(uri) ?? [];
  if (payee !== address) return false;
  const parameters = query === '' ? [] : query.split('&').map((pair) => pair.split('='));
  const names = parameters.map(([name = '']) => name);
  // With an index they are of further payees; what is required and not known here makes a request invalid.
  if (new Set(names).size < names.length || names.some((name) => !/^(?!address$|req-)[\w+-]+$/.test(name)))
    return false;
  const amount = parameters.find(([name]) => name === 'amount')?.[1];
  if (amount === undefined || !/^\d+(\.\d{1,8})?$/.test(amount)) return amount === due;
  return Math.round(Number(amount) * ZATOSHI_PER_COIN) === due;
}

export interface QrOutline {
  /** In modules, with the quiet zone. */
  readonly width: string;
  /** SVG path data of the dark modules. */
  readonly path: string;
}

/** What is taken from the companion's SVG: two values that are checked, so that no foreign markup comes into a page. */
export function qrOutline(svg: string): QrOutline | undefined {
  const width = /viewBox="0 0 (\d+) \1"/.exec(svg)?.[1];
  const path = /<path d="([\dMhvz -]+)"/.exec(svg)?.[1];
  return width === undefined || path === undefined ? undefined : { width, path };
}
