// Answers as text for users. They contain memos of senders and version strings of servers: control characters in those
// could move the cursor, recolour the screen or hide text, so they are shown as escapes.

import { zecColumn } from '@wallet-companion/base/values';
import { withoutHidden } from '@wallet-companion/client/contract';
import { COMMANDS } from '../protocol/generated/commands.ts';
import type { OperationName } from '../protocol/operations.ts';
import { displayWidth, pad, wrapText } from '../terminal/terminalText.ts';
import { type Column, numberedGrid, tableLines } from '../terminal/textTable.ts';

const NOTHING = '-';
const ON_ONE_WORD = "nobody: part of it rests on one compact server's word (`coverage` says which)";
/** A record with more fields than this gets separate lines. */
const MAX_CELL_FIELDS = 2;

/** Short titles for columns whose name is wider than their values. */
const TITLES: Readonly<Record<string, string>> = { confirmations: 'conf.' };
const INDENT = '  ';
/** Shown where there is more than this answer has. */
const MORE: ReadonlySet<string> = new Set(['next_cursor', 'has_more']);
/** Sentences are wrapped, never cut: their end matters as much as their beginning. So are ids that users copy. */
const SENTENCES: ReadonlySet<string> = new Set(['statement', 'payment_id', 'invoice_id']);

type Fields = Readonly<Record<string, unknown>>;

interface Page {
  /** Width in terminal cells. */
  readonly width: number;
  readonly columns?: readonly string[] | undefined;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lines for users, each with its line break; `width` is the terminal's, where there is one. */
export function humanText(name: OperationName, output: unknown, width?: number): string {
  const { columns, lines: needed, amountsFromScan } = COMMANDS[name].cli;
  const shown = amountsFromScan === true ? knownAmounts(output) : output;
  const page: Page = { width: width ?? Number.POSITIVE_INFINITY, columns };
  const lines = isFields(shown) ? fieldLines(forPeople(shown, needed), page) : [cell('', shown)];
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

const forPeople = (fields: Fields, needed: readonly string[] | undefined): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => {
      if (MORE.has(key)) return value !== null && value !== false;
      return needed === undefined || needed.includes(key) || (typeof value === 'object' && value !== null);
    }),
  );

/** Before the first scan amounts are unknown, never 0; later, a balance that rests on one server's word is marked. */
function knownAmounts(balance: unknown): unknown {
  if (!isFields(balance)) return balance;
  if (balance['as_of_height'] !== null) {
    return balance['verified_with'] === null ? { ...balance, verified_with: ON_ONE_WORD } : balance;
  }
  const { height } = balance;
  return { ...withUnknownCounts(balance), ...(height === undefined ? {} : { height }) };
}

const withUnknownCounts = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      if (isFields(value)) return [key, withUnknownCounts(value)];
      return [key, typeof value === 'number' ? 'unknown' : value];
    }),
  );

/** Fields that fit into one line first, then lists and records under their names. */
function fieldLines(fields: Fields, page: Page): string[] {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const blocks = entries.flatMap(([key, value]) => {
    const lines = blockLines(key, value, { ...page, width: page.width - INDENT.length });
    return lines === undefined ? [] : [{ key, lines }];
  });
  const plain = entries.filter(([key]) => !blocks.some((block) => block.key === key));
  const width = Math.max(0, ...plain.map(([key]) => displayWidth(label(key))));
  const lines = plain.flatMap(([key, value]) => labelled(pad(label(key), width), cell(key, value), page));
  for (const block of blocks) {
    if (lines.length > 0) lines.push('');
    lines.push(label(block.key), ...block.lines.map((line) => INDENT + line));
  }
  return lines;
}

/** One line, if it fits; a text with spaces wraps, and one without stays whole on a separate line. */
function labelled(name: string, text: string, { width }: Page): string[] {
  const beside = width - displayWidth(name) - INDENT.length;
  if (displayWidth(text) <= beside) return [`${name}${INDENT}${text}`];
  const longest = Math.max(...text.split(' ').map(displayWidth));
  if (longest > beside) return [name, ...wrapText(text, width)];
  const [first = '', ...others] = wrapText(text, beside);
  return [`${name}${INDENT}${first}`, ...others.map((line) => pad('', displayWidth(name)) + INDENT + line)];
}

