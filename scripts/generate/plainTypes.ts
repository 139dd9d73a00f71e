// The inputs and outputs of the operation table as plain TypeScript, for declarations that other programs compile: types
// of the schema library would need its package, and a newer compiler. `npm run generate` writes the generated file; the
// compiler checks it against the table (test/types/plainTypes.ts).

import * as z from 'zod';
import { type OperationName, operationNames, operations } from '../../src/protocol/operations.ts';

export const PLAIN_TYPES_FILE = 'packages/client/src/contract/generated/types.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

export function plainTypesSource(): string {
  const inputs = operationNames.map((name) => member(name, input(name)));
  const outputs = operationNames.map((name) => member(name, output(name)));
  return `// Made from the operation table by \`npm run generate\`; do not edit.

export interface Inputs {
${inputs.join('\n')}
}

export interface Outputs {
${outputs.join('\n')}
}
`;
}

const member = (name: OperationName, schema: Schema): string =>
  `  readonly '${name}': ${typeText(schema, '  ')};`;

const input = (name: OperationName): Schema =>
  z.toJSONSchema(operations[name].input, { io: 'input' }) as Schema;

const output = (name: OperationName): Schema => z.toJSONSchema(operations[name].output) as Schema;

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/[\\']/g, '\\$&')}'` : String(value);

/** `indent`: the indentation of the line where the type begins. */
function typeText(schema: Schema, indent: string): string {
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((one) => typeText(one, indent)).join(' | ');
  const { type } = schema;
  if (Array.isArray(type))
    return type.map((one: string) => typeText({ ...schema, type: one }, indent)).join(' | ');
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const item = typeText(schema.items ?? {}, indent);
      return `readonly ${item.includes(' ') && !item.startsWith('{') ? `(${item})` : item}[]`;
    }
    case 'object':
      return objectText(schema, indent);
    case undefined:
      if (Object.keys(schema).length === 0) return 'unknown';
      throw new RangeError(`no plain type for ${JSON.stringify(schema)}`);
    default:
      throw new RangeError(`no plain type for ${JSON.stringify(schema)}`);
  }
}

function objectText(
  { properties = {}, required = [], additionalProperties }: Schema,
  indent: string,
): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const text = typeText(schema, inner);
    const line = required.includes(name)
      ? `${inner}readonly ${name}: ${text};`
      : `${inner}readonly ${name}?: ${text} | undefined;`;
    return schema.description === undefined ? [line] : [`${inner}/** ${schema.description} */`, line];
  });
  if (typeof additionalProperties === 'object')
    fields.push(`${inner}readonly [name: string]: ${typeText(additionalProperties, inner)};`);
  if (fields.length === 0) return 'Readonly<Record<string, never>>';
  return `{\n${fields.join('\n')}\n${indent}}`;
}
