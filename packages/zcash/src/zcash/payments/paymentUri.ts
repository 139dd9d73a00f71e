// Payment request URIs: ZIP 321. The parser accepts exactly its grammar: all wallets must read the same request in a
// URI.
//
// Two ambiguities are resolved to the safe side. The scheme may be in capitals (RFC 3986), but a known parameter in
// another case is refused: ignoring it would pay another amount. Payments in other assets (`asset_id`) are refused.

import { FormatError } from '@wallet-companion/base/bytes';
import { type Zatoshi, zecText } from '@wallet-companion/base/values';
import { payableReceivers } from '../address/payableReceivers.ts';
import { MAX_MONEY, type NetworkParameters } from '../network.ts';
import { MEMO_SIZE } from '../notes/plaintext.ts';
import { decodeBase64Url, decodeQchars, encodeBase64Url, encodeQchars } from './paymentUriText.ts';

export interface RequestedPayment {
  readonly address: string;
  /** Absent: the payer chooses. */
  readonly zatoshi?: Zatoshi;
  /** At most 512 bytes, without the zero padding. */
  readonly memo?: Uint8Array;
  /** The payee's name, for the payer's screen. */
  readonly label?: string;
  /** The purpose, for the payer's screen. */
  readonly message?: string;
}

const SCHEME = /^zcash:/i;
const ADDRESS = /^[A-Za-z0-9]+$/;
const KNOWN = ['address', 'amount', 'label', 'memo', 'message'] as const;
type KnownName = (typeof KNOWN)[number];

/** The grammar allows the indices 1 to 9,999, and one payment without an index. */
const MAX_PAYMENTS = 10_000;

/** name, index, value. */
const PARAMETER = /^([A-Za-z][A-Za-z0-9+_-]*)(?:\.([1-9][0-9]{0,3}))?(?:=(.*))?$/s;
/** `paramname` has no underscore. */
const OTHER_NAME = /^[A-Za-z][A-Za-z0-9+-]*$/;

/**
 * A URI (ZIP 321) that `parsePaymentUri` reads as these payments, 1 to 10,000. FormatError for payments that a URI
 * cannot express.
 */
export function encodePaymentUri(payments: readonly RequestedPayment[], params: NetworkParameters): string {
  const [only] = payments;
  if (only === undefined || payments.length > MAX_PAYMENTS)
    throw new FormatError('a payment request has 1 to 10,000 payments');
  for (const payment of payments) checkPayment(payment, params);
  if (payments.length === 1) {
    const query = parameters(only, '').join('&');
    return `zcash:${only.address}${query === '' ? '' : `?${query}`}`;
  }
  const all = payments.flatMap((payment, place) => {
    const index = place === 0 ? '' : `.${place}`;
    return [`address${index}=${payment.address}`, ...parameters(payment, index)];
  });
  return `zcash:?${all.join('&')}`;
}

function parameters({ zatoshi, memo, label, message }: RequestedPayment, index: string): string[] {
  return [
    ...(zatoshi === undefined ? [] : [`amount${index}=${zecText(zatoshi)}`]),
    ...(memo === undefined ? [] : [`memo${index}=${encodeBase64Url(memo)}`]),
    ...(label === undefined ? [] : [`label${index}=${encodeQchars(label)}`]),
    ...(message === undefined ? [] : [`message${index}=${encodeQchars(message)}`]),
  ];
}

/**
 * The payments that a URI asks for (ZIP 321), in the order of their indices. FormatError names the broken rule and
 * quotes nothing.
 */
export function parsePaymentUri(uri: string, params: NetworkParameters): RequestedPayment[] {
  if (!SCHEME.test(uri)) throw new FormatError('a payment request begins with zcash:');
  const rest = uri.slice('zcash:'.length);
  const question = rest.indexOf('?');
  const address = question === -1 ? rest : rest.slice(0, question);
  const query = question === -1 ? '' : rest.slice(question + 1);
  const found = new Map<number, Map<KnownName, string>>();
  if (address !== '') found.set(0, new Map([['address', address]]));
  readParameters(query, found);
  if (found.size === 0) throw new FormatError('the payment request names no payment');
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([, values]) => {
      const payment = paymentOf(values);
      checkPayment(payment, params);
      return payment;
    });
}

