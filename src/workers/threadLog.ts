// Logs from any thread go to stderr as JSON lines through one shape. Only named fields are logged, never an input:
// redaction by path leaks as soon as a field is renamed.

import { pino } from 'pino';
import type { LogLevel } from '../actors/wallet/ports/storage.ts';
import { faultFields } from '../protocol/faultFields.ts';
import { LOG_LEVELS } from '../protocol/fields.ts';

export type Log = pino.Logger;

/** `level`: what config.json says; else the environment decides. */
export function createLog(thread: string, level?: string): Log {
  const options = { name: 'wallet-companion', level: level ?? environmentLevel(), base: { thread } };
  return pino(options, pino.destination({ fd: 2, sync: true }));
}

/** Where config.json names none. */
export function environmentLevel(): LogLevel {
  const wanted = process.env['WALLET_COMPANION_LOG'];
  return LOG_LEVELS.find((level) => level === wanted) ?? 'info';
}

export function faultLogger(log: Log): (where: string, fault: unknown) => void {
  return (where, fault) => log.warn({ where, ...faultFields(fault) }, 'fault');
}
