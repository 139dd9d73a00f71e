// A test for each case of published vectors.
import test, { type ExecutionContext } from 'ava';
import { readVectors } from './readVectors.ts';

/** Registers a test per case, so that a failure names the file and the case. */
export function testEachCase<T>(
  file: string,
  title: string,
  check: (t: ExecutionContext, vector: T, index: number, cases: readonly T[]) => void,
): void {
  const { cases } = readVectors<{ cases: T[] }>(file);
  cases.forEach((vector, index) => {
    test(`${title}: ${file} case ${index}`, (t) => check(t, vector, index, cases));
  });
}
