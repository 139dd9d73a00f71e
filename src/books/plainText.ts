// Books for plain-text accounting: Beancount and hledger. One account of the wallet, and a closing assertion, so that the program
// itself says when the books do not add up to what the wallet holds.

import { zecColumn } from '@wallet-companion/base/values';
import { dayIn, nextDay, startOfDay } from './days.ts';
import type { Beginning, BooksFormat, Closing, Frame, Opening } from './format.ts';
import { visible } from './harmless.ts';
import { type Movement, movementsOf, type Worth, wordsOf } from './ledger.ts';

const comment = ({ caveat }: Frame): string => (caveat === undefined ? '' : `; ${visible(caveat)}\n\n`);

const signed = (zatoshi: number): string => `${zecColumn(zatoshi)} ZEC`;

/** Books of one account have accounts of their own, so that those of two accounts fit into one set of books. */
function accountsOf({ account }: Frame) {
  const part = account === undefined ? '' : `:Account${account}`;
  return {
    wallet: `Assets:Zcash${part}`,
    income: `Income:Zcash${part}`,
    spent: `Expenses:Zcash${part}`,
    fees: `Expenses:Zcash:Fees${part}`,
    opening: `Equity:Zcash:Opening${part}`,
    /** The counterparts in the books of two accounts add up to 0. */
    transfers: `Equity:Zcash:Transfers${part}`,
  };
}

type Posting = readonly [account: string, zatoshi: number];

/** What changes on which account; the sum is 0. */
function postingsOf({ received, sent, fee, transferred }: Movement, frame: Frame): Posting[] {
  const accounts = accountsOf(frame);
  const others: Posting[] = [
    [accounts.transfers, -transferred],
    [accounts.income, Math.max(0, transferred) - received],
    [accounts.spent, sent + Math.min(0, transferred)],
    [accounts.fees, fee],
  ];
  return [[accounts.wallet, received - sent - fee], ...others.filter(([, zatoshi]) => zatoshi !== 0)];
}

/** All postings of a transaction have its one price, so they add up to 0 in money as they do in ZEC. */
function postings(of: readonly Posting[], worth?: Worth): string {
  const price = worth?.price === undefined ? '' : ` @ ${worth.price} ${worth.currency}`;
  return of.map(([account, zatoshi]) => `  ${account}  ${signed(zatoshi)}${price}\n`).join('');
}

const openingPostings = (given: Opening): string => {
  const { wallet, opening } = accountsOf(given);
  return postings([
    [wallet, given.opening],
    [opening, -given.opening],
  ]);
};

const beginningOf = ({ beginning, from }: Opening): Beginning =>
  beginning ?? (from === undefined ? 'first' : 'asserted');

/** Where block times run back across its border, the first transactions of a period have times before it. */
function dayOf({ time }: Movement, { zone, from }: Frame): string {
  const day = dayIn(zone, Date.parse(time) / 1000);
  const first = from === undefined ? day : dayIn(zone, from);
  return [day, first].sort()[1]!;
}

const isStartOfDay = (zone: string, seconds: number): boolean =>
  startOfDay(zone, dayIn(zone, seconds)) === seconds;

/** Before every block. */
const FIRST_DAY = '2016-10-28';

/** Beancount reads the line breaks back from its own escapes; other invisible characters stay readable escapes. */
const quoted = (text: string): string =>
  `"${text
    .split(/\r?\n/)
    .map((line) => visible(line).replaceAll('\\', '\\\\').replaceAll('"', '\\"'))
    .join('\\n')}"`;

/** Beancount asserts at the start of a day, and by itself tolerates a difference of one zatoshi. */
const balance = (day: string, frame: Frame, zatoshi: number): string =>
  `${day} balance ${accountsOf(frame).wallet}  ${zecColumn(zatoshi)} ~ ${zecColumn(0)} ZEC\n`;

