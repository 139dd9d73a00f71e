// Prompts the user at the terminal without echoing the input. Questions go to stderr, so that stdout has only the
// command's output.

import { StringDecoder } from 'node:string_decoder';
import { CompanionError } from '@wallet-companion/client/contract';
import type { Terminal } from './streams.ts';

/** Ctrl-C, or the end of input in the middle of a question. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const KEY = {
  interrupt: '\u0003',
  endOfInput: '\u0004',
  backspace: '\b',
  clearLine: '\u0015',
  escape: '\u001b',
  delete: '\u007f',
} as const;

const ESCAPE_SEQUENCES = new RegExp(`${KEY.escape}(?:\\[[0-9;]*[A-Za-z~]|O[A-Za-z])`, 'g');

/** Line editing, which a terminal in raw mode leaves to the program: collects keys until Enter. */
export class LineEditor {
  #characters: string[] = [];

  /** The finished line with the text after it, `interrupted`, or undefined while more keys are needed. */
  feed(text: string): { readonly line: string; readonly rest: string } | 'interrupted' | undefined {
    // Arrow keys and the like arrive as one escape sequence, which is never part of a secret.
    const keys = [...text.replaceAll(ESCAPE_SEQUENCES, '')];
    for (const [place, key] of keys.entries()) {
      if (key === '\r' || key === '\n') {
        const line = this.#characters.join('');
        this.#characters = [];
        return { line, rest: keys.slice(place + 1).join('') };
      }
      if (key === KEY.interrupt) return 'interrupted';
      if (key === KEY.endOfInput && this.#characters.length === 0) return 'interrupted';
      this.#press(key);
    }
    return undefined;
  }

  #press(key: string): void {
    if (key === KEY.backspace || key === KEY.delete) this.#characters.pop();
    else if (key === KEY.clearLine) this.#characters = [];
    else if (key >= ' ') this.#characters.push(key);
  }
}

export class Prompt {
  readonly #terminal: Terminal;
  readonly #decoder = new StringDecoder('utf8');
  /** Input that was typed or pasted before the next question. */
  #pending = '';

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  get available(): boolean {
    return this.#terminal.stdin.isTTY === true;
  }

  /** Asks and resolves with the line. `orElse` tells the user what to do when there is no terminal. */
  async hidden(question: string, orElse: string): Promise<string> {
    if (!this.available) {
      throw new CompanionError('INVALID_REQUEST', `There is no terminal to ask on. ${orElse}`);
    }
    const { stdin, stderr } = this.#terminal;
    // Before the question: otherwise a fast user would see the secret on the screen.
    stdin.setRawMode?.(true);
    stderr.write(question);
    try {
      return await this.#line();
    } finally {
      stdin.setRawMode?.(false);
      stdin.pause();
      stderr.write('\n');
    }
  }

  #line(): Promise<string> {
    const { stdin } = this.#terminal;
    const editor = new LineEditor();
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        stdin.off('data', onData);
        stdin.off('end', onEnd);
        settle();
      };
      const onEnd = (): void => finish(() => reject(new Interrupted()));
      const take = (text: string): void => {
        const result = editor.feed(text);
        if (result === undefined) return;
        if (result === 'interrupted') {
          finish(() => reject(new Interrupted()));
          return;
        }
        this.#pending = result.rest;
        finish(() => resolve(result.line));
      };
      const onData = (chunk: Buffer | string): void => {
        take(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk));
      };
      stdin.on('data', onData);
      stdin.on('end', onEnd);
      stdin.resume();
      const ahead = this.#pending;
      this.#pending = '';
      if (ahead !== '') take(ahead);
    });
  }
}
