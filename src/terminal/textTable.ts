// Tables as wide as the terminal. Amounts, heights and other numbers are never cut, since a part of a number looks like
// another number: text is cut first, and where that is not enough each row becomes separate lines.

import { cut, displayWidth, pad } from './terminalText.ts';

export interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  /** Text whose beginning is useful alone. */
  readonly mayBeCut: boolean;
}

const GAP = '  ';
const NARROWEST_CUT = 9;

/** Undefined when it does not fit. */
export function tableLines(columns: readonly Column[], available: number): string[] | undefined {
  const widths = columns.map(({ title, cells }) => Math.max(...[title, ...cells].map(displayWidth)));
  const excess = (): number =>
    widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - available;
  while (excess() > 0) {
    const widest = widestThatGives(columns, widths);
    if (widest === undefined) return undefined;
    widths[widest]! -= 1;
  }
  const rows = columns[0]?.cells.length ?? 0;
  const line = (cellOf: (column: Column) => string): string =>
    columns.map((column, at) => pad(cut(cellOf(column), widths[at]!), widths[at]!)).join(GAP);
  return [
    line(({ title }) => title),
    ...Array.from({ length: rows }, (_, row) => line(({ cells }) => cells[row] ?? '')),
  ];
}

function widestThatGives(columns: readonly Column[], widths: readonly number[]): number | undefined {
  let widest: number | undefined;
  for (const [at, { title, mayBeCut }] of columns.entries()) {
    const width = widths[at]!;
    const gives = mayBeCut && width > Math.max(NARROWEST_CUT, displayWidth(title));
    if (gives && (widest === undefined || width > widths[widest]!)) widest = at;
  }
  return widest;
}

/** Words with their numbers, like a written recovery phrase: read from left to right, line by line. */
export function numberedGrid(
  words: readonly string[],
  available: number,
  most = Number.POSITIVE_INFINITY,
): string[] {
  const numberWidth = String(words.length).length;
  const cells = words.map((word, at) => `${String(at + 1).padStart(numberWidth)} ${word}`);
  const width = Math.max(...cells.map(displayWidth));
  const fitting = Math.min(most, Math.max(1, Math.floor((available + GAP.length) / (width + GAP.length))));
  // As many columns as leave no short last line, if that is possible: 4 of 24 rather than 5.
  const across =
    Array.from({ length: fitting }, (_, i) => fitting - i).find((n) => words.length % n === 0) ?? 1;
  const perLine = across * 2 <= fitting ? fitting : across;
  const lines: string[] = [];
  for (let at = 0; at < cells.length; at += perLine) {
    lines.push(
      cells
        .slice(at, at + perLine)
        .map((cell) => pad(cell, width))
        .join(GAP)
        .trimEnd(),
    );
  }
  return lines;
}