function blockLines(key: string, value: unknown, page: Page): string[] | undefined {
  if (key === 'mnemonic' && typeof value === 'string' && Number.isFinite(page.width)) {
    return numberedGrid(value.split(' '), page.width);
  }
  const rows = tableRows(key, value);
  if (rows !== undefined) return rowLines(rows, page);
  return isFields(value) && Object.keys(value).length > MAX_CELL_FIELDS
    ? fieldLines(value, { width: page.width })
    : undefined;
}

/** Lists of records, and records of records (balances per pool), are tables. */
function tableRows(key: string, value: unknown): readonly Fields[] | undefined {
  if (isRangeList(key)) return undefined;
  if (Array.isArray(value)) return value.length > 0 && value.every(isFields) ? value : undefined;
  if (!isFields(value)) return undefined;
  const entries = Object.entries(value);
  if (entries.length === 0 || !entries.every(([, row]) => isFields(row))) return undefined;
  return entries.map(([name, row]) => ({ name, ...(row as Fields) }));
}

function rowLines(rows: readonly Fields[], { width, columns }: Page): string[] {
  const keys = columns ?? [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const table = keys.map(
    (key): Column => ({
      title: TITLES[key] ?? label(key),
      cells: rows.map((row) => cell(key, row[key])),
      mayBeCut: mayBeCut(key, rows),
    }),
  );
  // Most wallets have one account, and then that column has no information.
  const shownKeys = keys.filter((key) => key !== 'account' || rows.some(({ account }) => account !== 0));
  const shorter = table.filter((_, at) => shownKeys.includes(keys[at] ?? ''));
  const least = Math.max(shownKeys.length / 2, shownKeys.findLastIndex((key) => SENTENCES.has(key)) + 1);
  const lines =
    tableLines(table, width) ??
    tableLines(shorter, width) ??
    (columns === undefined ? undefined : fewerColumns(shorter, least, width));
  if (lines !== undefined) return lines;
  return rows.flatMap((row, at) => {
    const shown = Object.fromEntries(shownKeys.map((key) => [key, row[key] ?? null]));
    return [...(at === 0 ? [] : ['']), ...fieldLines(shown, { width })];
  });
}

/** At least `least` of them: where fewer fit, each field gets a line. */
function fewerColumns(table: readonly Column[], least: number, width: number): string[] | undefined {
  for (let count = table.length - 1; count >= least; count--) {
    const lines = tableLines(table.slice(0, count), width);
    const left = table.slice(count).map(({ title }) => title);
    if (lines !== undefined) return [...lines, ...wrapText(`no room for: ${left.join(', ')}`, width)];
  }
  return undefined;
}

const label = (key: string): string => key.replace(/_zatoshi$/, '').replaceAll('_', ' ');

const mayBeCut = (key: string, rows: readonly Fields[]): boolean =>
  key === 'memo' || (!isTime(key) && !SENTENCES.has(key) && rows.some((row) => typeof row[key] === 'string'));

const isTime = (key: string): boolean => key === 'since' || /(^|_)time$|_at$/.test(key);

/** Blocks have no finer time, and users need none. */
const toTheSecond = (time: string): string => time.replace(/\.\d+Z$/, 'Z');

const isRangeList = (key: string): boolean => key === 'missing_ranges';

function cell(key: string, value: unknown): string {
  if (value === null || value === undefined) return NOTHING;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return key.endsWith('_zatoshi') ? `${zecColumn(value)} ZEC` : String(value);
  if (typeof value === 'string') {
    if (isTime(key)) return withoutHidden(toTheSecond(value));
    return withoutHidden(value === '' ? NOTHING : value);
  }
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((item) => cell(key, item)).join(', ');
  return isFields(value) ? recordCell(value) : withoutHidden(String(value));
}

function recordCell(record: Fields): string {
  const { text, hex, start_height: start, end_height: end } = record;
  if (typeof start === 'number' && typeof end === 'number' && Object.keys(record).length === 2) {
    return start === end ? String(start) : `${start}-${end}`;
  }
  if (typeof text === 'string') return withoutHidden(text);
  if (typeof hex === 'string') return `0x${hex.slice(0, 16)}...`;
  if ('txid' in record && typeof record['height'] === 'number') return `at ${record['height']}`;
  const parts = Object.entries(record).map(([key, value]) => `${label(key)} ${cell(key, value)}`);
  return parts.length === 0 ? NOTHING : parts.join(', ');
}
