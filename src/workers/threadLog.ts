// Logs from any thread go to stderr as JSON lines of one form (as text on a terminal); the main thread alone writes there. Only named fields are logged, never an input: redaction
// by path leaks as soon as a field is renamed.

import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import { faultFields } from '@wallet-companion/client/contract';
import { pino } from 'pino';
import type { LogLevel } from '../actors/wallet/ports/configFile.ts';
import { CompanionError } from '../protocol/errors.ts';
import { LOG_LEVELS } from '../protocol/fields.ts';
import { LogFile } from '../storage/files/logFile.ts';
import { LineWriter } from '../terminal/lineWriter.ts';
import { logText } from '../terminal/logText.ts';

export type Log = pino.Logger;

/** Passed in the environment like the level: threads inherit it, restarted ones as well. Users do not set it. */
const LOG_FOLDER = 'WALLET_COMPANION_LOG_FOLDER';

/** How stderr is written: for a program a line of JSON, on a terminal one for people. The file is always JSON. */
export type LogForm = 'json' | 'text';

/** For every log made from now on, in this thread and in those that it starts. No folder: stderr alone. */
export function logInto(folder: string | undefined, form: LogForm = 'json'): void {
  formOfProcess = form;
  if (folder === undefined) delete process.env[LOG_FOLDER];
  else process.env[LOG_FOLDER] = folder;
}

/** `level`: from config.json; else the environment decides. */
export function createLog(thread: string, level?: string): Log {
  const stderr = isMainThread ? linesOfProcess() : OTHER_THREAD;
  const file = process.env[LOG_FOLDER];
  const destination = file === undefined ? stderr : both(stderr, new LogFile(file));
  return pino(
    { name: 'wallet-companion', level: level ?? environmentLevel(), base: { thread } },
    destination,
  );
}

/** Used where config.json names none. */
export function environmentLevel(): LogLevel {
  const wanted = process.env['WALLET_COMPANION_LOG'];
  return LOG_LEVELS.find((level) => level === wanted) ?? 'info';
}

/** From the other threads to the main one, whoever started them. */
const CHANNEL = 'wallet-companion.log';

/** Opened for each line: an open channel would also receive those of all other threads. */
const OTHER_THREAD: pino.DestinationStream = {
  write: (line) => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage(line);
    channel.close();
  },
};

let formOfProcess: LogForm = 'json';
let ofProcess: pino.DestinationStream | undefined;

function linesOfProcess(): pino.DestinationStream {
  if (ofProcess !== undefined) return ofProcess;
  const shown = (line: string): string => (formOfProcess === 'json' ? line : `${logText(line.trimEnd())}\n`);
  const lines = new LineWriter(process.stderr, (count) => shown(noteOf(count)));
  const stream = { write: (line: string) => lines.write(shown(line)) };
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (message: unknown) => stream.write((message as { readonly data: string }).data);
  channel.unref();
  ofProcess = stream;
  return stream;
}

const noteOf = (lines: number): string =>
  `${JSON.stringify({ level: pino.levels.values['warn'], time: Date.now(), name: 'wallet-companion', thread: 'main', lines, msg: `${lines} lines left out: nobody read them, or they could not be written` })}\n`;

const both = (stderr: pino.DestinationStream, file: LogFile): pino.DestinationStream => ({
  write: (line) => {
    file.write(line);
    stderr.write(line);
  },
});

/** A failure with a code has an outside cause (a node that is down), any other is a fault of this program. */
export function faultLogger(log: Log): (where: string, fault: unknown) => void {
  return (where, fault) =>
    log[fault instanceof CompanionError ? 'warn' : 'error']({ where, ...faultFields(fault) }, 'fault');
}
