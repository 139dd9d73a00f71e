// Rows of figures in columns, as narrow as they can be.

export type Row = Readonly<Record<string, string | number>>;

/** Text to the left, numbers (also those that are written out) to the right; a cell that a row has not is empty. */
export function tableOf(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => columns.map((column) => String(row[column] ?? '')));
  const isNumber = columns.map((_, i) => cells.every((row) => /^(?:[\d.]+|-|)$/.test(row[i]!)));
  const widths = columns.map((column, i) => Math.max(column.length, ...cells.map((row) => row[i]!.length)));
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, i) => (isNumber[i] === true ? text.padStart(widths[i]!) : text.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd();
  return [columns, ...cells].map(line).join('\n');
}
