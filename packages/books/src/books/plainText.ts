// Books for plain-text accounting: Beancount and hledger. One account of the wallet, and a closing assertion, so that the program
// itself says when the books do not add up to what the wallet holds.

import { zecColumn } from '@wallet-companion/shielded/zip321';
import { dayIn, nextDay } from './days.ts';
import type { BooksFormat, Frame } from './format.ts';
import { visible } from './harmless.ts';
import { type Movement, movementsOf, wordsOf } from './ledger.ts';

const comment = ({ caveat }: Frame): string => (caveat === undefined ? '' : `; ${visible(caveat)}\n\n`);

const signed = (zatoshi: number): string => `${zatoshi < 0 ? '-' : ''}${zecColumn(Math.abs(zatoshi))} ZEC`;

type Other = 'Income:Zcash' | 'Expenses:Zcash' | 'Expenses:Zcash:Fees' | 'Equity:Zcash:Opening';
const OTHERS: readonly Other[] = [
  'Income:Zcash',
  'Expenses:Zcash',
  'Expenses:Zcash:Fees',
  'Equity:Zcash:Opening',
];

/** Without a name: the wallet's. */
type Posting = readonly [account: Other | undefined, zatoshi: number];

/** What changes on which account; the sum is 0. */
function postingsOf({ received, sent, fee }: Movement): Posting[] {
  const others: Posting[] = [
    ['Income:Zcash', -received],
    ['Expenses:Zcash', sent],
    ['Expenses:Zcash:Fees', fee],
  ];
  return [[undefined, received - sent - fee], ...others.filter(([, zatoshi]) => zatoshi !== 0)];
}

const walletAccount = ({ account }: Frame): string =>
  account === undefined ? 'Assets:Zcash' : `Assets:Zcash:Account${account}`;

const postings = (frame: Frame, of: readonly Posting[]): string =>
  of.map(([account, zatoshi]) => `  ${account ?? walletAccount(frame)}  ${signed(zatoshi)}\n`).join('');

const openingPostings = (opening: number): Posting[] => [
  [undefined, opening],
  ['Equity:Zcash:Opening', -opening],
];

/** Before every block. */
const FIRST_DAY = '2016-10-28';

const secondsOf = (time: string): number => Date.parse(time) / 1000;

const quoted = (text: string): string => `"${visible(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

export const beancount: BooksFormat = {
  head: (given) => {
    const { from, zone, opening, isSelection } = given;
    const opens = [walletAccount(given), ...OTHERS].map((account) => `${FIRST_DAY} open ${account} ZEC\n`);
    const isOpened = isSelection !== true && opening !== 0 && from !== undefined;
    return `${comment(given)}${opens.join('')}\n${isOpened ? `${dayIn(zone, from)} * "Opening balance"\n${postings(given, openingPostings(opening))}\n` : ''}`;
  },
  body: (lines, frame) =>
    movementsOf(lines)
      .map((movement) =>
        [
          `${dayIn(frame.zone, secondsOf(movement.time))} * ${quoted(movement.who)} ${quoted(movement.memo)}\n`,
          `  txid: "${movement.txid}"\n  height: ${movement.height}\n`,
          movement.reference === '' ? '' : `  invoice: ${quoted(movement.reference)}\n`,
          movement.verifiedWith === null ? '' : `  verified-with: ${quoted(movement.verifiedWith)}\n`,
          `${postings(frame, postingsOf(movement))}\n`,
        ].join(''),
      )
      .join(''),
  // Beancount asserts at the start of a day, so what holds at the end of one is asserted on the next. By itself it tolerates a
  // difference of one zatoshi.
  foot: (given) => {
    const { closing, through, zone, isSelection } = given;
    if (isSelection === true || through === undefined) return '';
    return `${nextDay(dayIn(zone, through))} balance ${walletAccount(given)}  ${zecColumn(closing)} ~ ${zecColumn(0)} ZEC\n`;
  },
};

/** After a word, so that nothing at its start means anything; a semicolon would begin a comment. */
const description = (movement: Movement): string =>
  [movement.received > 0 ? 'received' : 'sent', ...wordsOf(movement)]
    .map((text) => visible(text).replaceAll(';', ','))
    .join(', ');

export const hledger: BooksFormat = {
  head: (given) => {
    const { from, zone, opening, isSelection } = given;
    if (isSelection === true || opening === 0 || from === undefined) return comment(given);
    return `${comment(given)}${dayIn(zone, from)} * opening balance\n${postings(given, openingPostings(opening))}\n`;
  },
  body: (lines, frame) =>
    movementsOf(lines)
      .map((movement) => {
        const day = dayIn(frame.zone, secondsOf(movement.time));
        const mark = movement.verifiedWith === null ? '' : `  ; verified-with: ${movement.verifiedWith}`;
        return `${day} * (${movement.txid}) ${description(movement)}${mark}\n${postings(frame, postingsOf(movement))}\n`;
      })
      .join(''),
  foot: (given) => {
    const { closing, through, zone, isSelection } = given;
    if (isSelection === true || through === undefined) return '';
    return `${dayIn(zone, through)} * closing balance\n  ${walletAccount(given)}  ${signed(0)} = ${signed(closing)}\n`;
  },
};
