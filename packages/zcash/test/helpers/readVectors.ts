// Published vectors: the figures in test/fixtures/vectors, or where a shared folder beside the checkout (or named by
// WALLET_COMPANION_SHARED) has the file, that one, which may hold more cases.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fixturePath } from './fixtures.ts';

const shared = path.resolve(process.env['WALLET_COMPANION_SHARED'] ?? '../shared');

/** JSON integers that a double cannot hold become decimal strings. */
const LARGE_INTEGER = /([:[,]\s*)(\d{16,})(?=\s*[,}\]])/g;

export function readVectors<T>(name: string): T {
  const places = [path.join(shared, 'vectors', `${name}.json`), fixturePath('vectors', `${name}.json`)];
  const file = places.find((place) => existsSync(place));
  if (file === undefined) throw new Error(`no vectors are named ${name}`);
  return JSON.parse(readFileSync(file, 'utf8').replace(LARGE_INTEGER, '$1"$2"')) as T;
}
