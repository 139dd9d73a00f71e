// The members of an operation's input as its schema has them: for whatever is made from the table.

import * as z from 'zod';
import type { FieldShape, JsonType } from './generated/commands.ts';
import { type OperationName, operations } from './operations.ts';

interface PropertySchema {
  readonly type?: JsonType;
  readonly enum?: readonly unknown[];
  readonly description?: string;
}

/** Inputs are flat, so this is all that a surface needs to know. */
export function fieldShapes(name: OperationName): readonly FieldShape[] {
  const schema = z.toJSONSchema(operations[name].input, { io: 'input' });
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const { type = 'string', enum: values, description = '' } = property as PropertySchema;
    const choices = values === undefined ? {} : { choices: values.map(String) };
    return { name: field, type, required: required.has(field), description, ...choices };
  });
}
