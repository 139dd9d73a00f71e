// The two ends of a terminal, as far as they are used: what Node's own streams are, and a test's.

import type { Readable, Writable } from 'node:stream';

export interface TerminalInput extends Readable {
  readonly isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
}

export interface TerminalOutput extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

/** Questions go to `stderr`, so that standard output has only the command's answer. */
export interface Terminal {
  readonly stdin: TerminalInput;
  readonly stderr: TerminalOutput;
}