/** Nothing is asserted within a day: the books of its rest may follow. */
const endsWithinDay = ({ to, through, zone }: Closing): boolean =>
  to !== undefined && to === through && !isStartOfDay(zone, to + 1);

function openedIn(frame: Frame): string[] {
  const { transfers, ...others } = accountsOf(frame);
  return [...Object.values(others), ...(frame.account === undefined ? [] : [transfers])];
}

function beancountOpening(given: Opening): string {
  const { from, zone, opening, isSelection } = given;
  if (isSelection === true || from === undefined) return '';
  const beginning = beginningOf(given);
  if (beginning === 'posted' && opening !== 0)
    return `${dayIn(zone, from)} * "Opening balance"\n${openingPostings(given)}\n`;
  return beginning === 'asserted' && isStartOfDay(zone, from)
    ? `${balance(dayIn(zone, from), given, opening)}\n`
    : '';
}

export const beancount: BooksFormat = {
  head: (given) => {
    const isContinued = beginningOf(given) === 'asserted' && given.isSelection !== true;
    const opened = isContinued ? [] : openedIn(given);
    const opens = opened.map((account) => `${FIRST_DAY} open ${account} ZEC\n`);
    return `${comment(given)}${opens.join('')}${isContinued ? '' : '\n'}${beancountOpening(given)}`;
  },
  body: (lines, frame) =>
    movementsOf(lines)
      .map((movement) =>
        [
          `${dayOf(movement, frame)} * ${quoted(movement.who)} ${quoted(movement.memo)}\n`,
          `  txid: "${movement.txid}"\n  height: ${movement.height}\n`,
          movement.reference === '' ? '' : `  invoice: ${quoted(movement.reference)}\n`,
          movement.refund === '' ? '' : `  refund-of: ${quoted(movement.refund)}\n`,
          movement.verifiedWith === null ? '' : `  verified-with: ${quoted(movement.verifiedWith)}\n`,
          `${postings(postingsOf(movement, frame), movement.worth)}\n`,
        ].join(''),
      )
      .join(''),
  // What holds at the end of a day is asserted on the next.
  foot: (given) => {
    const { closing, through, zone, isSelection } = given;
    if (isSelection === true || through === undefined || endsWithinDay(given)) return '';
    return balance(nextDay(dayIn(zone, through)), given, closing);
  },
};

/** After a word, so that nothing at its start means anything; a semicolon would begin a comment. */
const description = (movement: Movement): string =>
  [movement.received > 0 ? 'received' : 'sent', ...wordsOf(movement)]
    .map((text) => visible(text).replaceAll(';', ','))
    .join(', ');

const asserted = (day: string, what: string, frame: Frame, zatoshi: number): string =>
  `${day} * ${what}\n  ${accountsOf(frame).wallet}  ${signed(0)} = ${signed(zatoshi)}\n`;

function hledgerOpening(given: Opening): string {
  const { from, zone, opening, isSelection } = given;
  if (isSelection === true || from === undefined) return '';
  const day = dayIn(zone, from);
  const beginning = beginningOf(given);
  if (beginning === 'asserted') return `${asserted(day, 'opening balance', given, opening)}\n`;
  return beginning === 'posted' && opening !== 0
    ? `${day} * opening balance\n${openingPostings(given)}\n`
    : '';
}

export const hledger: BooksFormat = {
  head: (given) => comment(given) + hledgerOpening(given),
  body: (lines, frame) =>
    movementsOf(lines)
      .map((movement) => {
        const mark = movement.verifiedWith === null ? '' : `  ; verified-with: ${movement.verifiedWith}`;
        return `${dayOf(movement, frame)} * (${movement.txid}) ${description(movement)}${mark}\n${postings(postingsOf(movement, frame), movement.worth)}\n`;
      })
      .join(''),
  foot: (given) => {
    const { closing, through, zone, isSelection } = given;
    if (isSelection === true || through === undefined) return '';
    return asserted(dayIn(zone, through), 'closing balance', given, closing);
  },
};
