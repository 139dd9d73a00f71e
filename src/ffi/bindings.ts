// The part of libcompanion that is made from the tables: error codes, and one typed function for each operation.
// `node scripts/bindings.mjs` writes it; a test compares.

import { ERRORS, type ErrorCode } from '../protocol/errors.ts';
import { fieldShapes } from '../protocol/fieldShapes.ts';
import type { FieldShape, JsonType } from '../protocol/generated/commands.ts';
import { DEFAULT_INPUT_BYTES, inputLimit } from '../protocol/inputLimits.ts';
import { COMMON_ERRORS } from '../protocol/operation.ts';
import { type OperationName, operationNames, operations } from '../protocol/operations.ts';
import { CODE_NUMBERS } from './codeNumbers.ts';

const NOTICE = '/* Made from the operation table by `node scripts/bindings.mjs`; do not edit. */';
const LINE_WIDTH = 120;

/** What an input member is in C. JSON schema calls small sets of integers numbers; no operation takes fractions. */
export type CType = 'text' | 'integer' | 'flag' | 'names' | 'json';

const C_TYPES: Readonly<Record<Exclude<JsonType, 'array'>, CType>> = {
  string: 'text',
  integer: 'integer',
  number: 'integer',
  boolean: 'flag',
};

const DECLARATIONS: Readonly<Record<CType, string>> = {
  text: 'const char *',
  integer: 'int64_t ',
  flag: 'int32_t ',
  names: 'const char *',
  json: 'const char *',
};

export interface CParameter {
  readonly name: string;
  readonly type: CType;
  readonly required: boolean;
  readonly description: string;
}

export interface CFunction {
  readonly symbol: string;
  readonly parameters: readonly CParameter[];
}

/** The C function of an operation; between handle and answer it takes these parameters. */
export function cFunction(name: OperationName): CFunction {
  return { symbol: `companion_${operations[name].ipc}`, parameters: fieldShapes(name).map(cParameter) };
}

const cParameter = ({ name, type, required, description, choices, members }: FieldShape): CParameter => ({
  name,
  type: type === 'array' ? (members === undefined ? 'names' : 'json') : C_TYPES[type],
  required,
  description: [
    description,
    ...(choices === undefined
      ? []
      : [`(${choices.join(', ')}${type === 'array' ? '; commas between several' : ''})`]),
    ...(members === undefined
      ? []
      : [`(JSON text: a list of objects with ${members.map((one) => one.name).join(', ')})`]),
  ].join(' '),
});

/** The constant of a code. The one that has our prefix already keeps its name. */
export const codeConstant = (code: ErrorCode): string =>
  code.startsWith('COMPANION_') ? code : `COMPANION_${code}`;

/** Paths from the repository's root, and texts. */
export function bindingFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['src/ffi/generated/companion_codes.h', codesHeader()],
    ['src/ffi/generated/companion_codes.c', codesSource()],
    ['src/ffi/generated/companion_operations.h', operationsHeader()],
    ['src/ffi/generated/companion_operations.c', operationsSource()],
  ]);
}

const codesInOrder = (Object.keys(CODE_NUMBERS) as ErrorCode[]).sort(
  (one, other) => CODE_NUMBERS[one] - CODE_NUMBERS[other],
);

function codesHeader(): string {
  const constants = codesInOrder.map(
    (code) => `  /* ${ERRORS[code].title}. */\n  ${codeConstant(code)} = ${CODE_NUMBERS[code]},`,
  );
  return `${NOTICE}
#ifndef COMPANION_CODES_H
#define COMPANION_CODES_H

/* The one table of failures (docs/api.md). Numbers never change; later versions append. */
typedef enum companion_code {
  COMPANION_OK = 0,
${constants.join('\n')}
  /* One past the last code of this version. */
  COMPANION_CODE_END
} companion_code;

#endif
`;
}

function codesSource(): string {
  const rows = codesInOrder.map((code) => {
    const { title, status, exit, retryable } = ERRORS[code];
    return `    [${codeConstant(code)}] = {"${code}", "${title}", ${status}, ${exit}, ${Number(retryable)}},`;
  });
  return `${NOTICE}
#include "../companion.h"

static const companion_code_description descriptions[COMPANION_CODE_END] = {
    [COMPANION_OK] = {"OK", "The call succeeded", 200, 0, 0},
${rows.join('\n')}
};

const companion_code_description *companion_describe(companion_code code) {
  const int number = (int)code;
  return &descriptions[number < 0 || number >= COMPANION_CODE_END ? COMPANION_INTERNAL : number];
}
`;
}

function operationsHeader(): string {
  return `${NOTICE}
#ifndef COMPANION_OPERATIONS_H
#define COMPANION_OPERATIONS_H

#include "../companion.h"

#ifdef __cplusplus
extern "C" {
#endif

${operationNames.map((name) => `${documentation(name)}\nCOMPANION_API ${signature(name)};`).join('\n\n')}

#ifdef __cplusplus
}
#endif

#endif
`;
}

function documentation(name: OperationName): string {
  const { summary, http, errors } = operations[name];
  const parameters = cFunction(name).parameters.flatMap(({ name: parameter, required, description }) =>
    wrapped(`${parameter}: ${description || 'see docs/api.md'}.${required ? '' : ' May be left out.'}`),
  );
  const codes = [...new Set([...errors, ...COMMON_ERRORS])].join(', ');
  const lines = [...wrapped(`${summary} (${http.method} ${http.path}).`), ...parameters];
  return ['/*', ...[...lines, ...wrapped(`Fails with ${codes}.`)].map((line) => ` * ${line}`), ' */'].join(
    '\n',
  );
}

/** Broken at spaces; further lines are set in. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /').split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 4 <= LINE_WIDTH)
      lines.push(`${lines.pop()} ${word}`);
    else lines.push(last === undefined ? word : `  ${word}`);
  }
  return lines;
}

function signature(name: OperationName): string {
  const { symbol, parameters } = cFunction(name);
  const start = `companion_code ${symbol}(`;
  const all = [
    'companion *handle',
    ...parameters.map((parameter) => DECLARATIONS[parameter.type] + parameter.name),
    'char **answer',
  ];
  const whole = `${start}${all.join(', ')})`;
  return whole.length + 'COMPANION_API ;'.length <= LINE_WIDTH
    ? whole
    : `${start}\n    ${all.join(',\n    ')})`;
}

function operationsSource(): string {
  return `${NOTICE}
#include "../invocation.h"

#include <string.h>

${limitFunction()}
${operationNames.map(definition).join('\n')}`;
}

function limitFunction(): string {
  const longer = operationNames
    .filter((name) => inputLimit(name) !== DEFAULT_INPUT_BYTES)
    .map((name) => `  if (strcmp(command, "${operations[name].ipc}") == 0) return ${inputLimit(name)};\n`);
  return `size_t invocation_limit(const char *command) {
${longer.join('')}  return ${DEFAULT_INPUT_BYTES};
}
`;
}

function definition(name: OperationName): string {
  const members = cFunction(name).parameters.map(
    ({ name: parameter, type }) => `  invocation_${type}(&call, "${parameter}", ${parameter});\n`,
  );
  return `${signature(name)} {
  invocation call = {{0}};
${members.join('')}  return invocation_run(&call, handle, "${operations[name].ipc}", answer);
}
`;
}
