// Published vector files as tests: one per case, so that a failure names the file and the case.

import { existsSync, readFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { sharedPath } from './shared.ts';

/** JSON integers that a double cannot hold become decimal strings. */
function parseExactly<T>(text: string): T {
  return JSON.parse(text.replace(/([:[,]\s*)(\d{16,})(?=\s*[,}\]])/g, '$1"$2"')) as T;
}

/** Registers a test per case, or one skipped test when the file is not there. */
export function testEachCase<T>(
  file: string,
  title: string,
  check: (t: ExecutionContext, vector: T, index: number, cases: readonly T[]) => void,
): void {
  const path = sharedPath('vectors', `${file}.json`);
  if (!existsSync(path)) {
    test.skip(`${title} (${file} is not here)`, () => undefined);
    return;
  }
  const { cases } = parseExactly<{ cases: T[] }>(readFileSync(path, 'utf8'));
  cases.forEach((vector, index) => {
    test(`${title}: ${file} case ${index}`, (t) => check(t, vector, index, cases));
  });
}
