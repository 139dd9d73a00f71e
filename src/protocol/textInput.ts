// Query strings and command-line flags are text: this turns text into the JSON type that the operation's schema
// requires. Text that does not look like that type stays text, so that the validation names the field.

import { COMMANDS, type FieldShape } from './generated/commands.ts';
import type { OperationName } from './operations.ts';
import { readJson } from './readJson.ts';

/** The members of an operation's input. */
export const inputFields = (name: OperationName): readonly FieldShape[] => COMMANDS[name].fields;

function fromText({ type, members }: Pick<FieldShape, 'type' | 'members'>, text: string): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'object') return fromJson(text);
  if (type === 'array')
    return members === undefined ? text.split(',').map((name) => name.trim()) : fromJson(text);
  return text;
}

function fromJson(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

/** The unvalidated input for `parseInput`. An empty value of a known field counts as absent, since text has no null. */
export function inputFromText(
  name: OperationName,
  entries: Iterable<readonly [string, string]>,
): Record<string, unknown> {
  const fields = new Map(inputFields(name).map((field) => [field.name, field]));
  const input = Object.create(null) as Record<string, unknown>;
  for (const [key, text] of entries) {
    const field = fields.get(key);
    if (text !== '' || field === undefined) input[key] = field === undefined ? text : fromText(field, text);
  }
  return input;
}
