// Whether a command's answer reached standard output, which may be a file on a full disk. A reader that has seen enough
// (`| head`) is no failure.

import { systemWords } from '@wallet-companion/client/contract';
import { CompanionError, type ErrorRecord } from '../protocol/errors.ts';
import { allWritten, isLive, isReaderGone } from '../terminal/lineWriter.ts';
import type { TerminalOutput } from '../terminal/streams.ts';

/** The returned function waits for the reader, unless the command goes on running, and resolves with the failure. */
export function watchAnswer(stdout: TerminalOutput): (exitCode: number) => Promise<ErrorRecord | undefined> {
  let failure: Error | undefined;
  const keep = (error: Error): void => {
    if (!isReaderGone(error)) failure ??= error;
  };
  stdout.on('error', keep);
  return async (exitCode) => {
    if (!isLive(stdout)) await allWritten(stdout);
    stdout.off('error', keep);
    if (failure === undefined || isLive(stdout)) return undefined;
    const what = exitCode === 0 ? 'The command did its work, but its answer' : 'The answer';
    const detail = `${what} could not be written to standard output${systemWords(failure)}`;
    return new CompanionError('STORAGE_FAILED', detail).toRecord();
  };
}
