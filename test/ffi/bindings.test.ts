// What the C surface says is what the tables say.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { callConstant, codeConstant } from '../../scripts/generate/bindings.ts';
import { CODE_NUMBERS } from '../../scripts/generate/codeNumbers.ts';
import { fieldShapes } from '../../scripts/generate/fieldShapes.ts';
import { ERRORS, type ErrorCode } from '../../src/protocol/errors.ts';
import { isOperationName, operationNames, operations } from '../../src/protocol/operations.ts';

const read = (file: string): string => readFileSync(`src/ffi/${file}`, 'utf8');

test('codes are numbered without gaps, and each has one name', (t) => {
  const numbers = Object.values(CODE_NUMBERS).sort((one, other) => one - other);
  t.deepEqual(
    numbers,
    numbers.map((_, place) => place + 1),
  );
  t.is(numbers.length, Object.keys(ERRORS).length);
});

test('the header names every operation once, with a line about it, and every code', (t) => {
  const header = read('generated/companion_tables.h');
  for (const name of operationNames) {
    const { ipc, summary } = operations[name];
    const lines = header.split('\n');
    const at = lines.indexOf(`#define ${callConstant(name)} "${ipc}"`);
    t.true(at > 0 && lines[at - 1]?.startsWith(`/* ${summary}. {`), name);
  }
  for (const code of Object.keys(ERRORS) as ErrorCode[])
    t.true(header.includes(`  ${codeConstant(code)} = ${CODE_NUMBERS[code]},`), code);
  const constants = [
    ...operationNames.map(callConstant),
    ...(Object.keys(ERRORS) as ErrorCode[]).map(codeConstant),
  ];
  t.is(new Set(constants).size, constants.length);
});

test('the parameters of the typed functions are members of their operations', (t) => {
  const functions = [
    ...read('companion.h').matchAll(/companion_(lwd_\w+)\(companion \*handle,([^;]*), char \*\*answer\);/g),
  ];
  t.deepEqual(
    functions.map(([, command]) => command),
    ['lwd_info', 'lwd_chain_tip', 'lwd_sync_compact'],
  );
  for (const [, command = '', parameters = ''] of functions) {
    const name = command.replace('_', '.');
    if (!isOperationName(name)) throw new Error(`${command} is of no operation`);
    const members = fieldShapes(name).map((field) => field.name);
    for (const [, parameter = ''] of parameters.matchAll(/(\w+)(?:,|$)/g))
      t.true(members.includes(parameter), `${command} has ${parameter}`);
  }
});
