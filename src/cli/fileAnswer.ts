// Answers that users want as a file or as raw output: the exported history with all its pages, and QR codes. They go to
// the file of --output, else to standard output.

import { zecColumn } from '@wallet-companion/base/values';
import { CompanionError } from '../protocol/errors.ts';
import type { Output } from '../protocol/operations.ts';
import { type Result, unwrap } from '../protocol/result.ts';
import type { CliEnvironment } from './cliEnvironment.ts';
import { jsonText } from './jsonText.ts';
import { type OutputFile, writeOutputFile } from './outputFile.ts';

type Page = Output<'transactions.export'>;
type Code = Output<'payment_uri.qr'>;

/** Black on white, from the fixed part of the palette: readable on any background. */
const BLACK_ON_WHITE = '\x1b[38;5;16;48;5;231m';
const PLAIN = '\x1b[0m';

/** `nextPage` is left out where the user requested one page. */
export async function giveExport(
  first: Page,
  nextPage: ((cursor: string) => Promise<Result<Page>>) | undefined,
  file: OutputFile | undefined,
  environment: CliEnvironment,
): Promise<void> {
  let last = first;
  const leftOut = new Set<string>();
  async function* pages(): AsyncGenerator<Page, void, void> {
    yield first;
    while (nextPage !== undefined && last.next_cursor !== null) {
      last = unwrap(await nextPage(last.next_cursor));
      yield last;
    }
  }
  await give(first.format === 'json' ? jsonOf(pages()) : textOf(pages(), leftOut), file, environment);
  environment.stderr.write(summaryOf(last, file) + leftOutText([...leftOut]));
}

async function* textOf(
  pages: AsyncIterable<Page>,
  leftOut: Set<string>,
): AsyncGenerator<string | Uint8Array, void, void> {
  for await (const { text = '', file, left_out: left = [] } of pages) {
    yield file === undefined ? text : Buffer.from(file, 'base64');
    for (const txid of left) leftOut.add(txid);
  }
}

/** One JSON array with a row on each line. */
async function* jsonOf(pages: AsyncIterable<Page>): AsyncGenerator<string, void, void> {
  let before = '[\n';
  for await (const { rows = [] } of pages) {
    yield rows.map((row, i) => (i === 0 ? before : ',\n') + jsonText(row).trimEnd()).join('');
    if (rows.length > 0) before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

function summaryOf(page: Page, file: OutputFile | undefined): string {
  const { as_of_height: height, balance_zatoshi: balance, complete, missing_ranges: missing } = page;
  const written = file === undefined ? '' : `${file.path} is written. `;
  if (height === null) return `${written}Nothing has been scanned yet, so the history is not known.\n`;
  const ranges = missing.map(({ start_height: start, end_height: end }) => `${start}-${end}`).join(', ');
  return [
    balance === null
      ? `${written}As of block ${height}.\n`
      : `${written}Balance after the last row: ${zecColumn(balance)} ZEC, as of block ${height}.\n`,
    complete ? '' : `Not complete: blocks ${ranges} have not been scanned.\n`,
    page.warning === undefined ? '' : `${page.warning}\n`,
    page.next_cursor === null ? '' : `There are more: --cursor ${page.next_cursor}\n`,
  ].join('');
}

const leftOutText = (txids: readonly string[]): string =>
  txids.length === 0
    ? ''
    : `Left out, without a price in euros:\n${txids.map((txid) => `  ${txid}\n`).join('')}`;

/** Text to be kept, or the statement alone, which `statement check` reads. */
export type Text =
  | Output<'statement.get'>
  | Output<'statement.gains'>
  | Output<'days.get'>
  | Output<'labels.export'>;

const statedIn = (answer: Text) =>
  'statement' in answer ? answer.statement : 'gains' in answer ? answer.gains : undefined;

export async function giveText(
  answer: Text,
  file: OutputFile | undefined,
  environment: CliEnvironment,
): Promise<void> {
  async function* content(): AsyncGenerator<string, void, void> {
    yield answer.text ?? jsonText('day' in answer ? answer.day : statedIn(answer));
  }
  await give(content(), file, environment);
  if (file !== undefined) environment.stderr.write(`${file.path} is written.\n`);
  if ('warning' in answer && answer.warning !== undefined) environment.stderr.write(`${answer.warning}\n`);
  if (statedIn(answer)?.complete === false)
    environment.stderr.write('Not complete: its missing_ranges have not been scanned.\n');
}

export async function giveCode(
  code: Code,
  file: OutputFile | undefined,
  environment: CliEnvironment,
): Promise<void> {
  const { stdout, stderr } = environment;
  if (file !== undefined) {
    await give(piecesOf(code), file, environment);
    stderr.write(`${file.path} is written.\n`);
  } else if (code.format === 'png') {
    throw new CompanionError('INVALID_REQUEST', 'A PNG is for a file: give --output.');
  } else if (code.format === 'text') {
    stdout.write(terminalCode(code, environment));
    stdout.write(`${code.uri}\n`);
  } else {
    stdout.write(code.image);
  }
}

async function* piecesOf({ format, image }: Code): AsyncGenerator<string | Uint8Array, void, void> {
  yield format === 'png' ? Buffer.from(image, 'base64') : image;
}

/** Black on white on a terminal, plain where a program reads it. */
export function terminalCode(
  { image, width }: Pick<Code, 'image' | 'width'>,
  { stdout, stderr }: CliEnvironment,
): string {
  if (stdout.isTTY !== true) return image;
  if (stdout.columns !== undefined && stdout.columns < width) {
    stderr.write(
      `The QR code needs ${width} columns: widen the window, or have it in a file (--output FILE).\n`,
    );
    return '';
  }
  return image.replaceAll(/^.+$/gm, (line) => `${BLACK_ON_WHITE}${line}${PLAIN}`);
}

async function give(
  content: AsyncIterable<string | Uint8Array>,
  file: OutputFile | undefined,
  { stdout }: CliEnvironment,
): Promise<void> {
  if (file !== undefined) return writeOutputFile(file, content);
  for await (const piece of content)
    await new Promise<void>((resolve) => stdout.write(piece, () => resolve()));
}
