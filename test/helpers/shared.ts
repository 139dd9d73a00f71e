// Published vectors are not part of this tree: tests read them from the folder beside the checkout, and count as
// skipped where it is missing.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(process.env['WALLET_COMPANION_SHARED'] ?? '../shared');

export const sharedPath = (...parts: string[]): string => path.join(root, ...parts);

/** The parsed vector file, or undefined when the shared folder is not there. */
export function readVectors<T>(name: string): T | undefined {
  const file = sharedPath('vectors', `${name}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}
