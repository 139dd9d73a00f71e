// Books as CSV (RFC 4180): the wallet's own columns, and those that Koinly and CoinTracker import. Every cell with text is quoted and
// harmless; all others consist of digits, letters and `-+/: .`, and begin with a digit or letter, or are a negative number.

import { fromMinorUnits, zecColumn } from '@wallet-companion/base/values';
import { localTime } from './days.ts';
import type { BooksFormat, Frame } from './format.ts';
import { harmless } from './harmless.ts';
import { joinTexts, type Line, type Movement, memoText, movementsOf, wordsOf } from './ledger.ts';

const LINE_END = '\r\n';
const COIN = 'ZEC';

export const cell = (text: string): string => `"${harmless(text).replaceAll('"', '""')}"`;

/** Empty where it is not known. */
export const knownAmount = (zatoshi: number | null): string => (zatoshi === null ? '' : zecColumn(zatoshi));

const csv = (
  header: string,
  rows: (lines: readonly Line[], frame: Frame) => readonly string[][],
): BooksFormat => ({
  head: () => header + LINE_END,
  body: (lines, frame) =>
    rows(lines, frame)
      .map((cells) => cells.join() + LINE_END)
      .join(''),
  foot: () => '',
});

/** A missing price stays missing. The source names itself, in any words. */
const fiatCells = ({ fiat }: Line): string[] =>
  fiat === undefined
    ? Array(6).fill('')
    : [fiat.currency, fiat.price, fiat.value, fiat.fee, fiat.price_time, cell(fiat.price_source)];

export const plainCsv = csv(
  'time,height,txid,account,pool,received_zec,sent_zec,fee_zec,memo,balance_zec,label,counterparty,invoice_reference,confirmations,verified_with,refund_of,time_local,fiat_currency,fiat_price,fiat_value,fiat_fee,price_time,price_source',
  (lines, { zone }) =>
    lines.map((line) => [
      line.time,
      String(line.height),
      line.txid,
      String(line.account),
      line.pool,
      zecColumn(line.received_zatoshi),
      knownAmount(line.sent_zatoshi),
      knownAmount(line.fee_zatoshi),
      cell(memoText(line)),
      knownAmount(line.balance_zatoshi),
      cell(joinTexts(line.labels)),
      cell(joinTexts(line.counterparties)),
      cell(joinTexts(line.references)),
      String(line.confirmations),
      line.verified_with ?? '',
      cell(joinTexts(line.refunds ?? [])),
      localTime(zone, line.time),
      ...fiatCells(line),
    ]),
);

/** An amount and its currency, both empty where there is none. */
const amount = (zatoshi: number): string[] => (zatoshi === 0 ? ['', ''] : [zecColumn(zatoshi), COIN]);

/**
 * Where a fee alone was paid, it is the amount: these programs ask for one beside each fee. Koinly takes the fee off besides
 * the amount that was sent, CoinTracker counts it as a part of that amount.
 */
const sentAndFee = ({ sent, fee }: Movement, isFeeInside: boolean): [string[], string[]] =>
  sent === 0 ? [amount(fee), amount(0)] : [amount(isFeeInside ? sent + fee : sent), amount(fee)];

/** What the amount beside it was worth: of what was sent, without the fee. */
function netWorth({ sent, worth }: Movement): string[] {
  if (worth === undefined) return ['', ''];
  const { units, fee, currency } = worth;
  const size = units < 0n ? -units : units;
  return [fromMinorUnits(sent === 0 ? size : size - fee, currency), currency];
}

export const koinly = csv(
  'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash',
  (lines) =>
    movementsOf(lines).map((movement) => {
      const [sent, fee] = sentAndFee(movement, false);
      const isFee = movement.sent === 0 && movement.fee > 0;
      return [
        `${movement.time.slice(0, 16).replace('T', ' ')} UTC`,
        ...sent,
        ...amount(movement.received),
        ...fee,
        ...netWorth(movement),
        isFee ? 'cost' : '',
        cell(wordsOf(movement).join(': ')),
        movement.txid,
      ];
    }),
);

export const coinTracker = csv(
  'Date,Received Quantity,Received Currency,Sent Quantity,Sent Currency,Fee Amount,Fee Currency,Tag',
  (lines) =>
    movementsOf(lines).map((movement) => {
      const [sent, fee] = sentAndFee(movement, true);
      const [, year, month, day, clock] = /^(\d+)-(\d+)-(\d+)T([\d:]{8})/.exec(movement.time) ?? [];
      return [`${month}/${day}/${year} ${clock}`, ...amount(movement.received), ...sent, ...fee, ''];
    }),
);