function readParameters(query: string, found: Map<number, Map<KnownName, string>>): void {
  const others = new Set<string>();
  for (const text of query.split('&')) {
    // The grammar allows nothing between two ampersands.
    if (text === '') continue;
    const [, name = '', index = '', value] = PARAMETER.exec(text) ?? [];
    const known = KNOWN.find((candidate) => candidate === name);
    if (known === undefined) {
      checkOther(name, value);
      const key = `${name}.${index}`;
      if (others.has(key)) throw repeated();
      others.add(key);
      continue;
    }
    if (value === undefined) throw new FormatError(`the parameter ${known} has no value`);
    const payment = found.get(Number(index)) ?? new Map<KnownName, string>();
    if (payment.has(known)) throw repeated();
    found.set(Number(index), payment.set(known, value));
  }
}

const repeated = (): FormatError => new FormatError('a parameter is given twice');

/** Unknown parameters are ignored, unless they must be understood. */
function checkOther(name: string, value: string | undefined): void {
  const lower = name.toLowerCase();
  if (lower === 'asset_id') throw new FormatError('payments in other assets are not supported');
  if (!OTHER_NAME.test(name) || KNOWN.some((known) => known === lower))
    throw new FormatError('a parameter is not written as ZIP 321 says');
  if (lower.startsWith('req-')) throw new FormatError('the request requires what is not known here');
  if (value !== undefined) decodeQchars(value);
}

function paymentOf(values: ReadonlyMap<KnownName, string>): RequestedPayment {
  const address = values.get('address');
  if (address === undefined) throw new FormatError('a payment of the request has no address');
  const amount = values.get('amount');
  const memo = values.get('memo');
  const label = values.get('label');
  const message = values.get('message');
  return {
    // QR codes hold capitals alone in half the space.
    address: /[a-z]/.test(address) ? address : address.toLowerCase(),
    ...(amount === undefined ? {} : { zatoshi: parseZecText(amount) }),
    ...(memo === undefined ? {} : { memo: decodeBase64Url(memo) }),
    ...(label === undefined ? {} : { label: decodeQchars(label) }),
    ...(message === undefined ? {} : { message: decodeQchars(message) }),
  };
}

function checkPayment({ address, zatoshi, memo }: RequestedPayment, params: NetworkParameters): void {
  if (!ADDRESS.test(address)) throw new FormatError('an address has letters and digits alone');
  const kind = recipientKind(address, params);
  if (kind === 'transparent' && zatoshi !== undefined && zatoshi < LEAST_TRANSPARENT)
    throw new FormatError('an amount is so little for a transparent address that nodes do not pass it on');
  if (memo === undefined) return;
  if (kind === 'transparent') throw new FormatError('a transparent address takes no memo');
  if (memo.length > MEMO_SIZE) throw new FormatError(`a memo has at most ${MEMO_SIZE} bytes`);
}

// Recipients of a payment request: any address of the network but a Sprout one (ZIP 321), and whether it takes memos.

/** Nodes do not relay smaller transparent outputs: three times the cost of relaying their spend. */
export const LEAST_TRANSPARENT: Zatoshi = 54;

/** Transparent recipients take no memo. */
type RecipientKind = 'shielded' | 'transparent';

/** What kind of payment an address takes. FormatError when the text is not a payable address of this network. */
export function recipientKind(address: string, params: NetworkParameters): RecipientKind {
  const { sapling, orchard } = payableReceivers(address, params);
  return sapling === undefined && orchard === undefined ? 'transparent' : 'shielded';
}

// Amounts in ZEC as ZIP 321 writes them.
const DECIMALS = 8;

/** ZIP 321, "Transfer amount". FormatError for other text, and above 21 million. */
export function parseZecText(text: string): Zatoshi {
  const [, whole = '', fraction = ''] = /^([0-9]+)(?:\.([0-9]{1,8}))?$/.exec(text) ?? [];
  if (whole === '') throw new FormatError('an amount is a decimal number with at most 8 decimals');
  const zatoshi = BigInt(whole + fraction.padEnd(DECIMALS, '0'));
  if (zatoshi > MAX_MONEY) throw new FormatError('the amount is above 21,000,000 ZEC');
  return Number(zatoshi);
}
