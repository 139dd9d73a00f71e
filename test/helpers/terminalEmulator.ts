// A terminal as far as our output goes: it wraps, a carriage return goes back to the start of the row it is in, and
// what is written covers what was there. What has scrolled past stays readable in `rows`.

export class TerminalEmulator {
  readonly columns: number;
  readonly #rows: string[][] = [[]];
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
    for (const character of text.replaceAll(colours, '')) this.#put(character);
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
const colours = /\x1b\[[\d;]*m/g;
const marks = /[\u0300-\u036f]/u;
