// What the C surface says is what the tables say.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { bindingFiles, cFunction, codeConstant } from '../../src/ffi/bindings.ts';
import { CODE_NUMBERS } from '../../src/ffi/codeNumbers.ts';
import { ERRORS, type ErrorCode } from '../../src/protocol/errors.ts';
import { operationNames } from '../../src/protocol/operations.ts';

for (const [file, text] of bindingFiles()) {
  test(`${file} is up to date (node scripts/bindings.mjs)`, (t) => {
    t.is(readFileSync(file, 'utf8'), text);
  });
}

test('codes are numbered without gaps, and each has one name', (t) => {
  const numbers = Object.values(CODE_NUMBERS).sort((one, other) => one - other);
  t.deepEqual(
    numbers,
    numbers.map((_, place) => place + 1),
  );
  t.is(numbers.length, Object.keys(ERRORS).length);
  const constants = (Object.keys(ERRORS) as ErrorCode[]).map(codeConstant);
  t.is(new Set(constants).size, constants.length);
});

test('no operation has the symbol of a function of the library itself', (t) => {
  const header = readFileSync('src/ffi/companion.h', 'utf8');
  for (const name of operationNames) {
    t.false(new RegExp(`\\b${cFunction(name).symbol}\\(companion \\*handle,[^;]*;`).test(header), name);
  }
});
