// Recipients from a CSV file (RFC 4180) with a header line: address or contact, amount, memo, and of payouts a key. What is wrong is named
// by its line in the file.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CompanionError, type ErrorCode, type ErrorRecord, type FieldError } from '../protocol/errors.ts';
import type { Given } from './cliSession.ts';

/** Many times more than the recipients of one payment need. */
const MAX_BYTES = 1 << 20;
/** Each is a payment, which takes seconds. */
const MAX_PAYOUTS = 1_000;
const COLUMNS = ['address', 'contact', 'amount', 'memo'] as const;
const PAYOUT_COLUMNS = [...COLUMNS, 'key'] as const;
type Column = (typeof PAYOUT_COLUMNS)[number];
type Recipient = Readonly<Partial<Record<Column, string>>>;

interface Line {
  readonly number: number;
  readonly cells: readonly string[];
}

export interface WithRecipients {
  readonly input: Given;
  /** The failure, with lines of the file in the place of recipients. */
  readonly inLines: (error: ErrorRecord) => ErrorRecord;
}

/** Without a file the input of `payments.prepare` stays as it is. Throws `INVALID_REQUEST`. */
export async function withRecipients(
  { recipientsFile: path }: { readonly recipientsFile: string | undefined },
  input: Given,
): Promise<WithRecipients> {
  if (path === undefined) return { input, inLines: (error) => error };
  if (input['recipients'] !== undefined)
    throw new CompanionError('INVALID_REQUEST', 'Give either --recipients or --recipients-file.');
  const read = await recipientsIn(path, COLUMNS);
  const lines = read.map(({ line }) => line);
  return {
    input: { ...input, recipients: read.map(({ recipient }) => recipient) },
    inLines: (error) => {
      const errors = (error.errors ?? []).map((fault) => inLine(fault, lines));
      const isOfLines = errors.some(({ path: where }) => where.startsWith('line '));
      return isOfLines ? refused(path, errors, error.code) : error;
    },
  };
}

/** A payment of its own. */
export interface Payout {
  /** Its line in the file. */
  readonly line: number;
  readonly key: string;
  readonly recipient: Recipient;
}

/** Every line has a key of its own: its cell, else what it pays. Throws `INVALID_REQUEST`. */
export async function payoutsIn(path: string): Promise<readonly Payout[]> {
  const read = await recipientsIn(path, PAYOUT_COLUMNS);
  if (read.length > MAX_PAYOUTS) throw unusable(path, `has more than ${MAX_PAYOUTS} lines: divide it`);
  const first = new Map<string, number>();
  const payouts = read.map(({ line: { number: line }, recipient: { key, ...recipient } }) => ({
    line,
    key: key ?? keyOf(recipient),
    recipient,
    hasKey: key !== undefined,
  }));
  const faults = payouts.flatMap(({ line, key, hasKey }) => {
    const before = first.get(key);
    first.set(key, before ?? line);
    if (before === undefined) return [];
    const message = hasKey
      ? `has the key of line ${before}`
      : `pays what line ${before} pays: if that is meant, give each a key, in a column "key"`;
    return [{ path: `line ${line}`, message }];
  });
  if (faults.length > 0) throw CompanionError.fromRecord(refused(path, faults));
  return payouts;
}

const keyOf = ({ address, contact, amount = '', memo }: Recipient): string => {
  const content = [address ?? null, contact ?? null, shortest(amount), memo ?? null];
  return `csv-${createHash('sha256').update(JSON.stringify(content)).digest('hex')}`;
};

/** 1.50 is 1.5: a file that another program writes anew pays nothing anew. */
const shortest = (amount: string): string =>
  (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount).replace(/^0+(?=\d)/, '');

/** At least one, each with address or contact and an amount. */
async function recipientsIn(
  path: string,
  known: readonly Column[],
): Promise<readonly { readonly line: Line; readonly recipient: Recipient }[]> {
  const [header, ...lines] = await linesIn(await textOf(path), path);
  const columns = columnsOf(header, path, known);
  const read = lines.map((line) => ({ line, ...recipientIn(line, columns) }));
  const faults = read.flatMap(({ line: { number }, problems }) =>
    problems.map((message) => ({ path: `line ${number}`, message })),
  );
  if (faults.length > 0) throw CompanionError.fromRecord(refused(path, faults));
  if (read.length === 0) throw unusable(path, 'has no line below its header');
  return read;
}

function inLine(fault: FieldError, lines: readonly Line[]): FieldError {
  const [, index, field] = /^recipients\.(\d+)(?:\.(\w+))?$/.exec(fault.path) ?? [];
  const line = index === undefined ? undefined : lines[Number(index)];
  if (line === undefined) return fault;
  return { ...fault, path: `line ${line.number}`, message: [field, fault.message].filter(Boolean).join(' ') };
}

/** Before anything is prepared. */
export const refused = (
  path: string,
  errors: readonly FieldError[],
  code: ErrorCode = 'INVALID_REQUEST',
): ErrorRecord => ({
  code,
  detail: `Nothing was prepared, because of ${path}: ${errors.map((one) => `${one.path}: ${one.message}`).join('; ')}.`,
  errors,
});

const unusable = (path: string, what: string): CompanionError =>
  new CompanionError('INVALID_REQUEST', `${path} ${what}.`);

async function textOf(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    if (bytes.length <= MAX_BYTES) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unusable(path, cause instanceof TypeError ? 'is not text in UTF-8' : 'cannot be read');
  }
  throw unusable(path, 'is too large');
}

/** Without blank lines; the number is that of a record's first line. */
async function linesIn(text: string, path: string): Promise<Line[]> {
  // Loaded on demand, as few commands read a file of recipients.
  const { CsvError, parse } = await import('csv-parse/sync');
  try {
    const records = parse(text, { info: true, relaxColumnCount: true, trim: true }) as unknown as {
      readonly record: string[];
      readonly info: { readonly lines: number };
    }[];
    return records
      .map(({ record }, i) => ({ cells: record, number: (records[i - 1]?.info.lines ?? 0) + 1 }))
      .filter(({ cells }) => cells.some((cell) => cell !== ''));
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    throw unusable(path, `is no CSV: a quote is out of place in line ${String(thrown['lines'])}`);
  }
}

function columnsOf(header: Line | undefined, path: string, known: readonly Column[]): readonly Column[] {
  const names = header?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const isKnown = (name: string): name is Column => known.some((column) => column === name);
  const columns = names.filter(isKnown);
  const isUsable =
    columns.length === names.length &&
    new Set(columns).size === columns.length &&
    columns.includes('amount') &&
    (columns.includes('address') || columns.includes('contact'));
  if (!isUsable)
    throw unusable(
      path,
      'must begin with a line of column names: address or contact or both, amount, and memo if there is any; of payouts also key',
    );
  return columns;
}

/** Whether the cells can be an address and so on, the companion tells. */
function recipientIn(
  { cells }: Line,
  columns: readonly Column[],
): { readonly recipient: Recipient; readonly problems: readonly string[] } {
  if (cells.length > columns.length)
    return {
      recipient: {},
      problems: [`has ${cells.length} cells for ${columns.length} columns: quote a comma`],
    };
  const given = columns.flatMap((column, at) => (cells[at] ? [[column, cells[at]] as const] : []));
  const recipient: Recipient = Object.fromEntries(given);
  const problems = [
    ...((recipient.address === undefined) === (recipient.contact === undefined)
      ? ['needs an address or a contact, and not both']
      : []),
    ...(recipient.amount === undefined ? ['has no amount'] : []),
  ];
  return { recipient, problems };
}
