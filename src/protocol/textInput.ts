// Query strings and command-line flags carry text only: this turns text into the JSON type that the operation's schema
// wants. Text that does not look like that type stays text, so that validation names the field.

import { z } from 'zod';
import { type OperationName, operationNames, operations } from './operations.ts';

export type JsonType = 'string' | 'integer' | 'number' | 'boolean';

export interface FieldShape {
  readonly name: string;
  readonly type: JsonType;
  readonly required: boolean;
  readonly description: string;
  /** The allowed values, if they are a short list. */
  readonly choices: readonly string[] | undefined;
}

interface PropertySchema {
  readonly type?: JsonType;
  readonly enum?: readonly unknown[];
  readonly description?: string;
}

function shapesOf(name: OperationName): readonly FieldShape[] {
  const schema = z.toJSONSchema(operations[name].input, { io: 'input' });
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const { type = 'string', enum: values, description = '' } = property as PropertySchema;
    return { name: field, type, required: required.has(field), description, choices: values?.map(String) };
  });
}

const shapes = new Map(operationNames.map((name) => [name, shapesOf(name)]));

/** The members of an operation's input. Inputs are flat, so this is all that a surface needs to know. */
export const inputFields = (name: OperationName): readonly FieldShape[] => shapes.get(name) ?? [];

/** How the help of a command line names a yes or no that is an argument. */
export const ON_OFF = 'on|off';

/** What stands in the place of an argument in the help of a command line. */
export const argumentName = (name: OperationName, field: string): string =>
  inputFields(name).some((shape) => shape.name === field && shape.type === 'boolean') ? ON_OFF : field;

function fromText(type: JsonType | undefined, text: string): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
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
