// What the flags that no operation describes have in common: whole numbers, and how a bad one is told.

import { badField, type CompanionError, type ErrorCode } from '../protocol/errors.ts';
import { ANONYMOUS_ACCESS, type AnonymousAccess } from '../protocol/grants.ts';

export const badFlag = (flag: string, message: string, code?: ErrorCode): CompanionError =>
  badField(flag.replaceAll('-', '_'), message, `--${flag} ${message}.`, code);

/** Parses a flag that may be given several times. */
export const addFile = (path: string, before: readonly string[] = []): readonly string[] => [...before, path];

export function wholeNumber(
  flag: string,
  text: string | boolean | undefined,
  least: number,
  most: number,
): number {
  const value = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw badFlag(flag, `must be a number from ${least} to ${most}`);
}

/** What `--anonymous-access` says; undefined where it is left out. */
export function accessLevel(text: string | boolean | undefined): AnonymousAccess | undefined {
  const level = ANONYMOUS_ACCESS.find((known) => known === text);
  if (text === undefined || level !== undefined) return level;
  throw badFlag('anonymous-access', `must be one of ${ANONYMOUS_ACCESS.join(', ')}`);
}
