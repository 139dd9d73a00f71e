// The members of an operation's input, read from its schema, for everything that is generated from the table.

import * as z from 'zod';
import type { FieldShape, JsonType } from '../../src/protocol/generated/commands.ts';
import { type OperationName, operations } from '../../src/protocol/operations.ts';

interface PropertySchema {
  readonly type?: JsonType;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly items?: PropertySchema & ObjectSchema;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** Inputs are flat, so this is all that a surface needs to know. */
export function fieldShapes(name: OperationName): readonly FieldShape[] {
  return shapesOf(z.toJSONSchema(operations[name].input, { io: 'input' }) as ObjectSchema);
}

function shapesOf(schema: ObjectSchema): readonly FieldShape[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const { type = 'string', enum: values, items, description = '' } = property as PropertySchema;
    const allowed = values ?? items?.enum;
    return {
      name: field,
      type,
      required: required.has(field),
      description,
      ...(allowed === undefined ? {} : { choices: allowed.map(String) }),
      ...(items?.properties === undefined ? {} : { members: shapesOf(items) }),
    };
  });
}
