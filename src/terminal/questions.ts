// Questions to a person at a terminal, on stderr like all questions: standard output has the command's answer alone.

import { Writable } from 'node:stream';
import type { CommonOptions } from '@clack/prompts';
import { Interrupted } from './prompt.ts';
import type { Terminal, TerminalOutput } from './streams.ts';
import { widthOf } from './terminalText.ts';

/** What is wrong with an answer; undefined: nothing. */
export type Check = (answer: string) => string | undefined;

export interface Choice<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly hint?: string;
}

/** Each rejects with `Interrupted` on Ctrl-C. */
export interface Questions {
  choose<V extends string>(question: string, choices: readonly Choice<V>[]): Promise<V>;
  /** `orElse`: what Enter alone answers. */
  line(question: string, more?: { readonly orElse?: string; readonly check?: Check }): Promise<string>;
  /** The answer is not shown. */
  hidden(question: string, check?: Check): Promise<string>;
  /** `orElse`: what Enter alone answers; default: yes. */
  agrees(question: string, more?: { readonly orElse?: boolean }): Promise<boolean>;
}

type Asking = Required<Omit<CommonOptions, 'accessible'>>;

const NOTHING_TYPED = 'Type an answer.';
const END_OF_INPUT = '\u0004';

/** `stop`: ends the open question, and each later one at once. */
export async function terminalQuestions(
  { stdin, stderr }: Terminal,
  stop: AbortController,
): Promise<Questions> {
  const { confirm, isCancel, password, select, text } = await import('@clack/prompts');
  const output = withWidth(stderr);
  const answered = async <A>(ask: (terminal: Asking) => Promise<A>): Promise<Exclude<A, symbol>> => {
    // The library never leaves a signal that it was given, so each question gets one of its own.
    const question = new AbortController();
    const end = (): void => question.abort();
    // Nor does it take the end of input for an answer: it would wait for ever.
    const ended = (_: unknown, key?: { sequence?: string }): void => {
      if (key?.sequence === END_OF_INPUT) stop.abort();
    };
    if (stop.signal.aborted) end();
    stop.signal.addEventListener('abort', end);
    stdin.on('keypress', ended);
    try {
      const terminal = { input: stdin, output, signal: question.signal, withGuide: false };
      const answer = await ask(terminal);
      if (isCancel(answer)) throw new Interrupted();
      return answer as Exclude<A, symbol>;
    } finally {
      stdin.off('keypress', ended);
      stop.signal.removeEventListener('abort', end);
    }
  };
  return {
    choose: <V extends string>(message: string, choices: readonly Choice<V>[]) =>
      answered((terminal) => select<string>({ ...terminal, message, options: [...choices] })) as Promise<V>,
    line: (message, { orElse, check } = {}) =>
      answered((terminal) =>
        text({
          ...terminal,
          message,
          ...(orElse === undefined ? {} : { placeholder: orElse, defaultValue: orElse }),
          validate: (answer = '') =>
            answer.trim() !== '' ? check?.(answer.trim()) : orElse === undefined ? NOTHING_TYPED : undefined,
        }),
      ).then((answer) => answer.trim()),
    hidden: (message, check) =>
      answered((terminal) => password({ ...terminal, message, validate: (answer = '') => check?.(answer) })),
    agrees: (message, { orElse = true } = {}) =>
      answered((terminal) => confirm({ ...terminal, message, initialValue: orElse })),
  };
}

/** Where a terminal tells a width of 0, the library would make lines of one character. */
function withWidth(terminal: TerminalOutput): Writable {
  if (terminal.columns !== 0) return terminal;
  const same = new Writable({ write: (text, _encoding, done) => void terminal.write(text, done) });
  return Object.assign(same, { columns: widthOf(terminal) });
}
