// Recipients from a CSV file (RFC 4180) with a header line: address or contact, amount, memo. Whatever is wrong is named by its line in
// the file.

import { readFile } from 'node:fs/promises';
import { CompanionError, type ErrorCode, type ErrorRecord, type FieldError } from '../protocol/errors.ts';
import type { Given } from './cliSession.ts';

/** Many times more than the recipients of one payment need. */
const MAX_BYTES = 1 << 20;
const COLUMNS = ['address', 'contact', 'amount', 'memo'] as const;
type Column = (typeof COLUMNS)[number];
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
  const [header, ...lines] = await linesIn(await textOf(path), path);
  const columns = columnsOf(header, path);
  const read = lines.map((line) => ({ line, ...recipientIn(line, columns) }));
  const faults = read.flatMap(({ line: { number }, problems }) =>
    problems.map((message) => ({ path: `line ${number}`, message })),
  );
  if (faults.length > 0) throw CompanionError.fromRecord(refused(path, faults));
  if (read.length === 0) throw unusable(path, 'has no line below its header');
  return {
    input: { ...input, recipients: read.map(({ recipient }) => recipient) },
    inLines: (error) => {
      const errors = (error.errors ?? []).map((fault) => inLine(fault, lines));
      const isOfLines = errors.some(({ path: where }) => where.startsWith('line '));
      return isOfLines ? refused(path, errors, error.code) : error;
    },
  };
}

function inLine(fault: FieldError, lines: readonly Line[]): FieldError {
  const [, index, field] = /^recipients\.(\d+)(?:\.(\w+))?$/.exec(fault.path) ?? [];
  const line = index === undefined ? undefined : lines[Number(index)];
  if (line === undefined) return fault;
  return { ...fault, path: `line ${line.number}`, message: [field, fault.message].filter(Boolean).join(' ') };
}

const refused = (
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

function columnsOf(header: Line | undefined, path: string): readonly Column[] {
  const names = header?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const isKnown = (name: string): name is Column => COLUMNS.some((column) => column === name);
  const columns = names.filter(isKnown);
  const isUsable =
    columns.length === names.length &&
    new Set(columns).size === columns.length &&
    columns.includes('amount') &&
    (columns.includes('address') || columns.includes('contact'));
  if (!isUsable)
    throw unusable(
      path,
      'must begin with a line of column names: address or contact or both, amount, and memo if there is any',
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
