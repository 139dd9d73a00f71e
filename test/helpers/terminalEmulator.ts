// A terminal as far as our output goes: it wraps, a carriage return goes back to the start of the row it is in, and
// what is written covers what was there. What has scrolled past stays readable in `rows`.

export class TerminalEmulator {
  readonly columns: number;
  readonly #rows: string[][] = [[]];
  #first: { rows: string[][]; row: number; column: number } | undefined;
  #row = 0;
  #column = 0;
  /** The fullest that any row has been. */
  widest = 0;

  constructor(columns: number) {
    this.columns = columns;
  }

  get rows(): string[] {
    return this.#rows.map((cells) =>
      Array.from(cells, (cell = ' ') => cell)
        .join('')
        .trimEnd(),
    );
  }

  /** In which column that text begins, for each row that has it; characters of one cell alone. */
  columnsOf(text: string): number[] {
    const oneEach = (cells: readonly string[]): string =>
      Array.from(cells, (cell = ' ') => cell[0] ?? ' ').join('');
    return this.#rows.map((cells) => oneEach(cells).indexOf(text)).filter((column) => column >= 0);
  }

  /** Colours are not seen. */
  write(text: string): void {
    let at = 0;
    for (const found of text.matchAll(controls)) {
      for (const character of text.slice(at, found.index)) this.#put(character);
      this.#control(found[2] ?? '', found[1] ?? '');
      at = found.index + found[0].length;
    }
    for (const character of text.slice(at)) this.#put(character);
  }

  /** What a program that draws its questions again sends: the cursor is moved, and what stands there is erased. */
  #control(kind: string, given: string): void {
    const count = Number(given || 1);
    if (kind === 'A') this.#row = Math.max(0, this.#row - count);
    else if (kind === 'B') for (let i = 0; i < count; i++) this.#rows[++this.#row] ??= [];
    else if (kind === 'C') this.#column += count;
    else if (kind === 'D') this.#column = Math.max(0, this.#column - count);
    else if (kind === 'G') this.#column = count - 1;
    else if (kind === 'J' || kind === 'K') this.#erase(kind, given);
    else if (given === '?1049') this.#otherScreen(kind === 'h');
    else if (kind === 'H') [this.#row, this.#column] = [0, 0];
    else if (!['m', 'h', 'l'].includes(kind)) throw new Error(`the terminal does not know ${given}${kind}`);
  }

  #erase(kind: string, given: string): void {
    if (given === '2') this.#rows[this.#row] = [];
    else if (given === '' || given === '0')
      this.#cells().length = Math.min(this.#cells().length, this.#column);
    else throw new Error(`the terminal does not erase ${given}${kind}`);
    if (kind === 'J') this.#rows.length = this.#row + 1;
  }

  /** A program shows there what is gone when it leaves. */
  #otherScreen(enters: boolean): void {
    const next = enters
      ? { rows: [[]], row: 0, column: 0 }
      : (this.#first ?? { rows: [[]], row: 0, column: 0 });
    this.#first = enters ? { rows: [...this.#rows], row: this.#row, column: this.#column } : undefined;
    this.#rows.splice(0, this.#rows.length, ...next.rows);
    this.#row = next.row;
    this.#column = next.column;
  }

  #put(character: string): void {
    if (character === '\r') this.#column = 0;
    // As the terminal driver does it: a line feed begins at the left.
    else if (character === '\n') this.#nextRow();
    else if (character >= ' ' && character !== '\u007f') this.#print(character);
    else throw new Error(`the terminal does not know ${JSON.stringify(character)}`);
  }

  #print(character: string): void {
    const width = wide.test(character) ? 2 : marks.test(character) ? 0 : 1;
    if (width === 0) {
      const before = this.#cells()[this.#column - 1];
      if (before !== undefined) this.#cells()[this.#column - 1] = before + character;
      return;
    }
    if (this.#column + width > this.columns) this.#nextRow();
    this.#cells()[this.#column] = character;
    if (width === 2) this.#cells()[this.#column + 1] = '';
    this.#column += width;
    this.widest = Math.max(this.widest, this.#column);
  }

  #nextRow(): void {
    this.#row += 1;
    this.#column = 0;
    this.#rows[this.#row] ??= [];
  }

  #cells(): string[] {
    return this.#rows[this.#row] ?? [];
  }
}

// Written apart from the sources, which would otherwise be measured with their own ruler.
const wide = /[\u1100-\u115f\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff60\u{1f300}-\u{1faff}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how they begin
const controls = /\x1b\[([?\d;]*)([A-Za-z])/g;

export const withoutControls = (text: string): string => text.replaceAll(controls, '');
const marks = /[\u0300-\u036f]/u;
