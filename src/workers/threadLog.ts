// Logs from any thread go to stderr as JSON lines through one shape. Only named fields are logged, never an input:
// redaction by path leaks as soon as a field is renamed.

import { pino } from 'pino';
import { faultFields } from '../protocol/faultFields.ts';

export type Log = pino.Logger;

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export function createLog(thread: string): Log {
  const wanted = process.env['WALLET_COMPANION_LOG'] ?? 'info';
  const level = LEVELS.includes(wanted) ? wanted : 'info';
  return pino({ name: 'wallet-companion', level, base: { thread } }, pino.destination({ fd: 2, sync: true }));
}

export function faultLogger(log: Log): (where: string, fault: unknown) => void {
  return (where, fault) => log.warn({ where, ...faultFields(fault) }, 'fault');
}
