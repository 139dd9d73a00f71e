// Logs from any thread go to stderr as JSON lines through one shape. Only named fields are logged, never an input:
// redaction by path leaks as soon as a field is renamed.

import { pino } from 'pino';

export type Log = pino.Logger;

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export function createLog(thread: string): Log {
  const wanted = process.env['WALLET_COMPANION_LOG'] ?? 'info';
  const level = LEVELS.includes(wanted) ? wanted : 'info';
  return pino({ name: 'wallet-companion', level, base: { thread } }, pino.destination({ fd: 2, sync: true }));
}

/** Where something failed, with the code or class of the failure and its stack, but never its message: that may quote input. */
export function faultLogger(log: Log): (where: string, fault: unknown) => void {
  return (where, fault) => {
    const code = (fault as { code?: unknown } | null)?.code;
    const kind = fault instanceof Error ? fault.name : typeof fault;
    const stack =
      fault instanceof Error
        ? fault.stack?.split('\n').filter((line) => line.startsWith('    at '))
        : undefined;
    log.warn(
      {
        where,
        kind,
        ...(typeof code === 'string' ? { code } : {}),
        ...(stack === undefined ? {} : { stack }),
      },
      'fault',
    );
  };
}
