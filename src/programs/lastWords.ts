// The last error output of a program, for the log: a few short lines, without anything that could be a key, an address,
// a hash or a terminal control character.

const MAX_BYTES = 4096;
const MAX_LINES = 5;
const MAX_LINE_LENGTH = 200;
/** Words longer than those of natural language. */
const LONG_WORD = /[^\s]{33,}/g;

export class LastWords {
  #held: Buffer = Buffer.alloc(0);

  /** Keeps the end of the output. */
  hear(chunk: Buffer): void {
    const all = Buffer.concat([this.#held, chunk.subarray(-MAX_BYTES)]);
    this.#held = Buffer.from(all.subarray(-MAX_BYTES));
  }

  get lines(): readonly string[] {
    return this.#held
      .toString('latin1')
      .split(/[\r\n]+/)
      .map((line) =>
        line
          .replaceAll(/[^ -~]/g, ' ')
          .replaceAll(LONG_WORD, '...')
          .trim(),
      )
      .filter((line) => line !== '')
      .slice(-MAX_LINES)
      .map((line) => line.slice(0, MAX_LINE_LENGTH));
  }
}
