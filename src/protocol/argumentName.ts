// How the command-line help and the reference name an argument. It stays apart from textInput.ts, because the generators, which use
// it, run before that file's table is made.

import type { FieldShape } from './generated/commands.ts';

/** The argument for a boolean. */
export const ON_OFF = 'on|off';

/** The placeholder of the argument that gives this field. */
export const argumentName = (fields: readonly FieldShape[], field: string): string =>
  fields.some(({ name, type }) => name === field && type === 'boolean') ? ON_OFF : field;
