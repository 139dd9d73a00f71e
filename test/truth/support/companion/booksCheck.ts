// The exported history against the balance: whatever happened to the wallet, its rows add up to what it shows.

import type { Output } from '../../../../src/protocol/operations.ts';
import { readCsv } from '../../../helpers/csvReader.ts';
import type { WalletHarness } from '../../../helpers/walletHarness.ts';

type Call = Pick<WalletHarness, 'call'>;
type Row = NonNullable<Output<'transactions.export'>['rows']>[number];
type ListedNote = Output<'notes.list'>['notes'][number];

/** Small, so that most histories have several. */
const PAGE = 3;

/** Throws with what is wrong. */
export async function checkBooks(
  { call }: Call,
  notes: readonly ListedNote[],
  accounts: Iterable<number>,
): Promise<void> {
  for (const account of [undefined, ...accounts]) {
    const of = account === undefined ? {} : { account };
    const rows = await exported({ call }, of);
    const { total_zatoshi: total } = await call('balance.get', of);
    let balance = 0;
    for (const row of rows) {
      balance += row.received_zatoshi - row.sent_zatoshi!;
      if (row.balance_zatoshi !== balance) throw new Error(`a running balance of ${row.balance_zatoshi}`);
      if (account !== undefined && row.account !== account) throw new Error('a row of another account');
    }
    if (balance !== total) throw new Error(`the books end with ${balance}, the balance is ${total}`);
    const heights = rows.map(({ height }) => height);
    if (heights.some((height, i) => height < (heights[i - 1] ?? 0))) throw new Error('not oldest first');
    await checkCsv({ call }, of, rows);
    for (const height of new Set([0, ...heights.slice(-2), ...heights.slice(0, 1).map((first) => first - 1)]))
      await checkHeld({ call }, of, rows, notes, Math.max(0, height));
  }
}

async function exported({ call }: Call, of: { readonly account?: number }): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const more = cursor === undefined ? {} : { cursor };
    const page = await call('transactions.export', { ...of, ...more, format: 'json', limit: PAGE });
    rows.push(...(page.rows ?? []));
    if (page.balance_zatoshi !== (rows.at(-1)?.balance_zatoshi ?? 0))
      throw new Error('another balance beside the rows');
    cursor = page.next_cursor;
  }
  return rows;
}

async function checkCsv({ call }: Call, of: object, rows: readonly Row[]): Promise<void> {
  const { text = '' } = await call('transactions.export', { ...of, format: 'csv', limit: 1_000 });
  const [header = [], ...lines] = readCsv(text);
  const zatoshi = (zec: string): number => Number(zec.replace('.', ''));
  const columns = ['height', 'txid', 'received_zec', 'sent_zec', 'balance_zec'].map((name) =>
    header.indexOf(name),
  );
  const ours = lines.map((line) => columns.map((column) => line[column]!));
  const theirs = rows.map((row) => [
    row.height,
    row.txid,
    row.received_zatoshi,
    row.sent_zatoshi,
    row.balance_zatoshi,
  ]);
  const read = ours.map(([height, txid, ...zec]) => [Number(height), txid, ...zec.map(zatoshi)]);
  if (JSON.stringify(read) !== JSON.stringify(theirs)) throw new Error('csv says otherwise than json');
}

async function checkHeld(
  { call }: Call,
  of: { readonly account?: number },
  rows: readonly Row[],
  notes: readonly ListedNote[],
  height: number,
): Promise<void> {
  const at = await call('balance.at', { ...of, height });
  const listed = notes
    .filter(({ account }) => of.account === undefined || account === of.account)
    .filter((note) => note.height <= height && !(note.spent !== null && note.spent.height <= height))
    .reduce((sum, note) => sum + note.value_zatoshi, 0);
  const last = rows.filter((row) => row.height <= height).at(-1)?.balance_zatoshi ?? 0;
  if (at.total_zatoshi !== listed || at.total_zatoshi !== last)
    throw new Error(`${at.total_zatoshi} at ${height}, but notes of ${listed} and books of ${last}`);
  const isHole = at.missing_ranges.length > 0;
  if (at.complete === isHole && at.as_of_height !== null)
    throw new Error('complete with holes, or the other way');
  if (at.missing_ranges.some(({ end_height: end }) => end > height))
    throw new Error('missing above what was asked');
}
