// Published vectors are not part of this tree: tests read them from the folder beside the checkout, and count as
// skipped where it is missing.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(process.env['WALLET_COMPANION_SHARED'] ?? '../shared');

export const sharedPath = (...parts: string[]): string => path.join(root, ...parts);

/** Sixteen digits and more: too large for a JSON number to be exact. */
const LARGE_INTEGER = /(?<=: )(\d{16,})(?=[,}\s])/g;

/** The parsed vector file (large integers as strings of digits), or undefined when the shared folder is not there. */
export function readVectors<T>(name: string): T | undefined {
  const file = sharedPath('vectors', `${name}.json`);
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, 'utf8').replace(LARGE_INTEGER, '"$1"')) as T;
}
