// The books as CSV (RFC 4180), for spreadsheets. A memo is text of a stranger: it must never run as a formula, nor look like
// a separate cell or row, in any program that reads the file with any separator.
//
// A spreadsheet recognises a formula by its first character, so an apostrophe goes before that. Since the cell may begin
// elsewhere for a program that splits at other separators, or ignores quotes, the same is done after each of those. Line
// breaks and unseen characters are written as escapes: one line is one row. JSON has memos as they are.

import { zecColumn } from '@wallet-companion/shielded/zip321';
import type { LedgerRow } from './ledgerRows.ts';

const COLUMNS = [
  'time',
  'height',
  'txid',
  'account',
  'pool',
  'received_zec',
  'sent_zec',
  'fee_zec',
  'memo',
  'balance_zec',
] as const;

const LINE_END = '\r\n';

export const CSV_HEADER = `${COLUMNS.join()}${LINE_END}`;

/** All other cells consist of digits, letters and `-:.`, and begin with a digit or letter. */
export function csvLine(row: LedgerRow): string {
  const cells = [
    row.time,
    String(row.height),
    row.txid,
    String(row.account),
    row.pool,
    zecColumn(row.received_zatoshi),
    zecColumn(row.sent_zatoshi),
    row.fee_zatoshi === null ? '' : zecColumn(row.fee_zatoshi),
    quoted(harmless(row.memos.map(({ text, hex }) => text ?? `0x${hex ?? ''}`).join(' / '))),
    zecColumn(row.balance_zatoshi),
  ];
  return cells.join() + LINE_END;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Control, format (also bidirectional overrides) and separator characters except the plain space. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * What may begin a formula, in any width, at the start or after a character that may separate cells or close a quote; some
 * programs skip white space between the two.
 */
const FORMULA =
  /(^|[,;|:"'\u2018-\u201f\uff0c\uff1b\uff02\uff07])(\s*)(?=[=+\-@\u2212\u207a\u208a\ufe62\ufe63\ufe66\ufe6b\uff1d\uff0b\uff0d\uff20])/gu;

/** Text that no spreadsheet runs. */
export function harmless(text: string): string {
  const visible = text.replaceAll(UNSEEN, escaped);
  return visible.replaceAll(FORMULA, (_, before: string, space: string) => `${before}${space}'`);
}

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
