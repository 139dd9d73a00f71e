// Query strings and command-line flags carry text only: this turns text into the JSON type that the operation's schema
// wants. Text that does not look like that type stays text, so that validation names the field.

import { COMMANDS, type FieldShape, type JsonType } from './generated/commands.ts';
import type { OperationName } from './operations.ts';

/** The members of an operation's input. */
export const inputFields = (name: OperationName): readonly FieldShape[] => COMMANDS[name].fields;

/** How the help of a command line names a yes or no that is an argument. */
export const ON_OFF = 'on|off';

/** What stands in the place of an argument in the help of a command line. */
export const argumentName = (fields: readonly FieldShape[], field: string): string =>
  fields.some(({ name, type }) => name === field && type === 'boolean') ? ON_OFF : field;

function fromText(type: JsonType | undefined, text: string): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'array') return text.split(',');
  return text;
}

/** Unvalidated input for `parseInput`. An empty value of a known field counts as absent, since text has no null. */
export function inputFromText(
  name: OperationName,
  entries: Iterable<readonly [string, string]>,
): Record<string, unknown> {
  const types = new Map(inputFields(name).map((field) => [field.name, field.type]));
  const input = Object.create(null) as Record<string, unknown>;
  for (const [key, text] of entries) {
    if (text !== '' || !types.has(key)) input[key] = fromText(types.get(key), text);
  }
  return input;
}
