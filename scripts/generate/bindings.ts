// The part of libcompanion that is generated from the tables: error codes, the names for companion_call, and the maximum
// length of each request. `npm run generate` writes it.

import { DEFAULT_INPUT_BYTES } from '@wallet-companion/client/contract';
import { ERRORS, type ErrorCode } from '../../src/protocol/errors.ts';
import { inputLimit } from '../../src/protocol/inputLimits.ts';
import { type OperationName, operationNames, operations } from '../../src/protocol/operations.ts';
import { CODE_NUMBERS } from './codeNumbers.ts';
import { fieldShapes } from './fieldShapes.ts';

const NOTICE = '/* Made from the operation table by `npm run generate`; do not edit. */';

/** The constant of a code. A code that begins with the library's prefix keeps its name. */
export const codeConstant = (code: ErrorCode): string =>
  code.startsWith('COMPANION_') ? code : `COMPANION_${code}`;

/** The constant of an operation's command name. Codes have no `CALL` in their names, so no constant is defined twice. */
export const callConstant = (name: OperationName): string =>
  `COMPANION_CALL_${operations[name].ipc.toUpperCase()}`;

/** The generated files: text by path from the root of the repository. */
export function bindingFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['src/ffi/generated/companion_tables.h', header()],
    ['src/ffi/generated/companion_tables.c', source()],
  ]);
}

const codesInOrder = (Object.keys(CODE_NUMBERS) as ErrorCode[]).sort(
  (one, other) => CODE_NUMBERS[one] - CODE_NUMBERS[other],
);

function header(): string {
  const codes = codesInOrder.map(
    (code) => `  /* ${ERRORS[code].title}. */\n  ${codeConstant(code)} = ${CODE_NUMBERS[code]},`,
  );
  return `${NOTICE}
#ifndef COMPANION_TABLES_H
#define COMPANION_TABLES_H

/* The one table of failures (docs/api.md). Numbers never change; later versions append. */
typedef enum companion_code {
  COMPANION_OK = 0,
${codes.join('\n')}
  /* One past the last code of this version. */
  COMPANION_CODE_END
} companion_code;

/*
 * The operations, for companion_call: what each does, and the members of its arguments with "?" after those that may be
 * left out. docs/api.md has their meaning, examples, and the codes that each fails with.
 */
${operationNames.map(command).join('\n')}

#endif
`;
}

function command(name: OperationName): string {
  const { summary, ipc } = operations[name];
  const members = fieldShapes(name).map(({ name: member, required }) => (required ? member : `${member}?`));
  const comment = `${summary}. {${members.join(', ')}}`.replaceAll('*/', '* /');
  return `/* ${comment} */\n#define ${callConstant(name)} "${ipc}"`;
}

function source(): string {
  const rows = codesInOrder.map((code) => {
    const { title, status, exit, retryable } = ERRORS[code];
    return `    [${codeConstant(code)}] = {"${code}", "${title}", ${status}, ${exit}, ${Number(retryable)}},`;
  });
  const longer = operationNames
    .filter((name) => inputLimit(name) !== DEFAULT_INPUT_BYTES)
    .map((name) => `  if (strcmp(command, ${callConstant(name)}) == 0) return ${inputLimit(name)};\n`);
  return `${NOTICE}
#include <string.h>

#include "../calls.h"

static const companion_code_description descriptions[COMPANION_CODE_END] = {
    [COMPANION_OK] = {"OK", "The call succeeded", 200, 0, 0},
${rows.join('\n')}
};

const companion_code_description *companion_describe(companion_code code) {
  const int number = (int)code;
  return &descriptions[number < 0 || number >= COMPANION_CODE_END ? COMPANION_INTERNAL : number];
}

size_t request_limit(const char *command) {
${longer.join('')}  return ${DEFAULT_INPUT_BYTES};
}
`;
}
