// How the help of a command line, and the reference, name an argument.

import type { FieldShape } from './generated/commands.ts';

/** A yes or no that is an argument. */
export const ON_OFF = 'on|off';

/** What stands in the place of the argument that gives this field. */
export const argumentName = (fields: readonly FieldShape[], field: string): string =>
  fields.some(({ name, type }) => name === field && type === 'boolean') ? ON_OFF : field;
